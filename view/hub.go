package view

import (
	"context"
	"sync"

	"github.com/twiddle-go/twiddle/nd"
)

// hub is what all pages of a handler share: blocks and pyramids.
type hub struct {
	source Source
	stream *nd.Stream
	blocks *cache[blockKey, *block]
	waves  *cache[waveKey, []extent]
	limit  int // bytes of pyramids

	mu       sync.Mutex
	pyramids map[pyramidKey]*held
	clock    int // counts uses, for the least recent
}

type pyramidKey struct {
	item string
	look look
}

// held is a pyramid with those who look at it. Its pass runs while there are
// any.
type held struct {
	*pyramid
	key   pyramidKey
	users int
	used  int // clock of the last use
	bytes int
	stop  context.CancelFunc // of a pass that runs; nil if none does
	over  chan struct{}      // closed when that pass has ended
}

func newHub(source Source, stream *nd.Stream, bytes int) *hub {
	return &hub{source: source, stream: stream, blocks: newCache[blockKey, *block](bytes / 2), waves: newCache[waveKey, []extent](8 << 20), limit: bytes,
		pyramids: map[pyramidKey]*held{}}
}

// use gives the pyramid of a look at a recording, until release is called.
// Several pages share it; share is how many recordings a page shows, which share
// its memory.
func (h *hub) use(item string, l look, info Info, share int) *held {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock++
	key := pyramidKey{item, l}
	p := h.pyramids[key]
	if p != nil && p.users == 0 && p.stop == nil && p.outgrown(info) {
		delete(h.pyramids, key)
		p = nil
	}
	if p == nil {
		p = &held{pyramid: newPyramid(l, info, share), key: key}
		p.bytes = p.pyramid.bytes(info.Frames)
		h.makeRoom(p.bytes)
		h.pyramids[key] = p
	}
	p.users++
	p.used = h.clock
	return p
}

// complete sees to it that the pass of a pyramid runs, if it does not reach to the
// end and somebody looks at it.
func (h *hub) complete(p *held, info Info, open func() (Recording, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.start(p, info, open)
}

// outgrown reports whether a recording has become so long that another base
// suits it.
func (p *pyramid) outgrown(info Info) bool {
	return p.look.columnsAt(p.base, info.Frames) > 2*baseColumns
}

// start is complete under the lock.
func (h *hub) start(p *held, info Info, open func() (Recording, error)) {
	p.mu.Lock()
	starts := p.stop == nil && p.frames < info.Frames && !info.Live
	if starts {
		p.err, p.ended = nil, false // whoever waits is to wait for this pass
	}
	p.mu.Unlock()
	if !starts {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	p.stop, p.over = cancel, over
	go func() {
		defer close(over)
		defer cancel()
		rec, err := open()
		if err == nil {
			p.run(ctx, h.stream, rec)
			err = rec.Close()
		}
		if err != nil {
			p.fail(err)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		p.stop = nil
		if p.users > 0 && ctx.Err() != nil { // somebody came back meanwhile
			h.start(p, info, open)
		}
	}()
}

// fail ends a pass that could not begin.
func (p *pyramid) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
	p.tell()
}

// release says that a page no longer looks.
func (h *hub) release(p *held) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.users--; p.users == 0 && p.stop != nil {
		p.stop()
	}
}

// makeRoom lets pyramids go that nobody looks at, the least recently used
// first. h.mu is held.
func (h *hub) makeRoom(bytes int) {
	for {
		total := bytes
		var oldest *held
		for _, p := range h.pyramids {
			total += p.bytes
			if p.users == 0 && p.stop == nil && (oldest == nil || p.used < oldest.used) {
				oldest = p
			}
		}
		if total <= h.limit || oldest == nil {
			return
		}
		delete(h.pyramids, oldest.key)
	}
}

// close ends all passes.
func (h *hub) close() {
	h.mu.Lock()
	var over []chan struct{}
	for _, p := range h.pyramids {
		if p.stop != nil {
			p.stop()
			over = append(over, p.over)
		}
	}
	h.mu.Unlock()
	for _, c := range over {
		<-c
	}
}

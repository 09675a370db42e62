package device

import (
	"context"
	"errors"
	"math/bits"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// Pool keeps the memory of one device for reuse. What it hands out are
// blocks: a block is freed to the pool when its last reference is dropped,
// even while queues still use it, because the pool remembers the last event of
// each queue that did and gives the block to another queue only behind that
// event. Pools are safe for concurrent use.
type Pool struct {
	dev Device

	cheap func(bytes int) bool // of a Thrifty device

	mu         sync.Mutex
	free       map[int]*shelf // by size
	usage      Usage
	freeCheap  int // bytes of usage.Cached in cheap blocks
	cacheLimit int
	cacheGiven bool // by SetCacheLimit
	closed     bool
	collecting bool
	collectAt  int // active bytes that make a garbage collection worthwhile
}

// shelf is the free blocks of a size, least recently freed first.
type shelf struct{ blocks []*Block }

// Usage is what a pool holds, in bytes.
type Usage struct {
	Active int // in blocks that are referenced
	Peak   int // the most Active has been
	Cached int // kept for reuse
	Limit  int // on Active and Cached together; 0 for none
}

// collectFloor is the Active below which the garbage collector is left alone.
// Device memory is not on the Go heap, so dropped arrays do not make the
// collector run by themselves.
const collectFloor = 256 << 20

// NewPool makes the pool of a device. It may take three quarters of the
// device's memory, where that is known, and keep half of that unused.
func NewPool(dev Device) *Pool {
	p := &Pool{dev: dev, free: map[int]*shelf{}, collectAt: collectFloor, cheap: func(int) bool { return false }}
	if t, ok := As[Thrifty](dev); ok {
		p.cheap = t.Cheap
	}
	p.usage.Limit = dev.Info().MemoryBytes / 4 * 3
	p.cacheLimit = p.usage.Limit / 2
	if p.usage.Limit == 0 {
		p.cacheLimit = 1 << 30
	}
	return p
}

// Get gives a block of at least bytes bytes, with one reference, for use on a
// queue. Where the block was last used by other queues, fence is called with
// the events to wait for. Out of memory, Get trims the pool, collects
// garbage, waits for queued work that holds memory, and only then fails, with
// an *OutOfMemoryError.
func (p *Pool) Get(ctx context.Context, bytes, queue int, fence func(Event)) (*Block, error) {
	size, ok := blockSize(bytes)
	if !ok {
		return nil, p.outOfMemory(bytes, nil)
	}
	if b := p.cached(size, queue, nil); b != nil {
		return b, nil
	}
	b, err := p.alloc(size)
	if err == nil || !IsOutOfMemory(err) {
		return b, err
	}
	if b := p.cached(size, queue, fence); b != nil {
		return b, nil
	}
	for _, makeRoom := range []func(context.Context){
		func(context.Context) {}, // Trim below is enough
		p.collect,
		p.drain,
	} {
		makeRoom(ctx)
		if b := p.cached(size, queue, fence); b != nil {
			return b, nil
		}
		p.Trim()
		if b, err = p.alloc(size); err == nil || !IsOutOfMemory(err) {
			return b, err
		}
		if ctx != nil && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return nil, p.outOfMemory(bytes, err)
}

// cached takes a free block of exactly size. Without a fence it takes only
// one that the queue may use at once.
func (p *Pool) cached(size, queue int, fence func(Event)) *Block {
	p.mu.Lock()
	var list []*Block
	shelf := p.free[size]
	if shelf != nil {
		list = shelf.blocks
	}
	at := -1
	for i := len(list) - 1; i >= 0; i-- {
		if fence != nil || list[i].readyFor(queue) {
			at = i
			break
		}
	}
	if at < 0 {
		p.mu.Unlock()
		return nil
	}
	b := list[at]
	shelf.blocks = slices.Delete(list, at, at+1)
	p.cache(-size)
	p.activate(size)
	p.mu.Unlock()
	b.refs.Store(1)
	// Uses that are not over stay on record: the caller may give the block
	// back without having used it. Nobody asks about the queue's own, which are
	// in order: on a GPU that is a call of the driver.
	b.uses = slices.DeleteFunc(b.uses, func(u use) bool { return u.queue != queue && u.event.Happened() })
	for _, u := range b.uses {
		if u.queue != queue {
			fence(u.event)
		}
	}
	return b
}

// activate counts size bytes as active; p.mu is held.
func (p *Pool) activate(size int) {
	p.usage.Active += size
	p.usage.Peak = max(p.usage.Peak, p.usage.Active)
	if p.usage.Active > p.collectAt && !p.collecting {
		p.collecting = true
		go func() {
			runtime.GC()
			p.mu.Lock()
			p.collecting = false
			p.collectAt = max(collectFloor, 2*p.usage.Active)
			p.mu.Unlock()
		}()
	}
}

func (p *Pool) alloc(size int) (*Block, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	held := p.usage.Active + p.usage.Cached
	if p.usage.Limit > 0 && size > p.usage.Limit-held {
		p.mu.Unlock()
		return nil, p.outOfMemory(size, nil)
	}
	p.activate(size)
	on := p.free[size]
	if on == nil {
		on = &shelf{}
		p.free[size] = on
	}
	p.mu.Unlock()
	buf, err := p.dev.Alloc(size)
	if err != nil {
		p.mu.Lock()
		p.usage.Active -= size
		p.mu.Unlock()
		return nil, err
	}
	b := &Block{Buffer: buf, pool: p, size: size, shelf: on}
	b.uses = b.few[:0]
	b.refs.Store(1)
	return b, nil
}

// put takes a block back when its last reference is gone.
func (p *Pool) put(b *Block) {
	p.mu.Lock()
	p.usage.Active -= b.size
	if p.closed {
		p.mu.Unlock()
		b.dropSpare()
		return
	}
	if p.cheap(b.size) && !p.cacheGiven && p.freeCheap+b.size > mostCheap && b.readyFor(noQueue) {
		p.mu.Unlock()
		p.giveBack([]*Block{b})
		return
	}
	b.shelf.blocks = append(b.shelf.blocks, b)
	p.cache(b.size)
	var drop []*Block
	if most := p.mostCached(); p.usage.Cached > most {
		drop = p.unused(p.usage.Cached - most)
	}
	p.mu.Unlock()
	p.giveBack(drop)
}

// cacheFloor is kept for reuse by programs that never had much at once: work of
// changing lengths would otherwise leave a block of each in the cache.
const cacheFloor = 128 << 20

// mostCheap bounds the cheap blocks that are kept. A program that drops small arrays
// without releasing them gets hundreds of thousands of blocks back at once, whenever
// garbage is collected; kept, they and what belongs to them make the heap grow to
// three times as much before the next time.
const mostCheap = 32 << 20

// cache counts a block that is kept, or with a negative size one that is not any
// more; p.mu is held.
func (p *Pool) cache(size int) {
	p.usage.Cached += size
	if p.cheap(max(size, -size)) {
		p.freeCheap += size
	}
}

// mostCached bounds what is kept for reuse: what was in use at once and an eighth more,
// unless the caller has said otherwise. Less makes a loop over large arrays allocate in
// every turn, 450 us of it on an H200, for transforms of 140: without the eighth, a loop
// over two results of about the input's size and one of a few bytes did. p.mu is held.
func (p *Pool) mostCached() int {
	if p.cacheGiven {
		return p.cacheLimit
	}
	return min(p.cacheLimit, max(cacheFloor, p.usage.Peak+p.usage.Peak/8))
}

// unused takes at least bytes bytes of blocks that no queue uses off the free
// lists, as far as there are any; p.mu is held.
func (p *Pool) unused(bytes int) []*Block {
	var out []*Block
	for size, s := range p.free {
		kept := s.blocks[:0]
		for _, b := range s.blocks {
			if bytes > 0 && b.readyFor(noQueue) {
				out = append(out, b)
				bytes -= size
				p.cache(-size)
			} else {
				kept = append(kept, b)
			}
		}
		clear(s.blocks[len(kept):])
		s.blocks = kept
	}
	return out
}

func (p *Pool) giveBack(blocks []*Block) {
	for _, b := range blocks {
		b.dropSpare()
		p.dev.Free(b.Buffer)
	}
}

// Thrifty is a device that makes some buffers as fast as the pool finds them.
type Thrifty interface {
	Cheap(bytes int) bool
}

// Worker is a device that takes memory of the process for what it runs, besides
// buffers, and keeps it for what it runs next.
type Worker interface {
	Scratch() (bytes int) // that it holds
	Trim()                // gives back what nothing uses
}

// Scratch is what the device holds besides buffers.
func (p *Pool) Scratch() int {
	if w, ok := As[Worker](p.dev); ok {
		return w.Scratch()
	}
	return 0
}

// Trim gives cached memory that no queue uses back to the device.
func (p *Pool) Trim() {
	if w, ok := As[Worker](p.dev); ok {
		w.Trim()
	}
	p.mu.Lock()
	drop := p.unused(p.usage.Cached)
	p.mu.Unlock()
	p.giveBack(drop)
}

// mostCleanup is how long Get waits for cleanups. Those of arrays take microseconds, once
// they run; a program may have its own, which take forever.
const mostCleanup = 2 * time.Second

// collect runs the garbage collector and waits for the cleanups of dead arrays, which
// return their memory.
func (p *Pool) collect(ctx context.Context) {
	runtime.GC()
	for start := time.Now(); CleanupsWait() && time.Since(start) < mostCleanup && (ctx == nil || ctx.Err() == nil); {
		time.Sleep(100 * time.Microsecond)
	}
}

// CleanupsWait reports whether the collector has found something dead whose cleanup has
// not run.
func CleanupsWait() bool {
	s := []metrics.Sample{{Name: "/gc/cleanups/queued:cleanups"}, {Name: "/gc/cleanups/executed:cleanups"}}
	metrics.Read(s)
	return s[1].Value.Uint64() < s[0].Value.Uint64()
}

// drain waits for the queued work that uses free blocks.
func (p *Pool) drain(ctx context.Context) {
	if ctx == nil {
		ctx = context.Background()
	}
	p.mu.Lock()
	var events []Event
	for _, s := range p.free {
		for _, b := range s.blocks {
			for _, u := range b.uses {
				if !u.event.Happened() {
					events = append(events, u.event)
				}
			}
		}
	}
	p.mu.Unlock()
	for _, e := range events {
		if e.Wait(ctx) != nil {
			return
		}
	}
}

// Usage is what the pool holds now.
func (p *Pool) Usage() Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.usage
}

// ResetPeak makes Peak count from what is active now.
func (p *Pool) ResetPeak() {
	p.mu.Lock()
	p.usage.Peak = p.usage.Active
	p.mu.Unlock()
}

// SetLimit bounds active and cached bytes together; 0 lifts the bound. Memory
// already held above a new limit stays.
func (p *Pool) SetLimit(bytes int) {
	p.mu.Lock()
	p.usage.Limit = max(bytes, 0)
	over := p.usage.Active + p.usage.Cached - p.usage.Limit
	var drop []*Block
	if p.usage.Limit > 0 && over > 0 {
		drop = p.unused(over)
	}
	p.mu.Unlock()
	p.giveBack(drop)
}

// SetCacheLimit bounds the bytes kept for reuse; 0 keeps nothing.
func (p *Pool) SetCacheLimit(bytes int) {
	p.mu.Lock()
	p.cacheLimit, p.cacheGiven = max(bytes, 0), true
	drop := p.unused(p.usage.Cached - p.cacheLimit)
	p.mu.Unlock()
	p.giveBack(drop)
}

// Close forgets every cached block; blocks that are still referenced are
// forgotten when they come back. The device frees its memory itself.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for _, s := range p.free {
		for _, b := range s.blocks {
			b.dropSpare()
		}
	}
	p.free = map[int]*shelf{}
	p.usage.Cached, p.freeCheap = 0, 0
	p.mu.Unlock()
}

func (p *Pool) outOfMemory(asked int, err error) error {
	u := p.Usage()
	e := &OutOfMemoryError{Device: p.dev.Info().Name, Asked: asked, Held: u.Active + u.Cached, Free: -1, Limit: u.Limit}
	var from *OutOfMemoryError
	if errors.As(err, &from) && from.Limit == 0 {
		e.Free = from.Free
	}
	if u.Limit > 0 && e.Free < 0 {
		e.Free = max(u.Limit-e.Held, 0)
	}
	return e
}

// IsOutOfMemory reports an *OutOfMemoryError.
func IsOutOfMemory(err error) bool {
	var e *OutOfMemoryError
	return errors.As(err, &e)
}

// blockSize rounds up to the sizes blocks come in, so that similar requests
// can share them: multiples of 64 bytes to 512, then eight sizes per doubling,
// which wastes an eighth at most. It reports false where that overflows.
func blockSize(bytes int) (int, bool) {
	if bytes <= 512 {
		return max((bytes+63)&^63, 64), true
	}
	step := 1 << (bits.Len(uint(bytes-1)) - 4)
	size := (bytes + step - 1) &^ (step - 1)
	return size, size >= bytes
}

package cpu

import (
	"slices"
	"sync"
)

// stash is the large pieces of scratch that no worker is using. Parts of large
// transforms need tens of megabytes; if every worker kept the largest piece it
// ever needed, a process that sees many lengths would hold many of them.
//
// Pieces in use and idle ones together are never more bytes than were in use at
// once: work that repeats finds its pieces here, and one that is too small gives
// way to a larger one.
type stash struct {
	mu   sync.Mutex
	idle []piece // the least recently used first

	idleBytes, used, peak int
}

// piece is memory of the operating system.
type piece struct{ mem, mapping []byte }

// get gives a piece of at least n bytes.
func (t *stash) get(n int) (piece, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	best := -1
	for i, p := range t.idle {
		if len(p.mem) >= n && (best < 0 || len(p.mem) < len(t.idle[best].mem)) {
			best = i
		}
	}
	var p piece
	if best >= 0 {
		p = t.idle[best]
		t.idle = slices.Delete(t.idle, best, best+1)
		t.idleBytes -= len(p.mem)
	} else {
		// Sizes in steps of an eighth, so that the next length fits as well.
		step := 1
		for step*16 < n {
			step *= 2
		}
		var err error
		if p.mem, p.mapping, err = mapMemory((n + step - 1) / step * step); err != nil {
			return piece{}, err
		}
	}
	t.used += len(p.mem)
	t.peak = max(t.peak, t.used)
	t.drop(t.peak)
	return p, nil
}

// put takes a piece back.
func (t *stash) put(p piece) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used -= len(p.mem)
	t.idle = append(t.idle, p)
	t.idleBytes += len(p.mem)
	t.drop(t.peak)
}

func (t *stash) held() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.used + t.idleBytes
}

// trim gives back what is idle, and forgets that more was in use at once.
func (t *stash) trim() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.peak = t.used
	t.drop(t.used)
}

// drop gives idle pieces back until no more than limit bytes are held.
func (t *stash) drop(limit int) {
	for len(t.idle) > 0 && t.used+t.idleBytes > limit {
		p := t.idle[0]
		t.idle = slices.Delete(t.idle, 0, 1)
		t.idleBytes -= len(p.mem)
		if p.mapping != nil {
			unmapMemory(p.mapping)
		}
	}
}

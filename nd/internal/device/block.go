package device

import (
	"slices"
	"sync/atomic"
)

// Block is a buffer of a pool.
type Block struct {
	Buffer
	pool  *Pool
	size  int
	shelf *shelf // where it lies when it is free
	refs  atomic.Int32
	uses  []use // guarded by whoever schedules work on the block
	few   [2]use
	spare atomic.Pointer[any]
}

// Dropper is what may wait with a free block for its next user.
type Dropper interface {
	// Drop says that there will be none.
	Drop()
}

// use is the last thing a queue did with a block.
type use struct {
	queue int
	event Event
}

// noQueue is a queue that never used anything.
const noQueue = -1 << 31

// readyFor reports whether every other queue is done with the block.
func (b *Block) readyFor(queue int) bool {
	return !slices.ContainsFunc(b.uses, func(u use) bool { return u.queue != queue && !u.event.Happened() })
}

// Use notes that queue uses the block until e happens. The caller holds a
// reference, and does not call Use from two goroutines at once.
func (b *Block) Use(queue int, e Event) {
	for i := range b.uses {
		if b.uses[i].queue == queue {
			b.uses[i].event = e
			return
		}
	}
	b.uses = append(b.uses, use{queue, e})
}

// Fence calls wait with every event after which queue may write the block. The
// caller schedules work on it, as for Use.
func (b *Block) Fence(queue int, wait func(Event)) {
	for _, u := range b.uses {
		if u.queue != queue && !u.event.Happened() {
			wait(u.event)
		}
	}
}

// Retain adds a reference.
func (b *Block) Retain() { b.refs.Add(1) }

// Release drops a reference.
func (b *Block) Release() {
	switch n := b.refs.Add(-1); {
	case n == 0:
		b.pool.put(b)
	case n < 0:
		panic("device: block released more often than retained")
	}
}

// ReleaseWith drops a reference and leaves *spare, a Dropper, with the block for
// who gets it next. There is room for one.
func (b *Block) ReleaseWith(spare *any) {
	b.Leave(spare)
	b.Release()
}

// Leave is ReleaseWith that keeps the reference.
func (b *Block) Leave(spare *any) {
	if !b.spare.CompareAndSwap(nil, spare) {
		(*spare).(Dropper).Drop()
	}
}

// TakeSpare gives what was left with the block, or nil. Only who got the block
// from the pool, or has all its references, knows that nobody else uses it.
func (b *Block) TakeSpare() any {
	if p := b.spare.Swap(nil); p != nil {
		return *p
	}
	return nil
}

func (b *Block) dropSpare() {
	if d, ok := b.TakeSpare().(Dropper); ok {
		d.Drop()
	}
}

// Refs is how many references there are; only a caller that knows all their
// owners can rely on it.
func (b *Block) Refs() int { return int(b.refs.Load()) }

package cuda

import (
	"slices"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/driver"
)

// A launch is queued long before it is known whether it will fail: an index
// out of range is found by the kernel. So a buffer carries, besides the error
// of a launch that could not be queued, the faults it may turn out to have:
// those of every launch that its contents come from. Launches that depend on
// such a buffer run all the same, on contents nobody will see if a fault turns
// up; kernels check every index they are given.

// state is what may be wrong with a buffer's contents. It does not change.
type state struct {
	faults []*fault // in order; the first that happened is the error
	err    error    // comes after them
}

// fault is a launch that may fail on the GPU.
type fault struct {
	queue  *queue
	seq    uint64
	cell   cell
	label  string
	decode func([4]uint64) error
	done   bool // guarded by the device's mu
	err    error
}

// outcome is the first error that is known. mu is held.
func (s *state) outcome() error {
	if s == nil {
		return nil
	}
	for _, f := range s.faults {
		if f.done && f.err != nil {
			return f.err
		}
	}
	return s.err
}

// Err is the buffer's mark.
func (b *buffer) Err() error {
	d := b.dev
	if err := d.lostError(); err != nil {
		return err
	}
	s := b.state.Load()
	if s == nil {
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	for _, f := range s.faults {
		if !f.done {
			f.queue.poll()
		}
	}
	return s.outcome()
}

// blocked is why a launch must not run: a mark on what it reads or adds to. mu
// is held.
func blocked(l *device.Launch) error {
	for _, r := range l.Reads {
		if err := r.(*buffer).state.Load().outcome(); err != nil {
			return err
		}
	}
	if l.Adds {
		for _, w := range l.Writes {
			if err := w.(*buffer).state.Load().outcome(); err != nil {
				return err
			}
		}
	}
	return nil
}

// mark gives what a launch writes its state: what its inputs may have, what it
// may do itself, and the error it failed with already. mu is held.
func mark(l *device.Launch, own *fault, err error) {
	var inherited []*fault
	for _, r := range l.Reads {
		if s := r.(*buffer).state.Load(); s != nil {
			inherited = addFaults(inherited, s.faults...)
		}
	}
	if own != nil {
		inherited = append(inherited, own)
	}
	for _, w := range l.Writes {
		b := w.(*buffer)
		var before *state
		if l.Adds {
			before = b.state.Load()
		}
		if before == nil && len(inherited) == 0 && err == nil {
			b.state.Store(nil)
			continue
		}
		s := &state{err: err, faults: inherited}
		if before != nil {
			s.faults = addFaults(slices.Clone(before.faults), inherited...)
			if before.err != nil {
				s.err = before.err // the first failure of a shared result stays
			}
		}
		b.state.Store(s)
	}
}

// addFaults appends what list does not have and may still matter.
func addFaults(list []*fault, more ...*fault) []*fault {
	for _, f := range more {
		if (!f.done || f.err != nil) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// cell is four words that a kernel reports a fault in: host memory that the
// GPU writes to, so that reading it costs no call.
type cell struct {
	words *[4]uint64
	at    driver.Pointer
}

// cellBytes is the size of a cell; slabCells is how many are made at once.
const (
	cellBytes = 32
	slabCells = 128
)

// cells are the cells of a device; all free ones are zero.
type cells struct {
	slabs [][]byte
	list  []cell
}

func (c *cells) take(g gpu) (cell, driver.Result) {
	if len(c.list) == 0 {
		slab, r := g.HostAlloc(slabCells * cellBytes)
		if r != driver.Success {
			return cell{}, r
		}
		clear(slab)
		c.slabs = append(c.slabs, slab)
		for i := range slabCells {
			part := slab[i*cellBytes : (i+1)*cellBytes]
			c.list = append(c.list, cell{words: wordsOf(part), at: driver.HostPointer(part)})
		}
	}
	last := len(c.list) - 1
	x := c.list[last]
	c.list = c.list[:last]
	return x, driver.Success
}

func (c *cells) put(x cell) {
	*x.words = [4]uint64{}
	c.list = append(c.list, x)
}

func (c *cells) free(g gpu) {
	for _, s := range c.slabs {
		_ = g.HostFree(s)
	}
	*c = cells{}
}

// settle reads the cell; everything before the fault's seq is done. mu is held.
func (f *fault) settle() {
	d := f.queue.dev
	var words [4]uint64
	for i := range words {
		words[i] = atomic.LoadUint64(&f.cell.words[i])
	}
	if words[0] != 0 {
		if err := f.decode(words); err != nil {
			f.err = &device.LaunchError{Label: f.label, Err: err}
		}
	}
	f.done = true
	d.cells.put(f.cell)
}

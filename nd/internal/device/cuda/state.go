package cuda

import (
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
)

// fault is a launch that may fail on the GPU.
type fault struct {
	marks.Told
	queue *queue
	seq   uint64
	cell  cell
}

func (f *fault) Poll() { f.queue.poll() }

func markOf(b device.Buffer) *marks.Mark { return &b.(*buffer).mark }

// Err is the buffer's mark.
func (b *buffer) Err() error { return b.dev.outcome(b.mark.Load()) }

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
	f.Tell(words)
	d.cells.put(f.cell)
}

package webgpu

import (
	"encoding/binary"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/marks"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// mostLaunches is how many launches are submitted together: enough that a submission
// costs little beside them, few enough that the GPU does not wait for the host.
const mostLaunches = 32

// flight is a batch under way. It is done when all that it waits for has come: the
// end of the work, and the contents of its fault cells.
type flight struct {
	seq    uint64
	left   int
	labels []device.Label
	cells  []*cell
	words  []*chunk
	began  time.Time                  // when it was submitted
	timed  func(begin, end time.Time) // is told when it ran, if set
}

// batch is the commands of the batch that is being made. mu is held.
func (d *Device) batch() *driver.Commands {
	if d.commands == nil {
		d.commands = d.gpu.Commands()
	}
	return d.commands
}

// soon submits the batch if there is enough in it, or nothing else for the GPU to
// do. mu is held.
func (d *Device) soon() {
	if d.launches >= mostLaunches || len(d.flights) == 0 {
		d.submit()
	}
}

// submit hands the batch over. mu is held.
func (d *Device) submit() {
	if d.commands == nil {
		return
	}
	if d.lost.Load() != nil {
		d.commands.Drop()
		d.commands, d.launches, d.labels = nil, 0, nil
		return
	}
	d.submitted++
	f := &flight{seq: d.submitted, labels: d.labels, cells: d.cells, left: 1 + len(d.cells), began: time.Now()}
	f.words = d.words.flush(d.gpu)
	for _, c := range d.cells {
		d.commands.Copy(c.back, 0, c.at, 0, cellBytes)
	}
	d.flights = append(d.flights, f)
	d.commands.Submit(func() { f.left-- })
	for _, c := range d.cells {
		d.gpu.Map(c.back, cellBytes, func(data []byte) {
			f.left--
			for i := range c.words {
				if data != nil {
					c.words[i] = binary.LittleEndian.Uint64(data[8*i:])
				}
			}
			if data != nil {
				d.gpu.Unmap(c.back)
			}
		})
	}
	d.commands, d.launches, d.labels, d.cells = nil, 0, nil, nil
	d.check()
}

// submitTimed hands over the batch of a single launch, and tells when it ran: from
// its submission, or the end of what was before it, until the host sees that it is
// done. mu is held.
func (d *Device) submitTimed(timed func(begin, end time.Time)) {
	before := d.submitted
	d.submit()
	if d.submitted == before { // nothing to do, or the device is lost
		now := time.Now()
		timed(now, now)
		return
	}
	d.flights[len(d.flights)-1].timed = timed
	d.call(d.submitted, func() {}) // somebody has to look
}

// check finds what the library has to say. mu is held.
func (d *Device) check() {
	if why := d.gpu.Lost(); why != "" {
		d.lose(why)
	}
	if err := d.gpu.Failure(); err != nil {
		d.lose(err.Error())
	}
}

// poll finds out how far the work is. mu is held.
func (d *Device) poll() {
	if len(d.flights) == 0 || d.lost.Load() != nil {
		return
	}
	d.gpu.Poll()
	d.check()
	n := 0
	for n < len(d.flights) && d.flights[n].left == 0 {
		f := d.flights[n]
		for _, c := range f.cells {
			c.settle()
			d.spare = append(d.spare, c)
		}
		d.words.put(f.words)
		now := time.Now()
		if f.timed != nil {
			if f.began.Before(d.ended) {
				f.began = d.ended // it waited for the batch before it
			}
			f.timed(f.began, now)
		}
		d.ended = now
		d.finished.Store(f.seq)
		n++
	}
	clear(d.flights[:n])
	d.flights = d.flights[n:]
}

// cell is four words that a kernel reports a fault in, where it can write them and
// where the host can read them.
type cell struct {
	at, back driver.Buffer
	words    [4]uint64
	fault    *fault
}

const cellBytes = 32

// cell gives a cell of zeros for a launch of the batch. mu is held.
func (d *Device) cell(f *fault) (*cell, error) {
	var c *cell
	if n := len(d.spare); n > 0 {
		c, d.spare = d.spare[n-1], d.spare[:n-1]
	} else {
		c = &cell{}
		var err error
		if c.at, err = d.take(cellBytes, driver.Storage|driver.CopySrc|driver.CopyDst); err != nil {
			return nil, err
		}
		if c.back, err = d.take(cellBytes, driver.MapRead|driver.CopyDst); err != nil {
			return nil, err
		}
	}
	c.words, c.fault = [4]uint64{}, f
	d.batch().Clear(c.at, 0, cellBytes)
	d.cells = append(d.cells, c)
	return c, nil
}

// settle tells the launch what its kernel found.
func (c *cell) settle() {
	c.fault.Tell(c.words)
	c.fault = nil
}

// fault is a launch that may fail on the GPU.
type fault struct {
	marks.Told
	dev *Device
}

func (f *fault) Poll() { f.dev.poll() }

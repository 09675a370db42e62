package simulate

import (
	"bytes"
	"context"
	"math"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Device runs every launch at once, in the caller, through the modules that
// Generate makes.
type Device struct {
	Generate func(ir.Program) (*kgen.Module, error)
	About    device.Info // what plans are made for; the zero value is a GPU without lines
	Check    bool        // races and missing barriers are errors
	closed   atomic.Bool
}

// most is what the device pretends to have.
const most = min(1<<40, math.MaxInt/2)

func (d *Device) Info() device.Info {
	if d.About.Name != "" {
		return d.About
	}
	return device.Info{Name: "simulated", Workers: 1, Types: elem.All[:], MemoryBytes: most, Margins: true, Overlaps: true, Batches: true}
}

type buffer struct {
	data []byte
	size int
	mark error
}

func (b *buffer) Bytes() int { return b.size }
func (b *buffer) Err() error { return b.mark }

func (d *Device) Alloc(n int) (device.Buffer, error) {
	if d.closed.Load() {
		return nil, device.ErrClosed
	}
	if n > most {
		return nil, &device.OutOfMemoryError{Device: "simulated", Asked: n, Free: -1}
	}
	b := &buffer{size: n}
	if n < 1<<30 { // more is never touched
		b.data = bytes.Repeat([]byte{0xff}, n) // NaN, for those who read what nobody wrote
	}
	return b, nil
}

func (d *Device) Free(device.Buffer) {}

type kernel struct {
	p ir.Program
	m *kgen.Module
}

func (k kernel) Program() ir.Program { return k.p }

func (d *Device) Compile(p ir.Program) (device.Kernel, error) {
	if d.closed.Load() {
		return nil, device.ErrClosed
	}
	if err := p.Verify(); err != nil {
		return nil, err
	}
	m, err := d.Generate(p)
	return kernel{p, m}, err
}

func (d *Device) NewQueue() (device.Queue, error) {
	if d.closed.Load() {
		return nil, device.ErrClosed
	}
	return queue{d}, nil
}

func (d *Device) Close() error {
	d.closed.Store(true)
	return nil
}

type queue struct{ d *Device }

func (q queue) Launch(l device.Launch) {
	if q.d.closed.Load() {
		return
	}
	err := q.d.run(l)
	for _, w := range l.Writes {
		if b := w.(*buffer); !l.Adds || b.mark == nil {
			b.mark = err
		}
	}
}

func (d *Device) run(l device.Launch) error {
	var reads, writes [][]byte
	for _, r := range l.Reads {
		if err := r.Err(); err != nil {
			return err
		}
		reads = append(reads, r.(*buffer).data)
	}
	if l.Context != nil && l.Context.Err() != nil {
		return &device.Cancelled{Cause: context.Cause(l.Context)}
	}
	writes = append(writes, lists.Map(l.Writes, func(w device.Buffer) []byte { return w.(*buffer).data })...)
	m := l.Kernel.(kernel).m
	cell, err := Run(m, reads, writes, l.Args, d.Check)
	if err == nil && cell[0] != 0 {
		err = m.Fault(cell)
	}
	if err != nil {
		return &device.LaunchError{Label: l.Label, Err: err}
	}
	return nil
}

func (q queue) Write(dst device.Buffer, src []byte) {
	b := dst.(*buffer)
	copy(b.data, src)
	b.mark = nil
}

func (q queue) Read(_ context.Context, dst []byte, src device.Buffer) error {
	if q.d.closed.Load() {
		return device.ErrClosed
	}
	b := src.(*buffer)
	copy(dst, b.data)
	return b.mark
}

// Record's event has happened: everything runs at once.
func (queue) Record() device.Event { return device.Event{} }
func (queue) Wait(device.Event)    {}
func (queue) Flush()               {}
func (queue) Close() error         { return nil }

package webgpu

import (
	"context"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// someAdapter is the first one that can be used, with limits that the test makes up.
func someAdapter(t *testing.T) driver.Adapter {
	t.Helper()
	list, err := adapters()
	if err != nil {
		t.Skip(err)
	}
	for _, a := range list {
		if usable(a) == nil {
			return *a
		}
	}
	t.Skip("no adapter can be used")
	return driver.Adapter{}
}

// openSome opens the first adapter after change.
func openSome(t *testing.T, change func(*driver.Limits)) *Device {
	t.Helper()
	a := someAdapter(t)
	if change != nil {
		change(&a.Limits)
	}
	d, err := start("webgpu:0", &a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// bench runs programs on a device.
type bench struct {
	t *testing.T
	d device.Device
	q device.Queue
}

func newBench(t *testing.T, d device.Device) bench {
	t.Helper()
	q, err := d.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	return bench{t, d, q}
}

func (b bench) bytes(data []byte) device.Buffer {
	b.t.Helper()
	m, err := b.d.Alloc(len(data))
	if err != nil {
		b.t.Fatal(err)
	}
	b.q.Write(m, data)
	return m
}

func (b bench) floats(list ...float32) device.Buffer { return b.bytes(elem.Bytes(list)) }

func (b bench) kernel(p ir.Program) device.Kernel {
	b.t.Helper()
	k, err := b.d.Compile(p)
	if err != nil {
		b.t.Fatal(err)
	}
	return k
}

func (b bench) read(m device.Buffer) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out := make([]byte, m.Bytes())
	return out, b.q.Read(ctx, out, m)
}

// all runs a program once and gives what it wrote.
func (b bench) all(p ir.Program, reads [][]byte, sizes []int) ([][]byte, error) {
	b.t.Helper()
	k, err := b.d.Compile(p)
	if err != nil {
		return nil, err
	}
	l := device.Launch{Kernel: k, Label: device.Label{Op: "test"}}
	for _, r := range reads {
		l.Reads = append(l.Reads, b.bytes(r))
	}
	for _, n := range sizes {
		l.Writes = append(l.Writes, b.bytes(make([]byte, n)))
	}
	b.q.Launch(l)
	var out [][]byte
	for _, w := range l.Writes {
		got, e := b.read(w)
		if err == nil {
			err = e
		}
		out = append(out, got)
	}
	for _, m := range append(l.Reads, l.Writes...) {
		b.d.Free(m)
	}
	return out, err
}

// sumOf is a map that adds n inputs.
func sumOf(t elem.Type, n, inputs int) *ir.Map {
	dims := []int{n}
	o := ir.Contiguous(t, dims)
	m := &ir.Map{Dims: dims, Out: []ir.Operand{o}}
	last := ir.ValueID(0)
	for i := range inputs {
		m.In = append(m.In, o)
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Load, Type: t, Slot: i})
		if i > 0 {
			m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: scalar.Add, Type: t, A: last, B: m.Last()})
		}
		last = m.Last()
	}
	m.Value = []ir.ValueID{last}
	return m
}

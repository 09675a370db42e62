package webgpu

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func (b bench) run(k device.Kernel, label string, x, y device.Buffer) {
	b.q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{y}, Label: device.Label{Op: label}})
}

// A device that is lost is the error of all that depends on it; nobody waits forever,
// and opening it again gives one that works.
func TestLost(t *testing.T) {
	d := openSome(t, nil)
	b := newBench(t, d)
	k := b.kernel(sumOf(elem.Float32, 4, 1))
	x, y, z := b.floats(1, 2, 3, 4), b.floats(0, 0, 0, 0), b.floats(0, 0, 0, 0)
	b.run(k, "before", x, y)
	if _, err := b.read(y); err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	d.gpu.Destroy()
	d.check()
	d.mu.Unlock()
	b.run(k, "after", y, z)
	e := b.q.Record()
	called := make(chan struct{})
	e.Then(func() { close(called) })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := e.Wait(ctx); err != nil {
		t.Fatalf("wait: %v", err)
	}
	select {
	case <-called:
	case <-ctx.Done():
		t.Fatal("nobody was called")
	}
	for name, err := range map[string]error{
		"mark":      z.Err(),
		"good mark": y.Err(),
		"read":      func() error { _, err := b.read(z); return err }(),
		"alloc":     func() error { _, err := d.Alloc(64); return err }(),
		"compile":   func() error { _, err := d.Compile(sumOf(elem.Float32, 8, 1)); return err }(),
		"new queue": func() error { _, err := d.NewQueue(); return err }(),
		"write":     func() error { b.q.Write(y, make([]byte, 4)); return y.Err() }(),
	} {
		var lost *LostError
		var launch *device.LaunchError
		if !errors.As(err, &lost) || !errors.As(err, &launch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	c := newBench(t, openSome(t, nil))
	x, y = c.floats(1, 2, 3, 4), c.floats(0, 0, 0, 0)
	c.run(c.kernel(sumOf(elem.Float32, 4, 1)), "again", x, y)
	if got, err := c.read(y); err != nil || elem.Slice[float32](got)[3] != 4 {
		t.Errorf("the new device: %v, %v", got, err)
	}
}

// A library may end the process on a mistake. So mistakes are found before: it never
// has a fault to report, and the device goes on.
func TestMistakesDoNotReachTheLibrary(t *testing.T) {
	d, other := openSome(t, nil), openSome(t, nil)
	b, c := newBench(t, d), newBench(t, other)
	k := b.kernel(sumOf(elem.Float32, 4, 1))
	x, y := b.floats(1, 2, 3, 4), b.floats(0, 0, 0, 0)
	gone, far, short := b.floats(1, 2, 3, 4), c.floats(1, 2, 3, 4), b.floats(1, 2)
	d.Free(gone)
	d.Free(gone)
	for name, l := range map[string]device.Launch{
		"freed":            {Kernel: k, Reads: []device.Buffer{gone}, Writes: []device.Buffer{y}},
		"another's":        {Kernel: k, Reads: []device.Buffer{far}, Writes: []device.Buffer{y}},
		"too short":        {Kernel: k, Reads: []device.Buffer{short}, Writes: []device.Buffer{y}},
		"too few":          {Kernel: k, Writes: []device.Buffer{y}},
		"another kernel":   {Kernel: c.kernel(sumOf(elem.Float32, 4, 1)), Reads: []device.Buffer{x}, Writes: []device.Buffer{y}},
		"no kernel at all": {Reads: []device.Buffer{x}, Writes: []device.Buffer{y}},
	} {
		l.Label.Op = name
		b.q.Launch(l)
		if err := y.Err(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := d.Alloc(-1); err == nil {
		t.Error("a negative size was allocated")
	}
	var oom *device.OutOfMemoryError
	if _, err := d.Alloc(math.MaxInt); !errors.As(err, &oom) {
		t.Error(err)
	}
	b.q.Write(short, make([]byte, 100))
	if short.Err() == nil {
		t.Error("a write was too long")
	}
	if err := b.q.Read(context.Background(), make([]byte, 100), x); err == nil {
		t.Error("a read was too long")
	}
	if _, err := d.Compile(&ir.Map{Dims: []int{-4}}); err == nil {
		t.Error("a program that is none was compiled")
	}
	d.mu.Lock()
	failure, lost := d.gpu.Failure(), d.gpu.Lost()
	d.mu.Unlock()
	if failure != nil || lost != "" || d.lost.Err() != nil {
		t.Errorf("the library saw a mistake: %v %s %v", failure, lost, d.lost.Err())
	}
	b.run(k, "still there", x, y)
	if got, err := b.read(y); err != nil || elem.Slice[float32](got)[3] != 4 {
		t.Errorf("%v, %v", got, err)
	}
}

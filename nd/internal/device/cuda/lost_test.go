package cuda

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// The first launch that goes wrong is named by everything that comes later, at
// once; nobody waits forever; another device goes on.
func TestLostSimulated(t *testing.T) {
	d, s := openSim(t)
	other, _ := openSim(t)
	b, c := newBench(t, d), newBench(t, other)
	k := b.kernel(copyProgram(4))
	x, y, z := b.floats(1, 2, 3, 4), b.floats(0, 0, 0, 0), b.floats(0, 0, 0, 0)
	b.run(k, "before", x, y)
	if _, err := b.read(y); err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{})
	hold := make(chan struct{})
	s.slow = func() { <-hold; s.fault() }
	b.run(k, "the wild one", x, y)
	b.run(k, "a later one", y, z)
	e := b.q.Record()
	e.Then(func() { close(called) })
	close(hold)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
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
		"mark":       z.Err(),
		"good mark":  y.Err(),
		"read":       func() error { _, err := b.read(z); return err }(),
		"alloc":      func() error { _, err := d.Alloc(64); return err }(),
		"compile":    func() error { _, err := d.Compile(copyProgram(8)); return err }(),
		"new queue":  func() error { _, err := d.NewQueue(); return err }(),
		"next write": func() error { b.q.Write(y, make([]byte, 4)); return y.Err() }(),
	} {
		var lost *LostError
		var launch *device.LaunchError
		if !errors.As(err, &lost) || !errors.As(err, &launch) || launch.Label.Op != "the wild one" || !errors.Is(err, driver.IllegalAddress) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := z.Err(); !strings.Contains(err.Error(), "in flight with it: a later one") {
		t.Errorf("%v does not name what else was in flight", err)
	}
	if !b.q.Record().Happened() {
		t.Error("an event of a lost device does not happen")
	}
	x, y = c.floats(1, 2, 3, 4), c.floats(0, 0, 0, 0)
	c.run(c.kernel(copyProgram(4)), "elsewhere", x, y)
	if got, err := c.read(y); err != nil || got[3] != 4 {
		t.Errorf("the other device: %v, %v", got, err)
	}
	for _, dev := range []*Device{d, other} {
		if err := dev.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
}

// A launch on memory that was freed is refused before it does damage.
func TestFreedBuffer(t *testing.T) {
	d, _ := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	x, y := b.floats(1), b.floats(0)
	k := b.kernel(copyProgram(1))
	if err := b.q.Record().Wait(t.Context()); err != nil { // x is free once its write is done
		t.Fatal(err)
	}
	d.Free(x)
	b.run(k, "late", x, y)
	if _, err := b.read(y); err == nil || !strings.Contains(err.Error(), "late: cuda:0: a buffer was freed") {
		t.Errorf("%v", err)
	}
	short, err := d.Alloc(2)
	if err != nil {
		t.Fatal(err)
	}
	b.run(k, "short", short, y)
	if _, err := b.read(y); !errors.Is(err, device.ErrSize) {
		t.Errorf("%v", err)
	}
}

// A user's kernel checks nothing, so it is suspected before the others.
func TestSuspects(t *testing.T) {
	d, _ := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	q := b.q.(*queue)
	d.mu.Lock()
	q.flights = []flight{{1, device.Label{Op: "map"}, false}, {2, device.Label{Op: "theirs"}, true}, {3, device.Label{Op: "sum"}, false}}
	d.lose(driver.LaunchFailed)
	d.mu.Unlock()
	if got := d.lost.Err().Error(); !strings.HasPrefix(got, "theirs: cuda:0 is lost") || !strings.Contains(got, "map, sum") {
		t.Error(got)
	}
}

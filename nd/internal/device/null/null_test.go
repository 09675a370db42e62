package null

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func copyKernel(t *testing.T, d *Device) device.Kernel {
	t.Helper()
	o := ir.Contiguous(elem.Float32, []int{4})
	k, err := d.Compile(&ir.Map{Dims: []int{4}, Out: []ir.Operand{o}, Value: []ir.ValueID{0},
		Code: ir.Code{In: []ir.Operand{o}, Instrs: []ir.Instr{{Kind: ir.Load, Type: elem.Float32}}}})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func buffers(t *testing.T, d *Device, n int) []device.Buffer {
	t.Helper()
	var out []device.Buffer
	for range n {
		b, err := d.Alloc(16)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

func TestMarksFollowData(t *testing.T) {
	fails := errors.New("on purpose")
	d := New(Options{Fail: func(l device.Launch) error {
		if l.Label.Op == "bad" {
			return fails
		}
		return nil
	}})
	q, err := d.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	k, b := copyKernel(t, d), buffers(t, d, 5)
	launch := func(label string, from, to int, adds bool, ctx context.Context) {
		q.Launch(device.Launch{Kernel: k, Reads: b[from : from+1], Writes: b[to : to+1], Label: device.Label{Op: label}, Adds: adds, Context: ctx})
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	launch("bad", 0, 1, false, nil)
	launch("dependent", 1, 2, false, nil)
	launch("apart", 0, 3, false, nil)
	launch("adds", 0, 2, true, nil)
	launch("cancelled", 0, 4, false, done)
	if err := q.Record().Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	var failed *device.LaunchError
	if err := b[2].Err(); !errors.Is(err, fails) || !errors.As(err, &failed) || failed.Label.Op != "bad" {
		t.Errorf("dependent: %v", err)
	}
	if b[3].Err() != nil {
		t.Errorf("apart: %v", b[3].Err())
	}
	var cancelled *device.Cancelled
	if err := b[4].Err(); !errors.As(err, &cancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	launch("again", 0, 1, false, nil)
	if err := q.Read(context.Background(), nil, b[1]); err != nil {
		t.Errorf("written again: %v", err)
	}
	if n := len(d.Launches()); n != 6 {
		t.Errorf("%d launches on record", n)
	}
}

func TestQueuesWaitForEachOther(t *testing.T) {
	d := New(Options{Delay: func(l device.Launch) time.Duration { return 2 * time.Millisecond }})
	one, _ := d.NewQueue()
	two, _ := d.NewQueue()
	k, b := copyKernel(t, d), buffers(t, d, 2)
	one.Launch(device.Launch{Kernel: k, Reads: b[:1], Writes: b[1:]})
	first := one.Record()
	two.Wait(first)
	second := two.Record()
	called := make(chan struct{})
	second.Then(func() { close(called) })
	if err := second.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !first.Happened() {
		t.Error("queue 2 did not wait for queue 1")
	}
	<-called
	kinds := []EntryKind{}
	for _, e := range d.Log() {
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []EntryKind{Launched, Recorded, Waited, Recorded}) {
		t.Errorf("log %v", kinds)
	}
}

func TestMemoryAndClosing(t *testing.T) {
	d := New(Options{MemoryBytes: 40})
	b := buffers(t, d, 2)
	var oom *device.OutOfMemoryError
	if _, err := d.Alloc(16); !errors.As(err, &oom) || oom.Free != 8 {
		t.Errorf("third of two: %v", err)
	}
	d.Free(b[0])
	if d.Held() != 16 {
		t.Errorf("%d bytes held", d.Held())
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Alloc(1); !errors.Is(err, device.ErrClosed) {
		t.Errorf("alloc: %v", err)
	}
	if _, err := d.NewQueue(); !errors.Is(err, device.ErrClosed) {
		t.Errorf("queue: %v", err)
	}
}

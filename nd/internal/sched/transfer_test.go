package sched

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// TestSourcesOfCopiesOverlap computes what comes from several devices at once:
// each of two waits until the other has begun.
func TestSourcesOfCopiesOverlap(t *testing.T) {
	var begun atomic.Int32
	var alone atomic.Bool
	both := make(chan struct{})
	meet := null.Options{Delay: func(device.Launch) time.Duration {
		if begun.Add(1) == 2 {
			close(both)
		}
		select {
		case <-both:
		case <-time.After(patience / 2): // before the evaluation gives up
			alone.Store(true)
		}
		return 0
	}}
	e := NewEngine()
	devices := []*null.Device{null.New(null.Options{}), null.New(meet), null.New(meet)}
	for _, d := range devices {
		e.Register("null", func() (device.Device, error) { return d, nil })
		t.Cleanup(func() { _ = d.Close() })
	}
	b := &bench{t: t, engine: e, null: devices[0]}
	var here []*graph.Node
	for i := 1; i <= 2; i++ {
		x := b.node(graph.NewFull(graph.Place{Device: i}, elem.Float32, scalar.Arg{}, []int{8}))
		here = append(here, b.node(graph.NewTransfer(graph.Place{}, b.op(scalar.Exp, x))))
	}
	b.mustEval(b.op(scalar.Add, here...))
	if n := begun.Load(); alone.Load() || n != 2 {
		t.Errorf("%d launches, one of which waited for another in vain: %v", n, alone.Load())
	}
}

// TestHostElementsGoStraight copies elements that only the host has to another
// device, without a detour over the device they were made for.
func TestHostElementsGoStraight(t *testing.T) {
	b, other := twoDevices(t)
	x := b.data(64)
	y := b.node(graph.NewTransfer(graph.Place{Device: 1}, x))
	b.mustEval(b.op(scalar.Neg, y))
	if n := len(b.null.Log()); n != 0 {
		t.Errorf("%d things were asked of the first device", n)
	}
	wrote := 0
	for _, e := range other.Log() {
		if e.Kind == null.Wrote {
			wrote++
		}
	}
	if wrote != 1 {
		t.Errorf("%d copies to the second", wrote)
	}
}

// TestPeersCopyWithoutTheHost copies between devices that reach each other without
// reading from one and writing to the other.
func TestPeersCopyWithoutTheHost(t *testing.T) {
	for _, reach := range []bool{false, true} {
		b, other := newBench(t, null.Options{}, 1), null.New(null.Options{Peers: reach})
		b.engine.Register("other", func() (device.Device, error) { return other, nil })
		x := b.op(scalar.Exp, b.node(graph.NewFull(graph.Place{}, elem.Float32, scalar.Arg{}, []int{8})))
		b.mustEval(b.op(scalar.Neg, b.node(graph.NewTransfer(graph.Place{Device: 1}, x))))
		count := map[null.EntryKind]int{}
		for _, e := range append(b.null.Log(), other.Log()...) {
			count[e.Kind]++
		}
		want := map[bool][3]int{false: {1, 1, 0}, true: {0, 0, 1}}[reach]
		if got := [3]int{count[null.Read], count[null.Wrote], count[null.Copied]}; got != want {
			t.Errorf("reach %t: %d reads, %d writes and %d copies, want %v", reach, got[0], got[1], got[2], want)
		}
		_ = other.Close()
	}
}

package sched

import (
	"context"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// patience is how long a test waits for something that should take a moment, on a machine
// that has much else to do.
const patience = 2 * time.Minute

// bench is an engine with one null device, and builds graphs for it.
type bench struct {
	t      testing.TB
	engine *Engine
	dev    *Device
	null   *null.Device
}

func newBench(t testing.TB, opt null.Options, streams int) *bench {
	t.Helper()
	b := &bench{t: t, engine: NewEngine(), null: null.New(opt)}
	b.engine.Checked = true
	b.engine.Register("null", func() (device.Device, error) { return b.null, nil })
	var err error
	if b.dev, err = b.engine.Open(0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.dev.Close() })
	for range streams - 1 {
		if _, err := b.dev.NewStream(); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// twoDevices is a bench and a second null device, of index 1.
func twoDevices(t testing.TB) (*bench, *null.Device) {
	t.Helper()
	b, other := newBench(t, null.Options{}, 1), null.New(null.Options{})
	b.engine.Register("other", func() (device.Device, error) { return other, nil })
	t.Cleanup(func() { _ = other.Close() })
	return b, other
}

func (b *bench) node(n *graph.Node, err error) *graph.Node {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// data is a node whose elements the host has.
func (b *bench) data(dims ...int) *graph.Node {
	n := b.node(graph.NewData(graph.Place{}, elem.Float32, dims))
	n.Hold(graph.NewHost(make([]byte, 4*n.Len())))
	return n
}

func (b *bench) op(op scalar.Op, in ...*graph.Node) *graph.Node {
	return b.node(graph.NewMap(op, in...))
}

// on is a node as seen from another stream.
func (b *bench) on(stream int, n *graph.Node) *graph.Node {
	return graph.New(graph.Def{Op: graph.Reshape, In: []*graph.Node{n}, Type: n.Type, Shape: n.Shape, Stream: stream})
}

func (b *bench) sort(n *graph.Node) *graph.Node {
	return b.node(graph.NewSort(n, graph.SortAttr{Axis: 0}))
}

// take gathers along an axis of len(n) elements by indices the host has.
func (b *bench) take(n *graph.Node) *graph.Node {
	index := b.node(graph.NewData(n.Place(), elem.Int64, n.Shape))
	index.Hold(graph.NewHost(make([]byte, 8*index.Len())))
	return b.node(graph.NewTake(n, index, 0, nil))
}

func (b *bench) eval(nodes ...*graph.Node) error {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return b.engine.Eval(ctx, nodes)
}

func (b *bench) mustEval(nodes ...*graph.Node) {
	b.t.Helper()
	if err := b.eval(nodes...); err != nil {
		b.t.Fatal(err)
	}
}

// eventually waits for a condition.
func (b *bench) eventually(what string, ok func() bool) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	b.t.Fatalf("still not so: %s", what)
}

// call is a Waiter that is a function.
type call func(error)

func (f call) Done(err error) { f(err) }

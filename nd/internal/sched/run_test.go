package sched

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func TestChainIsOneLaunch(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	x := b.data(64)
	y := b.op(scalar.Exp, b.op(scalar.Add, x, b.op(scalar.Mul, x, x)))
	b.mustEval(y)
	if l := b.null.Launches(); len(l) != 1 || l[0].Label != "mul+add+exp" {
		t.Errorf("launches %+v", l)
	}
	if len(y.In()) != 0 {
		t.Error("an evaluated node keeps its inputs")
	}
	b.null.ResetLog()
	b.mustEval(y)
	if len(b.null.Launches()) != 0 {
		t.Error("an evaluated node was computed again")
	}
}

// Batches of different programs are different kernels, also where they have as
// many programs and those the same names.
func TestBatchesAreTheirOwnKernels(t *testing.T) {
	b := newBench(t, null.Options{Batches: true}, 1)
	x := b.data(64)
	sum := func(n *graph.Node) *graph.Node { return b.node(graph.NewReduce(graph.Sum, n, []int{0})) }
	pad := func(n *graph.Node, before, after int) *graph.Node {
		return b.node(graph.NewPad(n, graph.PadConstant, []int{before}, []int{after}, scalar.Arg{}))
	}
	padded := b.op(scalar.Add, pad(x, 3, 4), pad(b.op(scalar.Exp, x), 5, 2)) // six parts in a batch
	ratio := b.op(scalar.Div, sum(padded), sum(b.op(scalar.Abs, padded)))
	whole := b.op(scalar.Mul, padded, b.node(graph.NewBroadcast(ratio, padded.Shape)))
	last := b.op(scalar.Div, sum(whole), b.op(scalar.Add, sum(b.op(scalar.Exp, whole)), sum(b.op(scalar.Neg, whole))))
	b.mustEval(last)
	kernels := map[string]bool{}
	batches := 0
	for _, l := range b.null.Launches() {
		if p, ok := l.Program.(*ir.Batch); ok {
			batches++
			kernels[string(ir.AppendKey(nil, p))] = true
			if len(l.Reads) != len(ir.Reads(p)) || len(l.Writes) != len(ir.Writes(p)) {
				t.Errorf("%s: %v -> %v for %d and %d operands", l.Label, l.Reads, l.Writes, len(ir.Reads(p)), len(ir.Writes(p)))
			}
		}
	}
	if batches < 3 || len(kernels) != batches {
		t.Errorf("%d batches of %d kernels", batches, len(kernels))
	}
}

// Parts are computed one after the other, also where small steps of different
// parts could be one launch: those would need all parts at one time.
func TestPartsAreInOrder(t *testing.T) {
	const rows, n = 64, 256                                                             // the greatest of some rows are a small step
	b := newBench(t, null.Options{Batches: true, MemoryBytes: 4 * rows * n * 5 / 3}, 1) // a pool takes three quarters
	x := b.data(rows, n)
	b.mustEval(x)
	sorted := b.node(graph.NewSort(x, graph.SortAttr{Axis: 1}))
	b.mustEval(b.node(graph.NewReduce(graph.Max, sorted, []int{1})))
	if launches := len(b.null.Launches()); launches < 4 {
		t.Errorf("%d launches: it was not computed in parts", launches)
	}
}

func TestPlansAreCachedByShapeOnly(t *testing.T) {
	b := newBench(t, null.Options{}, 2)
	x := b.data(64)
	full := func(v float64) *graph.Node {
		n := b.node(graph.NewFull(graph.Place{}, x.Type, scalar.ArgOf(x.Type, complex(v, 0)), nil))
		return b.node(graph.NewBroadcast(n, x.Shape))
	}
	build := func(op scalar.Op, x *graph.Node, v float64) *graph.Node {
		return b.op(scalar.Exp, b.op(op, x, full(v)))
	}
	for _, c := range []struct {
		name string
		node *graph.Node
		hit  bool
	}{
		{"first", build(scalar.Add, x, 1), false},
		{"again", build(scalar.Add, x, 1), true},
		{"another constant", build(scalar.Add, x, 2), true},
		{"other elements", build(scalar.Add, b.data(64), 1), true},
		{"another operation", build(scalar.Sub, x, 1), false},
		{"another stream", build(scalar.Add, b.on(1, x), 1), false},
		{"an operand of another stream", b.op(scalar.Add, x, b.evaluated(b.op(scalar.Neg, b.on(1, x)))), false},
		{"and of the first stream", b.op(scalar.Add, x, b.evaluated(b.op(scalar.Neg, x))), false},
		{"a strided operand", build(scalar.Add, b.evaluated(b.reversed(x)), 1), false},
		{"the same stride again", build(scalar.Add, b.evaluated(b.reversed(b.data(64))), 1), true},
	} {
		before := b.engine.plans.hits
		b.mustEval(c.node)
		if hit := b.engine.plans.hits > before; hit != c.hit {
			t.Errorf("%s: hit %t, want %t", c.name, hit, c.hit)
		}
	}
}

func (b *bench) reversed(n *graph.Node) *graph.Node {
	return b.node(graph.NewSlice(n, []int{n.Shape[0] - 1}, []int{-1}, n.Shape))
}

func (b *bench) evaluated(n *graph.Node) *graph.Node {
	b.mustEval(n)
	return n
}

func TestCacheIsBounded(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	b.engine.plans = newCache()
	for i := range maxCompiledBytes / stepBytes {
		b.engine.plans.put([]byte{byte(i), byte(i >> 8), byte(i >> 16)}, &schedule{dev: b.dev, steps: make([]step, 3)})
	}
	if c := &b.engine.plans; c.bytes > maxCompiledBytes || c.bytes < maxCompiledBytes/2 || len(c.byKey) != c.order.Len() {
		t.Errorf("%d bytes in %d of %d plans", c.bytes, len(c.byKey), c.order.Len())
	}
	if b.engine.plans.get([]byte{0, 0, 0}) != nil {
		t.Error("the oldest plan was kept")
	}
}

// sized is a kernel with tables.
type sized struct {
	device.Kernel
	bytes int
}

func (k *sized) Bytes() int { return k.bytes }

// Schedules of long transforms that are used in turns are all kept, of which 64 MiB
// would hold none; past the second bound the oldest goes.
func TestCacheKeepsLongTransforms(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	b.engine.plans = newCache()
	for i := range byte(4) {
		k := &sized{bytes: 96 << 20}
		b.dev.kernels.key = []byte{i}
		b.dev.kernels.put(k)
		b.engine.plans.put([]byte{i}, &schedule{dev: b.dev, steps: []step{{kernel: k}}})
		if got, want := len(b.engine.plans.byKey), min(int(i)+1, 3); got != want {
			t.Errorf("%d of %d schedules are kept, want %d", got, i+1, want)
		}
	}
}

func TestViewsOfValuesShareThem(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	x := b.data(64)
	b.mustEval(x)
	v := b.reversed(x)
	b.mustEval(v)
	if len(b.null.Launches()) != 0 {
		t.Error("a view was computed")
	}
	if x.Held().(*Value).block != v.Held().(*Value).block {
		t.Error("a view has memory of its own")
	}
	b.engine.Release(x)
	b.mustEval(b.op(scalar.Neg, v))
	if err := b.eval(b.op(scalar.Neg, x)); !errors.Is(err, ErrReleased) {
		t.Errorf("use after release: %v", err)
	}
}

func TestFailureCanBeTriedAgain(t *testing.T) {
	var mu sync.Mutex
	fails := errors.New("on purpose")
	bad := true
	b := newBench(t, null.Options{Fail: func(device.Launch) error {
		mu.Lock()
		defer mu.Unlock()
		if bad {
			return fails
		}
		return nil
	}}, 1)
	y := b.op(scalar.Exp, b.data(8))
	if err := b.eval(y); !errors.Is(err, fails) {
		t.Fatalf("error %v", err)
	}
	if y.Held() != nil || len(y.In()) == 0 {
		t.Error("a failed node was not put back")
	}
	mu.Lock()
	bad = false
	mu.Unlock()
	b.mustEval(y)
}

func TestCancelledNodeIsComputedForOthers(t *testing.T) {
	started, proceed := make(chan struct{}), make(chan struct{})
	var once sync.Once
	b := newBench(t, null.Options{Delay: func(l device.Launch) time.Duration {
		once.Do(func() { close(started); <-proceed })
		return 0
	}}, 1)
	x := b.data(8)
	first := b.sort(x)
	y := b.sort(first) // not started when its context ends
	ctx, cancel := context.WithCancel(context.Background())
	mine := make(chan error, 1)
	go func() { mine <- b.engine.Eval(ctx, []*graph.Node{y}) }()
	<-started
	other, async := make(chan error, 1), make(chan error, 1)
	go func() { other <- b.eval(b.op(scalar.Neg, y)) }()
	b.engine.Async([]*graph.Node{y}, call(func(err error) { async <- err }))
	cancel()
	if err := <-mine; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled evaluation: %v", err)
	}
	close(proceed)
	for name, c := range map[string]chan error{"other": other, "async": async} {
		select {
		case err := <-c:
			if err != nil {
				t.Errorf("%s, which was not cancelled: %v", name, err)
			}
		case <-time.After(patience):
			t.Fatalf("%s hangs", name)
		}
	}
}

func TestOutOfMemoryLeavesNoTrace(t *testing.T) {
	b := newBench(t, null.Options{MemoryBytes: 8192}, 1)
	x := b.data(512) // 2 KiB
	b.mustEval(x)
	before := b.dev.pool.Usage().Active
	big := b.op(scalar.Neg, b.node(graph.NewConcat(0, x, x, x, x)))
	err := b.eval(big)
	var oom *device.OutOfMemoryError
	if !errors.As(err, &oom) || oom.Asked < 8192 {
		t.Fatalf("error %v", err)
	}
	if u := b.dev.pool.Usage(); u.Active != before {
		t.Errorf("%d bytes active, %d before", u.Active, before)
	}
	if big.Held() != nil {
		t.Error("the node claims a value")
	}
	b.mustEval(b.op(scalar.Neg, x)) // the device keeps working
}

func TestIntermediatesTakeTurns(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	n := b.data(1 << 16)
	for range 20 {
		n = b.sort(n) // an anchor: its result is always stored
	}
	b.mustEval(b.data(1))
	b.dev.pool.ResetPeak()
	before := b.dev.pool.Usage().Active
	b.mustEval(n)
	if used := b.dev.pool.Usage().Peak - before; used > 4*(1<<18) {
		t.Errorf("%d bytes for a chain of arrays of %d", used, 1<<18)
	}
}

func TestDonatedOperandIsOverwritten(t *testing.T) {
	for _, donate := range []bool{false, true} {
		b := newBench(t, null.Options{}, 2)
		x := b.data(1 << 10)
		b.mustEval(x)
		block := x.Held().(*Value).block
		if donate {
			b.engine.Donate(x)
		}
		y := b.op(scalar.Neg, x)
		b.mustEval(y)
		if got := y.Held().(*Value).block == block; got != donate {
			t.Errorf("donated %t, overwritten %t", donate, got)
		}
		if isReleased(x) != donate {
			t.Errorf("donated %t, released %t", donate, isReleased(x))
		}
	}
	// Not while somebody else has the elements.
	b := newBench(t, null.Options{}, 1)
	x := b.data(1 << 10)
	v := b.evaluated(b.reversed(b.evaluated(x)))
	b.engine.Donate(x)
	y := b.op(scalar.Neg, x)
	b.mustEval(y)
	if y.Held().(*Value).block == v.Held().(*Value).block {
		t.Error("a view's elements were overwritten")
	}
}

func TestCollectedNodesGiveMemoryBack(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	func() {
		for range 10 {
			b.mustEval(b.op(scalar.Neg, b.data(1<<10)))
		}
	}()
	b.eventually("nothing is active", func() bool {
		runtime.GC()
		return b.dev.pool.Usage().Active == 0
	})
}

func TestClosedDevice(t *testing.T) {
	b := newBench(t, null.Options{}, 2)
	x := b.data(8)
	b.mustEval(x)
	y := b.op(scalar.Neg, x)
	if err := b.dev.Close(); err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]*graph.Node{"value": x, "graph": y} {
		if err := b.eval(n); !errors.Is(err, device.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.dev.NewStream(); !errors.Is(err, device.ErrClosed) {
		t.Errorf("new stream: %v", err)
	}
	b.null = null.New(null.Options{})
	if _, err := b.engine.Open(0); err != nil {
		t.Fatal(err)
	}
	b.mustEval(b.op(scalar.Neg, b.data(8)))
	if err := b.eval(y); !errors.Is(err, device.ErrClosed) {
		t.Errorf("a value of the device as it was: %v", err)
	}
}

func TestClosedStream(t *testing.T) {
	b := newBench(t, null.Options{}, 2)
	done := b.op(scalar.Neg, b.on(1, b.data(8)))
	b.mustEval(done)
	late := b.op(scalar.Neg, b.on(1, done))
	if err := b.dev.CloseStream(1); err != nil {
		t.Fatal(err)
	}
	if err := b.eval(late); !errors.Is(err, ErrStreamClosed) {
		t.Errorf("error %v", err)
	}
	b.mustEval(b.op(scalar.Neg, b.on(0, done)))
	b.mustEval(b.node(graph.NewConcat(0, b.data(8), done)))
}

func TestRefusedFusionIsInThePlan(t *testing.T) {
	b := newBench(t, null.Options{Refuse: func(p ir.Program) error {
		if m, ok := p.(*ir.Map); ok && m.Ops() > float64(ir.Count(m.Dims)) {
			return device.ErrUnsupported
		}
		return nil
	}}, 1)
	y := b.op(scalar.Exp, b.op(scalar.Neg, b.data(8)))
	r, err := b.engine.Explain([]*graph.Node{y})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) != 2 || len(r.Notes) != 1 {
		t.Errorf("%d steps, notes %q", len(r.Steps), r.Notes)
	}
	if len(b.null.Launches()) != 0 {
		t.Error("explaining launched something")
	}
	b.mustEval(y)
}

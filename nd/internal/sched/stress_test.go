package sched

import (
	"context"
	"errors"
	"math/rand/v2"
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

var errPoison = errors.New("poison")

// poisonLen is the length of the axis whose gathers fail. A gather is a step
// by itself, so its failure is nobody else's.
const poisonLen = 13

// TestStress evaluates random graphs over several streams from several
// goroutines, with failures and cancellations: nothing hangs, a failure
// reaches exactly what depends on it, a cancellation only who asked for it,
// and all memory comes back.
func TestStress(t *testing.T) {
	for seed := range uint64(12) {
		stress(t, seed)
	}
}

func stress(t *testing.T, seed uint64) {
	b := newBench(t, null.Options{
		Fail: func(l device.Launch) error {
			if g, ok := l.Kernel.Program().(*ir.Gather); ok && g.AxisLen == poisonLen {
				return errPoison
			}
			return nil
		},
		Delay: func(device.Launch) time.Duration {
			if rand.IntN(20) == 0 {
				return time.Duration(rand.IntN(200)) * time.Microsecond
			}
			return 0
		},
	}, 4)
	r := rand.New(rand.NewPCG(seed, 2))
	nodes := []*graph.Node{b.data(32), b.data(32)}
	poisoned := map[*graph.Node]bool{}
	for range 60 {
		n := b.random(r, nodes)
		if r.IntN(25) == 0 {
			n = b.poison(n)
			poisoned[n] = true
		}
		nodes = append(nodes, n)
	}
	for _, n := range graph.Topological(nil, nodes...) {
		for _, in := range n.In() {
			poisoned[n] = poisoned[n] || poisoned[in]
		}
	}

	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var workers sync.WaitGroup
	for w := range uint64(6) {
		workers.Go(func() {
			r := rand.New(rand.NewPCG(seed, 100+w))
			for range 25 {
				pick := []*graph.Node{nodes[r.IntN(len(nodes))], nodes[r.IntN(len(nodes))]}[:1+r.IntN(2)]
				want := false
				for _, n := range pick {
					want = want || poisoned[n]
				}
				check(t, b, ctx, r, pick, want)
			}
		})
	}
	workers.Wait()
	for i, n := range nodes {
		if err := b.eval(n); errors.Is(err, errPoison) != poisoned[n] {
			t.Errorf("seed %d: node %d afterwards: %v, poisoned %t", seed, i, err, poisoned[n])
		}
	}
	if ctx.Err() != nil {
		t.Fatalf("seed %d: out of time", seed)
	}
	clear(nodes)
	clear(poisoned)
	b.eventually("all memory is back", func() bool {
		runtime.GC()
		return b.dev.pool.Usage().Active == 0
	})
}

// check evaluates nodes in one of the ways there are.
func check(t *testing.T, b *bench, ctx context.Context, r *rand.Rand, nodes []*graph.Node, poisoned bool) {
	switch r.IntN(4) {
	case 0:
		short, cancel := context.WithTimeout(ctx, time.Duration(r.IntN(300))*time.Microsecond)
		err := b.engine.Eval(short, nodes)
		cancel()
		ended := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
		if err != nil && !ended && !(poisoned && errors.Is(err, errPoison)) {
			t.Errorf("with a short time: %v", err)
		}
	case 1:
		done := make(chan error, 1)
		b.engine.Async(nodes, call(func(err error) { done <- err }))
		select {
		case err := <-done:
			if errors.Is(err, errPoison) != poisoned || err != nil && !poisoned {
				t.Errorf("async: %v, poisoned %t", err, poisoned)
			}
		case <-ctx.Done():
			t.Error("async hangs")
		}
	default:
		if err := b.engine.Eval(ctx, nodes); errors.Is(err, errPoison) != poisoned || err != nil && !poisoned {
			t.Errorf("eval: %v, poisoned %t", err, poisoned)
		}
	}
}

// poison is a node that never computes.
func (b *bench) poison(n *graph.Node) *graph.Node {
	short := b.node(graph.NewSlice(n, []int{0}, []int{1}, []int{poisonLen}))
	bad := b.take(short)
	rest := b.node(graph.NewSlice(n, []int{poisonLen}, []int{1}, []int{n.Shape[0] - poisonLen}))
	return b.op(scalar.Copy, b.node(graph.NewConcat(0, bad, rest)))
}

// TestAlternatingStreams hands a value to and fro between two streams.
func TestAlternatingStreams(t *testing.T) {
	for _, related := range []bool{true, false} {
		b := newBench(t, null.Options{}, 3)
		chains := []*graph.Node{b.data(8), b.data(8)}
		for i := range 1000 {
			c := i % 2
			if related {
				c = 0
			}
			chains[c] = b.op(scalar.Neg, b.on(1+i%2, chains[c]))
		}
		b.mustEval(chains...)
		launches, of := b.null.Launches(), map[int]int{}
		for _, l := range launches {
			of[l.Queue]++
		}
		// Related operations take turns, a launch each; two chains of maps are far fewer.
		if len(of) != 2 || of[launches[0].Queue] != len(launches)/2 || related != (len(launches) == 1000) {
			t.Errorf("related %v: %d launches, by queue %v", related, len(launches), of)
		}
	}
}

// TestDeepGraph is a chain far deeper than a step is long.
func TestDeepGraph(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	b.engine.Checked = false // its paths are too many to follow
	n := b.data(8)
	for range 100_000 {
		n = b.op(scalar.Neg, n)
	}
	b.mustEval(n)
	if l := len(b.null.Launches()); l < 1000 || l > 5000 {
		t.Errorf("%d launches for 100000 operations", l)
	}
}

// TestOthersFailure asks for a value while another evaluation makes it in one
// launch with something that fails.
func TestOthersFailure(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, null.Options{Fail: func(l device.Launch) error {
		if _, ok := l.Kernel.Program().(*ir.Gather); ok {
			<-gate
			return errPoison
		}
		return nil
	}}, 1)
	fails := b.take(b.data(32)) // made first, so that it runs before what the others share
	shared := b.op(scalar.Neg, b.data(32))
	good := b.op(scalar.Exp, shared)
	bad := b.op(scalar.Add, good, b.op(scalar.Add, shared, fails))
	ask := func(nodes ...*graph.Node) chan error {
		done := make(chan error, 1)
		b.engine.Async(nodes, call(func(err error) { done <- err }))
		return done
	}
	fail, beside := ask(good, bad), ask(b.op(scalar.Neg, good))
	close(gate)
	if err := <-fail; !errors.Is(err, errPoison) {
		t.Errorf("the evaluation that fails: %v", err)
	}
	if err := <-beside; err != nil {
		t.Errorf("the one beside it: %v", err)
	}
	b.mustEval(good)
}

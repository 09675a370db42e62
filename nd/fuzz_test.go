package nd

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// More graphs than a run of the tests has time for: .ci/fuzz and .ci/graphs set them.
var (
	graphs     = flag.Int("graphs", defaultGraphs, "how many graphs TestRandomGraphs evaluates")
	firstGraph = flag.Uint64("first-graph", 0, "seed of the first graph")
)

const defaultGraphs = 3000

// TestRandomGraphs evaluates random graphs through the engine and node by
// node through the reference.
func TestRandomGraphs(t *testing.T) {
	n := *graphs
	if testing.Short() {
		n = min(n, 300)
	}
	if strings.HasPrefix(testdevice.Name(), "webgpu") && *graphs == defaultGraphs {
		n = 10 // software adapters compile for a second each
	}
	if os.Getenv(faultVar) != "" {
		plantFault()
	}
	evaluated, failed, start := 0, 0, time.Now()
	defer func() {
		if *graphs != defaultGraphs { // somebody wants to know how far it went
			fmt.Printf("random graphs: %d evaluated, %d failed, seeds %d to %d, %s\n", evaluated, failed, *firstGraph, *firstGraph+uint64(n)-1, time.Since(start).Round(time.Second))
		}
	}()
	if testdevice.Name() == "" {
		// Graphs are garbage from the first node on. Collecting it at every few megabytes
		// would take a third of the time. A GPU's kernels are gigabytes of it.
		defer debug.SetGCPercent(debug.SetGCPercent(800))
	}
	const together = 50 // graphs of one subtest, which costs as much as a small graph
	for i := 0; i < n; i += together {
		first := *firstGraph + uint64(i)
		t.Run(fmt.Sprint(first), func(t *testing.T) {
			var last uint64
			defer func() {
				if t.Failed() {
					failed++
					t.Logf("again: -run TestRandomGraphs -first-graph %d -graphs 1", last)
				}
			}()
			for k := range min(together, n-i) {
				last = first + uint64(k)
				evaluated++
				checkScript(t, randomScript(last))
			}
			if testdevice.Name() != "" {
				CPU().Trim() // of kernels that no other graph has
			}
		})
	}
}

// Graphs that millions of others were needed to find: frames of what was made in parts
// had holes, and overlaps on chip read neighbours of lines that lay backwards.
func TestRandomGraphsFoundBefore(t *testing.T) {
	for _, seed := range []uint64{5000679214, 5001735509, 5002488384, 5002590482, 5004960239} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkScript(t, randomScript(seed)) })
	}
}

func randomScript(seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 3))
	script := make([]byte, 40+rng.IntN(300))
	for i := range script {
		script[i] = byte(rng.Uint32())
	}
	return script
}

// FuzzGraph is the same with scripts that the fuzzer writes.
func FuzzGraph(f *testing.F) {
	for seed := range 8 {
		rng := rand.New(rand.NewPCG(uint64(seed), 4))
		script := make([]byte, 100)
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 1000 {
			return
		}
		checkScript(t, script)
	})
}

func checkScript(t *testing.T, script []byte) {
	s := newSketch(t, script)
	defer s.close()
	for !s.done() {
		s.grow()
	}
	outputs := s.outputs()
	want := make([]expected, len(outputs))
	arrays := make([]*Array, len(outputs))
	for i, p := range outputs {
		arrays[i] = p.Array
		want[i] = s.expect(p)
	}
	if len(script)%2 == 0 {
		// With a transform beside it, all of the graph is planned with line programs.
		arrays = append(arrays, Ones(Float32, 4, 64).RFFT().AbsSquared())
	}
	if err := Eval(context.Background(), arrays...); err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	for i, p := range outputs {
		s.check(p, want[i])
	}
}

// expected is what the reference says about a place, and the greatest modulus
// of a number on the way to it, which roundings are measured by.
type expected struct {
	reference.Array
	scale float64
}

func (s *sketch) expect(p place) expected {
	s.t.Helper()
	if err := graph.Verify(p.node); err != nil {
		s.t.Fatalf("%v\n%s", err, s)
	}
	want, err := s.reference.Eval(p.node)
	if err != nil {
		s.t.Fatalf("the reference refuses %v: %v\n%s", p.Array, err, s)
	}
	return expected{want, s.scale(p.node)}
}

// scale is the greatest modulus of a float among a node and those before it, at
// least 1. The reference has evaluated them.
func (s *sketch) scale(n *graph.Node) float64 {
	if v, ok := s.scales[n]; ok {
		return v
	}
	top := 1.0
	for _, m := range n.In() {
		top = max(top, s.scale(m))
	}
	if n.Op == graph.Butterfly {
		// Inside of it, every factor may make numbers so much larger.
		w := n.In()[1]
		for range w.Shape[0] {
			top *= 2 * max(1, s.largest(w))
		}
	}
	if n.Type.IsFloat() || n.Type.IsComplex() {
		top = max(top, s.largest(n))
	}
	s.scales[n] = top
	return top
}

// largest is the greatest modulus of an element; infinite if one is not a number.
func (s *sketch) largest(n *graph.Node) float64 {
	top := 0.0
	if n.Type.IsFloat() || n.Type.IsComplex() {
		values, err := s.reference.Eval(n)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, v := range values.Values {
			a := math.Abs(real(v.Num))
			if imag(v.Num) != 0 {
				a = cmplx.Abs(v.Num)
			}
			if a != a {
				return math.Inf(1)
			}
			top = max(top, a)
		}
	}
	return top
}

// check compares an evaluated place with what the reference said about it.
func (s *sketch) check(p place, want expected) {
	s.t.Helper()
	got, err := toHost(p.Array)
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s)
	}
	if p.grain > exact && want.scale > 1e15 {
		// Products of products: float32 overflows here or there. And the
		// transform of what is not finite has real bins or not by its method.
		return
	}
	if diff := difference(want.Array, got, p.grain.slack()*want.scale); diff != "" {
		s.t.Fatalf("%%%d: %s\n%s", p.id, diff, s)
	}
}

// toHost copies an Array out, whatever its dtype.
func toHost(a *Array) (reference.Array, error) {
	switch a.DType() {
	case Bool:
		return hostOf[bool](a)
	case Uint8:
		return hostOf[uint8](a)
	case Int8:
		return hostOf[int8](a)
	case Int16:
		return hostOf[int16](a)
	case Int32:
		return hostOf[int32](a)
	case Int64:
		return hostOf[int64](a)
	case Uint32:
		return hostOf[uint32](a)
	case Float16:
		return hostOf[F16](a)
	case BFloat16:
		return hostOf[BF16](a)
	case Float32:
		return hostOf[float32](a)
	case Float64:
		return hostOf[float64](a)
	case Complex64:
		return hostOf[complex64](a)
	}
	return hostOf[complex128](a)
}

func hostOf[T Element](a *Array) (reference.Array, error) {
	data, err := Slice[T](context.Background(), a)
	return reference.Host(data, a.Shape()...), err
}

// difference is the first element that differs by more than slack, or nothing.
// Where the graph only adds, multiplies and moves small whole numbers there is
// no rounding, and no slack.
func difference(want, got reference.Array, slack float64) string {
	if len(want.Values) != len(got.Values) || want.Type != got.Type {
		return fmt.Sprintf("%d elements of %s, want %d of %s", len(got.Values), got.Type, len(want.Values), want.Type)
	}
	for i, w := range want.Values {
		g := got.Values[i]
		equal := w.Int == g.Int && (w.Num == g.Num || hasNaN(w.Num) && hasNaN(g.Num))
		if slack > 0 && !equal && w.Int == g.Int {
			equal = cmplx.Abs(w.Num-g.Num) <= slack
		}
		if !equal {
			return fmt.Sprintf("element %d of shape %v is %v, want %v", i, want.Shape, g, w)
		}
	}
	return ""
}

func hasNaN(z complex128) bool { return math.IsNaN(real(z)) || math.IsNaN(imag(z)) }

package nd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// TestRandomGraphs evaluates random graphs through the engine and node by
// node through the reference.
func TestRandomGraphs(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	for seed := range n {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		script := make([]byte, 40+rng.IntN(300))
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkScript(t, script) })
	}
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
	for !s.done() {
		s.grow()
	}
	outputs := s.outputs()
	want := make([]reference.Array, len(outputs))
	arrays := make([]*Array, len(outputs))
	for i, p := range outputs {
		arrays[i] = p.Array
		var err error
		if want[i], err = reference.Eval(p.node, s.leaf); err != nil {
			t.Fatalf("the reference refuses %v: %v\n%s", p.Array, err, s)
		}
		if err := graph.Verify(p.node); err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
	}
	if len(script)%2 == 0 {
		// With a transform beside it, all of the graph is planned with line programs.
		arrays = append(arrays, Ones(Float32, 4, 64).RFFT().AbsSquared())
	}
	if err := Eval(context.Background(), arrays...); err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	for i, p := range outputs {
		got, err := toHost(p.Array)
		if err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
		if diff := difference(want[i], got, p.rough); diff != "" {
			t.Fatalf("%%%d: %s\n%s", p.id, diff, s)
		}
	}
}

// toHost copies an Array out, whatever its dtype.
func toHost(a *Array) (reference.Array, error) {
	switch a.DType() {
	case Bool:
		return hostOf[bool](a)
	case Uint8:
		return hostOf[uint8](a)
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

// difference is the first element that differs, or nothing. Where the graph
// only adds, multiplies and moves small whole numbers there is no rounding,
// and results are equal; where it is rough, a float32 has some slack.
func difference(want, got reference.Array, rough bool) string {
	if len(want.Values) != len(got.Values) || want.Type != got.Type {
		return fmt.Sprintf("%d elements of %s, want %d of %s", len(got.Values), got.Type, len(want.Values), want.Type)
	}
	scale := 1.0
	for _, w := range want.Values {
		if a := cmplx.Abs(w.Num); !math.IsInf(a, 0) && a == a {
			scale = max(scale, a)
		}
	}
	for i, w := range want.Values {
		g := got.Values[i]
		equal := w.Int == g.Int && (w.Num == g.Num || hasNaN(w.Num) && hasNaN(g.Num))
		if rough && !equal {
			equal = cmplx.Abs(w.Num-g.Num) <= 1e-4*scale
		}
		if !equal {
			return fmt.Sprintf("element %d of shape %v is %v, want %v", i, want.Shape, g, w)
		}
	}
	return ""
}

func hasNaN(z complex128) bool { return math.IsNaN(real(z)) || math.IsNaN(imag(z)) }

// place is an Array of a sketch.
type place struct {
	*Array
	id    int
	rough bool // something before it rounds
}

// sketch grows a graph as a script of bytes says.
type sketch struct {
	t       *testing.T
	script  []byte
	at      int
	palette [3]DType
	places  []place
	streams []*Stream
	leaves  map[*graph.Node]reference.Array
	log     []string
}

// maxElems bounds arrays, since the reference is slow; maxPlaces bounds
// graphs.
const maxElems, maxPlaces = 700, 40

func newSketch(t *testing.T, script []byte) *sketch {
	s := &sketch{t: t, script: script, leaves: map[*graph.Node]reference.Array{}}
	s.palette = [3]DType{elem.All[s.next(len(elem.All))], Float32, Bool}
	for range 2 {
		st, err := CPU().NewStream()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = st.Close() })
		s.streams = append(s.streams, st)
	}
	for range 3 {
		s.addLeaf(s.dtype(), s.shape(3))
	}
	return s
}

func (s *sketch) done() bool { return s.at >= len(s.script) || len(s.places) >= maxPlaces }

// next is a number below n.
func (s *sketch) next(n int) int {
	if s.at >= len(s.script) || n <= 1 {
		s.at++
		return 0
	}
	v := int(s.script[s.at])
	s.at++
	return v % n
}

// any is a small number that is sometimes out of every range.
func (s *sketch) any(n int) int {
	v := s.next(4*n+8) - n - 2
	switch s.next(60) {
	case 1:
		return math.MaxInt
	case 2:
		return math.MinInt
	}
	return v
}

// axis is mostly an axis of x, counted from either end.
func (s *sketch) axis(x place) int {
	n := x.NDim()
	if n == 0 || s.next(8) == 0 {
		return s.any(n)
	}
	return s.next(2*n) - n
}

// dtype is mostly one of the sketch's own, so that arrays go together.
func (s *sketch) dtype() DType {
	if i := s.next(12); i < 10 {
		return s.palette[i%3]
	}
	return elem.All[s.next(len(elem.All))]
}

// shape has up to axes axes, now and then an empty one.
func (s *sketch) shape(axes int) []int {
	dims := make([]int, s.next(axes+1))
	for i := range dims {
		dims[i] = s.next(8)
		if dims[i] == 0 && s.next(4) > 0 {
			dims[i] = 5
		}
	}
	return dims
}

// pick is an Array of the sketch.
func (s *sketch) pick() place { return s.places[s.next(len(s.places))] }

// addLeaf adds an Array of small whole numbers.
func (s *sketch) addLeaf(t DType, dims []int) place {
	n := 1
	for _, d := range dims {
		n *= d
	}
	values := make([]reference.Value, n)
	rng := rand.New(rand.NewPCG(uint64(s.next(256)), 5))
	for i := range values {
		v := rng.Int64N(23) - 11
		values[i] = reference.Cast(t, reference.Integer(elem.Int64, v))
		if t.IsComplex() {
			values[i].Num += complex(0, float64(rng.Int64N(7)-3))
		}
	}
	return s.addValues(t, dims, values)
}

func (s *sketch) addValues(t DType, dims []int, values []reference.Value) place {
	bytes := make([]byte, len(values)*t.Size())
	for i, v := range values {
		reference.Store(v, bytes, i)
	}
	a := fromHostShaped("from", t, bytes, dims)
	if a.err != nil {
		s.t.Fatal(a.err)
	}
	s.leaves[a.node] = reference.Array{Type: t, Shape: dims, Values: values}
	s.note("leaf %s %v", t, dims)
	p := place{Array: a, id: len(s.places)}
	s.places = append(s.places, p)
	return p
}

func (s *sketch) leaf(n *graph.Node) (reference.Array, error) {
	a, ok := s.leaves[n]
	if !ok {
		return a, errors.New("a leaf the sketch did not make")
	}
	return a, nil
}

func (s *sketch) note(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf("%%%d = ", len(s.places))+fmt.Sprintf(format, args...))
}

// keep adds a result to the sketch if it is an Array of bearable size. An
// error must be typed and say where it comes from.
func (s *sketch) keep(a *Array, rough bool, format string, args ...any) {
	if err := a.Err(); err != nil {
		var op *OpError
		if !errors.As(err, &op) || op.Op == "" || op.Site == "" {
			s.t.Fatalf("%s: error %v is no complete *OpError", fmt.Sprintf(format, args...), err)
		}
		return
	}
	if a.Len() > maxElems || a.NDim() > 6 {
		return
	}
	s.note(format+" -> %s %v", append(args, a.DType(), a.Shape())...)
	s.places = append(s.places, place{Array: a, id: len(s.places), rough: rough})
}

// outputs are the last Array and some others.
func (s *sketch) outputs() []place {
	out := []place{s.places[len(s.places)-1]}
	for range s.next(4) {
		out = append(out, s.pick())
	}
	return out
}

func (s *sketch) String() string {
	text := ""
	for _, l := range s.log {
		text += l + "\n"
	}
	return text
}

package nd

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// place is an Array of a sketch.
type place struct {
	*Array
	id    int
	grain grain
}

// sketch grows a graph as a script of bytes says.
type sketch struct {
	t       *testing.T
	script  []byte
	at      int
	types   []DType // that the device has
	palette [3]DType
	places  []place
	streams [2]*Stream // made when they are drawn
	hub     int        // a place that is picked more often than others
	leaves  map[*graph.Node]reference.Array
	scales  map[*graph.Node]float64
	log     []note

	reference *reference.Evaluator
}

// grain is how coarsely a number, or one before it, was rounded.
type grain uint8

const (
	exact   grain = iota
	rounded       // to float64
	single
	half
)

// slack is the difference that roundings of a grain may make, in units of the
// greatest number among those that were rounded: a few hundred roundings of
// float64 and float32, a few dozen of bfloat16.
func (g grain) slack() float64 { return [...]float64{0, 1e-12, 1e-4, 0.1}[g] }

func roundedIf(yes bool) grain {
	if yes {
		return rounded
	}
	return exact
}

// in is the grain of rounded numbers once they are of a type.
func (g grain) in(t DType) grain {
	switch {
	case g == exact || !t.IsFloat() && !t.IsComplex():
		return g
	case t.IsHalf():
		return half
	case t == Float32 || t == Complex64:
		return max(g, single)
	}
	return g
}

// maxElems bounds arrays, since the reference is slow; maxPlaces bounds
// graphs.
const maxElems, maxPlaces = 700, 40

func newSketch(t *testing.T, script []byte) *sketch {
	s := &sketch{t: t, script: script, leaves: map[*graph.Node]reference.Array{}, scales: map[*graph.Node]float64{}}
	s.reference = reference.NewEvaluator(s.leaf)
	s.types = elem.All[:]
	if !testdevice.HasFloat64() {
		s.types = slices.DeleteFunc(slices.Clone(s.types), func(t DType) bool { return t == Float64 || t == Complex128 })
	}
	s.palette = [3]DType{s.anyType(), Float32, Bool}
	for range 3 {
		s.addLeaf(s.dtype(), s.shape(3))
	}
	return s
}

// close gives back what the sketch holds besides memory.
func (s *sketch) close() {
	for _, st := range s.streams {
		if st != nil {
			_ = st.Close()
		}
	}
}

func (s *sketch) stream(i int) *Stream {
	if s.streams[i] == nil {
		st, err := CPU().NewStream()
		if err != nil {
			s.t.Fatal(err)
		}
		s.streams[i] = st
	}
	return s.streams[i]
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
	return s.anyType()
}

func (s *sketch) anyType() DType { return s.types[s.next(len(s.types))] }

// shape has up to axes axes, now and then an empty one.
func (s *sketch) shape(axes int) []int {
	dims := make([]int, s.next(axes+1))
	for i := range dims {
		dims[i] = s.next(8)
		if s.next(12) == 0 {
			dims[i] = 8 << s.next(4) // lines as long as vectors and longer
			dims[i] += s.next(3) - 1
		}
		if dims[i] == 0 && s.next(4) > 0 {
			dims[i] = 5
		}
	}
	return dims
}

// pick is an Array of the sketch: the hub and the newest one more often than
// others, so that one value has several consumers, and chains grow long.
func (s *sketch) pick() place {
	switch s.next(6) {
	case 0:
		return s.places[s.hub]
	case 1:
		return s.places[len(s.places)-1]
	}
	return s.places[s.next(len(s.places))]
}

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

// note is a line of the log, formatted when somebody wants to read it: of a
// million graphs, nobody does.
type note struct {
	id     int
	format string
	args   []any
}

func (s *sketch) note(format string, args ...any) {
	s.log = append(s.log, note{len(s.places), "%%%d = " + format, args})
}

// keep adds a result to the sketch if it is an Array of bearable size and type. An
// error must be typed and say where it comes from.
func (s *sketch) keep(a *Array, g grain, format string, args ...any) {
	if err := a.Err(); err != nil {
		var op *OpError
		if !errors.As(err, &op) || op.Op == "" || op.Site == "" {
			s.t.Fatalf("%s: error %v is no complete *OpError", fmt.Sprintf(format, args...), err)
		}
		return
	}
	if a.Len() > maxElems || a.NDim() > 6 || !slices.Contains(s.types, a.DType()) {
		return
	}
	s.note(format+" -> %s %v", append(args, a.DType(), a.node.Shape)...)
	s.places = append(s.places, place{Array: a, id: len(s.places), grain: g.in(a.DType())})
}

// outputs are the last Array and some others, of which some are on the way to
// others; now and then all.
func (s *sketch) outputs() []place {
	if s.next(8) == 0 {
		return s.places
	}
	out := []place{s.places[len(s.places)-1]}
	for range s.next(8) {
		out = append(out, s.pick())
	}
	return out
}

func (s *sketch) String() string {
	text := ""
	for _, l := range s.log {
		text += fmt.Sprintf(l.format, append([]any{l.id}, l.args...)...) + "\n"
	}
	return text
}

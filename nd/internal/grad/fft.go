package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// pullFFT is the adjoint of the transform, which has the same scale and the
// other direction. Cutting the axis and following it by zeros are each other's
// adjoints too.
func pullFFT(s *step, i int) *graph.Node {
	a := s.n.Attr.(graph.FFTAttr)
	x := s.in[i]
	var d *graph.Node
	switch a.Kind {
	case graph.FFTComplex:
		a.Inverse, a.OfReals = !a.Inverse, false
		d = must(graph.NewFFT(s.g, a))
	case graph.FFTRealForward:
		// The inverse takes each bin for itself and its mirror image; here only
		// the bin is there.
		a.Kind, a.Inverse = graph.FFTRealInverse, true
		d = must(graph.NewFFT(mul(s.g, s.mirrored(s.g, a, 0.5)), a))
	case graph.FFTRealInverse:
		a.Kind, a.Inverse = graph.FFTRealForward, false
		d = must(graph.NewFFT(s.g, a))
		d = mul(d, s.mirrored(d, a, 2))
	}
	return fit(d, a.Axis, x.Shape[a.Axis])
}

// weights says what a vector of weights is for.
type weights struct {
	place graph.Place
	of    elem.Type
	axes  int // the bins' and those after it
	n     int
	value complex128
}

// mirrored is v at the bins that have a mirror image, and 1 at bin 0 and, for an
// even length, at the last. Transforms of one length share it.
func (p *pass) mirrored(bins *graph.Node, a graph.FFTAttr, v complex128) *graph.Node {
	w := weights{bins.Place(), bins.Type, len(bins.Shape) - a.Axis, a.N, v}
	if p.weights[w] == nil {
		p.weights[w] = w.node(bins.Shape[a.Axis])
	}
	return p.weights[w]
}

func (w weights) node(bins int) *graph.Node {
	dims := slices.Repeat([]int{1}, w.axes)
	dims[0] = bins
	k := must(graph.NewIota(w.place, 0, dims))
	is := func(bin int64) *graph.Node {
		return apply(scalar.Equal, k, must(graph.NewFull(w.place, elem.Int64, scalar.IntArg(bin), dims)))
	}
	single := is(0)
	if w.n%2 == 0 {
		single = apply(scalar.Or, single, is(int64(w.n/2)))
	}
	return where(single, full(w.place, w.of, 1, dims), full(w.place, w.of, w.value, dims))
}

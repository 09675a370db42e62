package grad

import (
	"github.com/twiddle-go/twiddle/nd/internal/elem"
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
		a.Inverse = !a.Inverse
		d = must(graph.NewFFT(s.g, a))
	case graph.FFTRealForward:
		// The inverse takes each bin for itself and its mirror image; here only
		// the bin is there.
		a.Kind, a.Inverse = graph.FFTRealInverse, true
		d = must(graph.NewFFT(mul(s.g, mirrored(s.g, a, 0.5)), a))
	case graph.FFTRealInverse:
		a.Kind, a.Inverse = graph.FFTRealForward, false
		d = must(graph.NewFFT(s.g, a))
		d = mul(d, mirrored(d, a, 2))
	}
	return fit(d, a.Axis, x.Shape[a.Axis])
}

// mirrored is v at the bins that have a mirror image, and 1 at bin 0 and, for an
// even length, at the last.
func mirrored(bins *graph.Node, a graph.FFTAttr, v complex128) *graph.Node {
	dims := make([]int, len(bins.Shape))
	for i := range dims {
		dims[i] = 1
	}
	dims[a.Axis] = bins.Shape[a.Axis]
	k := must(graph.NewIota(bins.Place(), a.Axis, dims))
	is := func(bin int64) *graph.Node {
		return apply(scalar.Equal, k, must(graph.NewFull(k.Place(), elem.Int64, scalar.IntArg(bin), dims)))
	}
	single := is(0)
	if a.N%2 == 0 {
		single = apply(scalar.Or, single, is(int64(a.N/2)))
	}
	p, t := bins.Place(), bins.Type
	return where(single, full(p, t, 1, dims), full(p, t, v, dims))
}

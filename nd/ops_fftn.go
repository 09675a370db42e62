package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// FFTN is the options of the transforms along several axes. The zero value
// transforms all of them.
type FFTN struct {
	Shape []int // lengths, one for each axis; nil: those of the array
	Axes  []int // distinct; nil: all, or as many of the last as Shape has
	Norm  Norm
	Mode  Accumulation // of the transform along each axis
	Store DType        // of a real result, as in FFT
}

// FFTN is the FFT along several axes.
func (a *Array) FFTN(opt ...FFTN) *Array {
	return a.overAxes(transform{name: "fftn", kind: graph.FFTComplex}, opt)
}

// IFFTN is the inverse of FFTN.
func (a *Array) IFFTN(opt ...FFTN) *Array {
	return a.overAxes(transform{name: "ifftn", kind: graph.FFTComplex, inverse: true, unscale: true}, opt)
}

// RFFTN is the FFT of real numbers along several axes; of the last of them the
// result keeps n/2+1 bins.
func (a *Array) RFFTN(opt ...FFTN) *Array {
	return a.overAxes(transform{name: "rfftn", kind: graph.FFTRealForward}, opt)
}

// IRFFTN is the inverse of RFFTN. The length of the last axis is by default
// 2*(bins-1).
func (a *Array) IRFFTN(opt ...FFTN) *Array {
	return a.overAxes(transform{name: "irfftn", kind: graph.FFTRealInverse, inverse: true, unscale: true}, opt)
}

// HFFTN is the FFT along several axes of a signal that is Hermitian in time:
// the half of it along the last axis gives a real spectrum.
func (a *Array) HFFTN(opt ...FFTN) *Array {
	if bad := unusable("hfftn", a); bad != nil {
		return bad
	}
	conj := a.Conj()
	if conj.err != nil {
		return named("hfftn", conj)
	}
	return conj.overAxes(transform{name: "hfftn", kind: graph.FFTRealInverse, inverse: true}, opt)
}

// IHFFTN is the inverse of HFFTN.
func (a *Array) IHFFTN(opt ...FFTN) *Array {
	if bad := unusable("ihfftn", a); bad != nil {
		return bad
	}
	half := a.overAxes(transform{name: "ihfftn", kind: graph.FFTRealForward, unscale: true}, opt)
	if half.err != nil {
		return half
	}
	return half.Conj()
}

// overAxes transforms along several axes: f along the last of them, complex
// numbers in the same direction along the others. That is done where the
// numbers are complex: after a transform from real ones, before one to them.
func (a *Array) overAxes(f transform, opts []FFTN) *Array {
	if bad := unusable(f.name, a); bad != nil {
		return bad
	}
	var opt FFTN
	switch len(opts) {
	case 0:
	case 1:
		opt = opts[0]
	default:
		return failed(f.name, fmt.Errorf("%d options given, want one", len(opts)), a)
	}
	axes, lengths, err := opt.resolve(a.node.Shape, f.kind == graph.FFTRealInverse)
	if err != nil {
		return failed(f.name, err, a)
	}
	others := f
	others.kind = graph.FFTComplex
	last := len(axes) - 1
	out := a
	if f.kind != graph.FFTRealInverse {
		out = out.transform(f, axes[last], lengths[last], opt.Norm, opt.Mode)
	}
	for i := last - 1; i >= 0 && out.err == nil; i-- {
		out = out.transform(others, axes[i], lengths[i], opt.Norm, opt.Mode)
	}
	if f.kind == graph.FFTRealInverse && out.err == nil {
		out = out.transform(f, axes[last], lengths[last], opt.Norm, opt.Mode)
	}
	return out.stored(f, opt.Store, a)
}

// resolve gives at least one axis of dims, in the order asked for, and a length
// for each. halved says that the last axis holds the bins of a real transform.
func (o FFTN) resolve(dims []int, halved bool) (axes, lengths []int, err error) {
	axes = clone(o.Axes)
	if len(axes) == 0 {
		axes = shape.AllAxes(len(dims))
		if len(o.Shape) > len(dims) {
			return nil, nil, fmt.Errorf("%s for shape %v", counted.Of(len(o.Shape), "length"), dims)
		}
		if len(o.Shape) > 0 {
			axes = axes[len(dims)-len(o.Shape):]
		}
	}
	if len(axes) == 0 {
		return nil, nil, fmt.Errorf("a 0-d array has no axis to transform")
	}
	if _, err := shape.Axes(axes, dims); err != nil {
		return nil, nil, err
	}
	if len(o.Shape) > 0 {
		if len(o.Shape) != len(axes) {
			return nil, nil, fmt.Errorf("%s for %s", counted.Of(len(o.Shape), "length"), counted.Of(len(axes), "axis", "axes"))
		}
		lengths = clone(o.Shape)
	}
	for i, axis := range axes {
		// Axes accepted it.
		axes[i], _ = shape.Axis(axis, dims)
		if len(o.Shape) > 0 {
			continue
		}
		n := dims[axes[i]]
		if halved && i == len(axes)-1 && n > 0 {
			n = 2 * (n - 1)
		}
		lengths = append(lengths, n)
	}
	return axes, lengths, nil
}

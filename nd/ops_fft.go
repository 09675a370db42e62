package nd

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Norm says which way of a transform pair is scaled: package fft's.
type Norm = fft.Norm

const (
	Backward = fft.NormBackward // the inverse by 1/n
	Ortho    = fft.NormOrtho    // both by 1/sqrt(n)
	Forward  = fft.NormForward  // the forward transform by 1/n
)

// AxisChoice is an axis in options, where the zero value leaves the choice to
// the operation.
type AxisChoice struct {
	given bool
	at    int
}

// Axis chooses an axis; negative ones count from the end.
func Axis(i int) AxisChoice { return AxisChoice{true, i} }

// Of is the place of the axis among those of an array, for packages whose
// options have an AxisChoice: the last if none was chosen.
func (c AxisChoice) Of(a *Array) (int, error) {
	rank, at := a.NDim(), -1
	if c.given {
		at = c.at
	}
	if at < -rank || at >= rank {
		return 0, fmt.Errorf("axis %d out of range for shape %v", at, a.Shape())
	}
	if at < 0 {
		at += rank
	}
	return at, nil
}

// FFT is the options of the transforms along one axis. The zero value
// transforms the whole last axis and scales the inverse.
type FFT struct {
	N    int        // length of the transform; the axis is cut or padded with zeros. 0: its own length
	Axis AxisChoice // default: the last
	Norm Norm
	Mode Accumulation // how sums add up; see the constants
	// Store is the element type of a real result, which IRFFT and HFFT have:
	// Float16 or BFloat16, to which it is rounded at the end. 0: what the bins
	// are made of.
	Store DType
}

// transform is what distinguishes the members of the family.
type transform struct {
	name    string
	kind    graph.FFTKind
	inverse bool // of the exponent
	unscale bool // the direction that Backward divides by n
}

// FFT is the discrete Fourier transform along an axis, X[k] = sum x[j] exp(-2 pi i j k /
// n). Real arrays are converted to complex ones; float16 and bfloat16 become complex64.
func (a *Array) FFT(opt ...FFT) *Array {
	return a.fft(transform{name: "fft", kind: graph.FFTComplex}, opt)
}

// IFFT is the inverse of FFT.
func (a *Array) IFFT(opt ...FFT) *Array {
	return a.fft(transform{name: "ifft", kind: graph.FFTComplex, inverse: true, unscale: true}, opt)
}

// RFFT is the FFT of real numbers. It gives the n/2+1 bins from 0 to half the sampling
// frequency; the others are their conjugates. The spectrum of float16 and bfloat16 is
// complex64, computed in float32.
func (a *Array) RFFT(opt ...FFT) *Array {
	return a.fft(transform{name: "rfft", kind: graph.FFTRealForward}, opt)
}

// IRFFT is the inverse of RFFT. It gives N real numbers, by default
// 2*(bins-1), so an odd length has to be given. The imaginary part of the
// first bin is ignored, and for even N that of the last.
func (a *Array) IRFFT(opt ...FFT) *Array {
	return a.fft(transform{name: "irfft", kind: graph.FFTRealInverse, inverse: true, unscale: true}, opt)
}

// HFFT is the FFT of a signal that is Hermitian in time: its first half gives
// a real spectrum of N numbers, by default 2*(elements-1).
func (a *Array) HFFT(opt ...FFT) *Array {
	if bad := unusable("hfft", a); bad != nil {
		return bad
	}
	return named("hfft", a.Conj().fft(transform{name: "hfft", kind: graph.FFTRealInverse, inverse: true}, opt))
}

// IHFFT is the inverse of HFFT: the first half, n/2+1 numbers, of the signal
// that has a real spectrum.
func (a *Array) IHFFT(opt ...FFT) *Array {
	if bad := unusable("ihfft", a); bad != nil {
		return bad
	}
	return named("ihfft", a.fft(transform{name: "ihfft", kind: graph.FFTRealForward, unscale: true}, opt).Conj())
}

func (a *Array) fft(f transform, opts []FFT) *Array {
	if bad := unusable(f.name, a); bad != nil {
		return bad
	}
	var opt FFT
	switch len(opts) {
	case 0:
	case 1:
		opt = opts[0]
	default:
		return failed(f.name, fmt.Errorf("%d options given, want one", len(opts)), a)
	}
	axis := -1
	if opt.Axis.given {
		axis = opt.Axis.at
	}
	if a.NDim() == 0 {
		return failed(f.name, fmt.Errorf("a 0-d array has no axis to transform"), a)
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err != nil {
		return failed(f.name, err, a)
	}
	n := opt.N
	if n == 0 {
		n = a.node.Shape[axis]
		if f.kind == graph.FFTRealInverse && n > 0 {
			n = 2 * (n - 1)
		}
	}
	return a.transform(f, axis, n, opt.Norm, opt.Mode).stored(f, opt.Store, a)
}

// stored is a transform's result in the type of FFT.Store.
func (a *Array) stored(f transform, t DType, from *Array) *Array {
	switch {
	case t == elem.Invalid || a.err != nil:
		return a
	case f.kind != graph.FFTRealInverse:
		return failed(f.name, fmt.Errorf("a Store of %v, but the result is %v: only real results are stored so", t, a.node.Type), from)
	case !t.IsHalf():
		return failed(f.name, fmt.Errorf("a Store of %v: want Float16 or BFloat16", t), from)
	}
	return named(f.name, a.Cast(t))
}

// transform makes the node, with the axis resolved and the length decided.
func (a *Array) transform(f transform, axis, n int, norm Norm, mode Accumulation) *Array {
	if bad := checkMode(f.name, mode, a); bad != nil {
		return bad
	}
	if a.node.Type.IsHalf() && f.kind != graph.FFTRealInverse {
		return a.Cast(Float32).transform(f, axis, n, norm, mode)
	}
	if mode == Compensated || mode == Exact {
		if out := a.withDigits(f, axis, n, norm, mode); out != nil {
			return out
		}
	}
	x, reals := a, f.kind == graph.FFTComplex && !a.node.Type.IsComplex()
	if reals {
		if a.node.Type.Complex() == elem.Invalid {
			return failed(f.name, fmt.Errorf("dtype %v: want a float or a complex dtype", a.node.Type), a)
		}
		x = a.Cast(a.node.Type.Complex())
	}
	scale := 1.0
	switch {
	case norm > Forward:
		return failed(f.name, fmt.Errorf("norm %d is not Backward, Ortho or Forward", norm), a)
	case norm == Ortho:
		scale = 1 / math.Sqrt(float64(max(n, 1)))
	case (norm == Backward) == f.unscale:
		scale = 1 / float64(max(n, 1))
	}
	node, err := graph.NewFFT(x.node, graph.FFTAttr{Kind: f.kind, Inverse: f.inverse, Axis: axis, N: n, Scale: scale, Mode: mode, OfReals: reals})
	return built(f.name, node, err, a)
}

package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// DCT is the discrete cosine transform of real lines, as scipy.fft.dct. It is
// maps around an FFT, so it fuses with what is before and behind it, and has
// gradients. The zero value is type II, not scaled.
type DCT struct {
	Type int // I to IV: 1 to 4; 0 is 2
	N    int // length: lines are cut or padded with zeros; 0 is their own length
	Norm nd.Norm
	// Orthogonalize scales the first element, and of type I the last one, by
	// sqrt(2), so that the matrix of the transform is orthogonal but for a
	// factor. With Norm Ortho it is so by default: see NotOrthogonal.
	Orthogonalize bool
	// NotOrthogonal leaves those elements alone with Norm Ortho, too.
	NotOrthogonal bool
	Axis          nd.AxisChoice
}

// DST is the discrete sine transform, as scipy.fft.dst. Options are those of DCT;
// the elements that Orthogonalize scales are the last ones of types II and III.
type DST DCT

// Apply transforms x.
func (d DCT) Apply(x *nd.Array) *nd.Array { return d.transform("dct", x, cosine, false) }

// Inverse undoes Apply for the same options.
func (d DCT) Inverse(x *nd.Array) *nd.Array { return d.transform("idct", x, cosine, true) }

// Apply transforms x.
func (d DST) Apply(x *nd.Array) *nd.Array { return DCT(d).transform("dst", x, sine, false) }

// Inverse undoes Apply for the same options.
func (d DST) Inverse(x *nd.Array) *nd.Array { return DCT(d).transform("idst", x, sine, true) }

// ApplyN transforms along several axes, all if none are given, as
// scipy.fft.dctn. N and Axis are not used.
func (d DCT) ApplyN(x *nd.Array, axes ...int) *nd.Array {
	return d.overAxes("dctn", x, axes, DCT.Apply)
}

// InverseN undoes ApplyN, as scipy.fft.idctn.
func (d DCT) InverseN(x *nd.Array, axes ...int) *nd.Array {
	return d.overAxes("idctn", x, axes, DCT.Inverse)
}

// ApplyN transforms along several axes, all if none are given, as
// scipy.fft.dstn. N and Axis are not used.
func (d DST) ApplyN(x *nd.Array, axes ...int) *nd.Array {
	return DCT(d).overAxes("dstn", x, axes, func(c DCT, x *nd.Array) *nd.Array { return DST(c).Apply(x) })
}

// InverseN undoes ApplyN, as scipy.fft.idstn.
func (d DST) InverseN(x *nd.Array, axes ...int) *nd.Array {
	return DCT(d).overAxes("idstn", x, axes, func(c DCT, x *nd.Array) *nd.Array { return DST(c).Inverse(x) })
}

func (d DCT) overAxes(op string, x *nd.Array, axes []int, once func(DCT, *nd.Array) *nd.Array) *nd.Array {
	if bad := unusable(op, x); bad != nil {
		return bad
	}
	if len(axes) == 0 {
		for i := range x.NDim() {
			axes = append(axes, i)
		}
	}
	seen := map[int]bool{}
	for _, a := range axes {
		at, err := nd.Axis(a).Of(x)
		if err != nil {
			return nd.Fail("signal", op, err, x)
		}
		if seen[at] {
			return fail(op, "axis %d twice", a)(x)
		}
		seen[at] = true
	}
	d.N = 0
	for _, a := range axes {
		d.Axis = nd.Axis(a)
		x = once(d, x)
	}
	return x
}

// family is cosine or sine.
type family bool

const (
	cosine family = false
	sine   family = true
)

func (d DCT) transform(op string, x *nd.Array, f family, inverse bool) *nd.Array {
	l, bad := along(op, x, d.Axis, false)
	if bad != nil {
		return bad
	}
	kind, n := d.Type, d.N
	kind = cmp.Or(kind, 2)
	n = cmp.Or(n, l.Dim(-1))
	switch {
	case kind < 1 || kind > 4:
		return fail(op, "Type %d: want 1 to 4", d.Type)(x)
	case n < 1 || kind == 1 && f == cosine && n < 2:
		return fail(op, "%s: want 1 or more, and 2 for type I", counted.Of(n, "element"))(x)
	case d.Norm > nd.Forward:
		return fail(op, "unknown norm %d", d.Norm)(x)
	case d.Orthogonalize && d.NotOrthogonal:
		return fail(op, "Orthogonalize and NotOrthogonal: want one of them")(x)
	}
	if err := checkSize("N", n); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	y := ofLength(l.Array, n)
	if inverse { // types II and III undo each other, I and IV themselves
		kind = [...]int{0, 1, 3, 2, 4}[kind]
	}
	orthogonal := d.Orthogonalize || d.Norm == nd.Ortho && !d.NotOrthogonal
	if orthogonal && (kind == 1 && f == cosine || kind == 3) {
		y = y.Mul(ends(y, n, kind, f, math.Sqrt2))
	}
	y = trig(y, n, kind, f)
	if orthogonal && (kind == 1 && f == cosine || kind == 2) {
		y = y.Mul(ends(y, n, kind, f, 1/math.Sqrt2))
	}
	// What twice the transform multiplies by.
	total := 2 * float64(n)
	if kind == 1 {
		total = 2 * float64(n-1)
		if f == sine {
			total = 2 * float64(n+1)
		}
	}
	switch {
	case d.Norm == nd.Ortho:
		y = y.MulScalar(1 / math.Sqrt(total))
	case (d.Norm == nd.Forward) != inverse:
		y = y.MulScalar(1 / total)
	}
	return l.back(y)
}

// ends is ones, but for the elements that are orthogonalized.
func ends(like *nd.Array, n, kind int, f family, factor float64) *nd.Array {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	switch {
	case kind == 1:
		v[0], v[n-1] = factor, factor
	case f == cosine:
		v[0] = factor
	default:
		v[n-1] = factor
	}
	return constant(v, like)
}

// trig is the transforms as SciPy defines them, not scaled. Sines of types II to
// IV are cosines of a line that is turned around, or with every other sign turned.
func trig(x *nd.Array, n, kind int, f family) *nd.Array {
	switch {
	case kind == 1 && f == cosine:
		whole := x
		if n > 2 {
			whole = nd.Concat(-1, x, x.SliceAxis(-1, nd.Range{Start: 1, Stop: n - 1}).Flip(-1))
		}
		return whole.RFFT().Real()
	case kind == 1:
		// 0, x, 0, -x backwards: odd around both ends.
		side := x.PadAxis(-1, nd.Margin{Before: 1}, nd.Pad{})
		other := x.Flip(-1).Neg().PadAxis(-1, nd.Margin{Before: 1}, nd.Pad{})
		return nd.Concat(-1, side, other).RFFT().Imag().Neg().SliceAxis(-1, nd.Range{Start: 1, Stop: n + 1})
	case kind == 2 && f == cosine:
		return cosineTwo(x, n)
	case kind == 2:
		return cosineTwo(x.Mul(signs(x, n)), n).Flip(-1)
	case kind == 3 && f == cosine:
		return cosineThree(x, n)
	case kind == 3:
		return cosineThree(x.Flip(-1), n).Mul(signs(x, n))
	case f == cosine:
		return cosineFour(x, n)
	}
	return cosineFour(x.Flip(-1), n).Mul(signs(x, n))
}

// signs is 1, -1, 1, ...
func signs(like *nd.Array, n int) *nd.Array {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 - 2*float64(i%2)
	}
	return constant(v, like)
}

// cosineTwo is an FFT as long as the line (Makhoul): even elements, then odd ones
// backwards. Bin k, turned by a quarter of its frequency, holds elements k and
// n-k of the result.
func cosineTwo(x *nd.Array, n int) *nd.Array {
	even := x.SliceAxis(-1, nd.Range{Stop: nd.End, Step: 2})
	v := even
	if n > 1 {
		v = nd.Concat(-1, even, x.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End, Step: 2}).Flip(-1))
	}
	z := v.RFFT()
	z = z.Mul(turned(z, phases{n/2 + 1, n, -0.5, 0, 2}))
	if n < 3 {
		return z.Real()
	}
	above := z.SliceAxis(-1, nd.Range{Start: 1, Stop: (n + 1) / 2}).Imag().Neg().Flip(-1)
	return nd.Concat(-1, z.Real(), above)
}

// cosineThree is cosineTwo backwards.
func cosineThree(x *nd.Array, n int) *nd.Array {
	if n == 1 {
		return x
	}
	bins := n/2 + 1
	re := x.SliceAxis(-1, nd.Range{Stop: bins})
	// Element n-k, for k from 0 on: there is none for k = 0.
	im := x.SliceAxis(-1, nd.Range{Start: n - bins + 1, Stop: nd.End}).Flip(-1).Neg().PadAxis(-1, nd.Margin{Before: 1}, nd.Pad{})
	z := nd.Complex(re, im)
	v := z.Mul(turned(z, phases{bins, n, 0.5, 0, float64(n)})).IRFFT(nd.FFT{N: n})
	// Even elements are the first half, odd ones the second half backwards.
	half := (n + 1) / 2
	even, odd := v.SliceAxis(-1, nd.Range{Stop: half}), v.SliceAxis(-1, nd.Range{Start: half, Stop: nd.End}).Flip(-1)
	if n%2 == 1 {
		odd = odd.PadAxis(-1, nd.Margin{After: 1}, nd.Pad{})
	}
	shape := x.Shape()
	shape[len(shape)-1] = 2 * half
	y := nd.Stack(x.NDim(), even, odd).Reshape(shape...)
	return y.SliceAxis(-1, nd.Range{Stop: n})
}

// cosineFour is an FFT of twice the length, of a line that is turned by half a
// step.
func cosineFour(x *nd.Array, n int) *nd.Array {
	z := nd.Complex(x, nd.FullLike(x, 0))
	z = z.Mul(turned(z, phases{n, n, -0.5, 0, 1})).FFT(nd.FFT{N: 2 * n}).SliceAxis(-1, nd.Range{Stop: n})
	return z.Mul(turned(z, phases{n, n, -0.5, -0.25, 2})).Real()
}

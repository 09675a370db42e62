package signal

import (
	"errors"
	"fmt"
	"math/cmplx"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// ComplexTF is a TF with complex coefficients. What it makes of real samples is
// complex.
type ComplexTF struct{ B, A []complex128 }

// Complex is the same filter with complex coefficients.
func (f TF) Complex() ComplexTF {
	in := func(v []float64) []complex128 {
		z := make([]complex128, len(v))
		for i := range z {
			z[i] = complex(v[i], 0)
		}
		return z
	}
	return ComplexTF{in(f.B), in(f.A)}
}

func (f ComplexTF) check() error {
	if len(f.B) == 0 {
		return errors.New("no coefficients of B")
	}
	for _, v := range slices.Concat(f.B, f.A) {
		if cmplx.IsNaN(v) || cmplx.IsInf(v) {
			return fmt.Errorf("a coefficient is %g", v)
		}
	}
	if len(f.A) > 0 && f.A[0] == 0 {
		return errors.New("A[0] is 0: want what outputs are divided by")
	}
	return nil
}

// filled is B and A of one length, two or more, divided by A[0].
func (f ComplexTF) filled() (b, a []complex128) {
	a = f.A
	if len(a) == 0 {
		a = []complex128{1}
	}
	n := max(len(f.B), len(a), 2)
	scaled := func(p []complex128) []complex128 {
		q := make([]complex128, n)
		for i, v := range p {
			q[i] = v / a[0]
		}
		return q
	}
	return scaled(f.B), scaled(a)
}

// filter is that of a runner.
func (f ComplexTF) filter(x, state *nd.Array) (y, end *nd.Array) {
	b, a := f.filled()
	n, order := x.Dim(-1), len(b)-1
	lines := x.Len() / n
	x = inComplex(x)
	lead := x.Shape()[:x.NDim()-1]
	tail := slices.Concat(lead, []int{order})
	if state == nil {
		state = nd.Zeros(nd.Complex128, tail...).Beside(x)
	} else if state.DType() != nd.Complex128 {
		state = state.Cast(nd.Complex128)
	}
	parts := func(z *nd.Array, n int) *nd.Array {
		z = z.Reshape(lines, n)
		return nd.Stack(2, z.Real(), z.Imag())
	}
	whole := func(r *nd.Array, shape []int) *nd.Array {
		at := func(k int) *nd.Array { return r.SliceAxis(2, nd.Range{Start: k, Stop: k + 1}).Reshape(shape...) }
		return nd.Complex(at(0), at(1))
	}
	out, last := recurseComplexLines(b, a, parts(x, n), parts(state, order), false)
	return whole(out, x.Shape()), whole(last, tail)
}

func (f ComplexTF) runner() runner { return f }

// Apply is TF.Apply.
func (f ComplexTF) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	return filtered("lfilter", f.runner, f.check, x, first(axis))
}

// Filter is Apply.
func (f ComplexTF) Filter(x *nd.Array, axis ...nd.AxisChoice) *nd.Array { return f.Apply(x, axis...) }

// FilterFrom is TF.FilterFrom; the state is complex.
func (f ComplexTF) FilterFrom(x, state *nd.Array) (y, end *nd.Array) {
	if x != nil && x.Err() == nil {
		x = inComplex(x)
	}
	return filteredFrom("lfilter", f.runner, f.check, x, state, max(len(f.B), len(f.A), 2)-1)
}

// FiltFilt is TF.FiltFilt.
func (f ComplexTF) FiltFilt(x *nd.Array, opt ...FiltFilt) *nd.Array {
	if x != nil && x.Err() == nil {
		x = inComplex(x)
	}
	steady, err := f.Steady()
	if len(steady) == 0 {
		steady = []complex128{0} // as filled has one
	}
	start := func(like *nd.Array) *nd.Array { return complexConstant(steady, like) }
	return first(opt).apply(x, f.runner, start, 3*max(len(f.A), len(f.B)), err)
}

// Steady is TF.Steady.
func (f ComplexTF) Steady() ([]complex128, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("signal: tf: %w", err)
	}
	b, a := f.filled()
	num, den := complex128(0), complex128(0)
	for i := range a {
		num, den = num+b[i], den+a[i]
	}
	if den == 0 {
		return nil, fmt.Errorf("signal: tf: %w", errUnsettled)
	}
	gain, sum := num/den, complex128(0)
	z := make([]complex128, max(len(f.B), len(f.A))-1)
	for k := len(z) - 1; k >= 0; k-- {
		sum += b[k+1] - a[k+1]*gain
		z[k] = sum
	}
	return z, nil
}

// Response is TF.Response.
func (f ComplexTF) Response(w []float64) []complex128 {
	h := make([]complex128, len(w))
	a := f.A
	if len(a) == 0 {
		a = []complex128{1}
	}
	for i, v := range w {
		d := cmplx.Exp(complex(0, -v))
		at := func(p []complex128) complex128 {
			s := complex128(0)
			for k := len(p) - 1; k >= 0; k-- {
				s = s*d + p[k]
			}
			return s
		}
		h[i] = at(f.B) / at(a)
	}
	return h
}

package signal

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// SavGol smooths lines by polynomials of least squares over windows, or takes
// their derivative, as scipy.signal.savgol_filter.
type SavGol struct {
	Window int     // samples
	Order  int     // of the polynomials
	Deriv  int     // which derivative; 0 is none
	Delta  float64 // distance of samples, for derivatives; 0 is 1
	// Extension says how the signal continues beyond its ends. The default is the polynomial of
	// the last window, "interp" in SciPy.
	Extension Extension
	Axis      nd.AxisChoice
}

func (s SavGol) check() error {
	switch {
	case s.Window < 1 || s.Order < 0 || s.Order >= s.Window:
		return fact("Window %d and Order %d: want an Order below the Window", s.Window, s.Order)
	case s.Deriv < 0:
		return fact("Deriv %d: want 0 or more", s.Deriv)
	case math.IsNaN(s.Delta) || s.Delta < 0:
		return fact("Delta %g: want a positive number", s.Delta)
	}
	if _, err := s.Extension.or(ExtendPolynomial); err != nil {
		return err
	}
	return checkSize("Window", s.Window, s.Order+1) // a polynomial of each order
}

// Coefficients are the factors of the samples of a window, from the first on, for the value
// in its middle: scipy.signal.savgol_coeffs with use "dot".
func (s SavGol) Coefficients() ([]float64, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("signal: savgol: %w", err)
	}
	return s.weights(float64(s.Window-1) / 2), nil
}

// weights is the derivative of the fitted polynomial at a place of the window, as
// a sum of its samples. Polynomials that are orthogonal on the samples (Gram's)
// need no system to be solved, and so lose no digits.
func (s SavGol) weights(at float64) []float64 {
	m := s.Window
	if s.Deriv > s.Order {
		return make([]float64, m) // the polynomial has no such derivative
	}
	half := float64(m-1) / 2
	delta := cmp.Or(s.Delta, 1)
	// p[k] at the samples, and its derivatives at the place, by the recurrence
	// p[k+1] = x p[k] - b[k] p[k-1].
	before, now := make([]float64, m), make([]float64, m)
	for i := range now {
		now[i] = 1
	}
	dBefore, dNow := make([]float64, s.Deriv+1), make([]float64, s.Deriv+1)
	dNow[0] = 1
	x := at - half
	norm := float64(m)
	last := 1.0
	w := make([]float64, m)
	for k := 0; k <= s.Order; k++ {
		for i := range w {
			w[i] += dNow[s.Deriv] * now[i] / norm
		}
		b := 0.0
		if k > 0 {
			b = norm / last
		}
		next, dNext := make([]float64, m), make([]float64, s.Deriv+1)
		square := 0.0
		for i := range next {
			next[i] = (float64(i)-half)*now[i] - b*before[i]
			square += next[i] * next[i]
		}
		for d := range dNext {
			dNext[d] = x*dNow[d] - b*dBefore[d]
			if d > 0 {
				dNext[d] += float64(d) * dNow[d-1]
			}
		}
		before, now, dBefore, dNow = now, next, dNow, dNext
		last, norm = norm, square
	}
	scale := math.Pow(delta, -float64(s.Deriv))
	for i := range w {
		w[i] *= scale
	}
	return w
}

// Apply smooths x. A NaN or an infinity reaches the windows that it is in and, because outputs
// are computed in blocks, some dozens of outputs around them.
func (s SavGol) Apply(x *nd.Array) *nd.Array {
	const op = "savgol"
	l, bad := along(op, x, s.Axis, false)
	if bad != nil {
		return bad
	}
	n := l.Dim(-1)
	if err := s.check(); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	how, _ := s.Extension.or(ExtendPolynomial)
	if how == ExtendPolynomial && s.Window > n {
		return fail(op, "Window %d: Extension polynomial wants at most the %d samples", s.Window, n)(x)
	}
	if how == ExtendPolynomial { // weights of their own for the samples at the ends
		if err := checkSize("Window", s.Window, s.Window/2); err != nil {
			return nd.Fail("signal", op, err, x)
		}
	}
	// An even window has its middle between two samples, and as in SciPy one more
	// behind the sample it is for.
	half := (s.Window - 1) / 2
	after := s.Window - 1 - half
	w := s.weights(float64(s.Window-1) / 2)
	slices.Reverse(w) // as a filter, whose first tap is for the last sample
	inside := l.Array
	if how != ExtendPolynomial {
		y, err := polyphase(inside, w, 1, 1, after, n, how)
		if err != nil {
			return nd.Fail("signal", op, err, x)
		}
		return l.back(y)
	}
	y, err := polyphase(inside, w, 1, 1, s.Window-1, n-s.Window+1, ExtendZeros)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	end := func(from, count int, window *nd.Array) *nd.Array {
		matrix := make([]float64, s.Window*count)
		for k := range count {
			for i, v := range s.weights(float64(from + k)) {
				matrix[i*count+k] = v
			}
		}
		return window.ExpandDims(-2).MatMul(constant(matrix, x, s.Window, count)).Squeeze(-2)
	}
	parts := []*nd.Array{y}
	if half > 0 {
		parts = append([]*nd.Array{end(0, half, inside.SliceAxis(-1, nd.Range{Stop: s.Window}))}, parts...)
	}
	if after > 0 {
		parts = append(parts, end(s.Window-after, after, inside.SliceAxis(-1, nd.Range{Start: n - s.Window, Stop: n})))
	}
	return l.back(nd.Concat(-1, parts...))
}

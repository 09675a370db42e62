package signal

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
)

// TF is a filter as the polynomials of its transfer function, in powers of 1/z:
// what SciPy calls b and a.
//
//	(B[0] + B[1]/z + ...) / (A[0] + A[1]/z + ...)
//
// A may be empty, which is 1: a filter with a finite impulse response. Of an
// analog filter they are polynomials in s, the highest power first.
type TF struct{ B, A []float64 }

// check is for what runs: A begins with something to divide by.
func (f TF) check() error {
	if len(f.B) == 0 {
		return errors.New("no coefficients of B")
	}
	for _, v := range slices.Concat(f.B, f.A) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("a coefficient is %g", v)
		}
	}
	if len(f.A) > 0 && f.A[0] == 0 {
		return errors.New("A[0] is 0: want what outputs are divided by")
	}
	return nil
}

// filled is B and A of one length, divided by A[0].
func (f TF) filled() (b, a []float64) {
	a = f.A
	if len(a) == 0 {
		a = []float64{1}
	}
	n := max(len(f.B), len(a))
	scaled := func(p []float64) []float64 {
		q := make([]float64, n)
		for i, v := range p {
			q[i] = v / a[0]
		}
		return q
	}
	return scaled(f.B), scaled(a)
}

// ZPK is the zeros, poles and gain of the filter, as scipy.signal.tf2zpk.
func (f TF) ZPK() (ZPK, error) {
	b, a, err := f.normal()
	if err != nil {
		return ZPK{}, fmt.Errorf("signal: tf: %w", err)
	}
	if b[0] == 0 {
		return ZPK{P: roots(a)}, nil
	}
	return ZPK{Z: roots(b), P: roots(a), K: b[0]}, nil
}

// normal is B and A over A[0], without leading zeros of B.
func (f TF) normal() (b, a []float64, err error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	a = f.A
	if len(a) == 0 {
		a = []float64{1}
	}
	over := func(p []float64) []float64 {
		q := slices.Clone(p)
		for i := range q {
			q[i] /= a[0]
		}
		return q
	}
	return trimmed(over(f.B)), over(a), nil
}

// SOS is the filter as second-order sections, as scipy.signal.tf2sos. Where B begins with zeros,
// which delay, sections delay as much; those of SciPy do not.
func (f TF) SOS() (SOS, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("signal: tf: %w", err)
	}
	// In powers of 1/z both polynomials have as many, so that delays become
	// zeros and poles at 0.
	b, a := f.filled()
	z, err := TF{b, a}.ZPK()
	if err != nil {
		return nil, err
	}
	s := z.sections()
	// Zeros that B begins with are a delay: there are as many zeros less than poles, for which
	// sections have some at 0. A numerator with one at 0 can be a sample later instead.
	for i, left := 0, len(b)-len(trimmed(b)); i < len(s); i++ {
		for c := &s[i]; left > 0 && c[2] == 0; left-- {
			c[0], c[1], c[2] = 0, c[0], c[1]
		}
	}
	return s, nil
}

// TF is the filter as polynomials, as scipy.signal.zpk2tf.
func (a ZPK) TF() TF {
	b := polyOf(a.Z)
	for i := range b {
		b[i] *= a.K
	}
	return TF{b, polyOf(a.P)}
}

// SOS is the filter as second-order sections, as scipy.signal.zpk2sos: poles are
// paired with the zeros nearest to them.
func (a ZPK) SOS() (SOS, error) {
	if err := a.check(); err != nil {
		return nil, fmt.Errorf("signal: zpk: %w", err)
	}
	return a.sections(), nil
}

func (a ZPK) check() error {
	if math.IsNaN(a.K) || math.IsInf(a.K, 0) {
		return fmt.Errorf("gain K is %g", a.K)
	}
	for _, list := range [][]complex128{a.Z, a.P} {
		for _, v := range list {
			if cmplx.IsNaN(v) || cmplx.IsInf(v) {
				return fmt.Errorf("a zero or pole is %g", v)
			}
			if !slices.ContainsFunc(list, func(w complex128) bool { return cmplx.Abs(w-cmplx.Conj(v)) <= 1e-10*max(1, cmplx.Abs(v)) }) {
				return fmt.Errorf("%g has no conjugate: coefficients would be complex", v)
			}
		}
	}
	return nil
}

// TF is the cascade as polynomials, as scipy.signal.sos2tf.
func (s SOS) TF() (TF, error) {
	if err := s.check(); err != nil {
		return TF{}, fmt.Errorf("signal: sos: %w", err)
	}
	f := TF{[]float64{1}, []float64{1}}
	for _, c := range s {
		f.B, f.A = polymul(f.B, c[:3]), polymul(f.A, c[3:])
	}
	return f, nil
}

// ZPK is the zeros, poles and gain of the cascade, as scipy.signal.sos2zpk:
// every section has two of each, some of them at 0. A section that begins with zeros, which delay,
// has as many zeros less.
func (s SOS) ZPK() (ZPK, error) {
	if err := s.check(); err != nil {
		return ZPK{}, fmt.Errorf("signal: sos: %w", err)
	}
	a := ZPK{K: 1}
	for _, c := range s {
		z, err := TF{c[:3], c[3:]}.ZPK()
		if err != nil {
			return ZPK{}, err
		}
		a.Z, a.P, a.K = append(a.Z, z.Z...), append(a.P, z.P...), a.K*z.K
	}
	return a, nil
}

var errUnsettled = errors.New("the filter does not settle: it has a pole at 1")

// Steady is the state after a constant input of 1 has gone in forever, as
// scipy.signal.lfilter_zi: where a filter starts so that a constant goes through
// without a transient.
func (f TF) Steady() ([]float64, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("signal: tf: %w", err)
	}
	b, a := f.filled()
	num, den := 0.0, 0.0
	for i := range a {
		num, den = num+b[i], den+a[i]
	}
	if den == 0 {
		return nil, fmt.Errorf("signal: tf: %w", errUnsettled)
	}
	// In steady state every sample is as the last: states are sums of what is
	// still to come of b - a*gain, from the end on.
	gain, sum := num/den, 0.0
	z := make([]float64, len(a)-1)
	for k := len(z) - 1; k >= 0; k-- {
		sum += b[k+1] - a[k+1]*gain
		z[k] = sum
	}
	return z, nil
}

// Response is the gain at angular frequencies, in radians per sample, as
// scipy.signal.freqz.
func (f TF) Response(w []float64) []complex128 {
	h := make([]complex128, len(w))
	a := f.A
	if len(a) == 0 {
		a = []float64{1}
	}
	for i, v := range w {
		d := cmplx.Exp(complex(0, -v))
		at := func(p []float64) complex128 {
			s := complex128(0)
			for k := len(p) - 1; k >= 0; k-- {
				s = s*d + complex(p[k], 0)
			}
			return s
		}
		h[i] = at(f.B) / at(a)
	}
	return h
}

package signal

import "github.com/twiddle-go/twiddle/nd"

// CSD estimates the cross power spectrum of x and y, conj(X) Y averaged over
// segments, as scipy.signal.csd. Zeros follow the shorter of the two; other
// axes broadcast.
func CSD(x, y *nd.Array, opt ...Spectral) Spectrum {
	s := first(opt)
	c, bad := cross("csd", x, y, s)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	return c.spectrum(averaged(c.x.Conj().Mul(c.y), s.Average), s)
}

// Coherence is how much of the power of x and y at each frequency is linearly
// related: |CSD|^2 over the product of the two power spectra, as
// scipy.signal.coherence. Of a single segment it is 1 everywhere. Scaling and
// Average mean nothing.
func Coherence(x, y *nd.Array, opt ...Spectral) Spectrum {
	s := first(opt)
	s.Scaling, s.Average = Density, Mean
	c, bad := cross("coherence", x, y, s)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	share := shared(c.x.Conj().Mul(c.y).Mean(-2), c.x.AbsSquared().Mean(-2), c.y.AbsSquared().Mean(-2))
	return Spectrum{Array: c.back(share), Frequencies: c.frequencies(), Clipped: c.clipped}
}

// shared is the squared modulus of the cross power over the product of the powers, none of which
// it computes: those of magnetic fields or of the ground, 1e-13 T or 1e-9 m/s, are beyond
// float32.
func shared(both, x, y *nd.Array) *nd.Array {
	re, im := both.Real(), both.Imag()
	return re.Div(x).Mul(re).Add(im.Div(x).Mul(im)).Div(y)
}

// crossed is the segment spectra of two signals.
type crossed struct {
	lines
	segments
	x, y *nd.Array
}

func cross(op string, x, y *nd.Array, s Spectral) (crossed, *nd.Array) {
	x, y, bad := alike(op, x, y, s.Axis)
	if bad != nil {
		return crossed{}, bad
	}
	a, bad := along(op, x, s.Axis, true)
	if bad != nil {
		return crossed{}, bad
	}
	b, bad := along(op, y, s.Axis, true)
	if bad != nil {
		return crossed{}, bad
	}
	g, err := s.over(a.Dim(-1), 2, x.DType().IsComplex())
	if err != nil {
		return crossed{}, nd.Fail("signal", op, err, x, y)
	}
	return crossed{a, g, g.spectra(a.Array, s.Detrend), g.spectra(b.Array, s.Detrend)}, nil
}

// alike checks that two signals have one type and axes that go together, and puts zeros after the
// samples of the shorter one.
func alike(op string, x, y *nd.Array, axis nd.AxisChoice) (*nd.Array, *nd.Array, *nd.Array) {
	a, bad := along(op, x, axis, true)
	if bad != nil {
		return x, y, bad
	}
	b, bad := along(op, y, axis, true)
	if bad != nil {
		return x, y, bad
	}
	if x.DType() != y.DType() {
		return x, y, fail(op, "x is %s, y is %s: want one dtype, use Cast", x.DType(), y.DType())(x, y)
	}
	if x.NDim() != y.NDim() {
		return x, y, fail(op, "x of shape %v and y of shape %v have different numbers of axes", x.Shape(), y.Shape())(x, y)
	}
	if bad := meet(op, x, y, a.Shape()[:a.NDim()-1], b.Shape()[:b.NDim()-1]); bad != nil {
		return x, y, bad
	}
	n := max(a.Dim(-1), b.Dim(-1))
	x = x.PadAxis(a.at, nd.Margin{After: n - a.Dim(-1)}, nd.Pad{})
	y = y.PadAxis(b.at, nd.Margin{After: n - b.Dim(-1)}, nd.Pad{})
	return x, y, nil
}

// spectrum gives an average its unit and its axes.
func (c crossed) spectrum(p *nd.Array, s Spectral) Spectrum {
	p = p.Mul(constant(c.unit(s.Scaling), p))
	return Spectrum{Array: c.back(p), Frequencies: c.frequencies(), Clipped: c.clipped}
}

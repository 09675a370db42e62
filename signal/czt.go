package signal

import (
	"cmp"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// CZT is the chirp z-transform: the z-transform of a line at M points A W^-k, on a circle
// or a spiral, as scipy.signal.czt. The zero value is the DFT. Chirps are computed in
// float64 for all sample types. A spiral on which chirps would lose digits is computed by
// the definition; if it is too long for that, the result is a SpiralError.
type CZT struct {
	M    int        // points; 0 is as many as samples
	W    complex128 // ratio of neighbouring points; 0 is exp(-2 pi i/M)
	A    complex128 // the first point; 0 is 1
	Axis nd.AxisChoice
}

// Apply transforms real or complex lines.
func (c CZT) Apply(x *nd.Array) *nd.Array {
	const op = "czt"
	l, bad := along(op, x, c.Axis, true)
	if bad != nil {
		return bad
	}
	n, m := l.Dim(-1), c.M
	m = cmp.Or(m, n)
	if m < 1 {
		return fail(op, "M %d: want 1 or more", c.M)(x)
	}
	for _, err := range []error{checkSize("M", m), checkSize("samples", n)} {
		if err != nil {
			return nd.Fail("signal", op, err, x)
		}
	}
	for _, v := range []complex128{c.W, c.A} {
		if cmplx.IsNaN(v) || cmplx.IsInf(v) {
			return fail(op, "W %g and A %g: want numbers", c.W, c.A)(x)
		}
	}
	step := chirpStep{turns: -1 / float64(m), parts: m}
	if c.W != 0 {
		step = chirpStep{turns: cmplx.Phase(c.W) / (2 * math.Pi), logRadius: logAbs(c.W)}
	}
	start := chirpStart{}
	if c.A != 0 {
		start = chirpStart{turns: cmplx.Phase(c.A) / (2 * math.Pi), logRadius: logAbs(c.A)}
	}
	return l.back(bluestein(op, l.Array, m, step, start))
}

// ZoomFFT is the DFT on a finer grid over a part of the frequencies, as
// scipy.signal.zoom_fft.
type ZoomFFT struct {
	From, To float64 // frequencies
	M        int     // points; 0 is as many as samples
	FS       float64 // sampling frequency; 0 is 2, so that frequencies are parts of the highest
	Endpoint bool    // the last point is at To, instead of a step before it
	Axis     nd.AxisChoice
}

// Apply transforms real or complex lines.
func (z ZoomFFT) Apply(x *nd.Array) *nd.Array {
	const op = "zoomfft"
	l, bad := along(op, x, z.Axis, true)
	if bad != nil {
		return bad
	}
	m, fs := z.M, z.FS
	m = cmp.Or(m, l.Dim(-1))
	fs = cmp.Or(fs, 2)
	steps := m
	if z.Endpoint {
		steps = m - 1
	}
	switch {
	case m < 1 || steps < 1:
		return fail(op, "M %d: want 1 or more, and 2 with Endpoint", z.M)(x)
	case !(fs > 0) || math.IsInf(fs, 0):
		return fail(op, "FS %g: want a positive number", z.FS)(x)
	case !(math.Abs(z.From) <= fs && math.Abs(z.To) <= fs):
		return fail(op, "From %g and To %g: want frequencies up to FS, which is %g", z.From, z.To, fs)(x)
	}
	step := chirpStep{turns: -(z.To - z.From) / (float64(steps) * fs)}
	return l.back(bluestein(op, l.Array, m, step, chirpStart{turns: z.From / fs}))
}

// logAbs is the logarithm of a modulus, 0 where it is 1 but for rounding.
func logAbs(z complex128) float64 {
	l := math.Log(cmplx.Abs(z))
	if math.Abs(l) < 4*0x1p-53 {
		return 0
	}
	return l
}

// chirpStep is W as an angle in turns and the logarithm of its modulus. If
// parts is not 0 the angle is exactly -1/parts.
type chirpStep struct {
	turns, logRadius float64
	parts            int
}

// pow is W^(k^2/2). Squares of large k are multiplied exactly, so that whole
// turns can be taken off.
func (s chirpStep) pow(k int) complex128 {
	var turns float64
	if s.parts > 0 {
		// k^2/2 over parts, in units of a half.
		turns = -float64(k*k%(2*s.parts)) / float64(2*s.parts)
	} else {
		half := float64(k) * float64(k) / 2
		high := half * s.turns
		turns = high - math.Round(high) + math.FMA(half, s.turns, -high)
	}
	sin, cos := math.Sincos(2 * math.Pi * turns)
	if s.logRadius == 0 {
		return complex(cos, sin)
	}
	r := math.Exp(s.logRadius * float64(k) * float64(k) / 2)
	return complex(r*cos, r*sin)
}

// chirpStart is A.
type chirpStart struct{ turns, logRadius float64 }

// pow is A^-k.
func (s chirpStart) pow(k int) complex128 {
	f := float64(k)
	high := -f * s.turns
	turns := high - math.Round(high) + math.FMA(-f, s.turns, -high)
	sin, cos := math.Sincos(2 * math.Pi * turns)
	r := math.Exp(-f * s.logRadius)
	return complex(r*cos, r*sin)
}

// bluestein is the transform as a convolution with a chirp:
// jk = (j^2 + k^2 - (k-j)^2) / 2.
func bluestein(op string, x *nd.Array, m int, w chirpStep, a chirpStart) *nd.Array {
	n := x.Dim(-1)
	size, err := fft.NextFastLen(n + m - 1)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	t := complexOf(x.DType().Real())
	x = x.Cast(nd.Complex128)
	if w.loss(n, m) > mostLoss {
		y, err := spiral(x, m, w, a)
		if err != nil {
			return nd.Fail("signal", op, err, x)
		}
		return y.Cast(t)
	}
	in, kernel, out := make([]complex128, n), make([]complex128, size), make([]complex128, m)
	for j := range in {
		c := w.pow(j)
		in[j] = a.pow(j) * c
		if j > 0 {
			kernel[size-j] = 1 / c
		}
	}
	for k := range out {
		out[k] = w.pow(k)
		kernel[k] = 1 / out[k]
	}
	spectrum := complexConstant(kernel, x).FFT()
	y := x.Mul(complexConstant(in, x)).FFT(nd.FFT{N: size}).Mul(spectrum).IFFT()
	return y.SliceAxis(-1, nd.Range{Stop: m}).Mul(complexConstant(out, x)).Cast(t)
}

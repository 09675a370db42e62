package signal

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// ConstantQ is the options of the constant-Q transform: bins at even steps of pitch, each
// as wide as the step. They are librosa.cqt's, with its defaults. librosa takes low octaves
// from a signal at a lower rate, to save time; here every bin is computed from the samples
// as they are, and the two differ by up to 2 parts in 100 of the greatest.
type ConstantQ struct {
	FS        float64 // sampling frequency; 0 is 22050
	FMin      float64 // of the first bin; 0 is C1, 32.70 Hz
	Bins      int     // 0 is 84
	PerOctave int     // bins of an octave; 0 is 12
	Hop       int     // samples from frame to frame; 0 is 512
	Window    Window  // hann
	Scale     float64 // of the lengths of the windows: below 1 is finer in time and coarser in pitch; 0 is 1
	Border    Border  // how the signal goes on beyond its ends; librosa has BorderZeros
}

func (c ConstantQ) filled() ConstantQ {
	c.FS = cmp.Or(c.FS, 22050)
	c.FMin = cmp.Or(c.FMin, 440*math.Exp2(-45.0/12))
	c.Bins = cmp.Or(c.Bins, 84)
	c.PerOctave = cmp.Or(c.PerOctave, 12)
	c.Hop = cmp.Or(c.Hop, 512)
	c.Scale = cmp.Or(c.Scale, 1)
	return c
}

func (c ConstantQ) check() error {
	switch {
	case !(c.FS > 0) || math.IsInf(c.FS, 0):
		return fact("FS %g: want a positive number", c.FS)
	case !(c.FMin > 0) || math.IsInf(c.FMin, 0):
		return fact("FMin %g: want a positive number", c.FMin)
	case c.Bins < 1 || c.Bins > maxBands || c.PerOctave < 1 || c.PerOctave > maxBands:
		return fact("Bins %d and PerOctave %d: want 1 to %d", c.Bins, c.PerOctave, maxBands)
	case c.Hop < 1:
		return fact("Hop %d: want 1 or more", c.Hop)
	case !(c.Scale > 0) || math.IsInf(c.Scale, 0):
		return fact("Scale %g: want a positive number", c.Scale)
	}
	if top := c.frequency(c.Bins-1) * (1 + 0.5/c.q()); top > c.FS/2 {
		return fact("the last of %d bins reaches %.1f Hz: there is nothing above half of FS, which is %g", c.Bins, top, c.FS)
	}
	if n := c.length(0); n > 1<<24 {
		return fact("FMin %g takes a window of %.0f samples: want at most %d", c.FMin, n, 1<<24)
	}
	return checkSize("bins", c.nfft()/2+1, c.Bins)
}

func (c ConstantQ) frequency(k int) float64 {
	return c.FMin * math.Exp2(float64(k)/float64(c.PerOctave))
}

// q is a bin's frequency over its bandwidth.
func (c ConstantQ) q() float64 {
	r := math.Exp2(2 / float64(c.PerOctave))
	return c.Scale * (r + 1) / (r - 1)
}

// length is the samples of a bin's window.
func (c ConstantQ) length(k int) float64 { return c.q() * c.FS / c.frequency(k) }

func (c ConstantQ) nfft() int {
	n := int(math.Ceil(c.length(0)))
	return 1 << bits.Len(uint(n-1))
}

// Frequencies is those of the bins.
func (c ConstantQ) Frequencies() ([]float64, error) {
	c = c.filled()
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("signal: cqt: %w", err)
	}
	f := make([]float64, c.Bins)
	for k := range f {
		f[k] = c.frequency(k)
	}
	return f, nil
}

// Apply gives (..., bins, frames), complex, of lines of real samples along the last axis.
// Frame i is around sample i*Hop. A sine has the same magnitude in whichever bin it is,
// times the square root of that bin's window.
func (c ConstantQ) Apply(x *nd.Array) *nd.Array {
	const op = "cqt"
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	c = c.filled()
	err := c.check()
	var basis []complex128
	if err == nil {
		basis, err = c.basis()
	}
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	n := c.nfft()
	z := STFT{NFFT: n, Hop: c.Hop, Window: Window{Name: "boxcar"}, Border: c.Border}.Apply(l.Array)
	if z.Err() != nil {
		return z
	}
	return complexConstant(basis, z, c.Bins, n/2+1).MatMul(z)
}

// basis is the spectra of the windowed tones of all bins, as weights of those of frames.
// Only positive frequencies count, where all but leakage of a tone is.
func (c ConstantQ) basis() ([]complex128, error) {
	n := c.nfft()
	plan, err := fft.NewPlan[complex128](n)
	if err != nil {
		return nil, err
	}
	out := make([]complex128, 0, c.Bins*(n/2+1))
	tone := make([]complex128, n)
	for k := range c.Bins {
		length := c.length(k)
		from, to := int(math.Floor(-length/2)), int(math.Floor(length/2))
		w, err := c.Window.Samples(to - from)
		if err != nil {
			return nil, err
		}
		sum := 0.0
		for _, v := range w {
			sum += math.Abs(v)
		}
		if sum == 0 {
			return nil, fact("the window of bin %d, of %d samples, is all zeros", k, len(w))
		}
		clear(tone)
		scale := math.Sqrt(length) / sum / float64(n)
		start := (n - len(w)) / 2
		for i, v := range w {
			sin, cos := math.Sincos(2 * math.Pi * c.frequency(k) / c.FS * float64(from+i))
			tone[start+i] = complex(v*scale*cos, v*scale*sin)
		}
		if err := plan.Forward(tone, tone); err != nil {
			return nil, err
		}
		for _, z := range tone[:n/2+1] {
			out = append(out, cmplx.Conj(z))
		}
	}
	return out, nil
}

package signal

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// SpectrogramMode is the quantity that a spectrogram shows for each bin.
type SpectrogramMode uint8

const (
	PSD       SpectrogramMode = iota // power, in the unit of Scaling
	Amplitude                        // the complex amplitude
	Magnitude                        // its modulus
	Angle                            // its argument
	Phase                            // its argument, unwrapped along frequency
)

var spectrogramNames = [...]string{"psd", "complex", "magnitude", "angle", "phase"}

func (m SpectrogramMode) String() string {
	return choice.Name(m, "SpectrogramMode", spectrogramNames[:])
}

// ParseSpectrogramMode is the mode of a name.
func ParseSpectrogramMode(name string) (SpectrogramMode, error) {
	return choice.Parse[SpectrogramMode]("signal", "spectrogram mode", name, spectrogramNames[:])
}

// Spectrogram is the spectra of consecutive segments, as
// scipy.signal.spectrogram: bins along the axis that had samples, and segments
// along a new last axis. Average means nothing.
func Spectrogram(x *nd.Array, mode SpectrogramMode, opt ...Spectral) Spectrum {
	const op = "spectrogram"
	s := first(opt)
	if s.Window.Name == "" {
		s.Window.Name, s.Window.Param = "tukey", 0.25
	}
	l, bad := along(op, x, s.Axis, true)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	g, err := s.over(l.Dim(-1), 8, x.DType().IsComplex())
	if err == nil && int(mode) >= len(spectrogramNames) {
		err = fmt.Errorf("unknown mode %d: want one of %v", mode, spectrogramNames)
	}
	if err == nil {
		err = checkSize("segments", g.count(l.Dim(-1)))
	}
	if err != nil {
		return Spectrum{Array: nd.Fail("signal", op, err, x)}
	}
	z := g.spectra(l.Array, s.Detrend)
	if mode == PSD {
		z = z.AbsSquared()
		z = z.Mul(constant(g.unit(s.Scaling), z))
	} else {
		z = z.MulScalar(math.Sqrt(g.unit(s.Scaling)[0]))
	}
	switch mode {
	case Magnitude:
		z = z.Abs()
	case Angle:
		z = z.Angle()
	case Phase:
		z = unwrapped(z.Angle())
	}
	times := make([]float64, g.count(l.Dim(-1)))
	for i := range times {
		times[i] = (float64(i*g.hop) + float64(g.size)/2) / g.fs
	}
	return Spectrum{Array: l.backTwo(z.SwapAxes(-1, -2)), Frequencies: g.frequencies(), Times: times, Clipped: g.clipped}
}

package signal

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/choice"
)

// Weighting is a frequency weighting of sound levels, IEC 61672-1.
type Weighting uint8

const (
	WeightA Weighting = iota
	WeightC
)

var weightingNames = [...]string{"A", "C"}

func (w Weighting) String() string { return choice.Name(w, "Weighting", weightingNames[:]) }

// ParseWeighting is the weighting of a name: A or C.
func ParseWeighting(name string) (Weighting, error) {
	return choice.Parse[Weighting]("signal", "weighting", name, weightingNames[:])
}

// analog has the poles that the standard gives, in hertz, in radians a second.
func (w Weighting) analog() ZPK {
	const low, second, third, high = 20.598997, 107.65265, 737.86223, 12194.217
	poles := []float64{low, low, high, high}
	zeros := 2
	if w == WeightA {
		poles, zeros = append(poles, second, third), 4
	}
	z := ZPK{Z: make([]complex128, zeros), K: 1}
	for _, f := range poles {
		z.P = append(z.P, complex(-2*math.Pi*f, 0))
	}
	z.K = 1 / cmplx.Abs(z.at(complex(0, 2*math.Pi*1000)))
	return z
}

// Gain is the weight of a frequency in dB: 0 at 1 kHz. For levels by spectrum.
func (w Weighting) Gain(f float64) float64 {
	return 20 * math.Log10(cmplx.Abs(w.analog().at(complex(0, 2*math.Pi*f))))
}

// SOS is the weighting as a filter, by the bilinear transform. Towards half the
// sampling frequency it attenuates more than the standard wants: at 48 kHz by 0.5 dB at
// 8 kHz and by 6.4 dB at 16 kHz. Sample faster, or weigh spectra by Gain.
func (w Weighting) SOS(fs float64) (SOS, error) {
	if int(w) >= len(weightingNames) {
		return nil, fmt.Errorf("signal: weighting: unknown weighting %d: want one of %v", w, weightingNames)
	}
	if !(fs > 2000) || math.IsInf(fs, 0) {
		return nil, fmt.Errorf("signal: weighting: fs %g: want more than 2000", fs)
	}
	d := w.analog().bilinear(fs)
	d.K /= cmplx.Abs(d.Response([]float64{2 * math.Pi * 1000 / fs})[0])
	return d.sections(), nil
}

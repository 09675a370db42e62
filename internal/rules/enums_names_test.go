package rules_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Every value of a choice has a name of its own, which Parse takes back; values and names
// beyond the last are none.
func TestEnumNames(t *testing.T) {
	named(t, npy.ParseDType, npy.Bool, npy.Complex128)
	named(t, pcm.ParseEncoding, pcm.Uint8, pcm.Float64)
	named(t, chart.ParsePalette, chart.Shades, chart.TrueColour)
	named(t, fft.ParseNorm, fft.NormBackward, fft.NormForward)
	named(t, fft.ParseTrig, fft.DCT1, fft.Hartley)
	named(t, linalg.ParseMethod, linalg.Auto, linalg.Blocks)
	named(t, linalg.ParseNormKind, linalg.Frobenius, linalg.Nuclear)
	named(t, loss.ParseScale, loss.Linear, loss.Smooth)
	named(t, loss.ParseReduction, loss.Mean, loss.None)
	named(t, loss.ParseDistance, loss.DefaultDistance, loss.L2)
	named(t, mixer.ParseShort, mixer.Natural, mixer.Centred)
	named(t, nd.ParseNorm, fft.NormBackward, fft.NormForward)
	named(t, signal.ParseAveraging, signal.Mean, signal.Median)
	named(t, signal.ParseBand, signal.Lowpass, signal.Bandstop)
	named(t, signal.ParseBesselNorm, signal.BesselPhase, signal.BesselMagnitude)
	named(t, signal.ParseBorder, signal.BorderReflect, signal.BorderNone)
	named(t, signal.ParseColour, signal.White, signal.Brown)
	named(t, signal.ParseEQKind, signal.Peaking, signal.EQAllpass)
	named(t, signal.ParseFamily, signal.Butterworth, signal.Bessel)
	named(t, signal.ParseFrameScale, signal.ScaleNone, signal.ScaleDensity)
	named(t, signal.ParseLombUnit, signal.LombPower, signal.LombAmplitude)
	named(t, signal.ParseMethod, signal.AutoMethod, signal.BlockMethod)
	named(t, signal.ParseMode, signal.DefaultMode, signal.Valid)
	named(t, signal.ParseRefinement, signal.RefineNone, signal.RefineValues)
	named(t, signal.ParseRemezKind, signal.RemezBands, signal.RemezHilbert)
	named(t, signal.ParseScaling, signal.Density, signal.Power)
	named(t, signal.ParseSpectrogramMode, signal.PSD, signal.Phase)
	named(t, signal.ParseSweep, signal.SweepLinear, signal.SweepHyperbolic)
	named(t, signal.ParseTrend, signal.TrendConstant, signal.TrendNone)
	named(t, signal.ParseWeighting, signal.WeightA, signal.WeightC)
}

func named[T interface {
	~int | ~uint8
	fmt.Stringer
}](t *testing.T, parse func(string) (T, error), first, last T) {
	t.Helper()
	for v := first; v <= last; v++ {
		if back, err := parse(v.String()); err != nil || back != v {
			t.Errorf("%T %d is called %q, which is parsed as %d, %v", v, int(v), v.String(), int(back), err)
		}
	}
	for _, name := range []string{"", "no such name", (last + 1).String()} {
		if v, err := parse(name); err == nil {
			t.Errorf("%T: %q is parsed as %v", v, name, v)
		}
	}
}

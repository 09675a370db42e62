package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// ChromaCQT is the magnitude of a constant-Q transform in the pitch classes of an octave, which
// is finer in the bass than Chroma: librosa.feature.chroma_cqt's options, with its defaults.
type ChromaCQT struct {
	FS        float64 // sampling frequency; 0 is 22050
	FMin      float64 // of the first bin; 0 is C1, 32.70 Hz
	Hop       int     // samples from frame to frame; 0 is 512
	Classes   int     // of an octave; 0 is 12
	PerOctave int     // bins of an octave, a multiple of Classes; 0 is 36
	Octaves   int     // 0 is 7
	Tuning    float64 // in bins, as measure.Tuning estimates it for PerOctave
	Threshold float64 // what is below counts as 0
}

func (c ChromaCQT) filled() ChromaCQT {
	c.FMin = cmp.Or(c.FMin, lowestC)
	c.Classes = cmp.Or(c.Classes, 12)
	c.PerOctave = cmp.Or(c.PerOctave, 36)
	c.Octaves = cmp.Or(c.Octaves, 7)
	return c
}

func (c ChromaCQT) check() error {
	switch {
	case c.Classes < 1 || c.PerOctave < 1 || c.PerOctave > maxBands || c.PerOctave%c.Classes != 0:
		return fact("Classes %d and PerOctave %d: want PerOctave to be a multiple of Classes, %d at most", c.Classes, c.PerOctave, maxBands)
	case c.Octaves < 1 || c.Octaves > maxBands/c.PerOctave:
		return fact("Octaves %d: want 1 to %d", c.Octaves, maxBands/c.PerOctave)
	case !(c.FMin > 0) || math.IsInf(c.FMin, 0):
		return fact("FMin %g: want a positive number", c.FMin)
	case math.IsNaN(c.Threshold):
		return fact("Threshold %g: want a number", c.Threshold)
	}
	return nil
}

// ConstantQ is the transform of Apply.
func (c ChromaCQT) ConstantQ() ConstantQ {
	c = c.filled()
	return ConstantQ{FS: c.FS, FMin: c.FMin, Hop: c.Hop, PerOctave: c.PerOctave, Bins: c.Octaves * c.PerOctave, Tuning: c.Tuning, Border: BorderZeros}
}

// FilterBank is the weights that make pitch classes of bins: (Classes, bins), as
// librosa.filters.cq_to_chroma. Bins around a class are its own.
func (c ChromaCQT) FilterBank(t nd.DType, bins int) *nd.Array {
	const op = "chromacqtfilterbank"
	c = c.filled()
	err := c.check()
	switch {
	case err != nil:
	case bins < 1 || bins > maxBands:
		err = fact("%d bins: want 1 to %d", bins, maxBands)
	case t != nd.Float32 && t != nd.Float64:
		err = fact("%s weights: want float32 or float64", t)
	default:
		err = checkSize("bins", bins, c.Classes)
	}
	if err != nil {
		return nd.Fail("signal", op, err)
	}
	return typed(c.weights(bins), t, c.Classes, bins)
}

func (c ChromaCQT) weights(bins int) []float64 {
	per := c.PerOctave / c.Classes
	midi := HzToMIDI(c.FMin)
	lowest := int(math.RoundToEven((midi - 12*math.Floor(midi/12)) * float64(c.Classes) / 12))
	w := make([]float64, c.Classes*bins)
	for k := range bins {
		w[((k+per/2)/per+lowest)%c.Classes*bins+k] = 1
	}
	return w
}

// Apply is the pitch classes of x over time, every frame over its greatest, as
// librosa.feature.chroma_cqt with its tuning given, 0 unless Tuning says otherwise:
// (..., Classes, frames).
func (c ChromaCQT) Apply(x *nd.Array) *nd.Array {
	if err := c.filled().check(); err != nil {
		return nd.Fail("signal", "chromacqt", err, x)
	}
	z := c.ConstantQ().Apply(x)
	if z.Err() != nil {
		return z
	}
	return c.Of(z.Abs())
}

// Of is Apply for the magnitudes of a constant-Q transform, (..., bins, frames).
func (c ChromaCQT) Of(s *nd.Array) *nd.Array {
	const op = "chromacqt"
	if bad := bins(op, s); bad != nil {
		return bad
	}
	c = c.filled()
	err := c.check()
	if err == nil {
		err = checkSize("bins", s.Dim(-2), c.Classes)
	}
	if err != nil {
		return nd.Fail("signal", op, err, s)
	}
	n := s.Dim(-2)
	raw := constant(c.weights(n), s, c.Classes, n).MatMul(s)
	if c.Threshold != 0 {
		raw = nd.Where(raw.LessScalar(c.Threshold), 0, raw)
	}
	return overGreatest(raw)
}

package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Chroma is the options of chroma features, the power in the pitch classes of an octave,
// with the conventions and defaults of librosa: C first, and A at 440 Hz.
type Chroma struct {
	STFT    STFT    // of Apply; as Librosa gives it if zero
	FS      float64 // sampling frequency; 0 is 22050
	Classes int     // of an octave; 0 is 12
	Tuning  float64 // of A, in classes from 440 Hz
	Octave  float64 // middle of the weighting over octaves; 0 is 5
	Width   float64 // of it in octaves; 0 is 2
}

func (c Chroma) filled() Chroma {
	c.FS = cmp.Or(c.FS, 22050)
	c.Classes = cmp.Or(c.Classes, 12)
	c.Octave = cmp.Or(c.Octave, 5)
	c.Width = cmp.Or(c.Width, 2)
	c.STFT = cmp.Or(c.STFT, Librosa(2048, 512))
	return c
}

// FilterBank is the weights that make pitch classes of the bins of a spectrum of
// real samples: (Classes, nfft/2+1), as librosa.filters.chroma.
func (c Chroma) FilterBank(t nd.DType, nfft int) *nd.Array {
	c = c.filled()
	if err := c.check(t, nfft); err != nil {
		return nd.Fail("signal", "chromafilterbank", err)
	}
	// An array of the caller's own, which may be released.
	return typed(c.bank(nfft, t).weights, t, c.Classes, nfft/2+1)
}

func (c Chroma) check(t nd.DType, nfft int) error {
	switch {
	case !(c.FS > 0) || c.Classes < 1 || math.IsNaN(c.Tuning):
		return fmt.Errorf("FS %g, Classes %d, Tuning %g: want positive numbers", c.FS, c.Classes, c.Tuning)
	case nfft < 2:
		return fmt.Errorf("nfft %d: want 2 or more", nfft)
	case t != nd.Float32 && t != nd.Float64:
		return fmt.Errorf("%s weights: want float32 or float64", t)
	}
	return checkSize("nfft", nfft, c.Classes)
}

// chromaBank is what a filter bank depends on.
type chromaBank struct {
	fs, tuning, octave, width float64
	classes, nfft             int
	t                         nd.DType
}

var chromaBanks = kept[chromaBank, *filterBank]{
	make: func(k chromaBank) (*filterBank, error) {
		c := Chroma{FS: k.fs, Classes: k.classes, Tuning: k.tuning, Octave: k.octave, Width: k.width}
		return newFilterBank(c.weights(k.nfft), k.t, k.classes), nil
	},
	samples: (*filterBank).samples,
}

func (c Chroma) bank(nfft int, t nd.DType) *filterBank {
	f, _ := chromaBanks.get(chromaBank{c.FS, c.Tuning, c.Octave, c.Width, c.Classes, nfft, t})
	return f
}

// weights is bumps around every pitch class, as wide as a bin is.
func (c Chroma) weights(nfft int) []float64 {
	classes := float64(c.Classes)
	a440 := 440 * math.Pow(2, c.Tuning/classes)
	place := make([]float64, nfft) // in classes
	for i := 1; i < nfft; i++ {
		place[i] = classes * math.Log2(float64(i)*c.FS/float64(nfft)/(a440/16))
	}
	place[0] = place[1] - 1.5*classes
	half := math.Round(classes / 2)
	// All bins are needed, for the width of the last.
	bins := nfft/2 + 1
	w := make([]float64, c.Classes*bins)
	column := make([]float64, c.Classes)
	for i := range bins {
		width := 1.0
		if i+1 < nfft {
			width = max(place[i+1]-place[i], 1)
		}
		norm := 0.0
		for k := range column {
			d := math.Mod(place[i]-float64(k)+half+10*classes, classes) - half
			if d < -half {
				d += classes
			}
			v := 2 * d / width
			column[k] = math.Exp(-0.5 * v * v)
			norm += column[k] * column[k]
		}
		octave := (place[i]/classes - c.Octave) / c.Width
		scale := math.Exp(-0.5*octave*octave) / math.Sqrt(norm)
		for k, v := range column {
			// Classes begin with A: C is three semitones above it.
			to := (k - 3*(c.Classes/12) + c.Classes) % c.Classes
			w[to*bins+i] = v * scale
		}
	}
	return w
}

// Apply is the pitch classes of x over time, every frame over its greatest, as
// librosa.feature.chroma_stft with its tuning given, 0 unless Tuning says otherwise; librosa
// estimates it from x where it is not, as measure.Tuning does: (..., Classes, frames).
func (c Chroma) Apply(x *nd.Array) *nd.Array {
	c = c.filled()
	if c.STFT.TwoSided || x != nil && x.DType().IsComplex() {
		return nd.Fail("signal", "chroma", errTwoSides, x)
	}
	z := c.STFT.Apply(x)
	if z.Err() != nil {
		return z
	}
	return c.Of(z.AbsSquared())
}

// Of is Apply for a power spectrogram (..., bins, frames).
func (c Chroma) Of(power *nd.Array) *nd.Array {
	const op = "chroma"
	c = c.filled()
	if bad := bins(op, power); bad != nil {
		return bad
	}
	nfft := 2 * (power.Dim(-2) - 1)
	if err := c.check(power.DType(), nfft); err != nil {
		return nd.Fail("signal", op, err, power)
	}
	return overGreatest(c.bank(nfft, power.DType()).all.Beside(power).MatMul(power))
}

// overGreatest is (..., classes, frames), every frame over its greatest; silence as it is.
func overGreatest(s *nd.Array) *nd.Array {
	top := s.Abs().Max(-2).ExpandDims(-2)
	return s.Div(nd.Where(top.LessScalar(1e-37), nd.FullLike(top, 1), top))
}

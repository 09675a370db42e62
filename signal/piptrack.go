package signal

import (
	"cmp"
	"errors"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// PipTrack is the options of finding the frequencies of spectral peaks between bins, by
// parabolas: librosa.piptrack's, with its defaults.
type PipTrack struct {
	STFT      STFT    // of Apply, and the frames that Of is given; as Librosa gives it if zero
	FS        float64 // sampling frequency; 0 is 22050
	FMin      float64 // lowest frequency; 0 is 150
	FMax      float64 // where they end; 0 is 4000
	Threshold float64 // a peak is above this part of the greatest of its frame; 0 is 0.1
}

func (p PipTrack) filled() PipTrack {
	p.FS = cmp.Or(p.FS, 22050)
	p.FMin = cmp.Or(p.FMin, 150)
	p.FMax = cmp.Or(p.FMax, 4000)
	p.Threshold = number(cmp.Or(p.Threshold, 0.1))
	p.STFT = cmp.Or(p.STFT, Librosa(2048, 512))
	return p
}

func (p PipTrack) check() error {
	switch {
	case !(p.FS > 0) || math.IsInf(p.FS, 0):
		return fact("FS %g: want a positive number", p.FS)
	case !(p.FMin < p.FMax):
		return fact("FMin %g and FMax %g: want FMin < FMax", p.FMin, p.FMax)
	case !(p.Threshold >= 0):
		return fact("Threshold %g: want 0 or more", p.Threshold)
	}
	return nil
}

var errTwoSides = errors.New("a spectrum of two sides: want real samples, and an STFT without TwoSided")

// Apply finds the peaks of the spectrogram of x: see Of.
func (p PipTrack) Apply(x *nd.Array) (frequencies, magnitudes *nd.Array) {
	p = p.filled()
	if p.STFT.TwoSided || x != nil && x.DType().IsComplex() {
		bad := nd.Fail("signal", "piptrack", errTwoSides, x)
		return bad, bad
	}
	z := p.STFT.Apply(x)
	if z.Err() != nil {
		return z, z
	}
	return p.Of(z.Abs())
}

// Of gives the frequency and the height of every peak of magnitudes (..., bins, frames), in the
// bin where it is; other bins are 0. Frames are of STFT.NFFT samples if those have as many bins,
// and else of an even number.
func (p PipTrack) Of(s *nd.Array) (frequencies, magnitudes *nd.Array) {
	const op = "piptrack"
	s = single(s)
	if bad := bins(op, s); bad != nil {
		return bad, bad
	}
	p = p.filled()
	err := p.check()
	n := s.Dim(-2)
	if err == nil && n < 3 {
		err = fact("s of shape %v has %d bins: want 3 or more", s.Shape(), n)
	}
	if err != nil {
		bad := nd.Fail("signal", op, err, s)
		return bad, bad
	}
	wider := s.PadAxis(-2, nd.Margin{Before: 1, After: 1}, nd.Pad{Mode: nd.PadEdge})
	below, above := wider.SliceAxis(-2, nd.Head(n)), wider.SliceAxis(-2, nd.Skip(2))
	place, allowed := make([]float64, n), make([]float64, n)
	inner := make([]float64, n)
	nfft := float64(2 * (n - 1))
	if p.STFT.NFFT/2+1 == n {
		nfft = float64(p.STFT.NFFT)
	}
	for k := range place {
		place[k] = float64(k)
		if f := place[k] * p.FS / nfft; max(p.FMin, 0) <= f && f < min(p.FMax, p.FS/2) {
			allowed[k] = 1
		}
		if k > 0 && k < n-1 {
			inner[k] = 1
		}
	}
	column := func(v []float64) *nd.Array { return constant(v, s, n, 1) }
	// The top of a parabola through three bins; of the first and the last bin the bin itself.
	curve, slope := above.Add(below).Sub(s.MulScalar(2)), above.Sub(below).MulScalar(0.5)
	steep := slope.Abs().GreaterEqual(curve.Abs())
	shift := nd.Where(steep, 0, slope.Neg().Div(nd.Where(steep, 1, curve))).Mul(column(inner))
	// What is below the threshold counts as 0 beside a peak, too.
	least := s.Max(-2).ExpandDims(-2).MulScalar(p.Threshold)
	loud := func(v *nd.Array) *nd.Array { return nd.Where(v.Greater(least), v, 0) }
	at := loud(s)
	peak := at.Greater(loud(below)).And(at.GreaterEqual(loud(above))).And(column(allowed).GreaterScalar(0))
	frequencies = nd.Where(peak, column(place).Add(shift).MulScalar(p.FS/nfft), 0)
	return frequencies, nd.Where(peak, s.Add(slope.Mul(shift).MulScalar(0.5)), 0)
}

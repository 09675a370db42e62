package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Cepstrum is what MFCC makes of a mel spectrogram in decibels, as
// librosa.feature.mfcc of a given S.
type Cepstrum struct {
	N            int     // coefficients; 0 is 20
	Type         int     // of the DCT: 1, 2 or 3; 0 is 2
	Unnormalized bool    // the DCT is not orthonormal
	Lifter       float64 // raises higher coefficients by 1 + Lifter/2 sin(pi (n+1)/Lifter); 0 does not
}

// Apply gives (..., N, frames) of (..., bands, frames).
func (c Cepstrum) Apply(s *nd.Array) *nd.Array {
	const op = "mfcc"
	if bad := bins(op, s); bad != nil {
		return bad
	}
	n := cmp.Or(c.N, 20)
	switch bands := s.Dim(-2); {
	case n < 1 || n > bands:
		return fail(op, "%d coefficients: want 1 to the %d bands", n, bands)(s)
	case c.Type < 0 || c.Type > 3:
		return fail(op, "Type %d: want 1, 2 or 3", c.Type)(s)
	case !(c.Lifter >= 0):
		return fail(op, "Lifter %g: want 0 or more", c.Lifter)(s)
	}
	d := DCT{Type: c.Type, Axis: nd.Axis(-2), Norm: nd.Ortho}
	if c.Unnormalized {
		d.Norm = nd.Backward
	}
	y := d.Apply(s).SliceAxis(-2, nd.Range{Stop: n})
	if c.Lifter == 0 || y.Err() != nil {
		return y
	}
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 + c.Lifter/2*math.Sin(math.Pi*float64(i+1)/c.Lifter)
	}
	return y.Mul(constant(w, y, n, 1))
}

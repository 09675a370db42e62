package signal

import (
	"cmp"

	"github.com/twiddle-go/twiddle/nd"
)

// TopBins finds the strongest bins of an averaged power spectrum, whether they are peaks
// or not, as some learned-FFT systems do. For true peaks use Welch and FindPeaks.
//
// Segments of N samples, half overlapping, have a symmetric hann window; there is no
// detrending and no scaling. So a line has N + (Segments-1) N/2 samples.
type TopBins struct {
	N        int // samples in a segment
	Segments int // 8 is the systems' "reference", 2 their "fast", 1 their "ultra"; 0 is 8
	K        int // how many; 0 is 16, and no more than there are bins
}

// Apply gives, for every line along the last axis of x, K pairs of a bin and
// its power, strongest first: an array of shape (..., K, 2).
func (t TopBins) Apply(x *nd.Array) *nd.Array {
	const op = "topbins"
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	count, k := t.Segments, t.K
	count = cmp.Or(count, 8)
	k = cmp.Or(k, min(16, t.N/2+1))
	hop := t.N / 2
	switch {
	case t.N < 2:
		return fail(op, "N %d: want 2 or more", t.N)(x)
	case count < 1:
		return fail(op, "Segments %d: want 1 or more", t.Segments)(x)
	case k < 1 || k > t.N/2+1:
		return fail(op, "K %d: want 1 to the %d bins", t.K, t.N/2+1)(x)
	case l.Dim(-1) != t.N+(count-1)*hop:
		return fail(op, "x of shape %v: want lines of %d samples for %d segments", x.Shape(), t.N+(count-1)*hop, count)(x)
	}
	w, err := Window{Symmetric: true}.samples(t.N)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	p := l.Frames(t.N, hop).Mul(constant(w, x)).RFFT().AbsSquared().Mean(-2)
	power, bin := p.TopK(k, -1)
	return nd.Stack(-1, bin.Cast(power.DType()), power)
}

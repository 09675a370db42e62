package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// MFCC is the first n mel-frequency cepstral coefficients of x over time, as
// librosa.feature.mfcc: the orthonormal DCT-II, along the bands, of the mel
// spectrogram in decibels. n is 20 if 0.
func (m Mel) MFCC(x *nd.Array, n int) *nd.Array {
	const op = "mfcc"
	m = m.filled()
	n = cmp.Or(n, 20)
	s, l, bad := m.bands(op, x)
	if bad != nil {
		return bad
	}
	if n < 1 || n > m.NMels {
		return fail(op, "%d coefficients: want 1 to NMels, which is %d", n, m.NMels)(x)
	}
	if err := checkSize("coefficients", n, m.NMels); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	// Decibels look at the last two axes, bands and frames.
	db := decibels(op, moveAxis(s, l.at, s.NDim()-2), Decibels{}, 10)
	return l.backTwo(constant(cosineBasis(n, m.NMels), db, n, m.NMels).MatMul(db))
}

// cosineBasis is the first rows of the orthonormal DCT-II.
func cosineBasis(rows, n int) []float64 {
	b := make([]float64, rows*n)
	for k := range rows {
		scale := math.Sqrt(2 / float64(n))
		if k == 0 {
			scale = math.Sqrt(1 / float64(n))
		}
		for j := range n {
			// The angle is reduced in integers: it repeats after 4n.
			b[k*n+j] = scale * math.Cos(math.Pi*float64((2*j+1)*k%(4*n))/float64(2*n))
		}
	}
	return b
}

package signal

import (
	"math"
	"testing"
)

// Sequences are orthogonal to rounding at any length, unlike SciPy's at great ones.
func TestSlepianOrthogonal(t *testing.T) {
	for _, s := range []slepian{{1, 0.4, 1}, {2, 0.9, 2}, {7, 3.4, 7}, {1000, 4, 8}, {20000, 3, 5}} {
		w, err := s.tapers()
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.count {
			for j := range i + 1 {
				sum, want := 0.0, 0.0
				for at, v := range w.samples[i*s.n:][:s.n] {
					sum += v * w.samples[j*s.n+at]
				}
				if i == j {
					want = 1
				}
				if math.Abs(sum-want) > 1e-13 {
					t.Errorf("%v: product of %d and %d is %g", s, i, j, sum)
				}
			}
			if i > 0 && !(w.ratios[i] < w.ratios[i-1]+1e-12) {
				t.Errorf("%v: ratios %v do not fall", s, w.ratios)
			}
		}
	}
}

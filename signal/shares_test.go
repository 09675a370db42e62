package signal

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		n, speeds := r.IntN(100), make([]float64, 1+r.IntN(6))
		total := 0.0
		for i := range speeds {
			speeds[i] = math.Exp(4 * r.NormFloat64())
			total += speeds[i]
		}
		sum := 0
		for i, s := range shares(n, speeds) {
			sum += s
			if due := float64(n) * speeds[i] / total; math.Abs(float64(s)-due) > 1 {
				t.Errorf("%d of %d for %g of %g", s, n, speeds[i], total)
			}
		}
		if sum != n {
			t.Errorf("%v deal out %d of %d", speeds, sum, n)
		}
	}
}

package nd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// The place of an extreme is that of the first of several, or of the first NaN, wherever it is
// in a long line or column.
func TestArgMaxFindsTheFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	nan, zero := float32(math.NaN()), float32(math.Copysign(0, -1))
	for _, n := range []int{1, 127, 128, 129, 300, 1000, 4096, 4097, 9000} {
		for _, kind := range []string{"random", "ties", "zeros", "NaN"} {
			x := make([]float32, n)
			for i := range x {
				switch kind {
				case "random":
					x[i] = float32(rng.NormFloat64())
				case "ties":
					x[i] = float32(rng.IntN(3))
				case "zeros":
					x[i] = []float32{0, zero}[rng.IntN(2)]
				case "NaN":
					if x[i] = float32(rng.NormFloat64()); rng.IntN(200) == 0 {
						x[i] = nan
					}
				}
			}
			most, least := 0, 0
			for i, v := range x {
				if v > x[most] || v != v && x[most] == x[most] {
					most = i
				}
				if v < x[least] || v != v && x[least] == x[least] {
					least = i
				}
			}
			line, column := nd.From(x), nd.From(x, n, 1).BroadcastTo(n, 40)
			for name, c := range map[string]struct {
				at   *nd.Array
				want int
			}{
				"ArgMax": {line.ArgMax(), most}, "ArgMin": {line.ArgMin(), least},
				"ArgMax of columns": {column.ArgMax(0), most}, "ArgMin of columns": {column.ArgMin(0), least},
			} {
				got, err := nd.Slice[int64](t.Context(), c.at)
				if err != nil || slices.ContainsFunc(got, func(at int64) bool { return at != int64(c.want) }) {
					t.Errorf("%s of %d, %s: %v, %v, want %d", name, n, kind, got, err, c.want)
				}
			}
		}
	}
}

package nd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Histograms count what comparing with every edge counts, in Go and by the kernel's body,
// whatever edges lie like and however many groups of elements there are.
func TestHistogramOfEdges(t *testing.T) {
	t.Run("float32", histogramOfEdges[float32])
	t.Run("float64", func(t *testing.T) {
		testdevice.NeedsFloat64(t)
		histogramOfEdges[float64](t)
	})
}

func histogramOfEdges[T float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	inf := math.Inf(1)
	edges := map[string][]float64{
		"one bin": {-1, 1}, "empty": {1, 1}, "uniform": nil, "geometric": nil, "random": nil, "doubled": {-1, 0, 0, 0.5, 0.5, 0.5, 1, 1},
		"infinite": {-inf, -1, 0, 2, inf}, "half infinite": {-1, 0, inf}, "beyond": {50, 60, 70}, "huge": {-math.MaxFloat32, 0, math.MaxFloat32},
	}
	for i := range 65 {
		edges["uniform"] = append(edges["uniform"], -4+float64(i)/8)
		edges["geometric"] = append(edges["geometric"], math.Exp2(float64(i-60)/4))
		edges["random"] = append(edges["random"], rng.NormFloat64())
	}
	slices.Sort(edges["random"])
	for name, e64 := range edges {
		e := make([]T, len(e64))
		for i, v := range e64 {
			e[i] = T(v)
		}
		for _, n := range []int{1, 1000, 4096, 9001} {
			x := make([]T, n)
			for i := range x {
				switch rng.IntN(8) {
				case 0:
					x[i] = e[rng.IntN(len(e))]
				case 1:
					x[i] = T([]float64{math.NaN(), inf, -inf, 0, math.Copysign(0, -1)}[rng.IntN(5)])
				default:
					x[i] = T(rng.NormFloat64() * 2)
				}
			}
			want := make([]int64, len(e)-1)
			for _, v := range x {
				for b := range slices.Backward(want) {
					if v >= e[b] && (v < e[b+1] || b == len(want)-1 && v == e[b+1]) {
						want[b]++
						break
					}
				}
			}
			for _, check := range []string{"", "1"} {
				if check != "" && n > 1000 && n != 9001 {
					continue
				}
				t.Setenv("TWIDDLE_KERNEL_CHECK", check)
				got, err := nd.Slice[int64](t.Context(), nd.Histogram(nd.From(x), nd.From(e)))
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d elements between %s edges, check %q: %v, %v, want %v", n, name, check, got, err, want)
				}
			}
		}
	}
}

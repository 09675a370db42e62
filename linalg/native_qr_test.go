package linalg

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Small matrices of every rank and scale: q has orthonormal columns, q r is every column to the rounding of that column, and r is an
// upper triangle without a negative diagonal. One that is not finite leaves the others of its batch alone.
func TestReflectedQR(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU's own kernel")
	testdevice.NeedsFloat64(t)
	const spacing = 0x1p-52
	for _, shape := range [][2]int{{1, 1}, {2, 1}, {2, 2}, {3, 3}, {7, 5}, {8, 8}, {9, 8}, {16, 16}, {17, 3}, {33, 31}, {64, 40}} {
		m, n := shape[0], shape[1]
		a := nd.Normal(3, nd.Float64, 1, m, n)
		places := nd.Arange(0.0, float64(n), 1).Reshape(1, 1, n)
		kinds := map[string]*nd.Array{
			"noise": a, "zeros": a.MulScalar(0), "ones": nd.FullLike(a, 1), "rank one": columns(a, 0, 1).MatMul(rows(a, 0, 1)),
			"negative": a.Abs().Neg(), "twice": nd.Concat(2, columns(a, 0, n-n/2), columns(a, 0, n/2)),
			"scaled": a.Mul(places.MulScalar(60 / float64(n)).SubScalar(30).Exp()), "far apart": a.Mul(places.MulScalar(1300 / float64(n)).SubScalar(650).Exp()),
			"tiny": a.MulScalar(1e-307), "huge": a.MulScalar(1e307),
		}
		for name, x := range kinds {
			bad := nd.Full(math.Inf(1), nd.Float64, 1, m, n)
			q, r := reflectedQR(nd.Concat(0, bad, x))
			all := values(t, []*nd.Array{q, r, x})
			what := fmt.Sprintf("%s of %v", name, shape)
			for _, list := range [][]float64{all[0][:m*n], all[1][:n*n]} {
				for _, v := range list {
					if !math.IsNaN(v) {
						t.Fatalf("%s: %g of a matrix that is not finite", what, v)
					}
				}
			}
			qs, rs, xs := all[0][m*n:], all[1][n*n:], all[2]
			for j := range n {
				most, off := 0.0, 0.0
				for i := range m {
					most = max(most, math.Abs(xs[i*n+j]))
				}
				for i := range m {
					sum := -xs[i*n+j] / max(most, 0x1p-1022)
					for k := range j + 1 {
						sum += qs[i*n+k] * (rs[k*n+j] / max(most, 0x1p-1022))
					}
					off = max(off, math.Abs(sum))
				}
				// Of numbers near the least, the digits that there are.
				if most != 0 && !(off <= spacing*float64(m+8)+float64(m)*0x1p-1074/most) {
					t.Errorf("%s: column %d of a - q r is %.2g beside its largest element", what, j, off)
				}
				for k := range n {
					dot := 0.0
					for i := range m {
						dot += qs[i*n+j] * qs[i*n+k]
					}
					if k == j {
						dot--
					}
					if !(math.Abs(dot) <= spacing*float64(m+8)) {
						t.Errorf("%s: columns %d and %d of q: %.2g", what, j, k, dot)
					}
					if k > j && rs[k*n+j] != 0 || k == j && !(rs[k*n+j] >= 0) {
						t.Errorf("%s: r[%d,%d] is %g", what, k, j, rs[k*n+j])
					}
				}
			}
		}
	}
}

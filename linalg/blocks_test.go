package linalg

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Both ways to R hold the bars of QR, also where columns are repeated, zero or
// far apart in size.
func TestBlocks(t *testing.T) {
	testdevice.NeedsFloat64(t)
	plain := nd.Normal(1, nd.Float32, 1, 700, 100)
	copies := nd.Concat(2, plain, columns(plain, 30, 70), nd.Zeros(nd.Float32, 1, 700, 3))
	sizes := nd.Arange[float32](0, 100, 1).SubScalar(50).MulScalar(0.5).Exp()
	for name, a := range map[string]*nd.Array{"plain": plain, "copies": copies, "sizes": plain.Mul(sizes)} {
		for _, byProduct := range []bool{false, true} {
			q, r := blocksQR(a, byProduct)
			n := a.Dim(2)
			wide := q.Cast(nd.Float64)
			off := transposed(wide).MatMul(wide).Sub(eye(wide, n, n))
			rest := wide.MatMul(r.Cast(nd.Float64)).Sub(a.Cast(nd.Float64))
			v := values(t, []*nd.Array{off.Norm(), rest.Norm().Div(a.Cast(nd.Float64).Norm()), keep(r, belowDiagonal).Abs().Max()})
			if !(v[0][0] <= 2e-6) {
				t.Errorf("%s, %t: Q'Q - I is %g", name, byProduct, v[0][0])
			}
			if !(v[1][0] <= 5e-7) || v[2][0] != 0 {
				t.Errorf("%s, %t: A - QR is %g of A, %g below the diagonal of R", name, byProduct, v[1][0], v[2][0])
			}
		}
	}
}

package linalg

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Columns of Q are orthonormal for every rank, also where a panel has nothing new beside the panels before.
func TestComplexQRBeyondPanels(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, n := range []int{70, 130} {
		a := drawn(5, nd.Complex128, 1, n, n)
		ones := nd.FullLike(a, 1)
		sizes := nd.Arange(0.0, -0.9*float64(n), -0.9).Exp().Reshape(1, n, 1).Cast(nd.Complex128)
		for name, x := range map[string]*nd.Array{
			"zeros": nd.FullLike(a, 0), "ones": ones, "rank one": columns(a, 0, 1).MatMul(rows(a, 0, 1)),
			"twice": nd.Concat(2, columns(a, 0, n/2), columns(a, 0, n-n/2)), "graded": a.Mul(sizes),
			"first panel": nd.Concat(2, columns(a, 0, 64), ones.BroadcastTo(1, n, n).SliceAxis(2, nd.Range{Stop: n - 64})),
		} {
			q, r := QR(x)
			unit := adjoint(q).MatMul(q).Sub(eye(q, n, n)).Abs().Max()
			rest := q.MatMul(r).Sub(x).Norm().Div(x.Norm().Maximum(nd.FullLike(x.Norm(), 1e-300)))
			all := values(t, []*nd.Array{unit, rest})
			if !(all[0][0] <= 1e-14) || !(all[1][0] <= 1e-14) {
				t.Errorf("%s of %d: Q'Q - I is %.2g, A - QR %.2g of A", name, n, all[0][0], all[1][0])
			}
		}
	}
}

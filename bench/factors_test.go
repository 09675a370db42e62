package bench_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// BenchmarkFactors is package linalg beside NumPy's, one matrix and batches of a thousand small
// ones: factors_peers.py has the same names and sizes.
func BenchmarkFactors(b *testing.B) {
	both := func(q, r *nd.Array) func(ctx context.Context) error {
		return func(ctx context.Context) error { return nd.Eval(ctx, q, r) }
	}
	for _, op := range []struct {
		name     string
		definite bool
		run      func(ctx context.Context, a, y *nd.Array) error
	}{
		{"Solve", false, func(ctx context.Context, a, y *nd.Array) error { _, err := linalg.Solve(ctx, a, y); return err }},
		{"Inverse", false, func(ctx context.Context, a, _ *nd.Array) error { _, err := linalg.Inverse(ctx, a); return err }},
		{"Det", false, func(ctx context.Context, a, _ *nd.Array) error { return nd.Eval(ctx, linalg.Det(a)) }},
		{"Cholesky", true, func(ctx context.Context, a, _ *nd.Array) error { _, err := linalg.Cholesky(ctx, a); return err }},
		{"QR", false, func(ctx context.Context, a, _ *nd.Array) error { return both(linalg.QR(a))(ctx) }},
		{"LeastSquares", false, func(ctx context.Context, a, y *nd.Array) error {
			_, err := linalg.LeastSquares(ctx, a, y)
			return err
		}},
		{"Eigh", true, func(ctx context.Context, a, _ *nd.Array) error { _, _, err := linalg.Eigh(ctx, a); return err }},
		{"Eig", false, func(ctx context.Context, a, _ *nd.Array) error { _, _, err := linalg.Eig(ctx, a); return err }},
		{"EigValues", false, func(ctx context.Context, a, _ *nd.Array) error { _, err := linalg.EigValues(ctx, a); return err }},
		{"Expm", false, func(ctx context.Context, a, _ *nd.Array) error { _, err := linalg.Expm(ctx, a); return err }},
		{"SVD", false, func(ctx context.Context, a, _ *nd.Array) error { _, _, _, err := linalg.SVD(ctx, a); return err }},
		{"Nuclear", false, func(ctx context.Context, a, _ *nd.Array) error {
			_, err := linalg.Norm(ctx, a, linalg.Nuclear)
			return err
		}},
	} {
		for _, t := range []nd.DType{nd.Float32, nd.Float64} {
			for _, s := range [][2]int{{1, 8}, {1, 32}, {1, 64}, {1, 128}, {1, 256}, {1, 512}, {1000, 8}, {1000, 32}} {
				b.Run(fmt.Sprintf("%s/%v/%dx%d", op.name, t, s[0], s[1]), func(b *testing.B) {
					a, y := noise(b, t, s[0], s[1], s[1]), noise(b, t, s[0], s[1], 1)
					if op.definite {
						a = a.MatMul(a.Transpose(0, 2, 1)).Add(nd.Eye(t, s[1]).MulScalar(float64(s[1])))
						if err := nd.Eval(context.Background(), a); err != nil {
							b.Fatal(err)
						}
					}
					solved(b, func(ctx context.Context) error { return op.run(ctx, a, y) })
				})
			}
		}
	}
}

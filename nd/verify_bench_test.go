package nd

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkVerify is what verifying a fraction of evaluations costs; docs/RELIABILITY.md
// has the ratios.
func BenchmarkVerify(b *testing.B) {
	ctx := context.Background()
	for _, size := range []struct{ lines, length int }{{1, 1024}, {64, 16384}} {
		x := Normal(Key(1), Float32, size.lines, size.length)
		if err := Eval(ctx, x); err != nil {
			b.Fatal(err)
		}
		for _, fraction := range []float64{0, 0.01, 1} {
			b.Run(fmt.Sprintf("%dx%d/%g", size.lines, size.length, fraction), func(b *testing.B) {
				if err := SetVerify(fraction); err != nil {
					b.Fatal(err)
				}
				defer func() { _ = SetVerify(0) }()
				for b.Loop() {
					y := x.MulScalar(2).RFFT().AbsSquared().Mean(0)
					if err := Eval(ctx, y); err != nil {
						b.Fatal(err)
					}
					y.Release()
				}
			})
		}
	}
}

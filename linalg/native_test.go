package linalg

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// Native forms compute what the bodies do: checked launches run the bodies.
func TestNativeForms(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func() []*nd.Array
	}{
		{"gram factor", func() []*nd.Array {
			var out []*nd.Array
			for _, n := range []int{1, 7, 16, 40, gramMost} {
				a := nd.Normal(1, nd.Float64, 2, 70, n)
				// One column in two is a copy of another.
				twice := nd.Concat(2, a, a).SliceAxis(2, nd.Range{Stop: n})
				for _, x := range []*nd.Array{a, twice} {
					own, given := gramOf(x).factors(nil, true), gramOf(x).factors(nd.Full(100.0, nd.Float64, 2, n), true)
					out = append(out, own.r, own.inverse, own.lost, given.r, given.inverse, given.lost)
				}
			}
			return out
		}},
		{"reconstruct", func() []*nd.Array {
			var out []*nd.Array
			for _, n := range []int{1, 5, 17, panel} {
				out = append(out, onSquares(reconstruct, OrthonormalColumns(nd.Normal(2, nd.Float64, 3, n, n)))...)
			}
			return out
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			native := values(t, c.build())
			t.Setenv("TWIDDLE_KERNEL_CHECK", "1")
			for i, want := range values(t, c.build()) {
				for j, w := range want {
					if d := math.Abs(native[i][j] - w); !(d <= 1e-10*(1+math.Abs(w))) {
						t.Fatalf("output %d: %g at %d, the body gives %g", i, native[i][j], j, w)
					}
				}
			}
		})
	}
}

func values(t *testing.T, arrays []*nd.Array) [][]float64 {
	t.Helper()
	var out [][]float64
	for _, a := range arrays {
		v, err := nd.Slice[float64](context.Background(), a.Cast(nd.Float64))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

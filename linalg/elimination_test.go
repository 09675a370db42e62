package linalg

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Elimination by columns, as on a GPU, gives the factors, order and exchanges that the CPU's gives.
func TestEliminationByColumns(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		for _, s := range [][3]int{{1, 1, 1}, {3, 5, 5}, {2, 16, 16}, {2, 33, 33}, {1, 100, 100}, {2, 90, 40}, {1, 1100, 20}, {1, 2100, 5}} {
			name := fmt.Sprint(dt, s)
			a := nd.Normal(nd.Key(s[1]), dt, s[0], s[1], s[2])
			got, want := luByColumns(a), luBy(a, 64)
			for _, part := range []struct {
				name      string
				got, want *nd.Array
			}{{"order", got.order, want.order}, {"exchanges", got.swaps, want.swaps}, {"factors", got.packed, want.packed}} {
				g, w := float64sOf(t, part.got), float64sOf(t, part.want)
				bound := map[nd.DType]float64{nd.Float32: 2e-5, nd.Float64: 1e-13}[dt] * float64(s[2])
				if part.name != "factors" {
					bound = 0
				}
				for i := range w {
					if !(math.Abs(g[i]-w[i]) <= bound) {
						t.Fatalf("%s: %s: %g at %d, want %g", name, part.name, g[i], i, w[i])
					}
				}
			}
		}
		// A column of zeros has no pivot, and is passed over.
		f := luByColumns(nd.From([]float64{1, 0, 2, 3, 0, 4, 5, 0, 6}, 1, 3, 3).Cast(dt))
		if d := float64sOf(t, diagonal(f.packed)); d[1] != 0 || math.IsNaN(d[2]) {
			t.Errorf("%v: pivots %v", dt, d)
		}
	}
}

// Cholesky by columns gives factors of what was factored, and finds pivots that are not positive.
func TestCholeskyByColumns(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		for _, n := range []int{1, 37, 70} {
			x := nd.Normal(nd.Key(n), dt, 2, n, n)
			a := x.MatMul(x.SwapAxes(1, 2)).MulScalar(1 / float64(n)).Add(nd.Eye(dt, n))
			l, lost := choleskyByColumns(keep(a, onOrBelow))
			bound := map[nd.DType]float64{nd.Float32: 1e-5, nd.Float64: 1e-13}[dt]
			wide := l.Cast(nd.Float64)
			for i, v := range float64sOf(t, wide.MatMul(transposed(wide)).Sub(a.Cast(nd.Float64))) {
				if !(math.Abs(v) <= bound) {
					t.Fatalf("%v, %d columns: residual %g at %d", dt, n, v, i)
				}
			}
			for i, v := range float64sOf(t, nd.Concat(1, keep(l, above), lost.ExpandDims(1))) {
				if v != 0 {
					t.Fatalf("%v, %d columns: %g at %d above the diagonal, or lost", dt, n, v, i)
				}
			}
			// The last pivot becomes negative.
			spoiled := a.Sub(nd.Eye(dt, n).Mul(nd.Arange[int64](0, int64(n), 1).EqualScalar(float64(n - 1)).Cast(dt)).MulScalar(100))
			_, lost = choleskyByColumns(keep(spoiled, onOrBelow))
			for i, v := range float64sOf(t, lost) {
				if want := i%n == n-1; (v != 0) != want {
					t.Fatalf("%v, %d columns: lost %g at %d", dt, n, v, i)
				}
			}
		}
	}
}

// Substitution by rows solves triangles, with and without their diagonal.
func TestSubstitutionByRows(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		for _, n := range []int{1, 32, 70} {
			for _, k := range []int{1, 3, 65} {
				for _, unit := range []bool{false, true} {
					// Dominated by its diagonal, so that solutions stay small.
					l := nd.Normal(nd.Key(n), dt, 2, n, n).MulScalar(1 / float64(n)).Add(nd.Eye(dt, n))
					b := nd.Normal(nd.Key(k), dt, 2, n, k)
					x := substitutedByRows(l, b, unit)
					t64 := keep(l.Cast(nd.Float64), belowDiagonal).Add(nd.Eye(nd.Float64, n))
					if !unit {
						t64 = keep(l.Cast(nd.Float64), onOrBelow)
					}
					bound := map[nd.DType]float64{nd.Float32: 1e-5, nd.Float64: 1e-13}[dt]
					for i, v := range float64sOf(t, t64.MatMul(x.Cast(nd.Float64)).Sub(b.Cast(nd.Float64))) {
						if !(math.Abs(v) <= bound) {
							t.Fatalf("%v, %d rows, %d right sides, unit %t: residual %g at %d", dt, n, k, unit, v, i)
						}
					}
				}
			}
		}
	}
}

// Pivots whose reciprocals are infinite give the factors and solutions that others give.
func TestEliminationOfSubnormals(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const tiny = 0x1p-1034
	a := nd.From([]float64{4, 1, 0, 1, 3, 1, 0, 1, 5}, 1, 3, 3)
	for name, of := range map[string]func(a *nd.Array) *nd.Array{
		"multipliers":  func(a *nd.Array) *nd.Array { return keep(luByColumns(a).packed, belowDiagonal) },
		"substitution": func(a *nd.Array) *nd.Array { return substitutedByRows(a, columns(a, 1, 3), false) },
		"cholesky": func(a *nd.Array) *nd.Array {
			l, _ := choleskyByColumns(a)
			return l.Div(columns(rows(l, 0, 1), 0, 1))
		},
	} {
		got, want := float64sOf(t, of(a.MulScalar(tiny))), float64sOf(t, of(a))
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-10) {
				t.Errorf("%s: %g, want %g", name, got, want)
				break
			}
		}
	}
}

func float64sOf(t *testing.T, a *nd.Array) []float64 {
	t.Helper()
	v, err := nd.Slice[float64](context.Background(), a.Cast(nd.Float64))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

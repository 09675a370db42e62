package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Elimination by columns, as on a GPU, gives the factors, order and exchanges that the CPU's gives.
func TestEliminationByColumns(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		for _, s := range [][3]int{{1, 1, 1}, {3, 5, 5}, {2, 16, 16}, {2, 33, 33}, {2, 64, 50}, {1, 100, 100}, {2, 90, 40}, {1, 1100, 20}, {1, 2100, 5}} {
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
		for _, n := range []int{1, 37, 64, 70, 150} {
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

// Substitution in one launch solves lower and upper triangles, with and without their diagonal.
func TestSubstitutionAtOnce(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		for _, n := range []int{1, 32, 70} {
			for k := 1; k <= fewSides; k += 2 {
				for _, how := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
					upper, unit := how[0], how[1]
					a := nd.Normal(nd.Key(n), dt, 2, n, n).MulScalar(1 / float64(n)).Add(nd.Eye(dt, n))
					b := nd.Normal(nd.Key(k), dt, 2, n, k)
					x := substitutedAtOnce(a, b, upper, unit)
					part := belowDiagonal
					if upper {
						part = above
					}
					diagonal := nd.Eye(nd.Float64, n)
					if !unit {
						diagonal = keep(a.Cast(nd.Float64), onDiagonal)
					}
					bound := map[nd.DType]float64{nd.Float32: 1e-5, nd.Float64: 1e-13}[dt]
					residual := keep(a.Cast(nd.Float64), part).Add(diagonal).MatMul(x.Cast(nd.Float64)).Sub(b.Cast(nd.Float64))
					for i, v := range float64sOf(t, residual) {
						if !(math.Abs(v) <= bound) {
							t.Fatalf("%v, %d rows, %d right sides, upper %t, unit %t: residual %g at %d", dt, n, k, upper, unit, v, i)
						}
					}
				}
			}
		}
	}
}

// One right side is solved for in float32, on devices without float64 and with small threadgroups, too.
func TestSolveOneSideInSingle(t *testing.T) {
	const n = 40
	ctx := context.Background()
	a, b := nd.Normal(1, nd.Float32, n, n).MulScalar(1./n).Add(nd.Eye(nd.Float32, n)), nd.Normal(2, nd.Float32, n, 1)
	x, err := Solve(ctx, a, b)
	if err != nil {
		t.Fatal(err)
	}
	residual, err := nd.Slice[float32](ctx, a.MatMul(x).Sub(b))
	for i, v := range residual {
		if !(math.Abs(float64(v)) <= 1e-5) {
			t.Errorf("residual %g at %d", v, i)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// A simdgroup solves small systems, finds pivots that are zero, and leaves systems beside them alone.
func TestSolvedSmall(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		for _, n := range []int{1, 5, 31, smallSystem} {
			for _, k := range []int{1, fewSides} {
				a, b := nd.Normal(nd.Key(n), dt, 6, n, n), nd.Normal(nd.Key(k), dt, 6, n, k)
				zero := nd.Arange[int64](0, 6, 1).EqualScalar(2).Reshape(6, 1, 1).BroadcastTo(6, n, n).Cast(dt)
				x, _ := solvedSmall(a, b)
				spoiled, lost := solvedSmall(a.Mul(nd.FullLike(zero, 1).Sub(zero)), b)
				scale := x.Abs().Max(1, 2).AddScalar(1).Reshape(6, 1, 1)
				bound := map[nd.DType]float64{nd.Float32: 1e-5, nd.Float64: 1e-13}[dt]
				for i, v := range float64sOf(t, a.Cast(nd.Float64).MatMul(x.Cast(nd.Float64)).Sub(b.Cast(nd.Float64)).Div(scale.Cast(nd.Float64))) {
					if !(math.Abs(v) <= bound) {
						t.Fatalf("%v, %d equations, %d right sides: residual %g at %d", dt, n, k, v, i)
					}
				}
				want, got := float64sOf(t, x), float64sOf(t, spoiled)
				for i, v := range want {
					if i/(n*k) != 2 && got[i] != v {
						t.Fatalf("%v, %d equations: %g at %d beside a matrix of zeros, want %g", dt, n, got[i], i, v)
					}
				}
				for i, v := range float64sOf(t, lost) {
					if (v == 0) != (i/n == 2) {
						t.Fatalf("%v, %d equations: pivot %g at %d", dt, n, v, i)
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
	multipliers := func(f lu) *nd.Array { return keep(f.packed, belowDiagonal) }
	for name, of := range map[string]func(a *nd.Array) *nd.Array{
		"multipliers":  func(a *nd.Array) *nd.Array { return multipliers(luByColumns(a)) },
		"panel":        func(a *nd.Array) *nd.Array { return multipliers(luOfPanel(a)) },
		"complex":      func(a *nd.Array) *nd.Array { return multipliers(luOfPanel(nd.Complex(a, a))).Real() },
		"substitution": func(a *nd.Array) *nd.Array { return substitutedByRows(a, columns(a, 1, 3), false) },
		"small":        func(a *nd.Array) *nd.Array { x, _ := solvedSmall(a, columns(a, 1, 3)); return x },
		"at once":      func(a *nd.Array) *nd.Array { return substitutedAtOnce(a, columns(a, 1, 3), true, false) },
		"cholesky": func(a *nd.Array) *nd.Array {
			l, _ := choleskyByColumns(a)
			return l.Div(columns(rows(l, 0, 1), 0, 1))
		},
		"gram": func(a *nd.Array) *nd.Array {
			g := gram{a}.factors(nd.Float64, nil, false)
			return nd.Concat(1, g.r.Div(columns(rows(g.r, 0, 1), 0, 1)), g.inverse.Div(columns(rows(g.inverse, 0, 1), 0, 1)))
		},
	} {
		withBodies(t, name, func(t *testing.T) {
			got, want := float64sOf(t, of(a.MulScalar(tiny))), float64sOf(t, of(a))
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-10) {
					t.Fatalf("%g, want %g", got, want)
				}
			}
		})
	}
}

// Infinities and NaN are where elimination step by step has them.
func TestEliminationOfInfinities(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, s := range [][2]int{{5, 5}, {20, 20}, {50, 20}, {40, 40}} {
		m, n := s[0], s[1]
		for i, special := range []float64{math.Inf(1), math.NaN()} {
			for _, place := range []int{n*(m/2) + n/2, n - 1, m*n - 1} {
				x := float64sOf(t, nd.Normal(nd.Key(i), nd.Float64, m*n))
				x[place] = special
				a, want := nd.From(x, 1, m, n), stepwise(x, m, n)
				for name, of := range map[string]func(*nd.Array) lu{"columns": luByColumns, "panel": luOfPanel} {
					withBodies(t, fmt.Sprint(name, s, special, place), func(t *testing.T) {
						got := float64sOf(t, of(a).packed)
						for i, w := range want {
							same := got[i] == w || math.IsNaN(got[i]) && math.IsNaN(w)
							if !same && !(math.Abs(got[i]-w) <= 1e-10) {
								t.Fatalf("%g at row %d, column %d, want %g", got[i], i/n, i%n, w)
							}
						}
					})
				}
			}
		}
	}
}

// stepwise is LU step by step of a matrix x, where NaN counts as infinite.
func stepwise(x []float64, m, n int) []float64 {
	x = slices.Clone(x)
	for k := range min(m, n) {
		column := make([]float64, m)
		for i := range column {
			column[i] = x[i*n+k]
		}
		pivot := largestFrom(column, k)
		for j := range n {
			x[k*n+j], x[pivot*n+j] = x[pivot*n+j], x[k*n+j]
		}
		for i := k + 1; i < m; i++ {
			x[i*n+k] /= x[k*n+k]
			for j := k + 1; j < n; j++ {
				x[i*n+j] -= x[i*n+k] * x[k*n+j]
			}
		}
	}
	return x
}

// withBodies runs a test as launches are, and with the bodies of kernels that have native forms.
func withBodies(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, test)
	t.Run(name+" checked", func(t *testing.T) {
		t.Setenv("TWIDDLE_KERNEL_CHECK", "1")
		test(t)
	})
}

func float64sOf(t *testing.T, a *nd.Array) []float64 {
	t.Helper()
	v, err := nd.Slice[float64](context.Background(), a.Cast(nd.Float64))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

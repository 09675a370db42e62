package vec

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestMulRows(t *testing.T) {
	for _, level := range simd.Available() {
		testMulRows(t, level, &For(level).F32)
		testMulRows(t, level, &For(level).F64)
	}
}

// testMulRows multiplies overlapping rows by one row, and by rows of their own,
// and looks at what lies between the results.
func testMulRows[T Float](t *testing.T, level simd.Level, r *Real[T]) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	const rows, gap = 5, 3
	size := 4
	if any(T(0)) == any(float64(0)) {
		size = 8
	}
	for n := range 70 {
		for _, steps := range [][2]int{{1, 0}, {n + 1, n + 2}} {
			x, y := make([]T, rows*(n+2)+1), make([]T, rows*(n+2)+1)
			for i := range x {
				x[i], y[i] = T(rng.NormFloat64()), T(rng.NormFloat64())
			}
			got, want := make([]T, rows*(n+gap)+1), make([]T, rows*(n+gap)+1)
			for row := range rows {
				for i := range n {
					want[row*(n+gap)+i] = x[row*steps[0]+i] * y[row*steps[1]+i]
				}
			}
			r.MulRows(&got[0], &x[0], &y[0], rows, n, (n+gap)*size, steps[0]*size, steps[1]*size)
			if !slices.Equal(got, want) {
				t.Fatalf("%v: %T, rows of %d, steps %v: %v, want %v", level, x, n, steps, got, want)
			}
		}
	}
}

func TestAddDiagonals(t *testing.T) {
	for _, level := range simd.Available() {
		testAddDiagonals(t, level, &For(level).F32, 4)
		testAddDiagonals(t, level, &For(level).F64, 8)
	}
}

// testAddDiagonals compares bits: rows are added one after the other.
func testAddDiagonals[T Float](t *testing.T, level simd.Level, r *Real[T], size int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	gap := 64 / size
	for _, rows := range []int{1, 2, 15, 16, 17, 64, 100} {
		for _, n := range []int{1, 7, 16, 32, 33, 80} {
			step := n + gap
			x := make([]T, gap+rows*step)
			for row := range rows {
				for i := range n {
					x[gap+row*step+i] = T(rng.NormFloat64())
				}
			}
			got := make([]T, rows+n-1+gap)
			for i := range rows + n - 1 {
				got[i] = T(rng.NormFloat64())
			}
			want := slices.Clone(got)
			for row := rows - 1; row >= 0; row-- {
				for i := range n {
					want[row+i] += x[gap+row*step+i]
				}
			}
			r.AddDiagonals(&got[0], &x[gap], rows, n, step*size)
			if !slices.Equal(got, want) {
				t.Fatalf("%v: %T, %d rows of %d differ", level, x, rows, n)
			}
		}
	}
}

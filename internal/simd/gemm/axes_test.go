package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// dense is a factor as a matrix of its own.
func dense[T Element](m Matrix[T], rows, cols int) Matrix[T] {
	d := lay[T](rowMajor, rows, cols)
	a := m.axes(rows, cols)
	at := func(axes []Axis, i int) int {
		n := 0
		for d := len(axes) - 1; d >= 0; d-- {
			n += i % axes[d].Len * axes[d].Stride
			i /= axes[d].Len
		}
		return n
	}
	for i := range rows {
		for j := range cols {
			d.Data[i*cols+j] = m.Data[m.Offset+at(a[0], i)+at(a[1], j)]
		}
	}
	return d
}

// A factor whose rows or columns are several axes gives the bits that a copy of it gives.
func TestMulAxes(t *testing.T) {
	eachLevel(t, func(t *testing.T, level simd.Level) {
		testAxes[float32](t, level)
		testAxes[float64](t, level)
	})
}

func testAxes[T Element](t *testing.T, level simd.Level) {
	rng := rand.New(rand.NewPCG(7, 7))
	data := make([]T, 5000)
	for i := range data {
		data[i] = random[T](rng)
	}
	lists := [][]Axis{
		{{3, 30}, {5, 1}},            // rows of a picture
		{{2, 400}, {3, 20}, {37, 1}}, // those of two
		{{7, 1}, {2, 100}},
		{{4, 21}, {3, 2}},           // each second one
		{{9, -3}, {2, -1}},          // backwards
		{{5, 0}, {1, 7}},            // one again and again
		{{17, 64}, {19, 1}},         // more than a block of the depth
		{{40, 3}, {1, 1}},           // runs of one
		{{1, 9}, {50, 1}},           //
		{{3, 1}, {3, 10}, {8, 100}}, // along what the other factor is not
	}
	for i, rows := range lists {
		for j, cols := range lists {
			for _, only := range []int{0, 1, 2} { // both, rows only, columns only
				m, k := count(rows), count(cols)
				x := Matrix[T]{Data: data, Offset: 1000, Rows: rows, Cols: cols}
				switch only {
				case 1:
					x.Cols, x.Col = nil, 1+j%3
				case 2:
					x.Rows, x.Row = nil, (i*5)%9
				}
				for _, n := range []int{2, 1 + (37*i+11*j)%150} {
					other := lay[T](layout(i+j)%layouts, k, n)
					for i := range other.Data {
						other.Data[i] = random[T](rng)
					}
					var parallel Parallel
					if (i+j)%2 == 0 {
						parallel = spread
					}
					name := fmt.Sprintf("%v %T %v x %v, only %d, n %d", level, data[0], rows, cols, only, n)
					want, got := lay[T](rowMajor, m, n), lay[T](rowMajor, m, n)
					MulAt(level, m, n, k, want, dense(x, m, k), other, nil)
					MulAt(level, m, n, k, got, x, other, parallel)
					same(t, name+" as a", got.Data, want.Data)
					want, got = lay[T](colMajor, n, m), lay[T](rowMajor, n, m)
					MulAt(level, n, m, k, want, other.transposed(), dense(x, m, k).transposed(), nil)
					MulAt(level, n, m, k, got, other.transposed(), x.transposed(), parallel)
					same(t, name+" as b", dense(got, n, m).Data, dense(want, n, m).Data)
				}
			}
		}
	}
}

func same[T Element](t *testing.T, name string, got, want []T) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: element %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

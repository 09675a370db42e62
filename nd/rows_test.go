package nd_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// A row that does not lie side by side and is the same for all lines gives the bits of a copy
// of it: in maps, sums and products with vectors, of any type and of rows longer than a block.
func TestRowsThatRepeat(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dtype := range []nd.DType{nd.Float16, nd.Float32, nd.Float64, nd.Complex64, nd.Complex128, nd.Int32} {
		for _, n := range []int{33, 700, 9001} {
			x := nd.Randint(1, -50, 50, nd.Int64, 5, 3, n).Cast(dtype)
			m := nd.Randint(2, -50, 50, nd.Int64, n, 4).Cast(dtype)
			if err := nd.Eval(t.Context(), x, m); err != nil {
				t.Fatal(err)
			}
			for name, row := range map[string]*nd.Array{
				"column":   m.SliceAxis(1, nd.Between(2, 3)).Squeeze(1),
				"backward": m.SliceAxis(1, nd.Between(1, 2)).Squeeze(1).Flip(0),
			} {
				for op, f := range map[string]func(row *nd.Array) *nd.Array{
					"map":    func(row *nd.Array) *nd.Array { return x.Mul(row).Add(x) },
					"sum":    func(row *nd.Array) *nd.Array { return x.Mul(row).Sum(-1) },
					"matmul": func(row *nd.Array) *nd.Array { return x.MatMul(row) },
				} {
					apart := row.AddScalar(0)
					if err := nd.Eval(t.Context(), apart); err != nil {
						t.Fatal(err)
					}
					same, err := nd.Item[bool](t.Context(), f(row).Equal(f(apart)).All())
					if err != nil || !same {
						t.Errorf("%s, rows of %d, %s, %s: the same bits is %t, %v", dtype, n, name, op, same, err)
					}
				}
			}
		}
	}
}

// A few numbers that repeat over all leading dimensions, and their positions, are those of every
// row, wherever the parts and blocks of workers begin.
func TestShortRowsThatRepeat(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const rows = 50021
	for _, dtype := range []nd.DType{nd.Float16, nd.Float32, nd.Float64, nd.Complex64, nd.Int32} {
		for _, inner := range [][]int{{3}, {7}, {2, 5}, {3, 1, 11}} {
			n := 1
			for _, d := range inner {
				n *= d
			}
			x := nd.Randint(3, -50, 50, nd.Int64, append([]int{rows}, inner...)...).Cast(dtype)
			w := nd.Randint(4, -50, 50, nd.Int64, inner...).Cast(dtype)
			place := nd.Arange[int64](0, int64(n), 1).Reshape(inner...).Cast(dtype)
			got := x.Sub(w).Add(place)
			apart := w.BroadcastTo(append([]int{rows}, inner...)...).AddScalar(0)
			each := nd.Arange[int64](0, int64(rows*n), 1).RemScalar(n).Cast(dtype).Reshape(append([]int{rows}, inner...)...)
			if err := nd.Eval(t.Context(), x, apart, each); err != nil {
				t.Fatal(err)
			}
			same, err := nd.Item[bool](t.Context(), got.Equal(x.Sub(apart).Add(each)).All())
			if err != nil || !same {
				t.Errorf("%s, rows of %v: the same bits is %t, %v", dtype, inner, same, err)
			}
		}
	}
}

// Repeated elements of any size, in views, across the parts that workers take.
func TestRepeatedElements(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const n = 100003
	base := nd.Arange[int64](0, n, 1)
	for _, dt := range []nd.DType{nd.Uint8, nd.Int16, nd.Float32, nd.Float64, nd.Complex128} {
		x := base.RemScalar(101).Cast(dt)
		for name, view := range map[string]func(*nd.Array) *nd.Array{
			"whole":   func(a *nd.Array) *nd.Array { return a },
			"flipped": func(a *nd.Array) *nd.Array { return a.Flip(0) },
			"every third": func(a *nd.Array) *nd.Array {
				return a.SliceAxis(0, nd.Range{Start: 1, Stop: nd.End, Step: 3})
			},
			"rows": func(a *nd.Array) *nd.Array { return a.SliceAxis(0, nd.Head(100000)).Reshape(10, 10000) },
		} {
			for _, count := range []int{1, 2, 3, 5, 70} {
				v := view(x)
				repeated := v.Repeat(count, -1)
				if err := nd.Eval(t.Context(), x, repeated); err != nil { // by itself: a copy
					t.Fatal(err)
				}
				places := nd.Arange[int64](0, int64(v.Dim(-1)*count), 1).DivScalar(count)
				same, err := nd.Item[bool](t.Context(), repeated.Equal(v.Take(places, -1)).All())
				if err != nil || !same {
					t.Errorf("%v, %s, %d times: %v, %v", dt, name, count, same, err)
				}
			}
		}
	}
}

// Windows of positions, which lie nowhere in memory, are reduced as windows of stored numbers are.
func TestWindowsOfPositions(t *testing.T) {
	const n, window = 100, 8
	for _, from := range []int64{0, 5} {
		x := nd.Arange[int64](from, from+n, 1)
		sums, err := nd.Slice[int64](t.Context(), x.Frames(window, 1).Sum(-1))
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range sums {
			if want := window * (2*(from+int64(i)) + window - 1) / 2; got != want {
				t.Fatalf("from %d: sum of window %d is %d, want %d", from, i, got, want)
			}
		}
	}
}

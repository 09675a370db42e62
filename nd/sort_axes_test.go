package nd_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Lines that lie side by side are sorted as those that lie one behind the other.
func TestSortAcross(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range []nd.DType{nd.Float16, nd.Float32, nd.Float64, nd.Int8, nd.Int32, nd.Int64} {
		for _, shape := range [][]int{{1, 5}, {7, 1}, {40, 3}, {100, 16}, {33, 17}, {2, 50, 35}, {3, 9, 2, 5}} {
			x := nd.Randint(7, -40, 40, nd.Int64, shape...).Cast(dt)
			axis := len(shape) - 2
			turned := x.SwapAxes(axis, -1).AddScalar(0)
			if err := nd.Eval(t.Context(), x, turned); err != nil {
				t.Fatal(err)
			}
			keep := min(5, shape[axis])
			values, places := x.TopK(keep, axis)
			wantValues, wantPlaces := turned.TopK(keep, -1)
			for name, c := range map[string][2]*nd.Array{
				"sort":            {x.Sort(axis), turned.Sort(-1)},
				"sort descending": {x.SortDescending(axis), turned.SortDescending(-1)},
				"argsort":         {x.ArgSort(axis), turned.ArgSort(-1)},
				"top values":      {values, wantValues},
				"top places":      {places, wantPlaces},
				"median":          {x.Cast(nd.Float64).Median(axis), turned.Cast(nd.Float64).Median(-1)},
			} {
				got, want := c[0], c[1]
				if name != "median" {
					got = got.SwapAxes(axis, -1)
				}
				same, err := nd.Item[bool](t.Context(), got.Equal(want).All())
				if err != nil || !same {
					t.Error(fmt.Sprint(name, " of ", dt, " ", shape), same, err)
				}
			}
		}
	}
}

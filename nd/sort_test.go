package nd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// Long lines are sorted by values alone where these can be made of keys again. Numbers of
// every size and sign, infinities, NaN and zeros of either sign come out as sorting with
// positions gives them, bit by bit.
func TestSortLongLines(t *testing.T) {
	testdevice.NeedsFloat64(t)
	r := rand.New(rand.NewPCG(1, 2))
	for name, special := range map[string][]float64{
		"finite": {0, 5e-324, -5e-324, 1e-40, math.MaxFloat64}, "infinite": {math.Inf(1), math.Inf(-1), 0},
		"NaN": {math.NaN(), 0}, "zeros": {math.Copysign(0, -1), 0},
	} {
		x := make([]float64, 3000)
		for i := range x {
			x[i] = math.Ldexp(r.NormFloat64(), r.IntN(60)-30)
			if r.IntN(20) == 0 {
				x[i] = special[r.IntN(len(special))]
			}
		}
		for _, a := range []*Array{From(x), From(x).Cast(Float32), From(x).Clip(-2e9, 2e9).Cast(Int32), From(x).Clip(-9e9, 9e9).Cast(Int64)} {
			if name != "finite" && a.DType() != Float64 && a.DType() != Float32 {
				continue
			}
			for _, descending := range []bool{false, true} {
				sorted, order := a.Sort(0), a.ArgSort(0)
				if descending {
					sorted, order = a.SortDescending(0), a.ArgSortDescending(0)
				}
				if got, want := bitsOf(t, sorted), bitsOf(t, a.Take(order, 0)); !slices.Equal(got, want) {
					t.Errorf("%s, %v, descending %t: not what positions give", name, a.DType(), descending)
				}
			}
		}
	}
}

// bitsOf is the elements of an array as integers.
func bitsOf(t *testing.T, a *Array) []int64 {
	t.Helper()
	switch a.DType() {
	case Float64:
		a = a.BitCast(Int64)
	case Float32:
		a = a.BitCast(Int32)
	}
	v, err := Slice[int64](t.Context(), a.Cast(Int64))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

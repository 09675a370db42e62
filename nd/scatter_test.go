package nd_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// TestScatterBesideTransform adds to an array that a map began, in graphs that
// are planned with line programs: whoever reads it needs what was added, whatever
// is fused with what and made again.
func TestScatterBesideTransform(t *testing.T) {
	const lines, n = 6, 32
	data, rows := make([]float32, lines*n), make([]float32, 3*n)
	for i := range data {
		data[i] = float32(i%11) - 5
	}
	for i := range rows {
		rows[i] = float32(i%7) - 3
	}
	// What 3 data plus the rows is.
	sum := make([]float64, lines*n)
	for i, v := range data {
		sum[i] = 3 * float64(v)
	}
	for k, to := range []int{1, 4, 1} {
		for i := range n {
			sum[to*n+i] += float64(rows[k*n+i])
		}
	}
	spectrum := make([]float64, 0, lines*(n/2+1)) // powers
	for l := range lines {
		for k := range n/2 + 1 {
			bin := complex(0, 0)
			for i := range n {
				bin += complex(sum[l*n+i], 0) * cmplx.Rect(1, -2*math.Pi*float64(k*i)/n)
			}
			spectrum = append(spectrum, real(bin)*real(bin)+imag(bin)*imag(bin))
		}
	}
	each := func(f func(v float64, i int) float64) []float64 {
		out := make([]float64, len(sum))
		for i, v := range sum {
			out[i] = f(v, i)
		}
		return out
	}
	for label, c := range map[string]struct {
		of   func(x, added *nd.Array) *nd.Array
		want []float64
	}{
		"itself":         {func(_, added *nd.Array) *nd.Array { return added }, sum},
		"map":            {func(x, added *nd.Array) *nd.Array { return added.Mul(x) }, each(func(v float64, i int) float64 { return v * float64(data[i]) })},
		"map twice":      {func(x, added *nd.Array) *nd.Array { return added.Mul(x).Sub(x.MulScalar(3)) }, each(func(v float64, i int) float64 { return (v - 3) * float64(data[i]) })},
		"transform":      {func(_, added *nd.Array) *nd.Array { return added.RFFT().AbsSquared() }, spectrum},
		"there and back": {func(_, added *nd.Array) *nd.Array { return added.RFFT().IRFFT(nd.FFT{N: n}) }, sum},
		"map and back":   {func(x, added *nd.Array) *nd.Array { return added.Add(x).RFFT().IRFFT(nd.FFT{N: n}) }, each(func(v float64, i int) float64 { return v + float64(data[i]) })},
	} {
		x := nd.From(data, lines, n)
		added := x.MulScalar(3).ScatterAdd(nd.From([]int64{1, 4, 1}, 3, 1), nd.From(rows, 3, n), 0)
		y, beside := c.of(x, added), x.RFFT().AbsSquared()
		if err := nd.Eval(t.Context(), y, beside); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		got, err := nd.Slice[float32](t.Context(), y)
		if err != nil || len(got) != len(c.want) {
			t.Fatalf("%s: %d elements, %v", label, len(got), err)
		}
		for i, v := range got {
			if math.Abs(float64(v)-c.want[i]) > 1e-5*(100+math.Abs(c.want[i])) {
				t.Errorf("%s: element %d is %v, want %v", label, i, v, c.want[i])
				break
			}
		}
	}
}

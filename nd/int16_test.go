package nd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Small integers are elements like others: they wrap as Go's do, floats become them
// truncated and saturated, and they print as numbers.
func TestSmallIntegers(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := t.Context()
	x := nd.From([]int16{32767, -32768, -1, 100})
	check := func(name string, a *nd.Array, want string) {
		t.Helper()
		text, err := nd.Format(ctx, a)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if got := strings.ReplaceAll(strings.Join(strings.Fields(a.DType().String()+" "+text), " "), "[ ", "["); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("itself", x, "int16 [32767 -32768 -1 100]")
	check("sum wraps", x.AddScalar(1), "int16 [-32768 -32767 0 101]")
	check("abs", x.Abs(), "int16 [32767 -32768 1 100]")
	check("quotient", x.Div(nd.From([]int16{-1, -1, 0, 7})), "int16 [-32767 -32768 0 14]")
	check("truncated", x.Cast(nd.Int8), "int8 [-1 0 -1 100]")
	check("saturated", nd.From([]float32{1e9, -1e9, 2.7, -2.7}).Cast(nd.Int16), "int16 [32767 -32768 2 -2]")
	check("saturated", nd.From([]float64{1e9, -1e9, 2.7, -2.7}).Cast(nd.Int8), "int8 [127 -128 2 -2]")
	check("full scale", x.Cast(nd.Float32).DivScalar(32768).Sum(), "float32 0.00299072")
	check("sorted", x.Sort(0), "int16 [-32768 -1 100 32767]")
	check("extremes", nd.Stack(0, x.Max(), x.Min()), "int16 [32767 -32768]")
	check("place", x.ArgMin(0), "int64 1")
	check("product", x.Reshape(2, 2).MatMul(nd.From([]int16{1, 2, 3, 4}, 2, 2)), "int16 [[-1 -2] [299 398]]")
	check("running", nd.From([]int8{100, 27, 1, -5}).CumSum(0), "int8 [100 127 -128 123]")
	check("chosen", nd.Where(x.GreaterScalar(0), x, x.Neg()), "int16 [32767 -32768 1 100]")
	check("taken", x.Take(nd.From([]int32{3, 0}), 0), "int16 [100 32767]")
	check("range", nd.Arange[int16](0, 10, 4), "int16 [0 4 8]")
	if err := x.AddScalar(40000).Err(); err == nil {
		t.Error("40000 is no int16: want an error")
	}
	got, err := nd.Slice[int16](ctx, x.Flip(0))
	if err != nil || fmt.Sprint(got) != "[100 -1 -32768 32767]" {
		t.Errorf("%v, %v", got, err)
	}
}

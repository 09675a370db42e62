package nd_test

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// A square is a product, whatever Go type the 2 has.
func TestPowScalarOfTwo(t *testing.T) {
	x := make([]float32, 4000)
	for i := range x {
		x[i] = float32(i-2000) / 7
	}
	half := nd.From([]float32{2}).Cast(nd.Float16)
	two, err := nd.Slice[nd.F16](context.Background(), half)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{2, 2.0, float32(2), int8(2), int64(2), uint32(2), two[0]} {
		got, err := nd.Slice[float32](context.Background(), nd.From(x).PowScalar(v))
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != x[i]*x[i] {
				t.Fatalf("%v to the %T 2 is %v, want %v", x[i], v, got[i], x[i]*x[i])
			}
		}
	}
}

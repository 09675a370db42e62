package nd_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
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

// The power -1 is a quotient, also of zeros and infinities.
func TestPowScalarOfMinusOne(t *testing.T) {
	testdevice.NotOnGPU(t, "shader languages leave quotients by 0 open")
	x := []float32{3, -7, 0.1, float32(math.Copysign(0, -1)), 0, float32(math.Inf(-1)), float32(math.Inf(1)), 1e-45}
	got, err := nd.Slice[float32](context.Background(), nd.From(x).PowScalar(-1))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if v != 1/x[i] || math.Signbit(float64(v)) != math.Signbit(float64(x[i])) {
			t.Errorf("%v to the -1 is %v, want %v", x[i], v, 1/x[i])
		}
	}
}

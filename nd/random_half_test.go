package nd

import (
	"context"
	"testing"
)

// The largest draws must stay below 1 when they are cut to 11 or 8 bits.
func TestUniformOfHalvesStaysBelowOne(t *testing.T) {
	for _, d := range []DType{Float16, BFloat16} {
		u := Uniform(Key(5), d, 1<<17).Cast(Float32)
		top, err := Item[float32](context.Background(), u.Max())
		if err != nil {
			t.Fatal(err)
		}
		low, err := Item[float32](context.Background(), u.Min())
		if err != nil {
			t.Fatal(err)
		}
		if top >= 1 || top < 0.99 || low != 0 {
			t.Errorf("%s: draws from %v to %v, want [0, 1)", d, low, top)
		}
	}
}

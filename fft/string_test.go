package fft

import (
	"fmt"
	"testing"
)

// A plan prints what it is for, and not what is inside.
func TestPlansPrint(t *testing.T) {
	made := func(p fmt.Stringer, err error) fmt.Stringer {
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for want, p := range map[string]fmt.Stringer{
		"fft of 8 complex64: direct 8":         made(NewPlan[complex64](8, Options{Recipe: "direct 8"})),
		"fft of 16 float64: direct 8":          made(NewRealPlan[float64, complex128](16, Options{Recipe: "direct 8"})),
		"fft of [8 16] complex128":             made(NewNDPlan[complex128]([]int{8, 16}, nil)),
		"fft of 128 float32, to bins of [8 9]": made(NewRealNDPlan[float32, complex64]([]int{8, 16}, nil)),
		"DCT-II of 8 float32":                  made(NewTrigPlan[float32](DCT2, 8)),
	} {
		if got := fmt.Sprint(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var none struct {
		Plan[complex64]
		RealPlan[float32, complex64]
	}
	if a, b := none.Plan.String()+none.Plan.Recipe(), none.RealPlan.String()+none.RealPlan.Recipe(); a != "no plan" || b != a {
		t.Errorf("plans that nothing made: %q and %q", a, b)
	}
}

package signal_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// The method that is chosen is predicted to be as fast as the others, or nearly: the choice is
// made before there is a plan.
func TestConvolveChoosesAFastMethod(t *testing.T) {
	testdevice.NotOnGPU(t, "the choice is by times of CPUs, and sometimes takes a launch more than another")
	for _, c := range [][2][]int{
		{{1000000}, {3}}, {{1000000}, {31}}, {{1000000}, {255}}, {{1000000}, {4096}}, {{63}, {200000}},
		{{100000}, {100000}}, {{8, 50000}, {8, 101}}, {{256, 256}, {3, 3}}, {{256, 256}, {31, 31}},
	} {
		x, k := nd.Normal(1, nd.Float64, c[0]...), nd.Normal(2, nd.Float64, c[1]...)
		if err := nd.Eval(t.Context(), x, k); err != nil {
			t.Fatal(err)
		}
		predicted := func(m signal.Method) float64 {
			p, err := nd.Explain(signal.Convolve{Mode: signal.Same, Method: m, Axes: lastAxis(c)}.Apply(x, k))
			if err != nil {
				t.Fatal(err)
			}
			return p.PredictedNs
		}
		got := predicted(signal.AutoMethod)
		for _, m := range []signal.Method{signal.DirectMethod, signal.FFTMethod, signal.BlockMethod} {
			if other := predicted(m); got > 1.7*other {
				t.Errorf("%v * %v: %.0f us by auto, %.0f us by %s", c[0], c[1], got/1000, other/1000, m)
			}
		}
	}
}

// lastAxis chooses lines of several channels; images are convolved along both axes.
func lastAxis(c [2][]int) []int {
	if len(c[0]) == 2 && c[0][0] == c[1][0] {
		return []int{-1}
	}
	return nil
}

// Short filters are sums of products in one pass, without rounding where numbers are whole.
func TestConvolveShortIsExact(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.Arange(0.0, 60000, 1)
	k := nd.From([]float64{1, -2, 1}, 3)
	y := signal.Convolve{Mode: signal.Valid}.Apply(x.Mul(x), k)
	if err := nd.Eval(t.Context(), x, k); err != nil {
		t.Fatal(err)
	}
	got, err := nd.Slice[float64](t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if v != 2 { // the second difference of squares
			t.Fatal(fmt.Sprint("output ", i, " is ", v))
		}
	}
	if p, err := nd.Explain(signal.Convolve{Mode: signal.Valid}.Apply(x, k)); err != nil || p.Launches != 1 {
		t.Errorf("%v, %v", p, err)
	}
}

// Sums of more products than one pass takes are those of the definition, in lines and images, and
// have gradients.
func TestConvolveDirectInPasses(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, c := range [][2][]int{{{300}, {65}}, {{300}, {128}}, {{90}, {200}}, {{20, 30}, {9, 15}}, {{2, 2000}, {2, 1100}}} {
		x, k := nd.Normal(1, nd.Float64, c[0]...), nd.Normal(2, nd.Float64, c[1]...)
		if err := nd.Eval(t.Context(), x, k); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []signal.Mode{signal.Full, signal.Same, signal.Valid} {
			direct := signal.Convolve{Mode: mode, Method: signal.DirectMethod, Axes: lastAxis(c)}.Apply(x, k)
			other := signal.Convolve{Mode: mode, Method: signal.FFTMethod, Axes: lastAxis(c)}.Apply(x, k)
			near := nd.Close{Rel: 1e-12, Abs: 1e-10}
			if err := near.Check(t.Context(), direct, other); err != nil {
				t.Errorf("%v * %v, %s: %v", c[0], c[1], mode, err)
			}
			got, want := nd.Grad(direct.Mul(direct).Sum(), x, k), nd.Grad(other.Mul(other).Sum(), x, k)
			for i := range got {
				if err := (nd.Close{Rel: 1e-9, Abs: 1e-7}).Check(t.Context(), got[i], want[i]); err != nil {
					t.Errorf("%v * %v, %s: gradient %d: %v", c[0], c[1], mode, i, err)
				}
			}
		}
	}
}

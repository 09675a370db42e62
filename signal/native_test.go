package signal

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Native forms compute what the bodies do: checked launches run the bodies.
func TestNativeForms(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	both := func(name string, k *nd.Kernel, l nd.Launch) {
		t.Helper()
		native := k.Call(l)
		l.Check = true
		for i, body := range k.Call(l) {
			a, err := nd.Slice[float64](context.Background(), native[i].Cast(nd.Float64))
			if err != nil {
				t.Fatal(name, err)
			}
			b, err := nd.Slice[float64](context.Background(), body.Cast(nd.Float64))
			if err != nil {
				t.Fatal(name, err)
			}
			for j := range a {
				if math.Abs(a[j]-b[j]) > 1e-12 {
					t.Fatalf("%s: output %d: native %g, body %g at %d", name, i, a[j], b[j], j)
				}
			}
		}
	}
	for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
		for _, s := range [][3]int{{1, 1, 5}, {1, 3, 3}, {3, 1, 3}} {
			both("median", median, nd.Launch{Inputs: []*nd.Array{nd.Normal(1, dt, 2*3*4, 9)}, Shapes: [][]int{{2 * 3 * 4, 9}}, Whole: true,
				Grid: [3]int{9, 2 * 3 * 4}, Threadgroup: [3]int{9},
				Template: map[string]any{"D0": 3, "D1": 4, "D2": 9, "S0": s[0], "S1": s[1], "S2": s[2], "T": dt}})
		}
		both("adaptive", adaptive, nd.Launch{Inputs: []*nd.Array{nd.Uniform(3, dt, 2, 3, 20), nd.From([]float64{1, 0.9, 0.5, 0, 0.1, 0.5, 0x1p-20}).Cast(dt), nd.From([]float64{1, 100}).Cast(dt)},
			Shapes: [][]int{{2, 20}}, Whole: true, Grid: [3]int{20, 2}, Threadgroup: [3]int{20}, Template: map[string]any{"K": 3, "F": 20, "T": dt}})
		for back := range 2 {
			both("recurse_complex", recurseComplex, nd.Launch{Inputs: []*nd.Array{nd.Normal(3, dt, 3, 20, 2), nd.Normal(2, nd.Float64, 2, 4, 2).MulScalar(0.2), nd.Normal(4, nd.Float64, 3, 3, 2)},
				Shapes: [][]int{{3, 20, 2}, {3, 3, 2}}, DTypes: []nd.DType{dt, nd.Float64}, Grid: [3]int{3}, Threadgroup: [3]int{2}, Whole: true,
				Template: map[string]any{"T": dt, "LINES": 2, "BACK": back}})
		}
		for _, taps := range []int{2, 7, 40} { // fewer and more than there are samples, and groups that hold samples and states
			both("fir", fir, nd.Launch{Inputs: []*nd.Array{nd.Normal(3, dt, 3, 20), nd.Normal(2, nd.Float64, taps), nd.Normal(4, nd.Float64, 3, taps-1)},
				Shapes: [][]int{{3, 20}, {3, taps - 1}}, DTypes: []nd.DType{dt, nd.Float64}, Grid: [3]int{20 + taps - 1, 3},
				Threadgroup: [3]int{20 + taps - 1}, Whole: true, Template: map[string]any{"T": dt}})
		}
		for lines := 1; lines <= 11; lines += 5 {
			for order := 1; order <= 5; order += 2 {
				c := nd.Normal(2, nd.Float64, 2, 2, order+1).MulScalar(0.2)
				for _, k := range []*nd.Kernel{recurse, recurseBack} {
					both(k.Name, k, nd.Launch{Inputs: []*nd.Array{nd.Normal(3, dt, lines, 20), c, nd.Normal(4, nd.Float64, lines, 2*order)},
						Shapes: [][]int{{lines, 20}, {lines, 2 * order}}, DTypes: []nd.DType{dt, nd.Float64},
						Grid: [3]int{lines}, Threadgroup: [3]int{min(lines, lanes)}, Whole: true, Template: map[string]any{"T": dt, "LINES": min(lines, lanes)}})
				}
			}
		}
	}
}

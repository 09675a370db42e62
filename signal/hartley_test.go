package signal_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// cas is the definition: the sum of x[j] (cos + sin)(2 pi j k / n).
func cas(x []float64) []float64 {
	n := len(x)
	out := make([]float64, n)
	for k := range out {
		for j, v := range x {
			sin, cos := math.Sincos(2 * math.Pi * float64(j*k%n) / float64(n))
			out[k] += v * (cos + sin)
		}
	}
	return out
}

func TestHartley(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, n := range []int{1, 2, 3, 4, 5, 8, 12, 31, 64} {
		x := nd.Normal(1, nd.Float64, 2, n)
		host, err := nd.Slice[float64](t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		want := nd.From(append(cas(host[:n]), cas(host[n:])...), 2, n)
		near := nd.Close{Rel: 1e-13, Abs: 1e-13}
		if err := near.Check(t.Context(), signal.Hartley{}.Apply(x), want); err != nil {
			t.Errorf("%d elements: %v", n, err)
		}
		for _, norm := range []nd.Norm{nd.Backward, nd.Ortho, nd.Forward} {
			h := signal.Hartley{Norm: norm}
			if err := near.Check(t.Context(), h.Inverse(h.Apply(x)), x); err != nil {
				t.Errorf("%d elements, norm %v, there and back: %v", n, norm, err)
			}
		}
	}
}

// The matrix is symmetric: the gradient of a product with y is the transform of y.
func TestHartleyGradient(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x, y := nd.Normal(1, nd.Float64, 3, 10), nd.Normal(2, nd.Float64, 3, 10)
	g := nd.Grad(signal.Hartley{}.Apply(x).Mul(y).Sum(), x)
	if err := (nd.Close{Rel: 1e-12, Abs: 1e-12}).Check(t.Context(), g[0], signal.Hartley{}.Apply(y)); err != nil {
		t.Error(err)
	}
}

func TestHartleyOptions(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.Normal(1, nd.Float64, 6, 3)
	near := nd.Close{Rel: 1e-13, Abs: 1e-13}
	cut := signal.Hartley{N: 4, Axis: nd.Axis(0)}.Apply(x)
	want := signal.Hartley{}.Apply(x.SliceAxis(0, nd.Range{Stop: 4}).Transpose()).Transpose()
	if err := near.Check(t.Context(), cut, want); err != nil {
		t.Error(err)
	}
	for what, y := range map[string]*nd.Array{
		"negative":  signal.Hartley{N: -1}.Apply(x),
		"norm":      signal.Hartley{Norm: 9}.Apply(x),
		"axis":      signal.Hartley{Axis: nd.Axis(2)}.Apply(x),
		"complex":   signal.Hartley{}.Apply(nd.Complex(x, x)),
		"integers":  signal.Hartley{}.Inverse(x.Cast(nd.Int32)),
		"no values": signal.Hartley{}.Apply(nd.Zeros(nd.Float32, 2, 0)),
	} {
		if y.Err() == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// What is before and behind it is of the same launch.
func TestHartleyFuses(t *testing.T) {
	x := nd.Normal(1, nd.Float32, 64, 256)
	if err := nd.Eval(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	plan, err := nd.Explain(signal.Hartley{Norm: nd.Ortho}.Apply(x.MulScalar(2)).Abs())
	if err != nil || plan.Launches > 2 {
		t.Errorf("%v\n%s", err, plan)
	}
}

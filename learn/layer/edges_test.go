package layer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/nd"
)

// Where a function has a corner, gradients are torch's.
func TestGradientsOfCorners(t *testing.T) {
	testdevice.NeedsFloat64(t)
	nan, inf := math.NaN(), math.Inf(1)
	pool := layer.Pool{Size: []int{3}}
	for name, c := range map[string]struct {
		f                  func(x *nd.Array) *nd.Array
		x, want, gradients []float64
	}{
		"relu":           {layer.ReLU, []float64{-1, 0, 2, nan}, []float64{0, 0, 2, nan}, []float64{0, 0, 1, 1}},
		"max of equals":  {pool.Max, []float64{0, 0, 0, 1, 2, 2}, []float64{0, 2}, []float64{1, 0, 0, 0, 1, 0}},
		"max with NaN":   {pool.Max, []float64{1, nan, 5, nan, 1, 5}, []float64{nan, nan}, []float64{0, 1, 0, 1, 0, 0}},
		"max with infs":  {pool.Max, []float64{-inf, -inf, -inf, inf, nan, 0}, []float64{-inf, nan}, []float64{1, 0, 0, 0, 1, 0}},
		"max of the end": {pool.Max, []float64{1, 2, 3}, []float64{3}, []float64{0, 0, 1}},
	} {
		x := nd.From(c.x, 1, 1, len(c.x))
		got, gradients := slice(t, c.f(x)), slice(t, nd.Grad(c.f(x).Sum(), x)[0])
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.EqualFunc(got, c.want, same) || !slices.Equal(gradients, c.gradients) {
			t.Errorf("%s: %v and gradients %v, want %v and %v", name, got, gradients, c.want, c.gradients)
		}
	}
}

// A query that a mask leaves no key, as those of padding, gets zeros, and no gradient.
func TestAttentionOfNothing(t *testing.T) {
	testdevice.NeedsFloat64(t)
	q := nd.From([]float64{1, 2, -1, 0.5}, 2, 2)
	sees := nd.From([]bool{true, true, false, false}, 2, 2)
	for name, mask := range map[string]*nd.Array{"bool": sees, "float": nd.Where(sees, nd.Zeros(nd.Float64, 2, 2), math.Inf(-1))} {
		y := layer.Attention{Mask: mask}.Apply(q, q, q)
		g := nd.Grad(y.Sum(), q)[0]
		one := layer.Attention{}.Apply(q.SliceAxis(0, nd.Head(1)), q, q)
		if got, want := slice(t, y), slice(t, one); !slices.Equal(got, append(want, 0, 0)) {
			t.Errorf("%s: %v, want %v and zeros", name, got, want)
		}
		for i, v := range slice(t, g) {
			if math.IsNaN(v) {
				t.Errorf("%s: gradient %d is NaN", name, i)
			}
		}
	}
}

// Squares of numbers of 16 bits are not computed in 16 bits.
func TestHalfTypes(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for kind, bound := range map[nd.DType]float64{nd.Float16: 1e-3, nd.BFloat16: 8e-3} {
		x := nd.Normal(1, nd.Float64, 2, 4, 20).MulScalar(3000).AddScalar(100).Cast(kind)
		w := nd.Normal(2, nd.Float64, 4, 2, 3).Cast(kind)
		for name, f := range map[string]func(x, w *nd.Array) *nd.Array{
			"layernorm": func(x, _ *nd.Array) *nd.Array { return layer.LayerNorm(x, nil, nil, 0) },
			"rmsnorm":   func(x, _ *nd.Array) *nd.Array { return layer.RMSNorm(x, nil, 0) },
			"groupnorm": func(x, w *nd.Array) *nd.Array {
				return layer.GroupNorm(x, 2, w.Flatten().SliceAxis(0, nd.Head(4)), nil, 0)
			},
			"batchnorm": func(x, _ *nd.Array) *nd.Array {
				_, mean, variance := layer.BatchNorm(x, nil, nil, 0)
				return layer.BatchNormWith(x, mean, variance, nil, nil, 0)
			},
			"pool":       func(x, _ *nd.Array) *nd.Array { return layer.Pool{Size: []int{4}}.Mean(x.MulScalar(4)) },
			"transposed": func(x, w *nd.Array) *nd.Array { return layer.Conv{Stride: []int{2}}.Transposed(x, w, nil) },
		} {
			y := f(x, w)
			if y.DType() != kind {
				t.Errorf("%s of %s is %s", name, kind, y.DType())
			}
			got, want := slice(t, y.Cast(nd.Float64)), slice(t, f(x.Cast(nd.Float64), w.Cast(nd.Float64)))
			top := 0.0
			for _, v := range want {
				top = max(top, math.Abs(v))
			}
			for i, v := range want {
				if e := math.Abs(got[i] - v); !(e <= bound*top) {
					t.Errorf("%s of %s: element %d is %g, want %g", name, kind, i, got[i], v)
					break
				}
			}
		}
	}
}

// Labels and indices are counted from 0: none is counted from the end.
func TestNegativeIndices(t *testing.T) {
	x := nd.Ones(nd.Float32, 2, 3)
	for name, y := range map[string]*nd.Array{"label": layer.CrossEntropy(x, nd.From([]int64{0, -1})), "index": layer.Embedding(x, nd.From([]int32{-2}))} {
		if err := nd.Eval(t.Context(), y); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("%s: %v, want it out of range", name, err)
		}
	}
}

// The gradient of cross entropy is stored once, by the step that adds what goes through the labels: it was
// two arrays and a mask of the logits' size.
func TestCrossEntropyGradientIsStoredOnce(t *testing.T) {
	x := nd.Normal(1, nd.Float32, 512, 1024)
	if err := nd.Eval(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	p, err := nd.Explain(nd.Grad(layer.CrossEntropy(x, nd.Zeros(nd.Int64, 512)), x)...)
	if err != nil {
		t.Fatal(err)
	}
	if size := 4 * 512 * 1024; p.MemoryBytes > size+size/16 {
		t.Errorf("%d bytes:\n%s", p.MemoryBytes, p)
	}
}

// A convolution with one filter stores no windows where those with more do not: they would be 18 MiB.
func TestOneFilterStoresNoWindows(t *testing.T) {
	testdevice.NotOnGPU(t, "GPUs store windows")
	x, w := nd.Normal(1, nd.Float32, 16, 16, 34, 66), nd.Normal(2, nd.Float32, 1, 16, 3, 3)
	if err := nd.Eval(t.Context(), x, w); err != nil {
		t.Fatal(err)
	}
	p, err := nd.Explain(layer.Conv{}.Apply(x, w, nil))
	if err != nil {
		t.Fatal(err)
	}
	if p.MemoryBytes > 1<<20 {
		t.Errorf("%d bytes:\n%s", p.MemoryBytes, p)
	}
}

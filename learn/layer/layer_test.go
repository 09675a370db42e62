package layer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/nd"
)

func slice(t *testing.T, a *nd.Array) []float64 {
	t.Helper()
	v, err := nd.Slice[float64](t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The numbers were computed with NumPy and SciPy by the formulas of torch.nn.functional.
func TestValues(t *testing.T) {
	x := nd.From([]float64{1, -2, 0.5, 3, 0, -1}, 2, 3)
	w := nd.From([]float64{0.1, 0.2, 0.3, -1, 0, 1}, 2, 3)
	for _, c := range []struct {
		name string
		got  *nd.Array
		want []float64
	}{
		{"linear", layer.Linear(x, w, nd.From([]float64{10, 20})), []float64{9.85, 19.5, 10, 16}},
		{"linear without b", layer.Linear(x.Reshape(1, 2, 3), w, nil), []float64{-0.15, -0.5, 0, -4}},
		{"embedding", layer.Embedding(w, nd.From([]int64{1, 0, 1})), []float64{-1, 0, 1, 0.1, 0.2, 0.3, -1, 0, 1}},
		{"relu", layer.ReLU(x), []float64{1, 0, 0.5, 3, 0, 0}},
		{"softmax", layer.Softmax(x), []float64{0.6037489, 0.03005889, 0.36619222, 0.93623955, 0.04661262, 0.01714783}},
		{"softmax of an axis", layer.Softmax(x, 0).At(0), []float64{0.119203, 0.119203, 0.817574}},
		{"gelu", layer.GELU(x), []float64{0.841345, -0.045500, 0.345731, 2.995950, 0, -0.158655}},
		{"silu", layer.SiLU(x), []float64{0.731059, -0.238406, 0.311230, 2.857722, 0, -0.268941}},
		{"layernorm", layer.LayerNorm(x, nd.From([]float64{2, 1, 1}), nd.From([]float64{0, 0, 5}), 0), []float64{1.77799662, -1.39699734, 5.50799903, 2.74562114, -0.39223159, 4.01942102}},
		{"cross entropy", layer.CrossEntropy(x, nd.From([]int64{2, 0})), []float64{(1.0045969023 + 0.0658839038) / 2}},
		{"no overflow", layer.Softmax(nd.From([]float64{1000, 1000, -1000})), []float64{0.5, 0.5, 0}},
	} {
		got := slice(t, c.got)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i, w := range c.want {
			if math.Abs(got[i]-w) > 2e-6 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

func TestErrors(t *testing.T) {
	x := nd.Zeros(nd.Float32, 4, 3)
	for name, a := range map[string]*nd.Array{
		"nil":        layer.Linear(nil, x, nil),
		"shapes":     layer.Linear(x, nd.Zeros(nd.Float32, 2, 4), nil),
		"bias":       layer.Linear(x, nd.Zeros(nd.Float32, 2, 3), nd.Zeros(nd.Float32, 3)),
		"table":      layer.Embedding(nd.Zeros(nd.Float32, 4), nd.From([]int64{1})),
		"axis":       layer.Softmax(x, 2),
		"axes":       layer.Softmax(x, 0, 1),
		"labels":     layer.CrossEntropy(x, x),
		"eps":        layer.LayerNorm(x, nil, nil, -1),
		"a number":   layer.LayerNorm(nd.Scalar(1.0), nil, nil, 0),
		"gelu nil":   layer.GELU(nil),
		"relu error": layer.ReLU(x.Reshape(5)),
	} {
		if a.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A label or a token that is none, which is found while running, is an error of the line that
// called the layer, and not of a line in it.
func TestBadLabelsNameTheCaller(t *testing.T) {
	logits, labels := nd.Zeros(nd.Float32, 2, 4), nd.From([]int64{1, 4})
	for op, a := range map[string]*nd.Array{"gather": layer.CrossEntropy(logits, labels), "take": layer.Embedding(logits, labels)} {
		var e *nd.OpError
		if err := nd.Eval(t.Context(), a); !errors.As(err, &e) || e.Op != op || !strings.Contains(e.Site, "layer_test.go:") || !errors.As(err, new(*nd.IndexError)) {
			t.Errorf("%s: %v", op, err)
		}
	}
}

// A network of two layers learns which quadrant points are in.
func Example() {
	ctx := context.Background()
	x := nd.Normal(1, nd.Float32, 256, 2)
	right, upper := x.SliceAxis(1, nd.Head(1)).GreaterScalar(0), x.SliceAxis(1, nd.Tail(1)).GreaterScalar(0)
	labels := right.Cast(nd.Int32).Add(upper.Cast(nd.Int32).MulScalar(2)).Squeeze(1)
	if err := nd.Eval(ctx, x, labels); err != nil {
		panic(err)
	}
	logits := func(p []*nd.Array) *nd.Array {
		return layer.Linear(layer.GELU(layer.Linear(x, p[0], p[1])), p[2], p[3])
	}
	t := learn.Trainer{
		Params: []learn.Param{
			{Name: "w1", Value: nd.Normal(2, nd.Float32, 16, 2)}, {Name: "b1", Value: nd.Zeros(nd.Float32, 16)},
			{Name: "w2", Value: nd.Normal(3, nd.Float32, 4, 16).MulScalar(0.2)}, {Name: "b2", Value: nd.Zeros(nd.Float32, 4)},
		},
		Loss:      func(_ int, p []*nd.Array) *nd.Array { return layer.CrossEntropy(logits(p), labels) },
		Optimizer: learn.Adam{},
		Rate:      learn.Constant(0.05),
	}
	if err := t.Run(ctx, 100); err != nil {
		panic(err)
	}
	var params []*nd.Array
	for _, p := range t.Params {
		params = append(params, p.Value)
	}
	right01 := logits(params).ArgMax(-1).Equal(labels.Cast(nd.Int64)).Cast(nd.Float32).Mean()
	share, err := nd.Item[float32](ctx, right01)
	if err != nil {
		panic(err)
	}
	fmt.Println(share > 0.97)
	// Output: true
}

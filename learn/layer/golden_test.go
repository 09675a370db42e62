package layer_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/nd"
)

type numbers struct {
	Shape []int
	Data  []float64
}

// layers are the cases of testdata/make_goldens.py.
var layers = map[string]func(in []*nd.Array) *nd.Array{
	"conv1": func(in []*nd.Array) *nd.Array { return layer.Conv{}.Apply(in[0], in[1], in[2]) },
	"conv1 options": func(in []*nd.Array) *nd.Array {
		return layer.Conv{Stride: []int{2}, Padding: []int{3}, Dilation: []int{2}, Groups: 2}.Apply(in[0], in[1], in[2])
	},
	"conv1 dilation": func(in []*nd.Array) *nd.Array { return layer.Conv{Dilation: []int{3}}.Apply(in[0], in[1], nil) },
	"depthwise": func(in []*nd.Array) *nd.Array {
		return layer.Conv{Padding: []int{1}, Groups: 3}.Apply(in[0], in[1], in[2])
	},
	"conv2": func(in []*nd.Array) *nd.Array { return layer.Conv{Padding: []int{1}}.Apply(in[0], in[1], in[2]) },
	"conv2 options": func(in []*nd.Array) *nd.Array {
		return layer.Conv{Stride: []int{2, 1}, Padding: []int{0, 2}, Dilation: []int{1, 2}, Groups: 2}.Apply(in[0], in[1], nil)
	},
	"pointwise": func(in []*nd.Array) *nd.Array { return layer.Conv{}.Apply(in[0], in[1], nil) },
	"conv3": func(in []*nd.Array) *nd.Array {
		return layer.Conv{Stride: []int{2}, Padding: []int{1}}.Apply(in[0], in[1], nil)
	},
	"transposed1": func(in []*nd.Array) *nd.Array {
		return layer.Conv{Stride: []int{3}, Padding: []int{1}}.Transposed(in[0], in[1], in[2], 2)
	},
	"transposed1 options": func(in []*nd.Array) *nd.Array {
		return layer.Conv{Stride: []int{2}, Dilation: []int{3}, Groups: 2}.Transposed(in[0], in[1], nil)
	},
	"transposed2": func(in []*nd.Array) *nd.Array {
		return layer.Conv{Stride: []int{2, 3}, Padding: []int{1, 0}}.Transposed(in[0], in[1], in[2], 1, 2)
	},
	"max1": func(in []*nd.Array) *nd.Array {
		return layer.Pool{Size: []int{3}, Stride: []int{2}, Padding: []int{1}}.Max(in[0])
	},
	"max2": func(in []*nd.Array) *nd.Array { return layer.Pool{Size: []int{2, 3}}.Max(in[0]) },
	"mean1": func(in []*nd.Array) *nd.Array {
		return layer.Pool{Size: []int{4}, Stride: []int{3}, Padding: []int{2}}.Mean(in[0])
	},
	"mean2": func(in []*nd.Array) *nd.Array { return layer.Pool{Size: []int{2}}.Mean(in[0]) },
	"batchnorm": func(in []*nd.Array) *nd.Array {
		y, _, _ := layer.BatchNorm(in[0], in[1], in[2], 0)
		return y
	},
	"batchnorm 2": func(in []*nd.Array) *nd.Array {
		_, mean, variance := layer.BatchNorm(in[0], nil, nil, 0.1)
		return layer.BatchNormWith(in[0], mean, variance, nil, nil, 0.1)
	},
	"groupnorm": func(in []*nd.Array) *nd.Array { return layer.GroupNorm(in[0], 2, in[1], in[2], 0) },
	"rmsnorm":   func(in []*nd.Array) *nd.Array { return layer.RMSNorm(in[0], in[1], 0) },
	"softmax":   func(in []*nd.Array) *nd.Array { return layer.Softmax(in[0], 1) },
	"attention": func(in []*nd.Array) *nd.Array { return layer.Attention{}.Apply(in[0], in[1], in[2]) },
	"attention causal": func(in []*nd.Array) *nd.Array {
		return layer.Attention{Causal: true}.Apply(in[0], in[1], in[2])
	},
	"attention mask": func(in []*nd.Array) *nd.Array {
		return layer.Attention{Mask: in[3], Scale: 0.3}.Apply(in[0], in[1], in[2])
	},
	"gru": func(in []*nd.Array) *nd.Array { return layer.GRU(in[0], in[1], in[2], in[3], in[4], in[5]) },
	"lstm": func(in []*nd.Array) *nd.Array {
		y, _ := layer.LSTM(in[0], in[1], in[2], in[3], in[4], in[5], in[6])
		return y
	},
}

func TestGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	var cases []struct {
		Name   string
		Inputs []numbers
		Shape  []int
		Result []float64
		Grads  [][]float64
	}
	text, err := os.ReadFile("testdata/layers.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != len(layers) {
		t.Errorf("%d cases, %d layers", len(cases), len(layers))
	}
	near := func(t *testing.T, what string, a *nd.Array, want []float64) {
		t.Helper()
		got := slice(t, a)
		if len(got) != len(want) {
			t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-11*(1+math.Abs(want[i]))) {
				t.Fatalf("%s: element %d is %.15g, want %.15g", what, i, got[i], want[i])
			}
		}
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var in []*nd.Array
			for _, v := range c.Inputs {
				in = append(in, nd.From(v.Data, v.Shape...))
			}
			y := layers[c.Name](in)
			if y.Err() != nil || !slices.Equal(y.Shape(), c.Shape) {
				t.Fatalf("%v of shape %v, want %v", y.Err(), y.Shape(), c.Shape)
			}
			near(t, "result", y, c.Result)
			y = layers[c.Name](in) // what was read has no history
			sum := y.Flatten().Mul(nd.Arange(0.0, float64(y.Len()), 1).Cos()).Sum()
			for i, g := range nd.Grad(sum, in...) {
				near(t, "gradient "+string(rune('0'+i)), g, c.Grads[i])
			}
		})
	}
}

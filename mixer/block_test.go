package mixer

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

type tensor struct {
	Shape  []int
	Values []float64
}

func (t tensor) array(d nd.DType) *nd.Array { return nd.From(t.Values, t.Shape...).Cast(d) }

// golden is a case of testdata/goldens.json, written by make_goldens.py.
type golden struct {
	Name                             string
	Width, Length, Order, Layers     int
	Embedding                        int
	Bidirectional, Residual, Centred bool
	Params                           map[string]tensor
	Input, Output                    tensor
}

func (g golden) block(t nd.DType) Block {
	b := Block{Width: g.Width, Length: g.Length, Order: g.Order, Layers: g.Layers, Embedding: g.Embedding,
		Bidirectional: g.Bidirectional, Residual: g.Residual, Short: Causal, DType: t}
	if g.Centred {
		b.Short = Centred
	}
	return b
}

func goldens(t *testing.T) []golden {
	raw, err := os.ReadFile("testdata/goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []golden }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

func values(params []learn.Param) []*nd.Array {
	list := make([]*nd.Array, len(params))
	for i, p := range params {
		list[i] = p.Value
	}
	return list
}

// TestGoldens compares with the block in NumPy, largest error over largest value.
func TestGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, g := range goldens(t) {
		for dtype, bar := range map[nd.DType]float64{nd.Float32: 1e-5, nd.Float64: 1e-12} {
			t.Run(fmt.Sprintf("%s %s", g.Name, dtype), func(t *testing.T) {
				b := g.block(dtype)
				params, err := b.Init(1)
				if err != nil {
					t.Fatal(err)
				}
				if len(params) != len(g.Params) {
					t.Fatalf("%d parameters, NumPy has %d", len(params), len(g.Params))
				}
				for i, p := range params {
					params[i].Value = g.Params[p.Name].array(dtype)
				}
				y := b.Apply(values(params), g.Input.array(dtype)).Cast(nd.Float64)
				got, err := nd.Slice[float64](context.Background(), y)
				if err != nil {
					t.Fatal(err)
				}
				var worst, scale float64
				for i, w := range g.Output.Values {
					worst, scale = max(worst, math.Abs(got[i]-w)), max(scale, math.Abs(w))
				}
				if !(worst <= bar*scale) {
					t.Errorf("error %.3g of %.3g", worst, scale)
				}
			})
		}
	}
}

// TestCausality changes the last position, which no other one sees in a causal
// block and every one in a bidirectional one.
func TestCausality(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, both := range []bool{false, true} {
		b := Block{Width: 3, Length: 12, Bidirectional: both, Residual: true, DType: nd.Float64}
		params, err := b.Init(5)
		if err != nil {
			t.Fatal(err)
		}
		u := nd.Normal(2, nd.Float64, 1, 12, 3)
		changed := nd.Concat(1, u.SliceAxis(1, nd.Range{Stop: 11}), u.SliceAxis(1, nd.Range{Start: 11, Stop: 12}).AddScalar(1))
		d := b.Apply(values(params), u).Sub(b.Apply(values(params), changed)).Abs().Max(0, 2)
		moved, err := nd.Slice[float64](context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range moved[:11] {
			if (m > 1e-9) != both {
				t.Errorf("bidirectional %t: position %d moved by %g", both, i, m)
			}
		}
		if moved[11] < 1e-6 {
			t.Errorf("the position itself moved by %g", moved[11])
		}
	}
}

// TestGradient compares the gradient by every parameter with the change of the
// loss along it.
func TestGradient(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, b := range []Block{
		{Width: 3, Length: 9, DType: nd.Float64},
		{Width: 2, Length: 8, Bidirectional: true, Residual: true, DType: nd.Float64},
	} {
		params, err := b.Init(3)
		if err != nil {
			t.Fatal(err)
		}
		p := values(params)
		u := nd.Normal(4, nd.Float64, 2, 7, b.Width)
		loss := func(p []*nd.Array, u *nd.Array) *nd.Array { return b.Apply(p, u).Tanh().AbsSquared().Sum() }
		all := append(append([]*nd.Array(nil), p...), u)
		grads := nd.Gradient{Strict: true}.Of(loss(p, u), all...)
		for i := range all {
			name := "input"
			if i < len(params) {
				name = params[i].Name
			}
			slope, err := nd.Item[float64](ctx, grads[i].AbsSquared().Sum())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			h := 1e-4 / math.Sqrt(slope)
			at := func(step float64) float64 {
				moved := append([]*nd.Array(nil), all...)
				moved[i] = moved[i].Add(grads[i].MulScalar(step))
				l, err := nd.Item[float64](ctx, loss(moved[:len(p)], moved[len(p)]))
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
			if got := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h); math.Abs(got-slope) > 1e-6*max(slope, 1e-2) {
				t.Errorf("%s: the loss changes by %.9g along a gradient of squared length %.9g", name, got, slope)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	b := Block{Width: 4, Length: 8}
	params, err := b.Init(1)
	if err != nil {
		t.Fatal(err)
	}
	p := values(params)
	u := nd.Zeros(nd.Float32, 2, 8, 4)
	swapped := append([]*nd.Array{p[1], p[0]}, p[2:]...)
	elsewhere, err := nd.Open("null")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		got  *nd.Array
		want string
	}{
		{"no width", Block{}.Apply(p, u), "mixer: apply: width 0, want at least 1"},
		{"even embedding", Block{Width: 4, Embedding: 4}.Apply(p, u), "mixer: apply: embedding 4, want an odd number"},
		{"integers", Block{Width: 4, DType: nd.Int32}.Apply(p, u), "mixer: apply: dtype int32"},
		{"channels", b.Apply(p, nd.Zeros(nd.Float32, 2, 8, 5)), "mixer: apply: input of shape [2 8 5], want (..., length, 4)"},
		{"too long", b.Apply(p, nd.Zeros(nd.Float32, 9, 4)), "mixer: apply: 9 positions, want 1 to 8"},
		{"no positions", b.Apply(p, nd.Zeros(nd.Float32, 0, 4)), "mixer: apply: 0 positions, want 1 to 8"},
		{"dtype", b.Apply(p, u.Cast(nd.Float64)), "mixer: apply: input is float64, the block float32"},
		{"few parameters", b.Apply(p[1:], u), "mixer: apply: 14 parameters, want 15"},
		{"order of parameters", b.Apply(swapped, u), "mixer: apply: parameter in.weight is float32 [12], want float32 [4 12]"},
		{"failed input", b.Apply(p, u.Add(nd.Zeros(nd.Float32, 3))), "nd: add:"},
		{"nil input", b.Apply(p, nil), "mixer: apply: nd: nil Array"},
		{"nil parameter", b.Apply(append([]*nd.Array{nil}, p[1:]...), u), "mixer: apply: parameter in.weight: nd: nil Array"},
		{"two devices", b.Apply(p, u.On(elsewhere.Stream())), "mixer: apply: nd: matmul: operands are on different devices"},
		{"taps", first(b.Filter(p, 9)), "mixer: filter: 9 taps, want 1 to 8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.got.Err(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
	if _, err := (Block{Width: -1}).Init(1); err == nil {
		t.Error("a width of -1 was accepted")
	}
}

func first(a, _ *nd.Array) *nd.Array { return a }

// A block works where its parameters are, and copies nothing there.
func TestOnAnotherDevice(t *testing.T) {
	dev, err := nd.Open("null")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []Block{{Width: 4, Length: 16}, {Width: 4, Length: 16, Bidirectional: true, Residual: true}} {
		params, err := b.Init(1)
		if err != nil {
			t.Fatal(err)
		}
		u := nd.Normal(2, nd.Float32, 3, 16, 4).On(dev.Stream())
		all := []*nd.Array{u}
		for _, p := range params {
			all = append(all, p.Value.On(dev.Stream()))
		}
		if err := nd.Eval(t.Context(), all...); err != nil {
			t.Fatal(err)
		}
		value, grads := nd.ValueAndGrad(b.Apply(all[1:], u).AbsSquared().Mean(), all...)
		plan, err := nd.Explain(append(grads, value)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, note := range plan.Notes {
			if strings.Contains(note, "copied") {
				t.Errorf("%+v: %s", b, note)
			}
		}
	}
}

func ExampleBlock() {
	b := Block{Width: 8, Length: 32}
	params, err := b.Init(nd.Key(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := make([]*nd.Array, len(params))
	for i := range p {
		p[i] = params[i].Value
	}
	y := b.Apply(p, nd.Normal(2, nd.Float32, 4, 32, 8))
	fmt.Println(y.Shape(), y.Err())
	// Output: [4 32 8] <nil>
}

func ExampleBlock_Filter() {
	b := Block{Width: 8, Length: 32, Bidirectional: true}
	params, err := b.Init(nd.Key(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := make([]*nd.Array, len(params))
	for i := range p {
		p[i] = params[i].Value
	}
	before, after := b.Filter(p, 32)
	fmt.Println(before.Shape(), after.Shape())
	// Output: [8 32] [8 32]
}

// TestWithoutFloat64 runs a block and its gradients on a device that has no float64, in
// which positions are computed elsewhere.
func TestWithoutFloat64(t *testing.T) {
	testdevice.NeedsFloat64(t) // the CPU is to be the CPU
	adapter, err := nd.Open("webgpu:0")
	if err != nil {
		t.Skip(err)
	}
	if adapter.Has(nd.Float64) {
		t.Fatalf("%v has float64", adapter)
	}
	b := Block{Width: 4, Length: 16}
	params, err := b.Init(1)
	if err != nil {
		t.Fatal(err)
	}
	results := func(d *nd.Device) (out [][]float32) {
		place := func(a *nd.Array) *nd.Array { return a.On(d.Stream()) }
		u := place(nd.Normal(2, nd.Float32, 3, 16, 4))
		var values []*nd.Array
		for _, p := range params {
			values = append(values, place(p.Value))
		}
		l, grads := nd.ValueAndGrad(b.Apply(values, u).AbsSquared().Mean(), append(values, u)...)
		for _, a := range append(grads, l) {
			v, err := nd.Slice[float32](t.Context(), a)
			if err != nil {
				t.Fatalf("%v: %v", d, err)
			}
			out = append(out, v)
		}
		return out
	}
	want := results(nd.CPU())
	for i, got := range results(adapter) {
		for j, v := range got {
			if math.Abs(float64(v-want[i][j])) > 1e-5*(1+math.Abs(float64(want[i][j]))) {
				t.Fatalf("result %d, element %d: %g, the CPU has %g", i, j, v, want[i][j])
			}
		}
	}
}

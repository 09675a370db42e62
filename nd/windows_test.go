package nd_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// windowed is products of filters with overlapping windows along the last axes of x.
type windowed struct {
	lead, space     []int // of x: (lead..., channels, space...)
	channels, m     int
	groups          int
	taps, dilations []int
}

func (c windowed) arrays(t nd.DType) (x, w *nd.Array) {
	dims := append(append(append([]int(nil), c.lead...), c.groups*c.channels), c.space...)
	k := c.channels
	for _, n := range c.taps {
		k *= n
	}
	return nd.Normal(1, t, dims...), nd.Normal(2, t, c.groups, c.m, k)
}

func (c windowed) shape(out []int, x *nd.Array) []int {
	dims := append(append([]int(nil), c.lead...), c.groups)
	rest := 1
	for i, n := range c.taps {
		rest *= n
		out[i] = c.space[i] - (n-1)*c.dilations[i]
	}
	return append(dims, c.channels*rest, -1)
}

// frames is the product by views.
func (c windowed) frames(x, w *nd.Array) *nd.Array {
	out := make([]int, len(c.taps))
	dims := c.shape(out, x)
	n := len(c.lead) + 1
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := range c.taps {
		x = x.Frames(out[i], c.dilations[i], n+2*i)
		order = append(order, n+2*i)
	}
	for i := range c.taps {
		order = append(order, n+2*i+1)
	}
	return w.MatMul(x.Transpose(order...).Reshape(dims...))
}

// stacked is the same product, of a copy of what each tap meets.
func (c windowed) stacked(x, w *nd.Array) *nd.Array {
	out := make([]int, len(c.taps))
	dims := c.shape(out, x)
	n := len(c.lead) + 1
	parts := []*nd.Array{x}
	for i, taps := range c.taps {
		var next []*nd.Array
		for _, p := range parts {
			for tap := range taps {
				from := tap * c.dilations[i]
				next = append(next, p.SliceAxis(n+i, nd.Between(from, from+out[i])))
			}
		}
		parts = next
	}
	return w.MatMul(nd.Stack(n, parts...).Reshape(dims...))
}

// Products with windows have the values and the first and second gradients of products with copies of them.
func TestProductsWithWindows(t *testing.T) {
	for _, c := range []windowed{
		{lead: []int{2}, space: []int{7, 9}, channels: 9, m: 5, groups: 1, taps: []int{3, 2}, dilations: []int{1, 1}},
		{lead: []int{2}, space: []int{7, 9}, channels: 8, m: 16, groups: 2, taps: []int{2, 3}, dilations: []int{2, 3}},
		{lead: []int{3}, space: []int{70}, channels: 8, m: 3, groups: 1, taps: []int{5}, dilations: []int{4}},
		{lead: []int{2, 2}, space: []int{40}, channels: 10, m: 2, groups: 1, taps: []int{39}, dilations: []int{1}}, // more taps than positions
		{lead: []int{1}, space: []int{4, 5, 6}, channels: 8, m: 8, groups: 1, taps: []int{2, 3, 2}, dilations: []int{1, 2, 1}},
		{lead: []int{2}, space: []int{6, 6}, channels: 2, m: 30, groups: 1, taps: []int{3, 3}, dilations: []int{1, 1}}, // gradients by parts
		{lead: []int{2}, space: []int{5, 6}, channels: 8, m: 1, groups: 1, taps: []int{3, 3}, dilations: []int{1, 1}},
		{lead: nil, space: []int{5, 6}, channels: 8, m: 4, groups: 1, taps: []int{1, 1}, dilations: []int{1, 1}},
		{lead: []int{2}, space: []int{3, 300}, channels: 8, m: 4, groups: 1, taps: []int{3, 3}, dilations: []int{1, 1}}, // one row of positions
	} {
		for _, dt := range []nd.DType{nd.Float32, nd.Float64} {
			if dt == nd.Float64 && !testdevice.HasFloat64() {
				continue
			}
			t.Run(fmt.Sprintf("%v of %+v", dt, c), func(t *testing.T) {
				x, w := c.arrays(dt)
				all := func(f func(x, w *nd.Array) *nd.Array) []*nd.Array {
					y := f(x, w)
					list := append([]*nd.Array{y}, nd.Grad(y.Sin().Sum(), x, w)...)
					var sum *nd.Array
					for _, g := range list[1:] {
						if s := g.Mul(g).Sum(); sum == nil {
							sum = s
						} else {
							sum = sum.Add(s)
						}
					}
					return append(list, nd.Grad(sum, x, w)...)
				}
				got, want := all(c.frames), all(c.stacked)
				for i, name := range []string{"value", "gradient by x", "gradient by w", "second by x", "second by w"} {
					scale, err := realItem(t, want[i].Abs().Max())
					if err != nil {
						t.Fatal(err)
					}
					off, err := realItem(t, got[i].Sub(want[i]).Abs().Max())
					eps := map[nd.DType]float64{nd.Float32: 0x1p-23, nd.Float64: 0x1p-52}[dt]
					if err != nil || !(off <= 64*eps*math.Max(scale, 1)) {
						t.Errorf("%s: %g off, %v, of numbers up to %g", name, off, err, scale)
					}
				}
			})
		}
	}
}

// realItem is a number of either type, read as such: not all devices cast to float64.
func realItem(t *testing.T, a *nd.Array) (float64, error) {
	if a.DType() == nd.Float64 {
		return nd.Item[float64](t.Context(), a)
	}
	v, err := nd.Item[float32](t.Context(), a)
	return float64(v), err
}

// A product has the same bits whether its windows are views, are stored beside it, or were before: also one with
// a single row, which is a sum in the order in which its factors lie.
func TestWindowsKeepBits(t *testing.T) {
	for _, m := range []int{1, 2, 13} {
		c := windowed{lead: []int{2}, space: []int{40, 50}, channels: 5, m: m, groups: 1, taps: []int{3, 3}, dilations: []int{1, 1}}
		x, w := c.arrays(nd.Float32)
		if err := nd.Eval(t.Context(), x, w); err != nil {
			t.Fatal(err)
		}
		product := func() (windows, y *nd.Array) {
			windows = x.Frames(38, 1, 2).Frames(48, 1, 4).Transpose(0, 1, 2, 4, 3, 5).Reshape(2, 45, -1)
			return windows, w.Reshape(m, -1).MatMul(windows)
		}
		_, alone := product()
		windows, beside := product()
		before, behind := product()
		for _, list := range [][]*nd.Array{{alone}, {beside, windows}, {before}, {behind}} {
			if err := nd.Eval(t.Context(), list...); err != nil {
				t.Fatal(err)
			}
		}
		for i, y := range []*nd.Array{beside, behind} {
			if same, err := nd.Item[bool](t.Context(), y.Equal(alone).All()); err != nil || !same {
				t.Errorf("%d rows, windows stored %s: the same bits is %t, %v", m, []string{"beside", "before"}[i], same, err)
			}
		}
	}
}

// Windows are not stored, for values or gradients.
func TestWindowsAreNotStored(t *testing.T) {
	c := windowed{lead: []int{16}, space: []int{32, 64}, channels: 16, m: 32, groups: 1, taps: []int{3, 3}, dilations: []int{1, 1}}
	x, w := c.arrays(nd.Float32)
	if err := nd.Eval(t.Context(), x, w); err != nil {
		t.Fatal(err)
	}
	y := c.frames(x, w)
	p, err := nd.Explain(append(nd.Grad(y.Mul(y).Sum(), x, w), y)...)
	if err != nil {
		t.Fatal(err)
	}
	if p.MemoryBytes > 40<<20 {
		t.Errorf("%d bytes: windows of 16 channels are 18 MiB, of 32 channels 36 MiB:\n%s", p.MemoryBytes, p)
	}
}

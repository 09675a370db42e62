package mixer

import (
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// spec is a parameter: its name, its shape, and how it starts.
type spec struct {
	name  string
	shape []int
	start func(k nd.Key, t nd.DType, shape []int) *nd.Array
}

// specs lists the parameters of a filled block, in the order of Init.
func (b Block) specs() []spec {
	d := b.Width
	list := []spec{
		{"in.weight", []int{d, 3 * d}, uniform(d)},
		{"in.bias", []int{3 * d}, uniform(d)},
		{"short.weight", []int{3 * d, 3}, uniform(3)},
		{"short.bias", []int{3 * d}, uniform(3)},
	}
	filter := func(name string) {
		list = append(list, spec{name + ".frequency", []int{b.Order}, constant(b.Frequency)})
		from := b.Embedding
		for layer := range b.Layers + 1 {
			at := fmt.Sprintf("%s.%d", name, layer)
			list = append(list, spec{at + ".weight", []int{from, b.Order}, uniform(from)}, spec{at + ".bias", []int{b.Order}, uniform(from)})
			from = b.Order
		}
		list = append(list, spec{name + ".out.weight", []int{from, d}, uniform(from)})
	}
	names := []string{"filter"}
	if b.Residual {
		names = append(names, "residual")
	}
	for _, name := range names {
		filter(name)
		if b.Bidirectional {
			filter(name + ".reverse")
		}
		list = append(list, spec{name + ".skip", []int{d}, normal})
	}
	return append(list,
		spec{"out.weight", []int{d, d}, uniform(d)},
		spec{"out.bias", []int{d}, uniform(d)})
}

// uniform draws between -1 and 1 over the root of the number of inputs.
func uniform(inputs int) func(nd.Key, nd.DType, []int) *nd.Array {
	bound := 1 / math.Sqrt(float64(inputs))
	return func(k nd.Key, t nd.DType, shape []int) *nd.Array {
		return nd.Uniform(k, t, shape...).MulScalar(2 * bound).SubScalar(bound)
	}
}

func normal(k nd.Key, t nd.DType, shape []int) *nd.Array { return nd.Normal(k, t, shape...) }

func constant(v float64) func(nd.Key, nd.DType, []int) *nd.Array {
	return func(_ nd.Key, t nd.DType, shape []int) *nd.Array { return nd.Full(v, t, shape...) }
}

// Init draws the parameters of a block to start from.
func (b Block) Init(key nd.Key) ([]learn.Param, error) {
	b, err := b.filled()
	if err != nil {
		return nil, fmt.Errorf("mixer: init: %w", err)
	}
	specs := b.specs()
	params := make([]learn.Param, len(specs))
	for i, k := range key.Split(len(specs)) {
		s := specs[i]
		params[i] = learn.Param{Name: s.name, Value: s.start(k, b.paramType(), s.shape)}
	}
	return params, nil
}

// named checks parameters and gives each its name.
func (b Block) named(params []*nd.Array) (map[string]*nd.Array, error) {
	specs := b.specs()
	if len(params) != len(specs) {
		return nil, fmt.Errorf("%s, want %d", counted.Of(len(params), "parameter"), len(specs))
	}
	p := make(map[string]*nd.Array, len(specs))
	for i, s := range specs {
		a := params[i]
		if err := a.Err(); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", s.name, err)
		}
		if !slices.Equal(a.Shape(), s.shape) || a.DType() != b.paramType() {
			return nil, fmt.Errorf("parameter %s is %s %v, want %s %v", s.name, a.DType(), a.Shape(), b.paramType(), s.shape)
		}
		p[s.name] = a
	}
	return p, nil
}

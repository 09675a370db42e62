package signal

import (
	"github.com/twiddle-go/twiddle/nd"
)

// A recursive filter goes from sample to sample, with states in float64. A CPU does
// lines at once. A GPU needs more at once than there are lines, so it also does
// blocks of a line at once (recurse_blocks.go).

// cascade is filters one behind the other, all of one order: coefficients of
// shape (sections, 2, order+1), those of inputs and then those of outputs.
type cascade struct {
	c               []float64
	sections, order int
	whole           bool // samples go one after another on every device, so that parts have the bits of one piece
}

func (c cascade) states() int { return c.sections * c.order }

// filter runs lines (..., samples) through the cascade from a state
// (..., states), or from rest if that is nil, and gives the state after them.
func (c cascade) filter(x, state *nd.Array) (y, end *nd.Array) {
	return inParts(func(x, state *nd.Array) (y, end *nd.Array) { return c.lines(recurse, x, state) }, x, state, c.states())
}

// inParts runs a filter of real coefficients from a state, or from rest if that is nil:
// of complex lines the parts each by itself.
func inParts(filter func(x, state *nd.Array) (y, end *nd.Array), x, state *nd.Array, states int) (y, end *nd.Array) {
	deep := nd.Float64
	if x.DType().IsComplex() {
		deep = nd.Complex128
	}
	if state == nil {
		shape := x.Shape()
		shape[len(shape)-1] = states
		state = nd.Zeros(deep, shape...).Beside(x)
	} else if state.DType() != deep {
		state = state.Cast(deep)
	}
	if x.Len() == 0 { // a batch without lines; a grid has a group in any case
		return x, state
	}
	if deep == nd.Float64 {
		return filter(x, state)
	}
	parts := func(z *nd.Array) *nd.Array { return nd.Stack(0, z.Real(), z.Imag()) }
	joined := func(r *nd.Array) *nd.Array { return nd.Complex(r.At(0), r.At(1)) }
	y, end = filter(parts(x), parts(state))
	return joined(y), joined(end)
}

// lines is a launch of recurse, or of its transpose.
func (c cascade) lines(k *nd.Kernel, x, state *nd.Array) (y, end *nd.Array) {
	n := x.Dim(-1)
	lines := x.Len() / n
	per := linesPerGroup(lines)
	call := func(in []*nd.Array) []*nd.Array {
		if b := (blockedCascade{c, k == recurseBack}); !onCPU(in[0]) && b.fits() {
			return b.lines(in[0].Reshape(lines, n), in[1].Reshape(lines, c.states()))
		}
		return k.Call(nd.Launch{
			Inputs: []*nd.Array{in[0].Reshape(lines, n), constant(c.c, in[1], c.sections, 2, c.order+1), in[1].Reshape(lines, c.states())},
			Shapes: [][]int{{lines, n}, {lines, c.states()}}, DTypes: []nd.DType{x.DType(), nd.Float64},
			Grid: [3]int{lines}, Threadgroup: [3]int{per}, Whole: true, Template: map[string]any{"T": x.DType(), "LINES": per},
		})
	}
	// The gradient of a linear map is its transpose, and the other way round.
	transposed := recurseBack
	if k == recurseBack {
		transposed = recurse
	}
	out := nd.Custom(call, func(_, _, grads []*nd.Array) []*nd.Array {
		dx, dstate := c.lines(transposed, grads[0], grads[1])
		return []*nd.Array{dx.Reshape(x.Shape()...), dstate.Reshape(state.Shape()...)}
	})(x, state)
	return out[0].Reshape(x.Shape()...), out[1].Reshape(state.Shape()...)
}

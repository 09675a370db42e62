package signal

import (
	"math/cmplx"

	"github.com/twiddle-go/twiddle/nd"
)

var recurseComplex = kernel("recurse_complex", []string{"x", "c", "zi"}, []string{"y", "zf"}, nativeRecurseComplex)

// recurseComplexLines is a launch of a filter with complex coefficients, or of its
// transpose: x is (lines, samples, 2), and the state (lines, order, 2).
func recurseComplexLines(b, a []complex128, x, state *nd.Array, back bool) (y, end *nd.Array) {
	c := make([]float64, 0, 4*len(b))
	for _, v := range append(append([]complex128{}, b...), a...) {
		c = append(c, real(v), imag(v))
	}
	lines, per := x.Dim(0), linesPerGroup(x.Dim(0))
	backwards := 0
	if back {
		backwards = 1
	}
	call := func(in []*nd.Array) []*nd.Array {
		return recurseComplex.Call(nd.Launch{
			Inputs: []*nd.Array{in[0], constant(c, in[1], 2, len(b), 2), in[1]},
			Shapes: [][]int{x.Shape(), state.Shape()}, DTypes: []nd.DType{x.DType(), nd.Float64},
			Grid: [3]int{lines}, Threadgroup: [3]int{per}, Whole: true, Template: map[string]any{"T": x.DType(), "LINES": per, "BACK": backwards},
		})
	}
	out := nd.Custom(call, func(_, _, grads []*nd.Array) []*nd.Array {
		dx, dstate := recurseComplexLines(b, a, grads[0], grads[1], !back)
		return []*nd.Array{dx, dstate}
	})(x, state)
	return out[0], out[1]
}

// nativeRecurseComplex is body/recurse_complex.
func nativeRecurseComplex(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		recurseComplexGroup[float64](g)
		return
	}
	recurseComplexGroup[float32](g)
}

func recurseComplexGroup[T float32 | float64](g *nd.Group) {
	lines, n := g.Inputs[0].Shape[0], g.Inputs[0].Shape[1]
	x, y := nd.Elements[T](g.Inputs[0]), nd.Elements[T](g.Outputs[0])
	zi, zf := nd.Elements[float64](g.Inputs[2]), nd.Elements[float64](g.Outputs[1])
	pairs := func(v []float64) []complex128 {
		z := make([]complex128, len(v)/2)
		for i := range z {
			z[i] = complex(v[2*i], v[2*i+1])
		}
		return z
	}
	c := pairs(nd.Elements[float64](g.Inputs[1]))
	b, a := c[:len(c)/2], c[len(c)/2:]
	order := len(b) - 1
	back := g.Constant("BACK") == 1
	if back {
		for i := range c {
			c[i] = cmplx.Conj(c[i])
		}
	}
	per := g.Constant("LINES")
	for l := g.Position[0] * per; l < min((g.Position[0]+1)*per, lines); l++ {
		if g.Context.Err() != nil {
			return
		}
		z := append(pairs(zi[2*l*order:2*(l+1)*order]), 0) // one more, which stays 0
		for s := range n {
			t := 2 * (l*n + s)
			if back {
				t = 2 * (l*n + n - 1 - s)
			}
			in := complex(float64(x[t]), float64(x[t+1]))
			var out complex128
			if back {
				for k := 1; k <= order; k++ {
					in -= a[k] * z[k-1]
				}
				out = b[0] * in
				for k := order; k > 0; k-- {
					out += b[k] * z[k-1]
					if k > 1 {
						z[k-1] = z[k-2]
					}
				}
				z[0] = in
			} else {
				out = b[0]*in + z[0]
				for k := 1; k <= order; k++ {
					z[k-1] = b[k]*in - a[k]*out + z[k]
				}
			}
			y[t], y[t+1] = T(real(out)), T(imag(out))
		}
		for k := range order {
			zf[2*(l*order+k)], zf[2*(l*order+k)+1] = real(z[k]), imag(z[k])
		}
	}
}

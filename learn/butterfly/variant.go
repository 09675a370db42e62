package butterfly

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// Pruned is the network without numbers below threshold, relative to the
// largest of their factor, and how many it has dropped. A factor whose pairs
// then do not mix any more is multiplied into its neighbour, so that there is
// less to do.
func (n *Network) Pruned(threshold float64) (pruned *Network, dropped int) {
	pruned = n.clone()
	per := 2 * n.N
	for k := range n.Spans {
		factor := pruned.W[k*per:][:per]
		most := largest(factor)
		for i, w := range factor {
			if w != 0 && cmplx.Abs(w) < threshold*most {
				factor[i] = 0
				dropped++
			}
		}
	}
	pruned.joinDiagonals()
	return pruned, dropped
}

// joinDiagonals multiplies factors that only scale into the next one, or the
// last into the one before.
func (n *Network) joinDiagonals() {
	n.Spans = slices.Clone(n.Spans)
	for k := 0; k < len(n.Spans) && len(n.Spans) > 1; {
		if !n.isDiagonal(k) {
			k++
			continue
		}
		scale := make([]complex128, n.N)
		n.eachPlace(k, func(p, r, place int) { scale[place] = n.W[n.at(k, r, r, p)] })
		if k+1 < len(n.Spans) {
			n.eachPlace(k+1, func(p, c, place int) {
				for r := range 2 {
					n.W[n.at(k+1, r, c, p)] *= scale[place]
				}
			})
		} else {
			n.eachPlace(k-1, func(p, r, place int) {
				for c := range 2 {
					n.W[n.at(k-1, r, c, p)] *= scale[place]
				}
			})
		}
		n.Spans = slices.Delete(n.Spans, k, k+1)
		n.W = slices.Delete(n.W, k*2*n.N, (k+1)*2*n.N)
	}
}

func (n *Network) isDiagonal(factor int) bool {
	for p := range n.N / 2 {
		if n.W[n.at(factor, 0, 1, p)] != 0 || n.W[n.at(factor, 1, 0, p)] != 0 {
			return false
		}
	}
	return true
}

// eachPlace calls f with the pair and the row or column of every place.
func (n *Network) eachPlace(factor int, f func(pair, side, place int)) {
	h := n.Spans[factor]
	for p := range n.N / 2 {
		i := p/h*2*h + p%h
		f(p, 0, i)
		f(p, 1, i+h)
	}
}

// Quantized is a network with numbers of 8 bits: a real and an imaginary part
// in steps of a scale that each factor has for itself.
type Quantized struct {
	Form
	Re, Im []uint8   // 128 is 0
	Scales []float64 // of each factor
}

// Quantize rounds the numbers.
func (n *Network) Quantize() *Quantized {
	q := &Quantized{Form: n.Form, Re: make([]uint8, len(n.W)), Im: make([]uint8, len(n.W))}
	per := 2 * n.N
	for k := range n.Spans {
		most := 0.0
		for _, w := range n.W[k*per:][:per] {
			most = max(most, math.Abs(real(w)), math.Abs(imag(w)))
		}
		scale := most / 127
		if scale == 0 {
			scale = 1
		}
		q.Scales = append(q.Scales, scale)
		for i, w := range n.W[k*per:][:per] {
			q.Re[k*per+i] = uint8(128 + math.RoundToEven(real(w)/scale))
			q.Im[k*per+i] = uint8(128 + math.RoundToEven(imag(w)/scale))
		}
	}
	return q
}

// Network is the network with the rounded numbers.
func (q *Quantized) Network() *Network {
	n := &Network{Form: q.Form, W: make([]complex128, len(q.Re))}
	per := 2 * q.N
	for i := range n.W {
		scale := q.Scales[i/per]
		n.W[i] = complex((float64(q.Re[i])-128)*scale, (float64(q.Im[i])-128)*scale)
	}
	return n
}

// Weights is the blocks as an array of t, made of the 8-bit numbers in the same
// plan as what uses them.
func (q *Quantized) Weights(t nd.DType) *nd.Array {
	shape := []int{len(q.Spans), 2, 2, q.N / 2}
	r := nd.Float32
	if t == nd.Complex128 || t == nd.Float64 {
		r = nd.Float64
	}
	scales := nd.From(q.Scales, len(q.Spans), 1, 1, 1).Cast(r)
	part := func(v []uint8) *nd.Array { return nd.From(v, shape...).Cast(r).SubScalar(128).Mul(scales) }
	if !t.IsComplex() {
		return part(q.Re)
	}
	return nd.Complex(part(q.Re), part(q.Im))
}

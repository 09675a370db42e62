package linalg

import "github.com/twiddle-go/twiddle/nd"

// toeplitzSolved solves with Toeplitz(c, r), with a gradient: by b it is y, a
// solution with the transpose, and by every diagonal the products of y and x
// along it.
func (k *calculation) toeplitzSolved(c, r, b *nd.Array) *nd.Array {
	forward := func(in []*nd.Array) []*nd.Array {
		return []*nd.Array{k.toeplitzRefined(in[0], in[1], in[2])}
	}
	backward := func(in, out, grads []*nd.Array) []*nd.Array {
		n := out[0].Dim(-1)
		corner := in[0].SliceAxis(-1, nd.Range{Stop: 1})
		first := nd.Concat(-1, corner, in[1].SliceAxis(-1, nd.Range{Start: 1, Stop: n})) // where they meet c counts
		y := k.toeplitzRefined(first, in[0], grads[0])
		size := fastLen(2*n - 1)
		along := backFrom(spectrumOf(y, size).Mul(spectrumOf(out[0], size).Conj()), y.DType(), size).Neg()
		column, rest := along.SliceAxis(-1, nd.Range{Stop: n}), along.SliceAxis(-1, nd.Range{Start: size - n + 1, Stop: size})
		row := nd.Concat(-1, nd.FullLike(column.SliceAxis(-1, nd.Range{Stop: 1}), 0), rest.Flip(-1)) // its first counts for nothing
		return []*nd.Array{summedTo(column, in[0]), summedTo(row, in[1]), summedTo(y, in[2])}
	}
	return differentiable(forward, backward, c, r, b)[0]
}

// toeplitzRefined solves with Toeplitz(c, r).
func (k *calculation) toeplitzRefined(c, r, b *nd.Array) *nd.Array {
	inverse := k.toeplitzInverse(c, r)
	x := inverse(b)
	return x.Add(inverse(b.Sub(toeplitzMul(c, r, x))))
}

// summedTo undoes broadcasting: a has the axes of like, and maybe more.
func summedTo(a, like *nd.Array) *nd.Array {
	return nd.Gradient{Seed: a}.Of(like.BroadcastTo(a.Shape()...), like)[0]
}

// pullLevinson differentiates the recursion, one order after the other.
func pullLevinson(order int) func(in, out, grads []*nd.Array) []*nd.Array {
	return func(in, _, grads []*nd.Array) []*nd.Array {
		var sum *nd.Array
		for i, y := range recursion(in[0], order) {
			g := nd.Gradient{Seed: grads[i]}.Of(y, in[0])[0]
			if sum != nil {
				g = g.Add(sum)
			}
			sum = g
		}
		return []*nd.Array{sum}
	}
}

// recursion is body/levinson in array operations, for lines r (lines, order+1).
func recursion(r *nd.Array, order int) []*nd.Array {
	lag := func(from, to int) *nd.Array { return r.SliceAxis(1, nd.Range{Start: from, Stop: to}) }
	left := lag(0, 1)
	a := nd.FullLike(left, 1)
	var reflection []*nd.Array
	for m := 1; m <= order; m++ {
		s := a.Mul(lag(1, m+1).Flip(1)).Sum(1).ExpandDims(1)
		none := left.LessEqual(nd.FullLike(left, 0))
		k := nd.Where(none, nd.FullLike(s, 0), s.Neg().Div(nd.Where(none, nd.FullLike(left, 1), left)))
		zero := nd.FullLike(left, 0)
		a = nd.Concat(1, a, zero).Add(nd.Concat(1, zero, a.Flip(1)).Mul(k))
		left = left.Sub(left.Mul(k).Mul(k))
		reflection = append(reflection, k)
	}
	return []*nd.Array{a, nd.Concat(1, reflection...), left.Squeeze(1)}
}

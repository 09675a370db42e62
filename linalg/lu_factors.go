package linalg

import "github.com/twiddle-go/twiddle/nd"

// LU factors matrices (..., m, n) into p l u, by elimination with row exchanges: p (..., m, m) is a permutation, l (..., m, k)
// a lower triangle with ones on its diagonal and u (..., k, n) an upper triangle, where k is the lesser of m
// and n. It is lazy, and has gradients by l and u where the first k columns are independent. To solve
// systems, Solve is faster.
func LU(a *nd.Array) (p, l, u *nd.Array) {
	x, bad := argument{op: "lu", name: "a", complex: true}.matrices(a)
	if bad != nil {
		return bad, bad, bad
	}
	m, n := x.Dim(1), x.Dim(2)
	k := min(m, n)
	if x.empty() {
		p = nd.Eye(a.DType(), m).Beside(a).ExpandDims(0).BroadcastTo(x.Dim(0), m, m)
		return x.back(p), x.back(nd.FullLike(columns(x.Array, 0, k), 0)), x.back(nd.FullLike(rows(x.Array, 0, k), 0))
	}
	f := luOf(nd.StopGradient(columns(x.Array, 0, k)))
	out := differentiable(func(in []*nd.Array) []*nd.Array {
		l, u := keep(f.packed, belowDiagonal).Add(eye(f.packed, m, k)), keep(rows(f.packed, 0, k), onOrAbove)
		if n > k {
			rest := inOrder(columns(in[0], k, n), f.order)
			u = nd.Concat(2, u, solveLower(f.packed, rest, true))
		}
		return []*nd.Array{l, u}
	}, func(in, out, grads []*nd.Array) []*nd.Array {
		return []*nd.Array{pullLU(f.order, out, grads)}
	}, x.Array)
	// Row i of p l is row j of l where order[j] is i.
	place := f.order.ArgSort(1)
	p = place.ExpandDims(2).Equal(nd.Arange[int64](0, int64(m), 1).Beside(a).Reshape(1, 1, m)).Cast(a.DType())
	return x.back(p), x.back(out[0]), x.back(out[1])
}

// pullLU is the gradient of l and u. With [l1; l2] and [u1, u2] parted after k, what is beside the square parts is
// l2 = a2 u1^-1 and u2 = l1^-1 a3, and of those the square parts get what is left:
// l1'^-1 (below(l1' g1) + above(g2 u1')) u1'^-1.
func pullLU(order *nd.Array, out, grads []*nd.Array) *nd.Array {
	l, u, gl, gu := out[0], out[1], grads[0], grads[1]
	m, n, k := l.Dim(1), u.Dim(2), u.Dim(1)
	l1, u1 := rows(l, 0, k), columns(u, 0, k)
	upperRight := func(x *nd.Array) *nd.Array { return adjoint(solveTriangle(u1, adjoint(x), true, false)) } // x u1'^-1
	lowerLeft := func(x *nd.Array) *nd.Array { return solveTriangle(adjoint(l1), x, true, true) }            // l1'^-1 x
	g1, g2 := rows(gl, 0, k), columns(gu, 0, k)
	var g *nd.Array
	low, high := adjoint(l1).MatMul(g1), g2.MatMul(adjoint(u1))
	var under, beside *nd.Array
	if m > k {
		under = upperRight(rows(gl, k, m))
		g2 := adjoint(rows(l, k, m)).MatMul(rows(gl, k, m)) // what l2 asks of u1, times u1'
		high = high.Sub(g2)
	}
	if n > k {
		beside = lowerLeft(columns(gu, k, n))
		low = low.Sub(columns(gu, k, n).MatMul(adjoint(columns(u, k, n))))
	}
	g = lowerLeft(upperRight(keep(low, belowDiagonal).Add(keep(high, onOrAbove))))
	if under != nil {
		g = nd.Concat(1, g, under)
	}
	if beside != nil {
		g = nd.Concat(2, g, beside)
	}
	return inOrder(g, order.ArgSort(1))
}

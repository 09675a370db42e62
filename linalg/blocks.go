package linalg

import "github.com/twiddle-go/twiddle/nd"

// blocksQR factors a, which has at least as many rows as columns and holds
// float32 numbers whatever its type, by block Gram-Schmidt.
//
// One pass leaves columns that are independent but, the worse the condition of
// a, less than orthogonal, and zeros for columns that depend on others. With
// noise in the place of those, a pass over its result mends both, since it
// starts from columns of a good condition. Nearly all of it is large products.
func blocksQR(a *nd.Array) (q, r *nd.Array) {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	squares := a.Cast(nd.Float64).AbsSquared().Sum(1)
	parts, r1 := firstPass(squares).factor(a, 0)

	lost := diagonal(r1).EqualScalar(0).Cast(nd.Float64)
	spoil := squares.Sum(1).MulScalar(0) // zero, or NaN where a has anything that is not finite
	lost = lost.Add(spoil.ExpandDims(1)).Cast(a.DType()).Reshape(batch, 1, n)
	noise := noiseBeside(a, m, n).Cast(a.DType()).ExpandDims(0)
	at := 0
	for i, p := range parts {
		to := at + p.Dim(2)
		parts[i] = p.Add(columns(noise, at, to).Mul(columns(lost, at, to)))
		at = to
	}
	parts, r2 := secondPass.factor(joined(parts), 0)
	return joined(parts), r2.MatMul(r1)
}

// pass is one pass of block Gram-Schmidt over columns.
type pass struct {
	width int // columns that are made orthonormal at once
	few   func(a *nd.Array, at int) (q, r *nd.Array)
}

// factor makes columns orthonormal by halves: the right half is made orthogonal
// to the left one, which is done by then. at is the number of columns to the
// left of a. q comes in parts.
func (p pass) factor(a *nd.Array, at int) (q []*nd.Array, r *nd.Array) {
	n := a.Dim(2)
	if n <= p.width {
		few, r := p.few(a, at)
		return []*nd.Array{few}, r
	}
	half := roundUp(n/2, p.width)
	parts, r1 := p.factor(columns(a, 0, half), at)
	left, rest := joined(parts), columns(a, half, n)
	across := transposed(left).MatMul(rest)
	right, r2 := p.factor(rest.Sub(left.MatMul(across)), at+half)
	below := r2.PadAxis(2, nd.Margin{Before: half}, nd.Pad{})
	return append([]*nd.Array{left}, right...), nd.Concat(1, nd.Concat(2, r1, across), below)
}

// joined is parts side by side.
func joined(parts []*nd.Array) *nd.Array {
	if len(parts) == 1 {
		return parts[0]
	}
	return nd.Concat(2, parts...)
}

// firstPass takes columns of any condition. squares, float64 (batch, n), tells
// how long they were before others were taken out of them. Of more columns at
// once, those of a Kahan matrix are beyond what a Gram matrix can tell apart.
func firstPass(squares *nd.Array) pass {
	return pass{width: 32, few: func(a *nd.Array, at int) (q, r *nd.Array) {
		t, n := a.DType(), a.Dim(2)
		f := gramOf(a).factors(squares.SliceAxis(1, nd.Range{Start: at, Stop: at + n}), true)
		// The inverse may be as large as the condition: only float64 has the
		// digits for a product with it.
		return a.Cast(nd.Float64).MatMul(f.inverse).Cast(t), f.r.Cast(t)
	}}
}

// secondPass takes columns that are nearly orthonormal.
var secondPass = pass{width: gramMost, few: func(a *nd.Array, _ int) (q, r *nd.Array) {
	f := gramOf(a).factors(nil, false)
	return a.MatMul(f.inverse.Cast(a.DType())), f.r.Cast(a.DType())
}}

package linalg

import "github.com/twiddle-go/twiddle/nd"

// blocksQR factors float32 matrices, which have at least as many rows as columns,
// by block Gram-Schmidt. byProduct says how to get R: as Q'A, or from the
// triangles of both passes.
//
// One pass leaves columns that are independent but, the worse the condition of
// a, less than orthogonal, and zeros for columns that depend on others. With
// noise in the place of those, a pass over its result mends both, since it
// starts from columns of a good condition. Nearly all of it is large products.
//
// The first pass is in float64: in float32, what is left of a column that nearly
// depends on others would be rounding, and most of that in their directions.
func blocksQR(a *nd.Array, byProduct bool) (q, r *nd.Array) {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	wide, t := a.Cast(nd.Float64), nd.Float32
	if m < blocksTall*n {
		t = nd.Float64
	}
	squares := wide.AbsSquared().Sum(1)
	parts, r1 := firstPass(squares).factor(wide, 0)

	left := diagonal(r1)
	if byProduct {
		left = joined(parts).AbsSquared().Sum(1)
	}
	lost := left.EqualScalar(0).Cast(nd.Float64)
	spoil := squares.Sum(1).MulScalar(0) // zero, or NaN where a has anything that is not finite
	lost = lost.Add(spoil.ExpandDims(1)).Reshape(batch, 1, n)
	noise := noiseBeside(a, m, n).ExpandDims(0)
	at := 0
	for i, p := range parts {
		to := at + p.Dim(2)
		parts[i] = p.Add(columns(noise, at, to).Mul(columns(lost, at, to))).Cast(t)
		at = to
	}
	parts, r2 := secondPass.factor(joined(parts), 0)
	q = joined(parts)
	if byProduct {
		return q, keep(transposed(q).MatMul(a.Cast(t)), onOrAbove)
	}
	return q, r2.MatMul(r1.Cast(t))
}

// blocksTall is how many times more rows than columns there have to be for the
// second pass to be in float32. The noise that it meets is the closer to
// dependent the closer a is to a square: if half of all columns depend on others,
// Q'Q - I is 8e-7 at 1024 by 512.
const blocksTall = 2

// prefersProduct predicts that R is had sooner as Q'A: putting triangles together
// takes some launches for each block.
func prefersProduct(a *nd.Array) bool {
	d, err := a.Device()
	if err != nil {
		return false
	}
	const perBlock = 6
	batch, m, n := float64(a.Dim(0)), float64(a.Dim(1)), float64(a.Dim(2))
	together := perBlock * (n/firstWidth + n/gramMost) * d.Tuned("launch_ns")
	return 2*batch*m*n*n/max(d.Tuned("gemm_ops_per_ns"), 1) < together
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
// how long they were before others were taken out of them.
func firstPass(squares *nd.Array) pass {
	return pass{width: firstWidth, few: func(a *nd.Array, at int) (q, r *nd.Array) {
		f := gramOf(a).factors(nd.Float64, squares.SliceAxis(1, nd.Range{Start: at, Stop: at + a.Dim(2)}), true)
		return a.MatMul(f.inverse), f.r
	}}
}

// firstWidth is the width of the first pass: of more columns at once, those of a
// Kahan matrix are beyond what a Gram matrix can tell apart.
const firstWidth = 32

// secondPass takes columns that are nearly orthonormal.
var secondPass = pass{width: gramMost, few: func(a *nd.Array, _ int) (q, r *nd.Array) {
	f := gramOf(a).factors(a.DType(), nil, false)
	return a.MatMul(f.inverse), f.r
}}

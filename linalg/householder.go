package linalg

import "github.com/twiddle-go/twiddle/nd"

// panel is the number of columns that are factored at once. 32 columns make a
// threadgroup of 1024 threads, the most there is.
const panel = 32

// blockColumns is how many columns are reflected by one product, from the
// device's tuning. Wider ones make larger products, but the triangles T of wide
// blocks lose digits.
func blockColumns(a *nd.Array) int { return max(tuned(a, "qr_block"), panel) }

// reflector is a product of Householder reflections, I - Y T Y'. Arrays are
// batches: (batch, rows, columns).
type reflector struct {
	y, t *nd.Array
	r    *nd.Array // what it makes of the columns it was made from
}

// householder factors a, which has at least as many rows as columns, into
// reflectors, each of which starts below the columns of the ones before it, and
// the rows of R.
func (f factoring) householder(a *nd.Array) (hs []reflector, r *nd.Array) {
	n := a.Dim(2)
	var lines []*nd.Array
	block := blockColumns(a)
	for done := 0; done < n; done += block {
		width := min(block, n-done)
		h := f.reflectorOf(columns(a, 0, width))
		hs = append(hs, h)
		line := h.r
		if rest := n - done - width; rest > 0 {
			a = h.transposedTimes(columns(a, width, width+rest))
			line = nd.Concat(2, line, rows(a, 0, width))
			a = rows(a, width, a.Dim(1))
		}
		lines = append(lines, line.PadAxis(2, nd.Margin{Before: done}, nd.Pad{}))
	}
	return hs, nd.Concat(1, lines...)
}

// firstColumns is the first columns of the product of all reflectors, as many as
// they have together.
func firstColumns(hs []reflector) *nd.Array {
	var q *nd.Array
	for i := len(hs) - 1; i >= 0; i-- {
		h := hs[i]
		m, width := h.y.Dim(1), h.y.Dim(2)
		head := h.t.MatMul(transposed(rows(h.y, 0, width)))
		left := eye(h.y, m, width).Sub(h.y.MatMul(head))
		if q == nil {
			q = left
			continue
		}
		inner := h.t.MatMul(transposed(rows(h.y, width, m)).MatMul(q))
		q = nd.Concat(2, left, q.PadAxis(1, nd.Margin{Before: width}, nd.Pad{}).Sub(h.y.MatMul(inner)))
	}
	return q
}

// transposedTimes is (I - Y T Y')' x.
func (h reflector) transposedTimes(x *nd.Array) *nd.Array {
	return x.Sub(h.y.MatMul(transposed(h.t).MatMul(transposed(h.y).MatMul(x))))
}

// reflectorOf factors the columns of a block by halves.
func (f factoring) reflectorOf(a *nd.Array) reflector {
	m, n := a.Dim(1), a.Dim(2)
	if n <= panel {
		return f.panelReflector(a)
	}
	half := roundUp(n/2, panel)
	left := f.reflectorOf(columns(a, 0, half))
	rest := left.transposedTimes(columns(a, half, n))
	right := f.reflectorOf(rows(rest, half, m))
	// (I - Y1 T1 Y1') (I - Y2 T2 Y2'), with Y2 below the first half rows.
	cross := left.t.MatMul(transposed(rows(left.y, half, m)).MatMul(right.y)).MatMul(right.t).Neg()
	below := func(x *nd.Array) *nd.Array { return x.PadAxis(1, nd.Margin{After: n - half}, nd.Pad{}) }
	return reflector{
		y: nd.Concat(2, left.y, right.y.PadAxis(1, nd.Margin{Before: half}, nd.Pad{})),
		t: nd.Concat(2, below(left.t), nd.Concat(1, cross, right.t)),
		r: nd.Concat(2, below(left.r), nd.Concat(1, rows(rest, 0, half), right.r)),
	}
}

// factoring is what the panels of one factorisation share.
type factoring struct {
	// narrow says that the columns are float32, whatever type they are computed
	// in: then Gram matrices in float64 have digits to spare.
	narrow bool
	noise  *nd.Array // float64: directions for columns that depend on others
}

// newFactoring prepares for panels of up to width columns with as many rows as a.
func newFactoring(a *nd.Array, width int) factoring {
	return factoring{a.DType() == nd.Float32, noiseBeside(a, a.Dim(1), width)}
}

// noiseBeside is m by n numbers that have nothing to do with any matrix, float64.
// Its columns are one run of noise, each from another place on.
func noiseBeside(a *nd.Array, m, n int) *nd.Array {
	run := nd.Uniform(noiseKey, nd.Float32, m+n).Beside(a).SubScalar(0.5).Cast(nd.Float64)
	return rowsOf(run.Frames(n, 1), m)
}

// rowsOf is the first rows of a matrix without a batch.
func rowsOf(a *nd.Array, m int) *nd.Array { return a.Slice(nd.Range{Stop: m}) }

const noiseKey nd.Key = 0x7477 // any fixed one: results must not depend on anything else

// panelReflector orthonormalises a few columns and finds the reflections that
// have the same effect. That is as stable as reflecting column by column, and
// the long sums are matrix products.
func (f factoring) panelReflector(a *nd.Array) reflector {
	q, r := f.orthonormal(a)
	m, side := a.Dim(1), a.Dim(2)
	form := onSquares(reconstruct, rows(q, 0, side))
	low, lines, inverse, sign := form[0], form[1], form[2], form[3]
	upper := keep(lines, onOrAbove)
	lowInverse := lines.Sub(upper).Add(eye(lines, side, side))
	t := upper.MatMul(sign).MatMul(transposed(lowInverse)).Neg()
	y := low
	if m > side {
		y = nd.Concat(1, low, rows(q, side, m).MatMul(inverse.MatMul(low)))
	}
	return reflector{y: y.Cast(a.DType()), t: t.Cast(a.DType()), r: sign.MatMul(r).Cast(a.DType())}
}

// orthonormal factors a few columns: q and r are float64.
//
// Gram matrices square the condition, so for float32 they are taken in float64,
// where every condition that float32 can express still has its digits; a second
// turn makes the columns orthonormal. For float64 there is no wider type.
func (f factoring) orthonormal(a *nd.Array) (q, r *nd.Array) {
	if !f.narrow {
		return gramSchmidtQR(a)
	}
	once, r1 := f.nearlyOrthonormal(a.Cast(nd.Float64))
	second := gramOf(once).factors(nd.Float64, nil, false)
	return once.MatMul(second.inverse), second.r.MatMul(r1)
}

// nearlyOrthonormal is the first turn: the worse the condition of a, float64,
// the further q is from orthonormal.
func (f factoring) nearlyOrthonormal(a *nd.Array) (q, r *nd.Array) {
	g := gramOf(a).factors(nd.Float64, nil, true)
	noise := columns(rowsOf(f.noise, a.Dim(1)).ExpandDims(0), 0, a.Dim(2))
	return a.MatMul(g.inverse).Add(noise.Mul(g.lost.ExpandDims(1))), g.r
}

// onSquares runs a kernel with a thread for every column of a small square
// matrix; its outputs have the shape of the input.
func onSquares(k *nd.Kernel, a *nd.Array) []*nd.Array {
	side := a.Dim(1)
	l := nd.Launch{Inputs: []*nd.Array{a}, Whole: true, DTypes: []nd.DType{nd.Float64}, Template: map[string]any{"SIDE": side},
		Grid: [3]int{side, 1, a.Dim(0)}, Threadgroup: [3]int{side, 1, 1}}
	for range k.Outputs {
		l.Shapes = append(l.Shapes, a.Shape())
	}
	return k.Call(l)
}

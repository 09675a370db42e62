package linalg

import "github.com/twiddle-go/twiddle/nd"

// luPanel is how many columns a GPU eliminates with exchanges, step by step,
// before the products of a block take over.
const luPanel = 16

// luSteps is that number for a matrix: on the CPU a launch costs more than many steps, as long
// as products, which all cores share, are most of the work.
func luSteps(a *nd.Array) int {
	switch {
	case onCPU(a):
		return 64
	case !eliminates(a):
		return luPanel
	case a.Dim(2) <= luWhole:
		return luWhole
	}
	return luHalf
}

// lu is the factors of square, or tall, matrices with their rows exchanged: the
// upper triangle, below it the multipliers.
type lu struct {
	packed *nd.Array
	order  *nd.Array // int64 (batch, m): row i was row order[i]
	swaps  *nd.Array // int32 (batch): exchanges made
}

// luOf factors a.
func luOf(a *nd.Array) lu { return luBy(a, luSteps(a)) }

// luBy factors by halves of the columns, down to a few.
func luBy(a *nd.Array, few int) lu {
	m, n := a.Dim(1), a.Dim(2)
	if n <= few {
		if eliminates(a) {
			return luByColumns(a)
		}
		return luOfPanel(a)
	}
	half := roundUp(n/2, few)
	left := luBy(columns(a, 0, half), few)
	rest := inOrder(columns(a, half, n), left.order)
	upper := solveLower(block(left.packed, 0, half, 0, half), rows(rest, 0, half), true)
	under := block(left.packed, half, m, 0, half)
	right := luBy(rows(rest, half, m).Sub(under.MatMul(upper)), few)
	top := nd.Concat(2, rows(left.packed, 0, half), upper)
	bottom := nd.Concat(2, inOrder(under, right.order), right.packed)
	later := left.order.SliceAxis(1, nd.Range{Start: half, Stop: m}).Gather(right.order, 1)
	return lu{
		packed: nd.Concat(1, top, bottom),
		order:  nd.Concat(1, left.order.SliceAxis(1, nd.Range{Stop: half}), later),
		swaps:  left.swaps.Add(right.swaps),
	}
}

// inOrder takes the rows of a in an order.
func inOrder(a, order *nd.Array) *nd.Array { return a.Gather(order.ExpandDims(2), 1) }

func luOfPanel(a *nd.Array) lu {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	groups := min(max(m, 32)/32, mostGroups(a.DType()))
	length := roundUp(m, 32*groups)
	at := transposed(a)
	if length > m {
		at = at.PadAxis(2, nd.Margin{After: length - m}, nd.Pad{})
	}
	kernel, t := luPanelKernel, a.DType()
	if t.IsComplex() {
		kernel, at = luPanelComplex, at.Cast(nd.Complex128)
	}
	out := kernel.Call(nd.Launch{Inputs: []*nd.Array{at}, Shapes: [][]int{at.Shape(), {batch, length}, {batch}}, Whole: true,
		DTypes: []nd.DType{at.DType(), nd.Int32, nd.Int32}, Grid: [3]int{32, groups, batch}, Threadgroup: [3]int{32, groups, 1},
		Template: map[string]any{"T": t, "COUNT": n, "GROUPS": groups}})
	return lu{
		packed: transposed(columns(out[0], 0, m)).Cast(t),
		order:  out[1].SliceAxis(1, nd.Range{Stop: m}).Cast(nd.Int64),
		swaps:  out[2],
	}
}

// solve solves a x = b.
func (f lu) solve(b *nd.Array) *nd.Array {
	return solveTriangle(f.packed, solveLower(f.packed, inOrder(b, f.order), true), true, false)
}

// sign is 1 or -1, by the number of exchanges.
func (f lu) sign() *nd.Array {
	odd := f.swaps.RemScalar(2).Cast(f.packed.DType())
	return odd.MulScalar(-2).AddScalar(1)
}

package linalg

import "github.com/twiddle-go/twiddle/nd"

// complexPanel is how many complex columns are made orthonormal step by step
// before the products of a block take over.
const complexPanel = 64

// complexQR factors complex matrices with at least as many rows as columns, in
// complex128. The diagonal of r is real and not negative.
func complexQR(a *nd.Array) (q, r *nd.Array) {
	least := 1e-15
	if a.DType() == nd.Complex64 {
		least = 1e-7
	}
	q, r = complexPanels(a.Cast(nd.Complex128), least)
	return q.Cast(a.DType()), r.Cast(a.DType())
}

// complexTurns is how often the columns before are taken out of a panel. The first turn leaves columns
// that are mostly new, or zeros, in whose place come directions that know nothing of the columns
// before. The second takes those out of them, and they may be close to one another then, which leaves
// errors for the third.
const complexTurns = 3

// complexPanels factors one panel after the other.
func complexPanels(a *nd.Array, least float64) (q, r *nd.Array) {
	n := a.Dim(2)
	var parts []*nd.Array // the columns of r, of each panel
	for at := 0; at < n; at += complexPanel {
		panel := columns(a, at, min(at+complexPanel, n))
		if at == 0 {
			q, r = complexGramSchmidt(panel, least, at)
			parts = append(parts, r)
			continue
		}
		var over, own *nd.Array
		for range complexTurns {
			along := adjoint(q).MatMul(panel)
			rest := panel.Sub(q.MatMul(along))
			// Beside a column that others explain, what rounding leaves of it is nothing.
			lost := rest.AbsSquared().Sum(1).LessEqual(panel.AbsSquared().Sum(1).MulScalar(least * least))
			rest = nd.Where(lost.ExpandDims(1), nd.FullLike(rest, 0), rest)
			next, triangle := complexGramSchmidt(rest, least, at)
			panel = next
			if over == nil {
				over, own = along, triangle
			} else {
				over, own = over.Add(along.MatMul(own)), triangle.MatMul(own)
			}
		}
		q = nd.Concat(2, q, panel)
		parts = append(parts, nd.Concat(1, over, own))
	}
	for i, part := range parts {
		parts[i] = part.PadAxis(1, nd.Margin{After: n - part.Dim(1)}, nd.Pad{})
	}
	return q, joined(parts)
}

// complexGramSchmidt is gramSchmidtQR for complex128, and for the columns from one on of a matrix.
func complexGramSchmidt(a *nd.Array, least float64, at int) (q, r *nd.Array) {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	groups := min(max(m, n, 32)/32, mostGroups(nd.Complex128))
	threads := 32 * groups
	length, count := roundUp(m, threads), roundUp(n, threads)
	zt := transposed(a)
	if length > m {
		zt = zt.PadAxis(2, nd.Margin{After: length - m}, nd.Pad{})
	}
	if extra := roundUp(n, groups) - n; extra > 0 {
		zt = zt.PadAxis(1, nd.Margin{After: extra}, nd.Pad{})
	}
	out := gramSchmidtComplex.Call(nd.Launch{
		Inputs: []*nd.Array{zt, nd.From([]float64{least}).Beside(a), nd.From([]int32{int32(m), int32(n), int32(at)}).Beside(a)},
		Shapes: [][]int{zt.Shape(), {batch, n, count}}, DTypes: []nd.DType{nd.Complex128},
		Grid: [3]int{32, groups, batch}, Threadgroup: [3]int{32, groups, 1},
		Template: map[string]any{"COUNT": count, "GROUPS": groups},
	})
	return transposed(out[0].Slice(nd.All, nd.Range{Stop: n}, nd.Range{Stop: m})), transposed(columns(out[1], 0, n))
}

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
	q, r = complexFactors(a.Cast(nd.Complex128), least)
	return q.Cast(a.DType()), r.Cast(a.DType())
}

// complexFactors factors by halves. What the first half explains of the second
// is taken out twice: the second turn also makes directions that took the place
// of dependent columns orthogonal to the first half.
func complexFactors(a *nd.Array, least float64) (q, r *nd.Array) {
	n := a.Dim(2)
	if n <= complexPanel {
		return complexGramSchmidt(a, least)
	}
	half := roundUp(n/2, complexPanel)
	left, r1 := complexFactors(columns(a, 0, half), least)
	right := columns(a, half, n)
	var over, r2 *nd.Array
	for range 2 {
		along := adjoint(left).MatMul(right)
		rest, triangle := complexFactors(right.Sub(left.MatMul(along)), least)
		right = rest
		if over == nil {
			over, r2 = along, triangle
		} else {
			over, r2 = over.Add(along.MatMul(r2)), triangle.MatMul(r2)
		}
	}
	below := r1.PadAxis(1, nd.Margin{After: n - half}, nd.Pad{})
	return nd.Concat(2, left, right), nd.Concat(2, below, nd.Concat(1, over, r2))
}

// complexGramSchmidt is gramSchmidtQR for complex128.
func complexGramSchmidt(a *nd.Array, least float64) (q, r *nd.Array) {
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
		Inputs: []*nd.Array{zt, nd.From([]float64{least}).Beside(a), nd.From([]int32{int32(m), int32(n)}).Beside(a)},
		Shapes: [][]int{zt.Shape(), {batch, n, count}}, DTypes: []nd.DType{nd.Complex128},
		Grid: [3]int{32, groups, batch}, Threadgroup: [3]int{32, groups, 1},
		Template: map[string]any{"COUNT": count, "GROUPS": groups},
	})
	return transposed(out[0].Slice(nd.All, nd.Range{Stop: n}, nd.Range{Stop: m})), transposed(columns(out[1], 0, n))
}

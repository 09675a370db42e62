package linalg

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// Kron is the Kronecker product of matrices a (..., m, n) and b (..., p, q), shaped (..., m p, n q): every element of a in the place
// of which stands b, times it. Leading axes broadcast. It is lazy.
func Kron(a, b *nd.Array) *nd.Array {
	const op = "kron"
	for i, x := range []*nd.Array{a, b} {
		if _, bad := (argument{op: op, name: []string{"a", "b"}[i], complex: true}).matrices(x); bad != nil {
			return bad
		}
	}
	if a.DType() != b.DType() {
		return nd.Fail("linalg", op, fmt.Errorf("b is %s, a is %s", b.DType(), a.DType()), a, b)
	}
	product := a.ExpandDims(-2).ExpandDims(-1).Mul(b.ExpandDims(-2).ExpandDims(-4))
	if product.Err() != nil {
		return nd.Fail("linalg", op, &ShapeError{Name: "b", Shape: b.Shape(), Want: fmt.Sprintf("leading axes that broadcast with those of %v", a.Shape())}, a, b)
	}
	s := product.Shape()
	lead := len(s) - 4
	return product.Reshape(append(s[:lead:lead], s[lead]*s[lead+1], s[lead+2]*s[lead+3])...)
}

// BlockDiag is matrices with the given ones along the diagonal, and zeros elsewhere. All have the same type and leading
// axes. It is lazy.
func BlockDiag(list ...*nd.Array) *nd.Array {
	const op = "block_diag"
	if len(list) == 0 {
		return nd.Fail("linalg", op, errors.New("no matrices"))
	}
	width := 0
	for _, a := range list {
		x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
		if bad != nil {
			return bad
		}
		if a.DType() != list[0].DType() || fmt.Sprint(x.lead) != fmt.Sprint(list[0].Shape()[:list[0].NDim()-2]) {
			return nd.Fail("linalg", op, fmt.Errorf("%s %v beside %s %v: want one type, and the same leading axes", a.DType(), a.Shape(), list[0].DType(), list[0].Shape()), list...)
		}
		width += a.Dim(-1)
	}
	var lines []*nd.Array
	before := 0
	for _, a := range list {
		lines = append(lines, a.PadAxis(-1, nd.Margin{Before: before, After: width - before - a.Dim(-1)}, nd.Pad{}))
		before += a.Dim(-1)
	}
	return nd.Concat(-2, lines...)
}

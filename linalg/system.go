package linalg

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// system is a x = b with everything checked: a is (batch, m, n) and b
// (batch, m, k).
type system struct {
	op     string
	a, b   *nd.Array
	lead   []int
	vector bool // b has no axis for k
}

// systemFor checks the arguments of a solver.
func systemFor(g argument, a, b *nd.Array) (s system, bad *nd.Array) {
	x, bad := g.matrices(a)
	if bad != nil {
		return s, bad
	}
	switch {
	case b == nil:
		return s, nd.Fail("linalg", g.op, errors.New("b is a nil Array"), a)
	case b.Err() != nil:
		return s, b
	case b.DType() != a.DType():
		return s, nd.Fail("linalg", g.op, fmt.Errorf("b is %s, a is %s", b.DType(), a.DType()), a, b)
	}
	s = system{op: g.op, a: x.Array, lead: x.lead, vector: b.NDim() == 1 || b.NDim() == a.NDim()-1 && b.NDim() != 0}
	if s.vector {
		b = b.ExpandDims(-1)
	}
	if b.NDim() < 2 || b.Dim(-2) != a.Dim(-2) {
		return s, nd.Fail("linalg", g.op, &ShapeError{Name: "b", Shape: b.Shape(), Want: fmt.Sprintf("%d rows", a.Dim(-2))}, a, b)
	}
	want := append(slices.Clone(s.lead), b.Dim(-2), b.Dim(-1))
	wide := b.BroadcastTo(want...)
	if wide.Err() != nil {
		return s, nd.Fail("linalg", g.op, &ShapeError{Name: "b", Shape: b.Shape(), Want: fmt.Sprintf("the leading axes %v of a", s.lead)}, a, b)
	}
	s.b = wide.Reshape(count(s.lead), b.Dim(-2), b.Dim(-1))
	return s, nil
}

func (s system) empty() bool { return s.a.Len() == 0 || s.b.Len() == 0 }

func (s system) calculation() *calculation { return newCalculation(s.op, s.lead, s.a, s.b) }

// solution gives x the axes that b had.
func (s system) solution(x *nd.Array) *nd.Array {
	dims := append(slices.Clone(s.lead), x.Dim(1))
	if !s.vector {
		dims = append(dims, x.Dim(2))
	}
	return x.Reshape(dims...)
}

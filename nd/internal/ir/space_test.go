package ir

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// visits lists the elements that operands touch, point by point in row-major
// order.
func visits(dims []int, operands []Operand) [][]int {
	var list [][]int
	index := make([]int, len(dims))
	for range Count(dims) {
		at := make([]int, len(operands))
		for k, o := range operands {
			at[k] = o.Offset
			for d, i := range index {
				at[k] += i * o.Strides[d]
			}
		}
		list = append(list, at)
		for d := len(dims) - 1; d >= 0; d-- {
			if index[d]++; index[d] < dims[d] {
				break
			}
			index[d] = 0
		}
	}
	return list
}

func values(operands []*Operand) []Operand {
	var list []Operand
	for _, o := range operands {
		list = append(list, *o)
	}
	return list
}

// Joining keeps the order of points; turning and ordering keep the points.
func TestSpacesKeepTheirPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		dims := make([]int, r.IntN(5))
		for d := range dims {
			dims[d] = 1 + r.IntN(3)
		}
		operands := make([]Operand, 1+r.IntN(3))
		for k := range operands {
			operands[k] = Contiguous(elem.Float32, dims)
			for d := range dims {
				switch r.IntN(6) {
				case 0:
					operands[k].Strides[d] = 0
				case 1:
					operands[k].Strides[d] *= -1
				}
			}
		}
		want := visits(dims, operands)
		s := NewSpace(dims, operands...)
		s.Join()
		if got := visits(s.Dims, values(s.Operands)); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%v %v joined to %v %v", dims, operands, s.Dims, values(s.Operands))
		}
		for i := 1; i < len(s.Dims); i++ {
			if s.Dims[i] == 1 || s.joinable(i-1, i) {
				t.Fatalf("%v %v is left of %v %v", s.Dims, values(s.Operands), dims, operands)
			}
		}
		s.Forward(0)
		s.Order(0)
		got := visits(s.Dims, values(s.Operands))
		slices.SortFunc(got, slices.Compare)
		slices.SortFunc(want, slices.Compare)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%v %v ordered as %v %v", dims, operands, s.Dims, values(s.Operands))
		}
		if slices.ContainsFunc(s.Operands[0].Strides, func(step int) bool { return step < 0 }) {
			t.Fatalf("operand 0 walks backwards: %v", s.Operands[0])
		}
	}
}

// A space without points is one dimension of none.
func TestJoinOfNothing(t *testing.T) {
	s := NewSpace([]int{3, 0, 2}, Operand{Strides: []int{2, 2, 1}})
	if s.Join(); !slices.Equal(s.Dims, []int{0}) || len(s.Operands[0].Strides) != 1 {
		t.Errorf("%v %v", s.Dims, *s.Operands[0])
	}
}

package cpu

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// A batch of products of matrices with no elements: factors have no places, and
// the address of one must not leave their buffer of no bytes.
func TestFactorsOfNothingHaveNoPlaces(t *testing.T) {
	p := &ir.Gemm{
		Batch: []int{4}, M: 2, N: 3, K: 0,
		A:   ir.Operand{Type: elem.Float32, Offset: 5, Strides: []int{7, 1, 1}},
		B:   ir.Operand{Type: elem.Float32, Offset: 9, Strides: []int{-8, 3, 1}},
		Out: ir.Contiguous(elem.Float32, []int{4, 2, 3}),
	}
	s := gemmSpaceOf(p)
	at := func(o layout, strides [2]int, product, row, column int) int {
		return o.at([]int{product}) + row*strides[0] + column*strides[1]
	}
	for i := range p.Batch[0] {
		for k, o := range []layout{s.a, s.b} {
			if at := at(o, s.strides[k], i, 1, 0); at != 0 {
				t.Errorf("factor %d of product %d is at %d, in a buffer of no elements", k, i, at)
			}
		}
		if at := at(s.out, s.strides[2], i, 1, 2); at != 6*i+5 {
			t.Errorf("the last element of product %d is at %d, want %d", i, at, 6*i+5)
		}
	}
}

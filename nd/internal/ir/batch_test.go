package ir

import (
	"bytes"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Kernels are found by the keys of their programs, so batches of different
// programs have different ones.
func TestBatchKeys(t *testing.T) {
	fill := func(dims ...int) *Map {
		return &Map{Dims: dims, Code: Code{Instrs: []Instr{{Kind: Const, Type: elem.Float32}}}, Out: []Operand{Contiguous(elem.Float32, dims)}, Value: []ValueID{0}}
	}
	sum := &Reduce{Dims: []int{4}, Inner: 1, Code: Code{In: []Operand{Contiguous(elem.Float32, []int{4})}, Instrs: []Instr{{Kind: Load, Type: elem.Float32}}},
		Post: Code{Instrs: []Instr{{Kind: Acc, Type: elem.Float32}}}, Out: Operand{Type: elem.Float32}}
	batches := []*Batch{{}, {[]Program{fill(3)}}, {[]Program{fill(4)}}, {[]Program{fill(3), fill(4)}}, {[]Program{fill(4), fill(3)}}, {[]Program{fill(3), sum}}, {[]Program{sum, sum}}}
	for i, a := range batches {
		if err := a.Verify(); err != nil {
			t.Error(err)
		}
		for j, b := range batches {
			if same := bytes.Equal(AppendKey(nil, a), AppendKey(nil, b)); same != (i == j) {
				t.Errorf("batches %d and %d have the same key: %v", i, j, same)
			}
		}
	}
	if (&Batch{[]Program{&FFT{}}}).Verify() == nil {
		t.Error("a transform in a batch")
	}
}

package ir

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Access is an operand of a program and the index space it is over.
type Access struct {
	Operand
	Dims  []int
	Write bool
	// Indexed says that an index array walks the last dimension: each point of
	// the others touches one element along it.
	Indexed bool
}

// Elements is how many distinct elements the program touches through the
// operand, with each that it adds to counted twice.
func (a Access) Elements() int {
	if !a.Indexed {
		return a.Touched(a.Dims)
	}
	n := Count(a.Dims[:len(a.Dims)-1])
	if a.Write {
		n *= 2
	}
	return n
}

// apart is the accesses of a program that read, and those that write.
func apart(p Program) (reads, writes []Access) {
	list := p.Accesses()
	n := slices.IndexFunc(list, func(a Access) bool { return a.Write })
	if n < 0 { // one that Verify refuses
		n = len(list)
	}
	return list[:n:n], list[n:]
}

// Reads lists the operands that a program reads, in the order a launch binds them.
func Reads(p Program) []Operand {
	reads, _ := apart(p)
	return operandsOf(reads)
}

// Writes lists those that it writes.
func Writes(p Program) []Operand {
	_, writes := apart(p)
	return operandsOf(writes)
}

func operandsOf(list []Access) []Operand {
	return lists.Map(list, func(a Access) Operand { return a.Operand })
}

// accesses lists operands over one index space.
func accesses(dims []int, write bool, operands ...Operand) []Access {
	return lists.Map(operands, func(o Operand) Access { return Access{Operand: o, Dims: dims, Write: write} })
}

// inAndOut is the accesses of a program with an operand of each.
func inAndOut(in Operand, inDims []int, out Operand, outDims []int) []Access {
	return []Access{{Operand: in, Dims: inDims}, {Operand: out, Dims: outDims, Write: true}}
}

// indexed is an operand along whose axis an index array walks.
func indexed(o Operand, dims []int, stride, n int, write bool) Access {
	o.Strides = with(o.Strides, stride)
	return Access{Operand: o, Dims: with(dims, n), Write: write, Indexed: true}
}

// with is a list and more behind it, in memory of its own.
func with(list []int, more ...int) []int { return slices.Concat(list, more) }

// Bytes is how large the buffers of a launch must be, in the order it binds them.
func Bytes(p Program) ([]int, error) {
	var need []int
	for i, a := range p.Accesses() {
		lo, hi := a.Span(a.Dims)
		if lo < 0 {
			return nil, fmt.Errorf("%s: operand %d reaches element %d of its buffer", p.Name(), i, lo)
		}
		need = append(need, hi*a.Type.Size())
	}
	return need, nil
}

// IsEmpty reports a program that has nothing to do: it writes no elements. A Scatter
// without any may still have wrong indices, and a Custom may fail by itself.
func IsEmpty(p Program) bool {
	if s, ok := p.(*Scatter); ok {
		return Count(s.Dims) == 0
	}
	_, custom := p.(*Custom)
	return !custom && !slices.ContainsFunc(p.Accesses(), func(a Access) bool { return a.Write && Count(a.Dims) > 0 })
}

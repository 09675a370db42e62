package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// Tiled restates a stage program over several lines at once: the tile is a new
// first dimension, along which operand i (reads first) has stride strides[i].
func Tiled(p kern.Program, lines int, strides []int) kern.Program {
	next := 0
	tile := func(o kern.Operand) kern.Operand {
		o.Strides = append([]int{strides[next]}, o.Strides...)
		next++
		return o
	}
	all := func(list []kern.Operand) []kern.Operand {
		out := make([]kern.Operand, len(list))
		for i, o := range list {
			out[i] = tile(o)
		}
		return out
	}
	dims := func(d []int) []int { return append([]int{lines}, d...) }
	still := func(list []kern.Operand) []kern.Operand {
		out := slices.Clone(list)
		for i := range out {
			out[i].Strides = append([]int{0}, out[i].Strides...)
		}
		return out
	}
	switch p := p.(type) {
	case *kern.Map:
		t := *p
		t.Dims, t.In, t.Positions, t.Out = dims(p.Dims), all(p.In), still(p.Positions), all(p.Out)
		return &t
	case *kern.Reduce:
		t := *p
		t.Dims, t.In, t.Positions = dims(p.Dims), all(p.In), still(p.Positions)
		t.Post.In, t.Post.Positions = all(p.Post.In), still(p.Post.Positions)
		t.Out = tile(p.Out)
		return &t
	case *kern.Scan:
		t := *p
		t.Dims, t.In, t.Out = dims(p.Dims), tile(p.In), tile(p.Out)
		return &t
	case *kern.Sort:
		t := *p
		t.Dims, t.In, t.Out = dims(p.Dims), tile(p.In), tile(p.Out)
		return &t
	case *kern.FFT:
		t := *p
		t.Outer, t.In, t.Out = dims(p.Outer), tile(p.In), tile(p.Out)
		return &t
	case *kern.Butterfly:
		t := *p
		t.Outer, t.In = dims(p.Outer), tile(p.In)
		next++ // W is the same for all lines
		t.Out = tile(p.Out)
		return &t
	}
	panic("line: " + p.Name() + " is no stage")
}

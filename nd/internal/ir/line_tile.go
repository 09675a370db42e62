package ir

import (
	"slices"
)

// Tiled restates a stage program over several lines at once: the tile is a new
// first dimension, along which operand i (reads first) has stride strides[i].
func Tiled(p Program, lines int, strides []int) Program {
	next := 0
	tile := func(o Operand) Operand {
		o.Strides = append([]int{strides[next]}, o.Strides...)
		next++
		return o
	}
	all := func(list []Operand) []Operand {
		out := make([]Operand, len(list))
		for i, o := range list {
			out[i] = tile(o)
		}
		return out
	}
	dims := func(d []int) []int { return append([]int{lines}, d...) }
	still := func(list []Operand) []Operand {
		out := slices.Clone(list)
		for i := range out {
			out[i].Strides = append([]int{0}, out[i].Strides...)
		}
		return out
	}
	switch p := p.(type) {
	case *Map:
		t := *p
		t.Dims, t.In, t.Positions, t.Out = dims(p.Dims), all(p.In), still(p.Positions), all(p.Out)
		return &t
	case *Reduce:
		t := *p
		t.Dims, t.In, t.Positions = dims(p.Dims), all(p.In), still(p.Positions)
		t.Post.In, t.Post.Positions = all(p.Post.In), still(p.Post.Positions)
		t.Out = tile(p.Out)
		return &t
	case *Scan:
		t := *p
		t.Dims, t.In, t.Out = dims(p.Dims), tile(p.In), tile(p.Out)
		return &t
	case *Sort:
		t := *p
		t.Dims, t.In, t.Out = dims(p.Dims), tile(p.In), tile(p.Out)
		return &t
	case *FFT:
		t := *p
		t.Outer, t.In, t.Out = dims(p.Outer), tile(p.In), tile(p.Out)
		return &t
	case *Butterfly:
		t := *p
		t.Outer, t.In = dims(p.Outer), tile(p.In)
		next++ // W is the same for all lines
		t.Out = tile(p.Out)
		return &t
	}
	panic("ir: line: " + p.Name() + " is no stage")
}

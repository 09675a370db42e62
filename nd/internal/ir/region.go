package ir

import (
	"fmt"
	"slices"
)

// Region is an operand over its own index space.
type Region struct {
	Operand
	Dims []int
}

// Bytes is how large the buffers of a launch must be, in the order it binds them.
func Bytes(p Program) ([]int, error) {
	var need []int
	for i, r := range Regions(p) {
		lo, hi := r.Span(r.Dims)
		if lo < 0 {
			return nil, fmt.Errorf("%s: operand %d reaches element %d of its buffer", p.Name(), i, lo)
		}
		need = append(need, hi*r.Type.Size())
	}
	return need, nil
}

// Regions lists what a program of any kind touches, in the order a launch
// binds buffers.
func Regions(p Program) []Region {
	var all []Region
	add := func(o Operand, dims ...int) { all = append(all, Region{o, dims}) }
	// along adds the axis that an index array walks.
	along := func(o Operand, dims []int, stride, n int) {
		o.Strides = append(slices.Clone(o.Strides), stride)
		add(o, append(slices.Clone(dims), n)...)
	}
	switch p := p.(type) {
	case *Map:
		for _, o := range p.In {
			add(o, p.Dims...)
		}
		for _, o := range p.Out {
			add(o, p.Dims...)
		}
	case *Reduce:
		for _, o := range p.In {
			add(o, p.Dims...)
		}
		for _, o := range p.Post.In {
			add(o, p.Outer()...)
		}
		add(p.Out, p.Outer()...)
	case *Scan:
		add(p.In, p.Dims...)
		add(p.Out, p.Dims...)
	case *Sort:
		add(p.In, p.Dims...)
		add(p.Out, append(slices.Clone(p.Dims[:len(p.Dims)-1]), p.Keep)...)
	case *Gather:
		along(p.Data, p.Dims, p.AxisStride, p.AxisLen)
		add(p.Index, p.Dims...)
		add(p.Out, p.Dims...)
	case *Scatter:
		add(p.Updates, p.Dims...)
		add(p.Index, p.Dims...)
		along(p.Out, p.Dims, p.AxisStride, p.AxisLen)
	case *Gemm:
		add(p.A, append(slices.Clone(p.Batch), p.M, p.K)...)
		add(p.B, append(slices.Clone(p.Batch), p.K, p.N)...)
		add(p.Out, append(slices.Clone(p.Batch), p.M, p.N)...)
	case *FFT:
		add(p.In, append(slices.Clone(p.Outer), min(p.InLen, p.InNeeded()))...)
		add(p.Out, append(slices.Clone(p.Outer), p.OutLen())...)
	case *Butterfly:
		add(p.In, append(slices.Clone(p.Outer), p.N)...)
		add(p.W, p.WDims()...)
		add(p.Out, append(slices.Clone(p.Outer), p.N)...)
	case *Overlap:
		add(p.In, p.InDims()...)
		add(p.Out, p.OutDims()...)
	case *Batch:
		var writes []Region
		for _, q := range p.Programs {
			r := Regions(q)
			all, writes = append(all, r[:len(q.Reads())]...), append(writes, r[len(q.Reads()):]...)
		}
		return append(all, writes...)
	case *Custom:
		for i, o := range p.In {
			add(o, p.InShapes[i]...)
		}
		for i, o := range p.Out {
			add(o, p.OutShapes[i]...)
		}
	case *Line:
		for _, kind := range []SlotKind{InSlot, OutSlot} {
			for _, s := range p.Slots {
				if s.Kind == kind {
					all = append(all, p.Region(s))
				}
			}
		}
	}
	return all
}

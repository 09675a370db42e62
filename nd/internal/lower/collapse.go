package lower

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// collapse drops dimensions of one element and joins neighbours that every
// operand walks as one, so that programs differ only where the work does.
// Row-major order is kept.
func collapse(p ir.Program) {
	switch p := p.(type) {
	case *ir.Map:
		p.Dims = joined(p.Dims, 0, len(p.Dims), operands(p.In, p.Positions, p.Out))
	case *ir.Reduce:
		outer := len(p.Dims) - p.Inner
		code := operands(p.In, p.Positions)
		lies := &ir.Operand{Strides: p.Lies}
		if p.Lies != nil {
			code = append(code, lies)
		}
		post := append(operands(p.Post.In, p.Post.Positions), &p.Out)
		// The inner part first: the outer one then still begins at 0.
		p.Dims = joined(p.Dims, outer, p.Inner, code)
		if p.Inner = len(p.Dims) - outer; p.Inner == 0 {
			p.Dims, p.Inner = append(p.Dims, 1), 1
			for _, o := range code {
				o.Strides = append(o.Strides, 0)
			}
		}
		p.Dims = joined(p.Dims, 0, outer, append(code, post...))
		p.Lies = lies.Strides
	case *ir.Scan:
		p.Dims = joined(p.Dims, 0, len(p.Dims)-1, []*ir.Operand{&p.In, &p.Out})
	case *ir.Sort:
		p.Dims = joined(p.Dims, 0, len(p.Dims)-1, []*ir.Operand{&p.In, &p.Out})
	case *ir.FFT:
		p.Outer = joined(p.Outer, 0, len(p.Outer), []*ir.Operand{&p.In, &p.Out})
	case *ir.Butterfly:
		p.Outer = joined(p.Outer, 0, len(p.Outer), []*ir.Operand{&p.In, &p.Out})
	case *ir.Overlap:
		p.Outer = joined(p.Outer, 0, len(p.Outer), []*ir.Operand{&p.In, &p.Out})
	case *ir.Gemm:
		p.Batch = joined(p.Batch, 0, len(p.Batch), []*ir.Operand{&p.A, &p.B, &p.Out})
	case *ir.Gather:
		p.Dims = joined(p.Dims, 0, len(p.Dims), []*ir.Operand{&p.Data, &p.Index, &p.Out})
	case *ir.Scatter:
		all := []*ir.Operand{&p.Updates, &p.Index, &p.Out}
		p.Dims = joined(p.Dims, p.Axis+1, len(p.Dims)-p.Axis-1, all)
		before := len(p.Dims)
		p.Dims = joined(p.Dims, 0, p.Axis, all)
		p.Axis -= before - len(p.Dims)
	}
}

func operands(lists ...[]ir.Operand) []*ir.Operand {
	var out []*ir.Operand
	for _, l := range lists {
		for i := range l {
			out = append(out, &l[i])
		}
	}
	return out
}

// joined collapses the n dimensions from first on. Operands have at least
// first+n strides; what follows those stays as it is.
func joined(dims []int, first, n int, ops []*ir.Operand) []int {
	part := dims[first : first+n]
	if slices.Contains(part, 0) {
		for _, o := range ops {
			o.Strides = slices.Concat(o.Strides[:first], []int{0}, o.Strides[first+n:])
		}
		return slices.Concat(dims[:first], []int{0}, dims[first+n:])
	}
	var keep []int   // the last of each run of joined dimensions
	var length []int // the elements of the run
	for i := first; i < first+n; i++ {
		switch {
		case dims[i] == 1:
		case len(keep) > 0 && joinable(ops, keep[len(keep)-1], i, dims[i]):
			keep[len(keep)-1] = i
			length[len(length)-1] *= dims[i]
		default:
			keep, length = append(keep, i), append(length, dims[i])
		}
	}
	for _, o := range ops {
		o.Strides = slices.Concat(o.Strides[:first], pick(o.Strides, keep), o.Strides[first+n:])
	}
	return slices.Concat(dims[:first], length, dims[first+n:])
}

// joinable reports whether stepping once along dimension a is stepping n times
// along b for every operand.
func joinable(ops []*ir.Operand, a, b, n int) bool {
	for _, o := range ops {
		if o.Strides[a] != n*o.Strides[b] {
			return false
		}
	}
	return true
}

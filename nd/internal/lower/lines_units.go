package lower

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// dropUnits takes dimensions of one element out of programs that line fusion
// looks at, so that axes can be told apart by their strides. The axis a
// program works along stays.
func dropUnits(p ir.Program) {
	switch p := p.(type) {
	case *ir.Map:
		p.Dims = withoutUnit(p.Dims, len(p.Dims), operands(p.In, p.Positions, p.Out))
	case *ir.FFT:
		p.Outer = withoutUnit(p.Outer, len(p.Outer), []*ir.Operand{&p.In, &p.Out})
	case *ir.Butterfly:
		p.Outer = withoutUnit(p.Outer, len(p.Outer), []*ir.Operand{&p.In, &p.Out})
	case *ir.Scan:
		p.Dims = withoutUnit(p.Dims, len(p.Dims)-1, []*ir.Operand{&p.In, &p.Out})
	case *ir.Sort:
		p.Dims = withoutUnit(p.Dims, len(p.Dims)-1, []*ir.Operand{&p.In, &p.Out})
	case *ir.Reduce:
		outer := len(p.Dims) - p.Inner
		ops := append(operands(p.In, p.Positions, p.Post.In, p.Post.Positions), &p.Out)
		lies := &ir.Operand{Strides: p.Lies}
		if p.Lies != nil {
			ops = append(ops, lies)
		}
		p.Dims = withoutUnit(p.Dims, outer, ops)
		p.Lies = lies.Strides
	}
}

// withoutUnit drops the dimensions of one element among the first n; operands
// have at least n strides.
func withoutUnit(dims []int, n int, ops []*ir.Operand) []int {
	var keep []int
	for i, d := range dims {
		if i >= n || d != 1 {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(dims) {
		return dims
	}
	for _, o := range ops {
		strides := make([]int, 0, len(o.Strides))
		for _, i := range keep {
			if i < len(o.Strides) {
				strides = append(strides, o.Strides[i])
			}
		}
		// An FFT's operands have the line after the outer dimensions.
		if len(o.Strides) > len(dims) {
			strides = append(strides, o.Strides[len(dims):]...)
		}
		o.Strides = strides
	}
	return pick(dims, keep)
}

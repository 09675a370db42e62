package cost

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// What a core takes to go through operands that do not lie in the order in which it works,
// in nanoseconds, measured on one core with operands in a cache.
const (
	// rowNs is a row that does not follow the row before it: 11 to 16 for rows of 4 to 64
	// elements.
	rowNs = 15
	// plainRowNs is the same where a kernel goes from row to row by itself.
	plainRowNs = 3
	// repeatNs is an element of a short row that is one number over and over.
	repeatNs = 0.5
	// tileNs is an element that lies across, brought a tile at a time, and acrossNs one
	// of rows too short for tiles.
	tileNs, acrossNs = 0.6, 2
	// lineNs is a result of a reduction along a line, and groupNs what begins a block of
	// results side by side, of which each row takes rowNs.
	lineNs, groupNs = 18, 150
	// computedNs is a value that goes through a cache before it is added up side by side: up to
	// 0.08 for squares and products of 64 x 512 elements, more where a core's caches are full.
	computedNs = 0.1
)

const (
	longRow  = 256 // elements of a row from which on it is a block of its own
	tiledRow = 64  // the same from which on tiles bring what lies across
	sideways = 8   // results side by side from which on they are added up row by row
)

// walking is the time in which workers go through operands whose elements do not lie one
// behind the other.
func walking(p ir.Program, f device.Figures) float64 {
	ns := 0.0
	switch p := p.(type) {
	case *ir.Map:
		ns = throughMap(p)
	case *ir.Reduce:
		ns = throughReduce(p)
	case *ir.Batch:
		return lists.Sum(p.Programs, func(q ir.Program) float64 { return walking(q, f) })
	}
	return ns / float64(max(f.Workers, 1))
}

// throughMap is what one core takes; its operands are put in the order of the first
// output, as the core puts them.
func throughMap(p *ir.Map) float64 {
	s := ir.NewSpace(p.Dims, slices.Concat(p.Out, p.In)...)
	s.Join()
	s.Forward(0)
	s.Order(0)
	s.Join()
	last := len(s.Dims) - 1
	if last < 1 {
		return 0
	}
	n := float64(ir.Count(s.Dims))
	long := s.Dims[last]
	each := float64(rowNs)
	if isRowProduct(p, s) && long < longRow {
		each = plainRowNs
	}
	ns := 0.0
	for _, o := range s.Operands {
		follows := true
		for i, next := last, 1; i >= 0; i-- {
			follows = follows && o.Strides[i] == next
			next *= s.Dims[i]
		}
		switch step := o.Strides[last]; {
		case follows || isOne(o.Strides):
		case step == 1:
			ns += each * n / float64(long)
		case step == 0:
			ns += each * n / float64(long)
			if long < longRow {
				ns += repeatNs * n
			}
		case long >= tiledRow:
			ns += tileNs * n
		default:
			ns += acrossNs * n
		}
	}
	return ns
}

// isOne reports an operand of one element.
func isOne(strides []int) bool {
	return !slices.ContainsFunc(strides, func(s int) bool { return s != 0 })
}

// isRowProduct reports a product of two operands and nothing else, all of whose rows lie
// in order, for which there is a kernel.
func isRowProduct(p *ir.Map, s *ir.Space) bool {
	inOrder := !slices.ContainsFunc(s.Operands, func(o *ir.Operand) bool { return o.Strides[len(s.Dims)-1] != 1 })
	return len(s.Dims) == 2 && inOrder && len(p.Instrs) == 3 && p.Instrs[2].Kind == ir.Apply && p.Instrs[2].Op == scalar.Mul
}

// throughReduce is what one core takes for results: one by one along lines, or where
// neighbours belong to different ones, row by row.
func throughReduce(p *ir.Reduce) float64 {
	results := float64(ir.Count(p.Outer()))
	width := sideBySide(p)
	if width == 0 {
		return lineNs * results
	}
	ns := results / float64(width) * (groupNs + rowNs*float64(ir.Count(p.Dims[len(p.Outer()):])))
	if len(p.Instrs) > 1 {
		ns += computedNs * float64(ir.Count(p.Dims))
	}
	return ns
}

// sideBySide is how many results a core adds up side by side, row by row; 0 if it adds up
// each along its line.
func sideBySide(p *ir.Reduce) int {
	outer, lies := p.Outer(), p.Layout()
	if lies == nil {
		return 0
	}
	near, far := ir.Nearest(outer, lies), ir.Nearest(p.Dims[len(outer):], lies[len(outer):])
	width, next := 1, near
	for {
		i := -1
		for j, s := range lies[:len(outer)] {
			if outer[j] > 1 && s == next {
				i = j
			}
		}
		if i < 0 || next == 0 {
			break
		}
		width *= outer[i]
		next *= outer[i]
	}
	if near == 0 || far != 0 && near > far || width < sideways {
		return 0
	}
	return width
}

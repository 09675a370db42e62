package ir

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Space is dimensions and the operands that walk them. Operands may have further
// strides before and behind those of the space, which stay as they are.
type Space struct {
	Dims     []int
	Operands []*Operand
	first    int // stride of the first dimension
	reduced  bool
}

// NewSpace copies operands over dims.
func NewSpace(dims []int, operands ...Operand) *Space {
	s := &Space{Dims: slices.Clone(dims)}
	for _, o := range operands {
		s.Operands = append(s.Operands, &o)
	}
	return s
}

// SpaceOf is over operands that change with it.
func SpaceOf(dims []int, operands []Operand) *Space {
	return &Space{Dims: dims, Operands: pointers(operands)}
}

func pointers(lists ...[]Operand) []*Operand {
	var out []*Operand
	for _, l := range lists {
		for i := range l {
			out = append(out, &l[i])
		}
	}
	return out
}

// Simplify drops dimensions of one element and joins neighbours that every
// operand walks as one, so that programs differ only where the work does. The
// row-major order of points is kept.
func Simplify(p Program) { p.spaces((*Space).Join) }

// DropUnits drops dimensions of one element, but for those that are reduced.
func DropUnits(p Program) {
	p.spaces(func(s *Space) {
		if !s.reduced {
			s.DropUnits()
		}
	})
}

// DropUnits drops dimensions of one element.
func (s *Space) DropUnits() {
	s.pick(lists.Where(len(s.Dims), func(d int) bool { return s.Dims[d] != 1 }))
}

// Join drops dimensions of one element and makes one of neighbours that every
// operand walks as one. A space without points becomes one dimension of none.
func (s *Space) Join() {
	if slices.Contains(s.Dims, 0) {
		for _, o := range s.Operands {
			o.Strides = slices.Concat(o.Strides[:s.first], []int{0}, o.Strides[s.first+len(s.Dims):])
		}
		s.Dims = []int{0}
		return
	}
	var keep, length []int // the last of each run of joined dimensions, and its elements
	for d, n := range s.Dims {
		switch {
		case n == 1:
		case len(keep) > 0 && s.joinable(keep[len(keep)-1], d):
			keep[len(keep)-1] = d
			length[len(length)-1] *= n
		default:
			keep, length = append(keep, d), append(length, n)
		}
	}
	s.pick(keep)
	s.Dims = length
}

// joinable reports whether stepping once along dimension a is stepping through
// all of b for every operand.
func (s *Space) joinable(a, b int) bool {
	return !slices.ContainsFunc(s.Operands, func(o *Operand) bool { return o.Strides[s.first+a] != s.Dims[b]*o.Strides[s.first+b] })
}

// Forward turns dimensions around that an operand walks backwards.
func (s *Space) Forward(main int) {
	for d, n := range s.Dims {
		at := s.first + d
		if s.Operands[main].Strides[at] >= 0 {
			continue
		}
		for _, o := range s.Operands {
			o.Offset += (n - 1) * o.Strides[at]
			o.Strides = slices.Clone(o.Strides)
			o.Strides[at] = -o.Strides[at]
		}
	}
}

// Order puts the dimension with the smallest stride of an operand last; those
// that it does not depend on come first. It is for programs that do not care in
// which order points are visited.
func (s *Space) Order(main int) {
	strides := s.Operands[main].Strides[s.first:]
	rank := func(d int) int {
		if strides[d] == 0 {
			return math.MaxInt
		}
		return max(strides[d], -strides[d])
	}
	order := lists.Make(len(s.Dims), func(d int) int { return d })
	slices.SortStableFunc(order, func(a, b int) int { return rank(b) - rank(a) })
	s.pick(order)
}

// pick keeps some of the dimensions, in an order.
func (s *Space) pick(keep []int) {
	for _, o := range s.Operands {
		strides := slices.Clone(o.Strides[:s.first])
		strides = append(strides, lists.Map(keep, func(d int) int { return o.Strides[s.first+d] })...)
		o.Strides = append(strides, o.Strides[s.first+len(s.Dims):]...)
	}
	dims := lists.Map(keep, func(d int) int { return s.Dims[d] })
	s.Dims = dims
}

// Nearest is the least step from element to element; 0 if there is none.
func Nearest(dims, strides []int) int {
	least := 0
	for i, n := range dims {
		if s := max(strides[i], -strides[i]); n > 1 && s > 0 && (least == 0 || s < least) {
			least = s
		}
	}
	return least
}

package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// lines is the index space of programs that work along the last dimension:
// its other dimensions, and how operands move over them.
type lines struct {
	dims  []int
	count int
	to    []layout // without the stride along the line
	step  []int    // the stride along the line
}

func linesOf(outer []int, operands ...ir.Operand) lines {
	l := lines{count: ir.Count(outer), to: layoutsOf(operands)}
	for i := range l.to {
		o := &l.to[i]
		l.step = append(l.step, o.strides[len(outer)])
		o.strides = o.strides[:len(outer)]
	}
	l.dims = collapsed(outer, l.to)
	return l
}

// start is where operand k's line begins; index is of lines.dims.
func (l *lines) start(k int, base unsafe.Pointer, index []int) unsafe.Pointer {
	return l.to[k].address(base, index)
}

// row is the number of lines along the last outer dimension, and apart how far
// they are apart in operand k.
func (l *lines) row() int {
	if n := len(l.dims); n > 0 {
		return l.dims[n-1]
	}
	return 1
}

func (l *lines) apart(k int) int {
	if n := len(l.dims); n > 0 {
		return l.to[k].strides[n-1]
	}
	return 0
}

// each runs f for every line.
func (l *lines) each(x *launch, length int, f func(index []int, s *scratch) error) error {
	return l.bundles(x, length, 1, func(index []int, _ int, s *scratch) error { return f(index, s) })
}

// bundles runs f for up to most lines at a time that are neighbours along the
// last outer dimension.
func (l *lines) bundles(x *launch, length, most int, f func(index []int, n int, s *scratch) error) error {
	per := l.per(x, length, most)
	return x.team.do((l.count+per-1)/per, x.s, func(p int, s *scratch) error {
		index := scratchOf[int](s, len(l.dims))
		for i, end := p*per, min((p+1)*per, l.count); i < end; {
			n := l.next(index, i, end, most)
			mark := s.level()
			if err := f(index, n, s); err != nil {
				return err
			}
			s.back(mark)
			i += n
		}
		return nil
	})
}

// per is how many lines of a length a part has: bundles of most, and at least
// inlineUpTo elements.
func (l *lines) per(x *launch, length, most int) int {
	if l.count*length > inlineUpTo && x.team.size > 1 {
		return most * max(1, inlineUpTo/max(most*length, 1))
	}
	return l.count
}

// next sets index to line i and says how many lines from there on, up to end,
// go together.
func (l *lines) next(index []int, i, end, most int) int {
	locate(index, l.dims, i)
	row := l.row()
	return min(most, end-i, row-i%row)
}

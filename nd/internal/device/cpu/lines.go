package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// lines is the index space of programs that work along the last dimension:
// its other dimensions, and how operands move over them.
type lines struct {
	dims  []int
	count int
	to    []layout // without the stride along the line
	step  []int    // the stride along the line
}

func linesOf(outer []int, operands ...kern.Operand) lines {
	l := lines{count: kern.Count(outer), to: layoutsOf(operands)}
	for i := range l.to {
		o := &l.to[i]
		l.step = append(l.step, o.strides[len(outer)])
		o.strides = o.strides[:len(outer)]
	}
	l.dims = collapse(outer, l.to)
	return l
}

// start is where operand k's line begins; index is of lines.dims.
func (l *lines) start(k int, base unsafe.Pointer, index []int) unsafe.Pointer {
	return l.to[k].address(base, index)
}

// each runs f for every line, in parts of at least inlineUpTo elements.
func (l *lines) each(x *launch, length int, f func(index []int, s *scratch) error) error {
	per := l.count
	if l.count*length > inlineUpTo {
		per = max(1, inlineUpTo/max(length, 1))
	}
	part := func(p int, s *scratch) error {
		index := scratchOf[int](s, len(l.dims))
		for i := p * per; i < min((p+1)*per, l.count); i++ {
			locate(index, l.dims, i)
			mark := s.level()
			if err := f(index, s); err != nil {
				return err
			}
			s.back(mark)
		}
		return nil
	}
	return x.team.do((l.count+per-1)/per, x.s, part)
}

package line

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// String prints the program, a line per slot and stage:
//
//	line over [8 64]
//	  s0 in float32[1024]
//	  s2 local complex64[513]
//	  fft r2c 1024: s0 -> s2
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "line over %v", p.Outer)
	if p.Segments > 1 {
		fmt.Fprintf(&b, ", %d segments", p.Segments)
	}
	b.WriteByte('\n')
	for i, s := range p.Slots {
		fmt.Fprintf(&b, "  s%d %s %s[%d]\n", i, [...]string{"in", "out", "local"}[s.Kind], s.Type, s.Len)
	}
	for _, s := range p.Stages {
		each := ""
		if s.Each {
			each = "each segment: "
		}
		fmt.Fprintf(&b, "  %s%s: %s -> %s\n", each, describe(s.Program), slotNames(s.Reads), slotNames(s.Writes))
	}
	return b.String()
}

func slotNames(slots []int) string {
	names := make([]string, len(slots))
	for i, s := range slots {
		names[i] = fmt.Sprintf("s%d", s)
	}
	return strings.Join(names, " ")
}

func describe(p kern.Program) string {
	switch p := p.(type) {
	case *kern.Map:
		var ops []string
		for _, i := range p.Instrs {
			if i.Kind == kern.Apply {
				ops = append(ops, i.Op.String())
			}
		}
		if len(ops) == 0 {
			return "copy"
		}
		return "map " + strings.Join(ops, " ")
	case *kern.FFT:
		kind := [...]string{"c2c", "r2c", "c2r"}[p.Kind]
		if p.Inverse {
			kind += " inverse"
		}
		return fmt.Sprintf("fft %s %d", kind, p.N)
	case *kern.Reduce:
		return "reduce " + p.Op.String()
	case *kern.Sort:
		return fmt.Sprintf("sort, keep %d", p.Keep)
	}
	return p.Name()
}

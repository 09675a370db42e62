package ir

import (
	"fmt"
	"strings"
)

// String prints the program, a line per slot and stage:
//
//	line over [8 64]
//	  in0 float32[1024]
//	  chip2 complex64[513]
//	  fft r2c 1024: in0 -> chip2
func (p *Line) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "line over %v", p.Outer)
	if p.Segments > 1 {
		fmt.Fprintf(&b, ", %d segments", p.Segments)
	}
	b.WriteByte('\n')
	for i, s := range p.Slots {
		fmt.Fprintf(&b, "  %s %s[%d]", p.slotNames([]int{i}), s.Type, s.Len)
		if s.Margin != nil {
			b.WriteString(s.Margin.Rule.beyond())
		}
		b.WriteByte('\n')
	}
	for _, s := range p.Describe() {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	return b.String()
}

// beyond says how lines go on where nothing is there.
func (r Rule) beyond() string {
	return [...]string{", beyond which it is a constant", ", reflected at its ends", ", beyond which its ends go on", ", beyond which it begins again"}[r]
}

// Describe is a line of text per stage: what it does, and from which slots to
// which.
func (p *Line) Describe() []string {
	var out []string
	for _, s := range p.Stages {
		each := ""
		if s.Each {
			each = "each segment: "
		}
		out = append(out, fmt.Sprintf("%s%s: %s -> %s", each, describe(s.Program), p.slotNames(s.Reads), p.slotNames(s.Writes)))
	}
	return out
}

// slotNames names slots by number and place: in and out are in memory, chip is not.
func (p *Line) slotNames(slots []int) string {
	names := make([]string, len(slots))
	for i, s := range slots {
		names[i] = fmt.Sprintf("%s%d", [...]string{"in", "out", "chip"}[p.Slots[s].Kind], s)
	}
	return strings.Join(names, " ")
}

func describe(p Program) string {
	switch p := p.(type) {
	case *Map:
		var ops []string
		for _, i := range p.Instrs {
			if i.Kind == Apply {
				ops = append(ops, i.Op.String())
			}
		}
		if len(ops) == 0 {
			return "copy"
		}
		return "map " + strings.Join(ops, " ")
	case *FFT:
		kind := [...]string{"c2c", "r2c", "c2r"}[p.Kind]
		if p.Inverse {
			kind += " inverse"
		}
		return fmt.Sprintf("fft %s %d", kind, p.N)
	case *Butterfly:
		return fmt.Sprintf("butterfly %d, %d factors", p.N, len(p.Spans))
	case *Overlap:
		return "overlap_add"
	case *Reduce:
		return "reduce " + p.Op.String()
	case *Sort:
		return fmt.Sprintf("sort, keep %d", p.Keep)
	}
	return p.Name()
}

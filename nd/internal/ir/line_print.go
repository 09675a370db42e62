package ir

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
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
	for i, s := range p.EachSlot() {
		fmt.Fprintf(&b, "  %s %s[%d]", p.slotNames([]SlotID{i}), s.Type, s.Len)
		if s.Margin != nil {
			b.WriteString(s.Margin.Rule.beyond())
		}
		b.WriteByte('\n')
	}
	for _, s := range p.StageTexts() {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	return b.String()
}

// beyond says how lines go on where nothing is there.
func (r Rule) beyond() string {
	return [...]string{", beyond which it is a constant", ", reflected at its ends", ", beyond which its ends go on", ", beyond which it begins again"}[r]
}

// StageTexts is a line of text per stage: what it does, and from which slots to
// which.
func (p *Line) StageTexts() []string {
	var out []string
	for _, s := range p.Shared {
		out = append(out, fmt.Sprintf("for all lines: %s: %s -> %s", s.Program, p.slotNames(s.Reads), p.slotNames(s.Writes)))
	}
	for _, s := range p.Stages {
		each := ""
		if s.Each {
			each = "each segment: "
		}
		out = append(out, fmt.Sprintf("%s%s: %s -> %s", each, s.Program, p.slotNames(s.Reads), p.slotNames(s.Writes)))
	}
	return out
}

// slotNames names slots by number and place: in and out are in memory, chip is not.
func (p *Line) slotNames(slots []SlotID) string {
	names := lists.Map(slots, func(s SlotID) string {
		return fmt.Sprintf("%s%d", [...]string{"in", "out", "chip", "shared"}[p.Slots[s].Kind], s)
	})
	return strings.Join(names, " ")
}

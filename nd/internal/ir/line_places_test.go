package ir

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// hop is a stage that copies n bytes from one slot to another.
func hop(n int, from, to SlotID, each bool) Stage {
	o := Operand{Type: elem.Uint8, Strides: []int{1}}
	m := &Map{Dims: []int{n}, Out: []Operand{o}, Value: []ValueID{0},
		Code: Code{In: []Operand{o}, Instrs: []Instr{{Kind: Load, Type: elem.Uint8}}}}
	return Stage{Program: m, Reads: []SlotID{from}, Writes: []SlotID{to}, Each: each}
}

func TestPlaces(t *testing.T) {
	in, out := Slot{Kind: InSlot, Type: elem.Uint8, Len: 10}, Slot{Kind: OutSlot, Type: elem.Uint8, Len: 10}
	local := func(n int) Slot { return Slot{Kind: LocalSlot, Type: elem.Uint8, Len: n} }
	for _, c := range []struct {
		name   string
		slots  []Slot
		stages []Stage
		at     []int
		total  int
	}{
		{"a chain takes two places", []Slot{in, local(10), local(10), local(10), local(10), out},
			[]Stage{hop(10, 0, 1, false), hop(10, 1, 2, false), hop(10, 2, 3, false), hop(10, 3, 4, false), hop(10, 4, 5, false)},
			[]int{0, 0, 10, 0, 10, 0}, 20},
		{"what is read again stays", []Slot{in, local(10), local(4), local(8), out},
			[]Stage{hop(10, 0, 1, false), hop(4, 1, 2, false), hop(4, 2, 3, false), hop(10, 1, 4, false)},
			[]int{0, 0, 10, 14, 0}, 22},
		{"a gap is filled", []Slot{in, local(4), local(10), local(3), out},
			[]Stage{hop(4, 0, 1, false), hop(4, 1, 2, false), hop(3, 2, 3, false), hop(3, 3, 4, false), hop(10, 2, 4, false)},
			[]int{0, 0, 4, 0, 0}, 14},
		{"what segments start from outlives them", []Slot{in, local(10), local(10), local(10), out},
			[]Stage{hop(10, 0, 1, false), hop(10, 1, 2, true), hop(10, 2, 3, true), hop(10, 3, 4, true)},
			[]int{0, 0, 10, 20, 0}, 30},
		{"what segments hand on lives through all", []Slot{in, local(10), local(10), local(10), out},
			[]Stage{hop(10, 0, 1, true), hop(10, 1, 2, true),
				{Program: hop(10, 0, 0, true).Program, Reads: []SlotID{2, 3}, Writes: []SlotID{3}, Each: true, First: hop(10, 0, 0, true).Program},
				hop(10, 3, 4, false)},
			[]int{0, 0, 20, 10, 0}, 30},
	} {
		p := &Line{Segments: 2, Slots: c.slots, Stages: c.stages}
		at, total := p.Places(func(slot SlotID) int { return p.Slots[slot].Len })
		if total != c.total || p.LocalBytes() != c.total {
			t.Errorf("%s: %d bytes, want %d", c.name, total, c.total)
		}
		for i, s := range c.slots {
			if s.Kind == LocalSlot && at[i] != c.at[i] {
				t.Errorf("%s: slot %d at %d, want %d", c.name, i, at[i], c.at[i])
			}
		}
	}
}

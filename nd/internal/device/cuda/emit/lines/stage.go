package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// sector is what memory is written in, in bytes, and wave what a warp should
// write at once.
const sector, wave = 32, 128

// findStaged finds what a transform of real lines writes whose rows do not begin
// with a sector: n/2+1 elements each. Such a row is put together where the
// transform exchanged numbers, and stored in whole pieces.
func (k *kernel) findStaged() {
	for i := range k.p.Stages {
		x, c := k.ffts[i], k.chains[i]
		if x == nil || c == nil || c.next >= 0 || !x.packed() || x.f.Kind != ir.FFTRealForward || k.p.Stages[i].Each {
			continue
		}
		slot, stages := -1, 0
		writes := func(o ir.Operand, n int, slots []int) {
			for _, s := range slots {
				if k.p.Slots[s].Kind != ir.OutSlot {
					continue
				}
				stages++
				if _, home := k.homes[s]; !home && len(k.slots[s].writers) == 1 && len(slots) == 1 &&
					along(o) == 1 && o.Offset == 0 && n == k.p.Slots[s].Len {
					slot = s
				}
			}
		}
		writes(x.f.Out, x.f.OutLen(), k.p.Stages[i].Writes)
		for _, l := range c.stages {
			m := k.p.Stages[l.stage].Program.(*ir.Map)
			writes(m.Out[0], m.Dims[0], k.p.Stages[l.stage].Writes)
		}
		if stages == 1 && slot >= 0 && k.unaligned(slot) && k.p.Slots[slot].Len*k.p.Slots[slot].Type.Size() <= x.split.Room(x.bits)*x.bytes() {
			k.staged[slot] = i
		}
	}
}

// unaligned reports that rows of a slot do not all begin with a sector.
func (k *kernel) unaligned(slot int) bool {
	s := k.p.Slots[slot]
	size := s.Type.Size()
	odd := s.Offset*size%sector != 0
	for d, n := range s.Strides {
		odd = odd || k.p.Outer[d] > 1 && n*size%sector != 0
	}
	return odd && size <= 16
}

// flush stores a row that was put together on chip: pieces of 16 bytes such that
// threads that follow each other write whole waves, and what is before the first
// and behind the last.
func (k *kernel) flush(slot int) {
	s := k.p.Slots[slot]
	k.uses.Part("pack")
	typ, size := emit.Memory(s.Type), s.Type.Size()
	each := max(16/size, 1)
	row, to := k.scratch(typ), k.global(slot)
	k.guard.beforeRead(k.text, swapped)
	head := k.let("int", "(int)((u64)%s / %d %% %d)", to, size, wave/size)
	for first := 0; first < s.Len+wave/size-1; first += each * k.threads {
		at := k.let("int", "%d * t + %d - %s", each, first, head)
		k.open("if (%s && %s >= 0 && %s <= %d)", k.alive(), at, at, s.Len-each)
		piece := k.name("piece")
		k.line("pack<%s, %d> %s;", typ, each, piece)
		for j := range each {
			k.line("%s.x[%d] = %s[%s + %d];", piece, j, row, at, j)
		}
		k.line("store_pack<%d>(%s + %s, %s);", each, to, at, piece)
		k.close()
	}
	if each == 1 {
		return
	}
	lead := k.let("int", "(%d - %s %% %d) %% %d", each, head, each, each)
	rest := k.let("int", "%d - (%d - %s) %% %d", s.Len, s.Len, lead, each)
	edge := func(from, to string) string {
		i := k.name("i")
		return fmt.Sprintf("for (int %s = %s + t; %s < %s; %s += %d) ", i, from, i, to, i, k.threads) + "%s[" + i + "] = %s[" + i + "];"
	}
	for _, e := range []string{edge("0", lead), edge(rest, fmt.Sprint(s.Len))} {
		k.when(k.alive(), e, to, row)
	}
}

package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
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
		slot, stages := ir.SlotID(-1), 0
		writes := func(o ir.Operand, n int, slots []ir.SlotID) {
			for _, s := range slots {
				if k.p.Slots[s].Kind != ir.OutSlot {
					continue
				}
				stages++
				if _, home := k.homes[s]; !home && len(k.slots[s].Writers) == 1 && len(slots) == 1 &&
					o.Along() == 1 && o.Offset == 0 && n == k.p.Slots[s].Len {
					slot = s
				}
			}
		}
		writes(x.f.Out, x.f.OutLen(), k.p.Stages[i].Writes)
		for _, l := range c.stages {
			m := k.p.Stages[l.stage].Program.(*ir.Map)
			writes(m.Out[0], m.Dims[0], k.p.Stages[l.stage].Writes)
		}
		if stages == 1 && slot >= 0 && k.unaligned(slot) && k.p.Slots[slot].Len*k.p.Slots[slot].Type.Size() <= min(x.split.Room(x.bits)*x.bytes(), x.exchange) {
			k.staged[slot] = i
		}
	}
}

// unaligned reports that rows of a slot do not all begin with a sector.
func (k *kernel) unaligned(slot ir.SlotID) bool {
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
// and behind the last. Buffers begin with a wave. Remainders are masks, since
// what is divided has a sign for the compiler.
func (k *kernel) flush(slot ir.SlotID) {
	s := k.p.Slots[slot]
	t, size := kgen.MemoryOf(s.Type), s.Type.Size()
	each := max(16/size, 1)
	if k.together {
		k.flushTogether(slot)
		return
	}
	row, to := k.swap(t), k.global(slot)
	k.guard.beforeRead(swapped)
	head := k.LetIn("head", k.offsets[slot].And(wave/size-1).To(ktree.Int), 0, wave/size-1)
	for first := 0; first < s.Len+wave/size-1; first += each * k.threads {
		at := k.Let("at", raised(k.t.Mul(each), first).Sub(head))
		k.If(k.alive().AndThen(at.Ge(0)).AndThen(at.Le(s.Len-each)), func() {
			if each == 1 {
				k.Set(to.At(at), row.At(at))
				return
			}
			piece := k.Array("piece", t, each)
			for j := range each {
				k.Set(piece.At(j), row.At(raised(at, j)))
			}
			k.Move(to.At(at), piece.At(0), each)
		})
	}
	if each == 1 {
		return
	}
	lead := k.Let("lead", whole(each).Sub(head.And(each-1)).And(each-1))
	rest := k.Let("rest", whole(s.Len).Sub(whole(s.Len).Sub(lead).And(each-1)))
	k.If(k.alive(), func() {
		for _, e := range [][2]build.Val{{whole(0), lead}, {rest, whole(s.Len)}} {
			k.For("i", k.Let("first", e[0].Add(k.t)), e[1], k.threads, 0, func(i build.Val) { k.Set(to.At(i), row.At(i)) })
		}
	})
}

// findTogether finds out whether the staged rows of a group follow each other in
// memory and begin with a sector: then they are put together as one, and only its
// ends may share a sector with others. On an H200 real lines of 64, 256 and 1024 took
// 1.07, 0.98 and 1.01 times a copy instead of 1.15, 1.03 and 1.06.
func (k *kernel) findTogether() {
	o := &k.outer
	if k.lines < 2 || k.p.Segments != 1 || k.hasNear() || k.hasMargins() || o.columns || o.tile < 0 {
		return
	}
	for slot := range k.staged { // one at most
		s := k.p.Slots[slot]
		size := s.Type.Size()
		fits := s.Len*size <= k.pitch && s.Offset*size%sector == 0 && k.lines*s.Len*size%sector == 0
		for d, n := range o.strides[slot] {
			if d == o.tile {
				fits = fits && n == s.Len
			} else {
				fits = fits && n*size%sector == 0
			}
		}
		k.together = fits
	}
}

// putTogether is where a row is put among those of its group. All of them take the
// place of what the group's threads exchanged.
func (k *kernel) putTogether(slot ir.SlotID) build.Val {
	if k.guard.read[swapped] {
		k.allWait()
	}
	k.guard.written[swapped] = true
	s := k.p.Slots[slot]
	return k.pool(kgen.MemoryOf(s.Type)).Plus(k.row.Mul(s.Len))
}

// allWait is a barrier of all lines of a group.
func (k *kernel) allWait() {
	k.Barrier()
	clear(k.guard.read)
	clear(k.guard.written)
}

// flushTogether stores the rows of a group that are the program's.
func (k *kernel) flushTogether(slot ir.SlotID) {
	k.allWait()
	k.guard.read[swapped] = true
	s := k.p.Slots[slot]
	each, threads := max(16/s.Type.Size(), 1), k.lines*k.threads
	_, index := k.lineOf(k.Group(), whole(0))
	to, from := k.Let("to", k.buffers[k.bufferOf(slot)].Plus(k.offsetOf(slot, s, index))), k.pool(kgen.MemoryOf(s.Type))
	tile, _ := k.tileOf(k.Group())
	left := k.size("n0", k.outer.dims[k.outer.tile]).Sub(tile.Mul(k.lines))
	count := k.LetIn("count", build.Min(left, k.lines).To(ktree.Int).Mul(s.Len), 0, k.lines*s.Len)
	thread := k.Let("thread", k.Thread().To(ktree.Int))
	for first := 0; first < k.lines*s.Len; first += each * threads {
		at := k.Let("at", raised(thread.Mul(each), first))
		k.If(at.Le(count.Sub(each)), func() { k.Move(to.At(at), from.At(at), each) })
	}
	if each > 1 { // the last group may have rows that end within a piece
		at := k.Let("at", count.Sub(1).Sub(thread))
		k.If(thread.Lt(count.And(each-1)), func() { k.Set(to.At(at), from.At(at)) })
	}
}

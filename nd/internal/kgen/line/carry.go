package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// Lines of few elements are carried: a group copies its lines, which follow each other in memory, to shared memory and
// back by threads that follow each other, each an element. A thread that has a line to itself, or a few of
// a line's, would access memory in steps of a line.

// Lines are carried if they have fewer threads than one of these: complex lines, packed ones of reals, packed ones whose
// bins are staged anyway, and lines of a prime length, which have many exchanges to hide. On an H200, in times of a copy,
// complex64 of 12 elements take 0.99 so and 3.44 without, of 100 0.99 and 1.12, but of 125, by 25 threads, 1.18 and 1.06;
// float32 of 48 1.10 and 2.81, but of 96, by 4 threads, 1.22 and 1.14; complex64 of 31 1.26 and 2.18, but of 97 1.42 and
// 1.32.
const carriedComplex, carriedReal, carriedStaged, carriedPrime = 16, 6, 4, 8

// fewThreads reports lines of a transform whose threads access short runs of memory.
func (k *kernel) fewThreads(x *transform) bool {
	switch {
	case x.kind == recipe.Rader:
		return k.threads < carriedPrime
	case len(k.staged) > 0:
		return k.threads < carriedStaged
	case isReal(x.f):
		return k.threads < carriedReal
	}
	return k.threads < carriedComplex
}

// findCarried finds the slots of a transform by itself, with the maps that run in its registers, whose lines may be carried.
func (k *kernel) findCarried() {
	if k.pair != nil || k.p.Segments != 1 || len(k.p.Frames) > 0 || len(k.p.Sums()) > 0 || k.cluster > 0 || k.hasNear() || k.hasMargins() {
		return
	}
	transforms := transformsOf(k.p)
	if len(transforms) != 1 || !k.fewThreads(k.ffts[transforms[0]]) {
		return
	}
	i := transforms[0]
	for j := range k.p.Stages {
		if j != i && !k.attached[j] && !k.isVirtual(j) {
			return
		}
	}
	taken := map[ir.SlotKind]bool{} // of each kind one is carried, all in the same place
	for slot, s := range k.p.EachSlot() {
		rows := k.outer.strides[slot]
		if _, home := k.homes[slot]; home || s.Kind == ir.LocalSlot || s.Segment != 0 || taken[s.Kind] || s.Type.Size() > 16 || rows[len(rows)-1] != s.Len {
			continue
		}
		switch s.Kind {
		case ir.InSlot:
			taken[s.Kind] = k.contiguous(slot) && !slices.ContainsFunc(k.slots[slot].Readers, func(u ir.Use) bool { return u.Stage != i && !k.isVirtual(u.Stage) })
		case ir.OutSlot:
			_, staged := k.staged[slot]
			taken[s.Kind] = !staged && k.storedWhole(slot)
		}
		if taken[s.Kind] {
			k.carried[slot] = true
		}
	}
}

// storedWhole reports a result whose lines one stage writes, element by element.
func (k *kernel) storedWhole(slot ir.SlotID) bool {
	writers := k.slots[slot].Writers
	if len(writers) != 1 || len(k.slots[slot].Readers) > 0 {
		return false
	}
	s := k.p.Stages[writers[0]]
	whole := func(o ir.Operand, n int) bool { return o.Along() == 1 && o.Offset == 0 && n == k.p.Slots[slot].Len }
	switch p := s.Program.(type) {
	case *ir.FFT:
		return whole(p.Out, p.OutLen())
	case *ir.Map:
		return len(s.Writes) == 1 && whole(p.Out[0], p.Dims[0])
	}
	return false
}

// carriedBytes is what the longest carried line takes.
func (k *kernel) carriedBytes() int {
	most := 0
	for slot := range k.carried {
		s := k.p.Slots[slot]
		most = max(most, s.Len*s.Type.Size())
	}
	return most
}

// carriedPitch is how far lines are apart on chip where a thread has one to itself: an odd number of elements, so that
// threads access different banks.
func (k *kernel) carriedPitch() int {
	unit := k.ffts[transformsOf(k.p)[0]].bytes()
	return ((k.tail+unit-1)/unit | 1) * unit
}

// chooseCarried leaves nothing carried where groups do not have lines that follow each other.
func (k *kernel) chooseCarried() {
	if k.lines < 2 || k.outer.columns || k.outer.tile != len(k.outer.dims)-1 {
		clear(k.carried)
		return
	}
	if len(k.carried) > 0 && k.threads == 1 {
		k.pitch = k.carriedPitch()
	}
}

// carriedOf is the carried slots of a kind.
func (k *kernel) carriedOf(kind ir.SlotKind) (list []ir.SlotID) {
	for slot, s := range k.p.EachSlot() {
		if s.Kind == kind && k.carried[slot] {
			list = append(list, slot)
		}
	}
	return list
}

// carryIn copies the lines of a group to shared memory.
func (k *kernel) carryIn() {
	in := k.carriedOf(ir.InSlot)
	for _, slot := range in {
		c := k.cargo(slot)
		x := k.Array("carried", kgen.MemoryOf(k.p.Slots[slot].Type), c.each)
		c.visit(func(i int, at, _ build.Val) { k.Set(x.At(i), c.memory.At(build.Min(at, c.count.Sub(1)))) })
		c.visit(func(i int, _, on build.Val) { k.Set(c.chip.At(on), x.At(i)) })
	}
	if len(in) > 0 {
		k.allWait()
	}
}

// carryOut copies them back.
func (k *kernel) carryOut() {
	out := k.carriedOf(ir.OutSlot)
	if len(out) > 0 {
		k.allWait()
	}
	for _, slot := range out {
		c := k.cargo(slot)
		c.visit(func(_ int, at, on build.Val) { k.If(at.Lt(c.count), func() { k.Set(c.memory.At(at), c.chip.At(on)) }) })
	}
}

// cargo is the lines of a group, of a slot.
type cargo struct {
	k            *kernel
	memory, chip build.Val // pointers
	each         int       // elements of a thread
	length       int       // of a line
	row          int       // from line to line on chip
	count        build.Val // elements that there are
}

func (k *kernel) cargo(slot ir.SlotID) *cargo {
	s := k.p.Slots[slot]
	t := kgen.MemoryOf(s.Type)
	_, index := k.lineOf(k.group, whole(0))
	c := &cargo{k: k, length: s.Len, row: k.pitch / s.Type.Size(), chip: k.pool(t)}
	c.memory = k.Let("lines", k.buffers[k.bufferOf(slot)].Plus(k.offsetOf(slot, s, index)))
	tile, _ := k.tileOf(k.group)
	left := k.size("n0", k.outer.dims[k.outer.tile]).Sub(tile.Mul(k.lines))
	c.count = k.LetIn("count", build.Min(left, k.lines).To(ktree.Int).Mul(s.Len), s.Len, k.lines*s.Len)
	threads := k.lines * k.threads
	c.each = (k.lines*s.Len + threads - 1) / threads
	return c
}

// visit calls f with each element of the thread: where it is in memory and on chip. All lines of the group are visited,
// also those that are not the program's.
func (c *cargo) visit(f func(i int, at, on build.Val)) {
	k, threads := c.k, c.k.lines*c.k.threads
	thread := k.Let("thread", k.Thread().To(ktree.Int))
	for i := range c.each {
		at := k.LetIn("at", raised(thread, i*threads), i*threads, (i+1)*threads-1)
		visit := func() {
			on := at
			if c.row != c.length {
				on = k.Let("on", at.Add(at.Div(c.length).Mul(c.row-c.length)))
			}
			f(i, at, on)
		}
		if all := k.lines * c.length; (i+1)*threads > all {
			k.If(at.Lt(all), visit)
		} else {
			visit()
		}
	}
}

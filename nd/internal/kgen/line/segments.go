package line

import (
	"fmt"
	"maps"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// PairSegments reports that powers of segments of n float32 samples were measured to be added
// up faster by pairs, with so many segments in a line, and so many lines.
func PairSegments(n, segments, lines int, target kgen.Target) bool {
	few := fewSegments
	if segments%2 == 1 {
		few = fewAndOne
	}
	r := single.recipes(target).Powers(n)
	return r != nil && segments >= few && lines*r.Threads > fewThreads*target.Processors
}

// fewSegments is how many segments a line must have. What follows them takes longer behind
// pairs, which leave a multiprocessor fewer warps. One that has none to go with is a transform
// more in the text: then fewAndOne.
const fewSegments, fewAndOne = 4, 15

// addsPowers reports a program that takes segments in pairs.
func (k *kernel) addsPowers() bool {
	for _, x := range k.ffts {
		if x.f.Powers {
			return true
		}
	}
	return false
}

// besideAlone is how many threads a multiprocessor has where a segment without another is
// transformed, too: 128 registers each. The compiler takes 168 by itself, and spectra of 15
// segments of 1024 samples 549 us on an H200 instead of 514. Other pairs lose 3% if they are held
// to the 128 that the compiler gives them anyway.
const besideAlone = 512

// fewThreads is how many threads of all lines leave a multiprocessor registers to spare.
const fewThreads = 512

// overSegments makes the loop over segments.
func (k *kernel) overSegments(r [2]int) {
	k.segments = k.Let("segments", k.number("segments", k.p.Segments).To(ktree.Int))
	loop := k.Collected(func() {
		k.For("segment", whole(0), k.segments, 1, 1, func(segment build.Val) {
			k.segment = segment
			k.fresh = whole(0)
			if !k.fewLines() {
				// Zero, which the compiler cannot know: what every segment reads would
				// otherwise stay in registers, of which there are better uses.
				k.fresh = k.Let("fresh", segment.Shr(30))
			}
			for i, s := range k.p.EachSlot() {
				if s.Kind != ir.LocalSlot && s.Segment != 0 {
					k.parts[i] = k.Let("part", k.at[i].Plus(segment.To(k.positions()).Mul(k.number(fmt.Sprintf("h%d", i), s.Segment))))
				}
			}
			k.phase(r)
			k.guard.settle()
			k.endChains()
			k.kept = nil
			k.fresh = build.Val{}
		})
	})
	for _, slot := range slices.Sorted(maps.Keys(k.held)) {
		a := k.held[slot]
		for level := range k.levels(slot) {
			for j := range a.at {
				kgen.Assign(k.Kernel, k.register(a, j, level), k.identity(slot))
			}
		}
	}
	loop()
}

// results are the cells in which a transform gives its results, in order.
func (k *kernel) results(x *transform) (list []cell) {
	places, width := k.plainPlaces, 1
	switch {
	case x.packed() && x.f.Kind == ir.FFTRealForward:
		places = func(x *transform) []place {
			c := k.newCore(x, x.split, false)
			c.mirrorLast = true
			return k.bins(c)
		}
	case x.packed():
		places, width = func(x *transform) []place { return k.newCore(x, x.split.Reversed(), true).delivered() }, 2
	}
	return lists.Map(places(x), func(p place) cell { return cell{p, width} })
}

// afterSegments runs the chain of what was added up.
func (k *kernel) afterSegments(c *chain) {
	slots := slices.Sorted(maps.Keys(k.held))
	for i, at := range k.results(k.ffts[c.from]) {
		env := map[ir.SlotID][]kgen.Num{}
		for _, slot := range slots {
			a := k.held[slot]
			if a.chain.from != c.from {
				continue
			}
			env[slot] = repeated(k.zero(slot), at.width)
			for e := range at.width {
				if j := slices.Index(a.at, spot{i, e}); j >= 0 {
					env[slot][e] = k.register(a, j, k.levels(slot)-1)
					k.write(slot, ir.Operand{Offset: a.element, Strides: []int{1}}, one(at.element(e)), env[slot][e:e+1], build.Val{})
				}
			}
		}
		for _, l := range c.stages {
			s := k.p.Stages[l.stage]
			k.link(s, s.Program.(*ir.Map), l.shift, at, env)
		}
	}
}

// fewLines reports that all lines together leave multiprocessors with registers
// to spare: less than half of the threads that they would need 64 each for, and
// transforms that need few themselves.
func (k *kernel) fewLines() bool {
	for _, x := range k.ffts {
		if !x.direct() || x.bits > 32 || x.split.Held(x.packed()) > 8 {
			return false
		}
	}
	return ir.Count(k.outer.dims)*k.threads <= fewThreads*k.target.Processors
}

// levels is how many sums of sums add up a slot over all segments, in the order
// of rows (see order.Chain). Where nothing is rounded one will do.
func (k *kernel) levels(slot ir.SlotID) int {
	s := k.p.Stages[k.slots[slot].Writers[0]]
	n := 1
	if t := k.p.Slots[slot].Type; k.p.Slots[slot].Kind == ir.LocalSlot && s.Combine <= ir.Prod && (t.IsFloat() || t.IsComplex()) {
		for c := order.Chain; c < k.p.Segments && n < order.ChainLevels; c *= order.Chain {
			n++
		}
	}
	return n
}

// identity is what a slot that adds up segments starts with.
func (k *kernel) identity(slot ir.SlotID) kgen.Num {
	return kgen.Identity(k.p.Stages[k.slots[slot].Writers[0]].Combine, k.p.Slots[slot].Type)
}

// chainEnds is the condition that a chain of some level ends with this segment.
func (k *kernel) chainEnds(level int) build.Val {
	n := 1
	for range level {
		n *= order.Chain
	}
	next := k.segment.Add(1)
	return next.Rem(n).Eq(0).OrElse(next.Eq(k.segments))
}

// endChains adds what registers have to those of the next level, where a chain
// of segments ends.
func (k *kernel) endChains() {
	for _, slot := range slices.Sorted(maps.Keys(k.held)) {
		a := k.held[slot]
		f := folding{k, k.p.Stages[k.slots[slot].Writers[0]].Combine, k.p.Slots[slot].Type}
		for level := 1; level < k.levels(slot); level++ {
			k.If(k.chainEnds(level), func() {
				for j := range a.at {
					kgen.Assign(k.Kernel, k.register(a, j, level), f.join(k.register(a, j, level), k.register(a, j, level-1)))
					kgen.Assign(k.Kernel, k.register(a, j, level-1), k.identity(slot))
				}
			})
		}
	}
}

// addUp makes a stage that adds up over segments on chip. An element is always
// the same thread's.
func (k *kernel) addUp(s ir.Stage, m *ir.Map) {
	slot := s.Writes[0]
	t := k.p.Slots[slot].Type
	k.prepare(s)
	levels := k.levels(slot)
	chip := k.chip(slot)
	at := func(level int, c cell) build.Val {
		return raised(where(m.Out[0], c.at), level*k.p.Slots[slot].Len)
	}
	get := func(level int, c cell) kgen.Num { return k.valueAt(t, chip.At(at(level, c))) }
	put := func(level int, c cell, v kgen.Num) { k.Set(chip.At(at(level, c)), kgen.Put(t, v)) }
	k.guard.quietly(func() {
		k.loop(m.Dims[0], func(c cell) {
			k.If(k.segment.Eq(0), func() {
				for level := range levels {
					put(level, c, k.identity(slot))
				}
			})
		})
		k.mapLoop(s, m)
		if levels == 1 {
			return
		}
		f := folding{k, s.Combine, t}
		k.loop(m.Dims[0], func(c cell) {
			for level := 1; level < levels; level++ {
				k.If(k.chainEnds(level), func() {
					put(level, c, f.join(get(level, c), get(level-1, c)))
					put(level-1, c, k.identity(slot))
				})
			}
			k.If(k.segment.Add(1).Eq(k.segments), func() { put(0, c, get(levels-1, c)) })
		})
	})
}

// chipLen is how many elements of a slot are on chip: those that add up
// segments there have as many again for every level.
func (k *kernel) chipLen(slot ir.SlotID) int {
	n := k.p.Slots[slot].Len
	for _, w := range k.slots[slot].Writers {
		if k.p.Stages[w].First != nil && k.held[slot] == nil {
			return n * k.levels(slot)
		}
	}
	return n
}

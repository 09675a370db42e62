package lines

import (
	"fmt"
	"maps"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// segments writes the loop over segments.
func (k *kernel) segments(r [2]int, params *params) {
	before := k.text
	inner := &text{depth: before.depth + 1, names: before.names}
	k.text, k.inSegments = inner, true
	if k.fewLines() {
		k.line("const int fresh = 0;")
	} else {
		// Zero, which the compiler cannot know: what every segment reads would
		// otherwise stay in registers, of which there are better uses.
		k.line("const int fresh = segment >> 30;")
	}
	for i, s := range k.p.Slots {
		if s.Kind == ir.LocalSlot || s.Segment == 0 {
			continue
		}
		qualifier := ""
		if s.Kind == ir.InSlot {
			qualifier = "const "
		}
		k.line("%s%s* __restrict__ g%d = s%d + (i64)segment * %s;", qualifier, emit.Memory(s.Type), i, i,
			params.number(fmt.Sprintf("h%d", i), s.Segment))
	}
	k.phase(r)
	k.guard.settle(k.text)
	k.endChains()
	k.kept = nil
	k.text, k.inSegments = before, false
	k.names = inner.names
	for _, slot := range slices.Sorted(maps.Keys(k.held)) {
		a := k.held[slot]
		for level := range k.levels(slot) {
			for j := range a.at {
				k.line("%s %s = %s;", emit.Value(k.p.Slots[slot].Type), a.register(j, level), k.identity(slot))
			}
		}
	}
	params.number("segments", k.p.Segments)
	k.line("#pragma unroll 1")
	k.open("for (int segment = 0; segment < (int)segments; segment++)")
	k.WriteString(inner.String())
	k.close()
}

// afterSegments runs the chain of what was added up.
func (k *kernel) afterSegments(c *chain) {
	x := k.ffts[c.from]
	var places []place
	if x.packed() {
		core := k.newCore(x, x.split, x.inverse())
		core.mirrorLast = true
		places = k.bins(core)
	} else {
		places = k.plainPlaces(x)
	}
	slots := slices.Sorted(maps.Keys(k.held))
	for i, p := range places {
		env := map[int][]string{}
		for _, slot := range slots {
			a := k.held[slot]
			if a.chain.from != c.from {
				continue
			}
			if j := slices.Index(a.at, i); j >= 0 {
				env[slot] = []string{a.register(j, k.levels(slot)-1)}
				k.write(slot, ir.Operand{Offset: a.element, Strides: []int{1}}, one(p), env[slot], "")
			}
		}
		for _, l := range c.stages {
			s := k.p.Stages[l.stage]
			k.link(s, s.Program.(*ir.Map), l.shift, one(p), env)
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
	return ir.Count(k.outer.dims)*k.threads <= 512*k.card.Processors
}

// levels is how many sums of sums add up a slot over all segments, in the order
// of rows (see emit.Chain). Where nothing is rounded one will do.
func (k *kernel) levels(slot int) int {
	s := k.p.Stages[k.slots[slot].writers[0]]
	n := 1
	if t := k.p.Slots[slot].Type; k.p.Slots[slot].Kind == ir.LocalSlot && s.Combine <= ir.Prod && (t.IsFloat() || t.IsComplex()) {
		for c := emit.Chain; c < k.p.Segments && n < emit.ChainLevels; c *= emit.Chain {
			n++
		}
	}
	return n
}

// identity is what a slot that adds up segments starts with.
func (k *kernel) identity(slot int) string {
	return emit.Identity(k.p.Stages[k.slots[slot].writers[0]].Combine, k.p.Slots[slot].Type)
}

// chainEnds is the condition that a chain of some level ends with this segment.
func chainEnds(level int) string {
	n := 1
	for range level {
		n *= emit.Chain
	}
	return fmt.Sprintf("(segment + 1) %% %d == 0 || segment + 1 == (int)segments", n)
}

// endChains adds what registers have to those of the next level, where a chain
// of segments ends.
func (k *kernel) endChains() {
	for _, slot := range slices.Sorted(maps.Keys(k.held)) {
		a := k.held[slot]
		f := folding{k, k.p.Stages[k.slots[slot].writers[0]].Combine, k.p.Slots[slot].Type}
		for level := 1; level < k.levels(slot); level++ {
			k.open("if (%s)", chainEnds(level))
			for j := range a.at {
				k.line("%s = %s;", a.register(j, level), f.join(a.register(j, level), a.register(j, level-1)))
				k.line("%s = %s;", a.register(j, level-1), k.identity(slot))
			}
			k.close()
		}
	}
}

// addUp writes a stage that adds up over segments on chip. An element is always
// the same thread's.
func (k *kernel) addUp(s ir.Stage, m *ir.Map) {
	slot := s.Writes[0]
	h := k.homes[slot]
	k.prepare(s)
	levels := k.levels(slot)
	at := func(level int, c cell) string {
		return fmt.Sprintf("%s[%s + %d]", h.name, where(m.Out[0], c.at), level*k.p.Slots[slot].Len)
	}
	was := k.guard.quiet
	k.guard.quiet = true
	k.loop(m.Dims[0], func(c cell) {
		for level := range levels {
			k.when("segment == 0", "%s = %s;", at(level, c), k.uses.Put(k.p.Slots[slot].Type, k.identity(slot)))
		}
	})
	k.mapLoop(s, m)
	if levels > 1 {
		f := folding{k, s.Combine, k.p.Slots[slot].Type}
		k.loop(m.Dims[0], func(c cell) {
			for level := 1; level < levels; level++ {
				k.open("if (%s)", chainEnds(level))
				k.line("%s = %s;", at(level, c), f.join(at(level, c), at(level-1, c)))
				k.line("%s = %s;", at(level-1, c), k.identity(slot))
				k.close()
			}
			k.when("segment + 1 == (int)segments", "%s = %s;", at(0, c), at(levels-1, c))
		})
	}
	k.guard.quiet = was
}

// chipLen is how many elements of a slot are on chip: those that add up
// segments there have as many again for every level.
func (k *kernel) chipLen(slot int) int {
	n := k.p.Slots[slot].Len
	for _, w := range k.slots[slot].writers {
		if k.p.Stages[w].First != nil && k.held[slot] == nil {
			return n * k.levels(slot)
		}
	}
	return n
}

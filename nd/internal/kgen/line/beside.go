package line

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Where lines are few, they wait: for memory, barriers, and each instruction for the one
// before. A line that transforms a filter of its own makes both transforms side by side
// then, so that there is twice as much to do between two barriers, and bins meet in
// registers.

// fewLines is how many lines a multiprocessor has at most that wait more than they compute.
const fewLines = 4

// besideResident is how many threads a multiprocessor has at least that make two transforms
// side by side: 128 registers each.
const besideResident = 512

// findBeside finds transforms whose results meet those of another one, behind which a line
// is transformed back.
func (k *kernel) findBeside() {
	if ir.Count(k.outer.dims) > fewLines*k.target.Processors || k.p.Segments > 1 {
		return
	}
	for i := range k.p.Stages {
		c := k.chains[i]
		if c == nil || c.next < 0 || len(c.stages) == 0 || c.stages[0].shift != 0 || !k.ffts[i].packed() && !k.ffts[i].f.Quarter() {
			continue
		}
		l := c.stages[0].stage
		s := k.p.Stages[l]
		for o, slot := range s.Reads {
			if w := k.slots[slot].Writers; len(w) == 1 && w[0] < i && k.meets(w[0], i) && s.Program.(*ir.Map).In[o].Along() == 1 && s.Program.(*ir.Map).In[o].Offset == 0 {
				k.beside[i], k.attached[w[0]], k.served[ir.Use{Stage: l, Operand: o}] = w[0], true, true
				break
			}
		}
	}
}

// meets reports that stage a is a transform like that of stage i, of what is in memory, with
// one reader. Transforms of one pass exchange nothing, and have no barriers to share.
func (k *kernel) meets(a, i int) bool {
	x, y := k.ffts[a], k.ffts[i]
	if x == nil || x.packed() != y.packed() || x.f.Kind != y.f.Kind || x.f.N != y.f.N || x.precision != y.precision ||
		x.split.Turns || x.exchange == 0 || x.exchange+y.exchange > k.target.PoolBytes/2 {
		return false
	}
	s := k.p.Stages[a]
	u := k.slots[s.Writes[0]]
	return k.p.Slots[s.Writes[0]].Kind == ir.LocalSlot && len(u.Readers) == 1 && x.f.Out.Along() == 1 && x.f.Out.Offset == 0 &&
		k.p.Slots[s.Reads[0]].Kind == ir.InSlot && len(k.chains[a].stages) == 0
}

// besideBytes is the shared memory in which transforms beside others exchange numbers.
func (k *kernel) besideBytes() int {
	bytes := 0
	for _, a := range k.beside {
		bytes = max(bytes, (k.ffts[a].exchange+15)/16*16)
	}
	return bytes
}

// besideBins are the bins of a transform beside another one.
type besideBins struct {
	stage int
	pairs [][][2]kgen.Num // by group of butterflies and twin: of its elements; or by result, one
	at    int             // groups that the other transform has delivered
}

// goingBeside is the transform beside that of stage i, and its bins, of a group of
// butterflies when that of the other one is delivered; nothing if there is none.
func (k *kernel) goingBeside(i int) ([]*going, *besideBins) {
	a, ok := k.beside[i]
	if !ok {
		return nil, nil
	}
	x, bins := k.ffts[a], &besideBins{stage: a}
	c := k.newCore(x, x.split, false)
	c.exchangeAt(x, k.tail)
	c.part = "beside"
	value := func(z number) kgen.Num { return kgen.Named(k.Kernel, "v", valueOf(x.f.Out.Type, k.times(x, z))) }
	if !x.packed() {
		return []*going{c.going(k.plainIn(x, k.sourceOf(a)), func(_ []place, v []number) {
			bins.pairs = append(bins.pairs, lists.Map(v, func(z number) [2]kgen.Num { return [2]kgen.Num{value(z)} }))
		})}, bins
	}
	c.mirrorLast = true
	roots := k.halfRoots(x.f.N, x.precision)
	return []*going{c.going(packedReals(k.sourceOf(a)), func(at []place, v []number) {
		list, s, isZero := c.twins(at)
		c.seated(list, s, isZero, v)
		var pairs [][2]kgen.Num
		for _, t := range list {
			z, image := c.untangled(t, roots)
			pairs = append(pairs, [2]kgen.Num{value(z), value(image)})
		}
		bins.pairs = append(bins.pairs, pairs)
	})}, bins
}

// next goes on to the next group of butterflies.
func (b *besideBins) next() {
	if b != nil {
		b.at++
	}
}

// meet makes the maps between the transforms, which read a twin's element.
func (b *besideBins) meet(k *kernel, twin, element int, maps func()) {
	if b != nil {
		k.met = map[ir.SlotID][]kgen.Num{k.p.Stages[b.stage].Writes[0]: {b.pairs[b.at-1][twin][element]}}
	}
	maps()
	k.met = nil
}

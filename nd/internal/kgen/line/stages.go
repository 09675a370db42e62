package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// body makes all stages.
func (k *kernel) body() {
	all := phases(k.p)
	k.phase(all[0])
	if all[1][0] < all[1][1] {
		k.overSegments(all[1])
	}
	for _, c := range k.behind {
		k.afterSegments(c)
	}
	k.phase(all[2])
}

func (k *kernel) phase(r [2]int) {
	for i := r[0]; i < r[1]; i++ {
		if !k.attached[i] && !k.isVirtual(i) && !k.taken[i] {
			k.stage(i)
		}
	}
}

// stage makes a stage that is not part of another.
func (k *kernel) stage(i int) {
	s := k.p.Stages[i]
	switch p := s.Program.(type) {
	case *ir.Map:
		if s.First == nil {
			k.mapLoop(s, p)
			return
		}
		k.addUp(s, p)
	case *ir.FFT:
		k.fft(i)
	case *ir.Reduce:
		k.reduce(i, s, p)
	case *ir.Scan:
		k.scan(s, p)
	case *ir.Sort:
		k.sort(s, p)
	case *ir.Butterfly:
		k.mix(s, p)
	}
}

// fft makes a transform and what follows it in registers.
func (k *kernel) fft(i int) {
	if k.pair != nil {
		k.pairedTrip(i)
		return
	}
	x, c := k.ffts[i], k.chains[i]
	in := k.sourceOf(i)
	if c.next < 0 {
		k.transform(x, in, func(at cell, v []number) { k.pass(i, at, v) })
		for slot, by := range k.staged { // one at most
			if by == i {
				k.flush(slot)
			}
		}
		return
	}
	between := [][]number{}
	first := k.newCore(x, x.split, x.inverse())
	through := func(at cell, z number) number {
		return x.numberOf(k.pass(i, at, []number{z})[c.gives][0])
	}
	y := k.ffts[c.next]
	out := func(at cell, v []number) { k.pass(c.next, at, v) }
	second := k.newCore(y, x.split.Reversed(), y.inverse())
	if x.f.Quarter() {
		if weight, ok := k.weightsOf(i); ok {
			beside, bins := k.goingBeside(i)
			k.quarterTrip(x, first, second, k.plainIn(x, in), beside, bins, weight, k.plainOut(y, out))
			return
		}
	}
	if !x.packed() {
		first.run(k.plainIn(x, in), func(at []place, v []number) {
			list := make([]number, len(v))
			for j, p := range at {
				list[j] = through(one(p), x.realBins(k, p, k.times(x, v[j])))
			}
			between = append(between, list)
		})
		second.run(taken(&between), k.plainOut(y, out))
		return
	}
	first.mirrorLast, second.mirrorFirst = true, true
	roots := k.halfRoots(x.f.N, x.precision)
	beside, bins := k.goingBeside(i)
	together(append(beside, first.going(packedReals(in), func(at []place, v []number) {
		list, s, isZero := first.twins(at)
		first.seated(list, s, isZero, v)
		bins.next()
		for j := range list {
			t := &list[j]
			a, b := first.untangled(*t, roots)
			bins.meet(k, j, 0, func() { t.a = through(one(t.k), k.times(x, a)) })
			if !t.self {
				bins.meet(k, j, 1, func() { t.b = through(one(first.imageOf(t.k)), k.times(x, b)) })
			}
			t.a, t.b = first.tangled(*t, roots)
		}
		between = append(between, first.unseated(list, s, isZero))
	}))...)
	second.run(taken(&between), k.packedOut(y, out))
}

// pass hands results of a transform to its slot and to what follows.
func (k *kernel) pass(i int, at cell, v []number) map[ir.SlotID][]kgen.Num {
	x, s := k.ffts[i], k.p.Stages[i]
	slot := s.Writes[0]
	values := make([]kgen.Num, at.width)
	for j, z := range v {
		values[j] = kgen.Named(k.Kernel, "v", valueOf(x.f.Out.Type, z))
	}
	k.write(slot, x.f.Out, at, values, build.Val{})
	return k.run(k.chains[i], slot, at, values)
}

// sourceOf reads a transform's input, with zeros where the line has ended.
func (k *kernel) sourceOf(i int) source {
	x, slot := k.ffts[i], k.p.Stages[i].Reads[0]
	limit := k.samplesOf(i)
	numbers := func(v []kgen.Num) []number {
		if len(v) == 2 {
			return []number{{Re: v[0].Re, Im: v[1].Re}}
		}
		return []number{x.numberOf(v[0])}
	}
	return func(at cell) []number {
		a := k.arith(x.precision)
		if at.element(at.width-1).hi() < limit {
			return numbers(k.readKept(slot, x.f.In, at))
		}
		if at.element(0).lo() >= limit {
			return []number{x.nothing()}
		}
		if at.width == 2 && limit%2 == 0 {
			c, ok := k.clamped(at, limit)
			return []number{a.Either(ok, numbers(k.read(slot, x.f.In, c))[0], x.nothing())}
		}
		parts := [2]number{x.nothing(), x.nothing()}
		for j := range at.width {
			e := one(at.element(j))
			if e.at.lo() >= limit {
				continue
			}
			c, ok := k.clamped(e, limit)
			parts[j] = numbers(k.read(slot, x.f.In, c))[0]
			if !ok.IsNil() {
				parts[j] = a.Either(ok, parts[j], x.nothing())
			}
		}
		if at.width == 2 {
			return []number{{Re: parts[0].Re, Im: parts[1].Re}}
		}
		return []number{parts[0]}
	}
}

// rounds is how often the loop of a map is unrolled: as the compiler likes, but for maps of what
// pairs of segments add up to. These have few warps to hide that rounds wait for shared memory.
func (k *kernel) rounds(m *ir.Map) int {
	if k.addsPowers() {
		return max(m.Dims[0]/k.threads, 1)
	}
	return 0
}

// mapLoop makes a map as a stage of its own.
func (k *kernel) mapLoop(s ir.Stage, m *ir.Map) {
	k.prepare(s)
	k.unrolled(m.Dims[0], k.rounds(m), func(at cell) {
		v := k.code(&m.Code, func(i int) []kgen.Num { return k.read(s.Reads[i], m.In[i], at) }, at, m.Value)
		for i, slot := range s.Writes {
			k.write(slot, m.Out[i], at, v[i], build.Val{})
		}
	})
}

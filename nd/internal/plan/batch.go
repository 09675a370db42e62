package plan

import (
	"cmp"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Padding, the ends of sums and what is computed of single numbers are launches
// that take less time than launching them. Those that do not depend on each other
// are one launch: first every small step is put off until somebody needs what it
// computes, so that small steps meet: maps of the same elements, which then become one,
// and others, of which each joins the first that it can, or the longest if nobody waits
// for it. A launch fails as a whole, so steps are only joined where every result that
// needs one of them fails with the other anyway.

// mostBatched bounds what a launch binds.
const mostBatched = 12

// mostTried is how many steps back a small one looks for a partner.
const mostTried = 256

// batch joins small steps of a finished plan.
func batch(p *Plan, f device.Figures, maxOps int) {
	parted := partSums(p)
	batchAsIs(p, f, maxOps)
	if parted == nil {
		return
	}
	if batchAsIs(parted, f, maxOps); len(parted.Steps) <= len(p.Steps) {
		*p = *parted
	}
}

// batchAsIs is batch of the steps as they are.
func batchAsIs(p *Plan, f device.Figures, maxOps int) {
	b := batcher{figures: f}
	b.look(p)
	b.putOff(p)
	mergeSome(p, maxOps, b.isSmall)
	b.look(p)
	b.trace(p)
	for _, i := range b.order(p) {
		s, small := p.Steps[i], b.small[i]
		at := -1
		if small {
			at = b.place(&s, b.fails[i], b.last[i])
		}
		if at < 0 {
			b.bundles = append(b.bundles, bundle{s, small, b.fails[i]})
			continue
		}
		o := &b.bundles[at]
		join(&o.Step, &s)
		o.small = b.isSmall(&o.Step)
		o.failing = failing{union(o.from, b.fails[i].from), intersection(o.with, b.fails[i].with)}
	}
	p.Steps = lists.Make(len(b.bundles), func(i int) Step { return b.bundles[i].Step })
}

type batcher struct {
	figures device.Figures
	small   []bool    // by step
	last    []bool    // by step: it is small, and no other waits for it
	fails   []failing // by step
	bundles []bundle  // the steps so far
}

// look finds the small steps.
func (b *batcher) look(p *Plan) {
	b.small = lists.Make(len(p.Steps), func(i int) bool { return b.isSmall(&p.Steps[i]) })
}

// order is that in which steps are given their places: as they are, but for small ones
// that no other waits for, which come last and the longest of them first.
func (b *batcher) order(p *Plan) []int {
	u := usesOf(p)
	b.last = make([]bool, len(p.Steps))
	var order, last []int
	for i := range p.Steps {
		s := &p.Steps[i]
		b.last[i] = b.small[i] &&
			!slices.ContainsFunc(s.Writes, func(buf BufferID) bool { return len(u.readers[buf]) > 0 || len(u.writers[buf]) > 1 }) &&
			!slices.ContainsFunc(s.Reads, func(buf BufferID) bool {
				w := u.writers[buf]
				return len(w) > 0 && w[len(w)-1] > StepID(i)
			})
		if b.last[i] {
			last = append(last, i)
		} else {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(last, func(i, k int) int {
		return cmp.Compare(cost.Rank(p.Steps[k].Program, b.figures), cost.Rank(p.Steps[i].Program, b.figures))
	})
	return append(order, last...)
}

// bundle is some steps in one.
type bundle struct {
	Step
	small bool
	failing
}

// failing says what makes a step fail, and what makes all fail that needs it:
// leaves, and steps that can fail.
type failing struct{ from, with set }

// together reports that joining two steps lets no result fail that would not have.
func (f failing) together(g failing) bool { return f.from.within(g.with) && g.from.within(f.with) }

// isSmall reports a step that may be batched: it takes no longer than a launch.
func (b *batcher) isSmall(s *Step) bool {
	switch s.Program.(type) {
	case *ir.Map, *ir.Reduce, *ir.Batch:
		return cost.Rank(s.Program, b.figures) <= 2*b.figures.LaunchNs
	}
	return false
}

// putOff moves every small step to just before the first that needs it, or that
// it must not come after for another reason.
func (b *batcher) putOff(p *Plan) {
	u := usesOf(p)
	n := len(p.Steps)
	order, at := make([]StepID, n), make([]int, n) // steps by place, and places by step
	for i := range order {
		order[i], at[i] = StepID(i), i
	}
	for i := n - 2; i >= 0; i-- {
		if !b.small[i] {
			continue
		}
		to := n - 1
		stops := func(steps []StepID) {
			from, _ := slices.BinarySearch(steps, StepID(i+1))
			for _, k := range steps[from:] {
				to = min(to, at[k]-1)
			}
		}
		for _, buf := range p.Steps[i].Writes {
			stops(u.readers[buf])
			stops(u.writers[buf])
		}
		for _, buf := range p.Steps[i].Reads {
			stops(u.writers[buf])
		}
		for k := i; k < to; k++ {
			order[k] = order[k+1]
			at[order[k]] = k
		}
		order[to], at[i] = StepID(i), to
	}
	steps, small := make([]Step, n), make([]bool, n)
	for k, i := range order {
		steps[k], small[k] = p.Steps[i], b.small[i]
	}
	p.Steps, b.small = steps, small
}

func canFail(p ir.Program) bool {
	switch p.(type) {
	case *ir.Gather, *ir.Scatter, *ir.Custom:
		return true
	}
	return false
}

// trace finds out what fails with what.
func (b *batcher) trace(p *Plan) {
	// bound is how many can fail, numbered as they come.
	bound := lists.Count(p.Buffers, func(b Buffer) bool { return b.Leaf }) + lists.Count(p.Steps, func(s Step) bool { return canFail(s.Program) })
	next := 0
	another := func() set {
		s := make(set, (bound+63)/64)
		s[next/64] |= 1 << (next % 64)
		next++
		return s
	}
	from := make([]set, len(p.Buffers))
	for i, buf := range p.Buffers {
		if buf.Leaf && !buf.There {
			from[i] = another()
		}
	}
	b.fails = make([]failing, len(p.Steps))
	for i, s := range p.Steps {
		var all set
		for _, buf := range s.Reads {
			all = union(all, from[buf])
		}
		if canFail(s.Program) {
			all = union(all, another())
		}
		for _, buf := range s.Writes {
			from[buf] = union(from[buf], all)
		}
		b.fails[i].from = all
	}
	with := make([]set, len(p.Buffers))
	known := make([]bool, len(p.Buffers))
	needs := func(buf BufferID, s set) {
		if known[buf] {
			s = intersection(with[buf], s)
		}
		with[buf], known[buf] = s, true
	}
	for _, r := range p.Results {
		needs(r.Buffer, from[r.Buffer])
	}
	for i := len(p.Steps) - 1; i >= 0; i-- {
		s := &p.Steps[i]
		var all set
		served := false // some result: every step does
		for _, buf := range s.Writes {
			switch {
			case !known[buf]:
			case !served:
				all, served = with[buf], true
			default:
				all = intersection(all, with[buf])
			}
		}
		b.fails[i].with = all
		for _, buf := range s.Reads {
			needs(buf, all)
		}
	}
}

// place is the first of the bundles that s can be added to, so that who reads it may join
// others early; the longest for one that is the last, which hides it; -1 if there is none.
func (b *batcher) place(s *Step, fails failing, last bool) int {
	at, longest := -1, 0.0
	for i := len(b.bundles) - 1; i >= max(0, len(b.bundles)-mostTried); i-- {
		o := &b.bundles[i]
		apart := !conflict(s, &o.Step)
		if o.small && o.Stream == s.Stream && len(members(&o.Step)) < mostBatched && (apart || continues(&o.Step, s)) && agree(&o.Step, s) && o.together(fails) {
			if ns := cost.Rank(o.Program, b.figures); !last || ns >= longest {
				at, longest = i, ns
			}
		}
		if !apart {
			break
		}
	}
	return at
}

// conflict reports that the order of two steps matters.
func conflict(s, t *Step) bool {
	return meet(s.Writes, t.Reads) || meet(s.Reads, t.Writes) || meet(s.Writes, t.Writes)
}

// continues reports that s goes on with results that o began and reads nothing of
// it: such steps write different elements.
func continues(o, s *Step) bool {
	return s.Adds && !meet(o.Writes, s.Reads) && !meet(o.Reads, s.Writes)
}

// agree reports that both begin what they write, but for what s goes on with, or
// both go on with something: a launch does either.
func agree(o, s *Step) bool {
	if o.Adds {
		return s.Adds
	}
	return !s.Adds || !slices.ContainsFunc(s.Writes, func(b BufferID) bool { return !slices.Contains(o.Writes, b) })
}

func members(s *Step) []ir.Program {
	if b, ok := s.Program.(*ir.Batch); ok {
		return b.Programs
	}
	return []ir.Program{s.Program}
}

// join adds s to the programs of o.
func join(o, s *Step) {
	o.Program = &ir.Batch{Programs: append(slices.Clone(members(o)), ir.Shifted(s.Program, len(o.Args)))}
	o.Reads, o.Writes = slices.Concat(o.Reads, s.Reads), slices.Concat(o.Writes, s.Writes)
	o.Args, o.Nodes = slices.Concat(o.Args, s.Args), slices.Concat(o.Nodes, s.Nodes)
	o.parts = slices.Concat(o.parts, s.parts)
	o.Label += " | " + s.Label
	if s.Why != o.Why {
		o.Why += "; " + s.Why
	}
}

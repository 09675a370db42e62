package lower

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// Padding, the ends of sums and what is computed of single numbers are launches
// that take less time than launching them. Those that do not depend on each other
// are one launch: first every small step is put off until somebody needs what it
// computes, so that small steps meet, and then each joins the first that it can.
// A launch fails as a whole, so steps are only joined where every result that
// needs one of them fails with the other anyway.

// mostBatched bounds what a launch binds.
const mostBatched = 12

// batch joins small steps of a finished plan.
func batch(p *Plan, f device.Figures) {
	b := batcher{figures: f}
	steps := slices.Clone(p.Steps)
	for i := len(steps) - 2; i >= 0; i-- {
		if !b.isSmall(&steps[i]) {
			continue
		}
		s, to := steps[i], i
		for to+1 < len(steps) && !conflict(&s, &steps[to+1]) {
			to++
		}
		copy(steps[i:to], steps[i+1:to+1])
		steps[to] = s
	}
	b.trace(p, steps)
	var out []Step
	for i, s := range steps {
		if at := b.place(out, &s, i); at >= 0 {
			join(&out[at], &s)
			b.joined[at] = append(b.joined[at], i)
		} else {
			out = append(out, s)
			b.joined = append(b.joined, []int{i})
		}
	}
	p.Steps = out
}

type batcher struct {
	figures device.Figures
	joined  [][]int // by step so far: those that it was made of
	// By step before joining: the leaves, and the steps that can fail, whose
	// failure is its own; and the results that fail with it.
	sources []set
	results [][]int
	// By result, the sources of all that it needs.
	needs []set
}

// set is some of the numbers below a bound, a bit for each.
type set []uint64

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s set) addAll(t set) {
	for i, bits := range t {
		s[i] |= bits
	}
}

func (s set) within(t set) bool {
	for i, bits := range s {
		if bits&^t[i] != 0 {
			return false
		}
	}
	return true
}

func canFail(p kern.Program) bool {
	switch p.(type) {
	case *kern.Gather, *kern.Scatter, *kern.Custom:
		return true
	}
	return false
}

// trace finds out what fails with what.
func (b *batcher) trace(p *Plan, steps []Step) {
	bound := 0 // of sources, which are numbered as they come
	for _, buf := range p.Buffers {
		if buf.Leaf {
			bound++
		}
	}
	for _, s := range steps {
		if canFail(s.Program) {
			bound++
		}
	}
	empty := func() set { return make(set, (bound+63)/64) }
	next := 0
	of := make([]set, len(p.Buffers)) // sources, by buffer
	for i, buf := range p.Buffers {
		of[i] = empty()
		if buf.Leaf {
			of[i].add(next)
			next++
		}
	}
	for _, s := range steps {
		all := empty()
		for _, buf := range s.Reads {
			all.addAll(of[buf])
		}
		if canFail(s.Program) {
			all.add(next)
			next++
		}
		for _, buf := range s.Writes {
			of[buf].addAll(all)
		}
		b.sources = append(b.sources, all)
	}
	b.results = make([][]int, len(steps))
	for k, r := range p.Results {
		b.needs = append(b.needs, of[r.Buffer])
		serves := map[int]bool{r.Buffer: true}
		for i := len(steps) - 1; i >= 0; i-- {
			if slices.ContainsFunc(steps[i].Writes, func(buf int) bool { return serves[buf] }) {
				b.results[i] = append(b.results[i], k)
				for _, buf := range steps[i].Reads {
					serves[buf] = true
				}
			}
		}
	}
}

// together reports that joining two steps lets no result fail that would not have.
func (b *batcher) together(i, k int) bool {
	for _, pair := range [][2]int{{i, k}, {k, i}} {
		for _, r := range b.results[pair[0]] {
			if !b.sources[pair[1]].within(b.needs[r]) {
				return false
			}
		}
	}
	return true
}

// isSmall reports a step that may be batched: it takes no longer than a launch.
func (b *batcher) isSmall(s *Step) bool {
	switch s.Program.(type) {
	case *kern.Map, *kern.Reduce, *kern.Batch:
		return cost.Ns(s.Program, b.figures) <= 2*b.figures.LaunchNs
	}
	return false
}

// place is the first of the steps that s can join, or -1.
func (b *batcher) place(out []Step, s *Step, number int) int {
	if !b.isSmall(s) {
		return -1
	}
	at := -1
	for i := len(out) - 1; i >= 0; i-- {
		o := &out[i]
		apart := !conflict(s, o)
		if b.isSmall(o) && o.Stream == s.Stream && len(members(o)) < mostBatched && (apart || continues(o, s)) && agree(o, s) &&
			!slices.ContainsFunc(b.joined[i], func(k int) bool { return !b.together(k, number) }) {
			at = i
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
	return !s.Adds || !slices.ContainsFunc(s.Writes, func(b int) bool { return !slices.Contains(o.Writes, b) })
}

func members(s *Step) []kern.Program {
	if b, ok := s.Program.(*kern.Batch); ok {
		return b.Programs
	}
	return []kern.Program{s.Program}
}

// join adds s to the programs of o.
func join(o, s *Step) {
	o.Program = &kern.Batch{Programs: append(slices.Clone(members(o)), shifted(s.Program, len(o.Args)))}
	o.Reads, o.Writes = slices.Concat(o.Reads, s.Reads), slices.Concat(o.Writes, s.Writes)
	o.Args, o.Nodes = slices.Concat(o.Args, s.Args), slices.Concat(o.Nodes, s.Nodes)
	o.parts = slices.Concat(o.parts, s.parts)
	o.Label += " | " + s.Label
	if s.Why != o.Why {
		o.Why += "; " + s.Why
	}
}

// shifted is a program whose launch arguments come behind n others.
func shifted(p kern.Program, n int) kern.Program {
	code := func(c kern.Code) kern.Code {
		c.Instrs = slices.Clone(c.Instrs)
		for i := range c.Instrs {
			if in := &c.Instrs[i]; in.Kind == kern.Const || in.Kind == kern.Apply && in.Op.IsRandom() {
				in.Slot += n
			}
		}
		return c
	}
	switch p := p.(type) {
	case *kern.Map:
		q := *p
		q.Code = code(p.Code)
		return &q
	case *kern.Reduce:
		q := *p
		q.Code, q.Post = code(p.Code), code(p.Post)
		return &q
	}
	return p
}

package plan

import (
	"cmp"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// axes is how line fusion sees a program: one list of dimensions, and every
// operand with a stride for each of them, 0 where it does not have one.
type axes struct {
	dims   []int
	line   int   // the axis the program works along, -1 if it has none
	shared int   // the read that every line needs all of, 0 if none
	inner  []int // axes that are reduced
	frames []int // of an overlap: what an index counts for in the number of a frame
	reads  []ir.Operand
	writes []ir.Operand
}

// axesOf gives nil for programs that mix lines.
func axesOf(p ir.Program) *axes {
	wide := func(o ir.Operand, n int) ir.Operand {
		o.Strides = append(slices.Clone(o.Strides), make([]int, n-len(o.Strides))...)
		return o
	}
	switch p := p.(type) {
	case *ir.Map:
		return &axes{dims: p.Dims, line: -1, reads: p.In, writes: p.Out}
	case *ir.FFT:
		if !p.Plain() {
			return nil
		}
		n := len(p.Outer)
		return &axes{dims: append(slices.Clone(p.Outer), p.N), line: n, reads: []ir.Operand{p.In}, writes: []ir.Operand{p.Out}}
	case *ir.Butterfly:
		n := len(p.Outer)
		w := ir.Operand{Type: p.W.Type, Offset: p.W.Offset, Strides: make([]int, n+1)}
		return &axes{dims: append(slices.Clone(p.Outer), p.N), line: n, shared: 1, reads: []ir.Operand{p.In, w}, writes: []ir.Operand{p.Out}}
	case *ir.Reduce:
		a := &axes{dims: p.Dims, line: -1}
		for i := len(p.Dims) - p.Inner; i < len(p.Dims); i++ {
			a.inner = append(a.inner, i)
		}
		a.reads = append(a.reads, lists.Map(slices.Concat(p.In, p.Post.In), func(o ir.Operand) ir.Operand { return wide(o, len(p.Dims)) })...)
		a.writes = []ir.Operand{wide(p.Out, len(p.Dims))}
		return a
	case *ir.Overlap:
		return overlapAxes(p)
	case *ir.Scan:
		return &axes{dims: p.Dims, line: len(p.Dims) - 1, reads: []ir.Operand{p.In}, writes: []ir.Operand{p.Out}}
	case *ir.Sort:
		return &axes{dims: p.Dims, line: len(p.Dims) - 1, reads: []ir.Operand{p.In}, writes: ir.Writes(p)}
	}
	return nil
}

// isShared reports whether read i is needed whole by every line: no line of
// another step stands for it.
func (a *axes) isShared(i int) bool { return a.shared > 0 && i == a.shared }

// member is a step of a group, and which of its axes is what.
type member struct {
	step  StepID
	axes  *axes
	outer []int // for each outer dimension of the group, the step's axis; -1 for the segments of a step behind them
	line  int   // the step's axis along the line, -1 where a line is one element
	sums  int   // the group's dimension that the step reduces over, or -1
}

// group is a set of steps that work on the same lines.
type group struct {
	plan    *Plan
	uses    *uses
	workers int   // of the device
	cores   bool  // it is a processor
	adds    bool  // the device adds lines where they overlap
	perHalo int   // lines that each worker must have for each it computes only for that
	dims    []int // of the lines
	segment int   // the dimension that a member reduces over, or -1
	members []member
	// strides says, for each buffer a member reads or writes, how lines follow
	// each other in it.
	strides map[BufferID][]int
	// behind holds the buffers written by and after the segment reduction.
	behind map[BufferID]bool
	writes map[BufferID]bool
	// near holds the steps that have to do with a member, in order, and members.
	near []StepID
}

func newGroup(p *Plan, u *uses, seed StepID, info device.Info) *group {
	g := &group{plan: p, uses: u, workers: info.Workers, cores: info.Figures.Grain > 0, adds: info.Overlaps, perHalo: info.LinesPerHalo, segment: -1, strides: map[BufferID][]int{}, behind: map[BufferID]bool{}, writes: map[BufferID]bool{}}
	a := axesOf(p.Steps[seed].Program)
	if slices.Contains(a.dims, 0) {
		return nil
	}
	line := a.line
	if line < 0 {
		line = a.inner[0]
	}
	g.dims = a.dims[:line]
	m := member{step: seed, axes: a, line: line, sums: -1}
	m.outer = lists.Make(len(g.dims), func(i int) int { return i })
	g.add(m)
	return g
}

func (g *group) add(m member) {
	g.members = append(g.members, m)
	slices.SortFunc(g.members, func(a, b member) int { return cmp.Compare(a.step, b.step) })
	s := &g.plan.Steps[m.step]
	for i, b := range s.Reads {
		if g.strides[b] == nil && !m.axes.isShared(i) {
			g.strides[b] = m.outerStrides(m.axes.reads[i])
			g.isNear(g.uses.writers[b])
		}
	}
	if m.axes.frames != nil {
		return // what it adds up is no line
	}
	for i, b := range s.Writes {
		g.strides[b] = m.outerStrides(m.axes.writes[i])
		g.writes[b] = true
		g.isNear(g.uses.readers[b])
		g.isNear(g.uses.writers[b])
		if m.sums >= 0 || m.isBehind() {
			g.behind[b] = true
		}
	}
	if m.sums >= 0 {
		g.segment = m.sums
	}
}

// isBehind reports a step that runs after the segments.
func (m *member) isBehind() bool { return slices.Contains(m.outer, -1) }

// outerStrides is how lines follow each other in an operand.
func (m *member) outerStrides(o ir.Operand) []int {
	list := make([]int, len(m.outer))
	for i, axis := range m.outer {
		if axis >= 0 {
			list[i] = o.Strides[axis]
		}
	}
	return list
}

func (g *group) isNear(steps []StepID) {
	for _, i := range steps {
		insert(&g.near, i)
	}
}

// grow takes in steps that it may until no neighbour fits.
func (g *group) grow(may func(step StepID) bool) {
	for again := true; again; {
		again = false
		for at := 0; at < len(g.near); at++ {
			i := g.near[at]
			if g.has(i) || !may(i) || g.plan.Steps[i].Stream != g.plan.Steps[g.members[0].step].Stream {
				continue
			}
			if m, ok := g.fit(i); ok && g.byLines(&m) && g.convexWith(i) {
				g.add(m)
				again = true
				at, _ = slices.BinarySearch(g.near, i)
			}
		}
	}
}

func (g *group) has(step StepID) bool {
	return slices.ContainsFunc(g.members, func(m member) bool { return m.step == step })
}

// fit finds how a step's axes meet the group's lines, through a buffer that
// one of them writes and the other reads.
func (g *group) fit(i StepID) (member, bool) {
	s := &g.plan.Steps[i]
	a := axesOf(s.Program)
	if a == nil || slices.Contains(a.dims, 0) {
		return member{}, false
	}
	for k, b := range s.Reads {
		if g.writes[b] {
			if a.isShared(k) {
				return member{}, false
			}
			if m, ok := g.match(i, a, b, a.reads[k]); ok {
				if a.frames != nil {
					return m, g.addsUp(&m)
				}
				return m, g.consistent(&m) && m.knowsPlace(s.Program)
			}
			return member{}, false
		}
	}
	for k, b := range s.Writes {
		if g.strides[b] != nil && a.frames == nil {
			if m, ok := g.match(i, a, b, a.writes[k]); ok && m.sums < 0 {
				return m, g.consistent(&m) && m.knowsPlace(s.Program)
			}
			return member{}, false
		}
	}
	return member{}, false
}

// knowsPlace reports that a step asks for no position but along its line: that
// is all a stage knows, and only a map asks.
func (m *member) knowsPlace(p ir.Program) bool {
	switch p := p.(type) {
	case *ir.Map:
		for _, o := range p.Positions {
			if slices.ContainsFunc(m.outerStrides(o), func(step int) bool { return step != 0 }) {
				return false
			}
		}
	case *ir.Reduce:
		return len(p.Positions)+len(p.Post.Positions) == 0
	}
	return true
}

// match assigns a step's axes by an operand on a buffer the group knows.
func (g *group) match(i StepID, a *axes, buf BufferID, o ir.Operand) (member, bool) {
	m := member{step: i, axes: a, line: -1, sums: -1}
	used := make([]bool, len(a.dims))
	for j, n := range g.dims {
		want := g.strides[buf][j]
		if j == g.segment && g.behind[buf] {
			m.outer = append(m.outer, -1)
			continue
		}
		axis := -1
		for d := range a.dims {
			if !used[d] && d != a.line && a.dims[d] == n && o.Strides[d] == want && want != 0 {
				axis = d
			}
		}
		if axis < 0 {
			return m, false
		}
		used[axis] = true
		m.outer = append(m.outer, axis)
	}
	for d := range a.dims {
		switch {
		case used[d]:
		case m.line >= 0:
			return m, false
		default:
			m.line = d
		}
	}
	if a.line >= 0 && m.line != a.line {
		return m, false
	}
	if len(a.inner) == 0 {
		return m, true
	}
	lies := g.plan.Steps[i].Program.(*ir.Reduce).Layout()
	return g.matchReduce(m, a, m.line >= 0 && lies != nil && abs(lies[m.line]) == 1)
}

// matchReduce accepts a reduction along the line, or over one dimension of the
// lines, which then becomes the segments. near says that the elements of a line
// would be neighbours in memory by themselves: only then does a device combine them in the same order as it does in a line program, and a
// result must not depend on what it is fused with.
func (g *group) matchReduce(m member, a *axes, near bool) (member, bool) {
	if len(a.inner) != 1 {
		return m, false
	}
	p := g.plan.Steps[m.step].Program.(*ir.Reduce)
	rounds := p.Op <= ir.Prod && !p.Instrs[p.Value].Type.IsInteger()
	if rounds && !near {
		return m, false
	}
	if a.inner[0] == m.line {
		return m, true
	}
	j := slices.Index(m.outer, a.inner[0])
	if j < 0 || g.segment >= 0 || p.Op > ir.Any || p.Instrs[p.Value].Type.IsHalf() || !g.spreads(j, rounds) {
		return m, false
	}
	if rounds && (m.line < 0 || a.dims[m.line] < shortLine) {
		return m, false
	}
	m.sums = j
	return m, true
}

// shortLine is the length from which devices reduce lines side by side.
const shortLine = 16

// spreads reports whether enough lines are left for all workers once dimension
// j is gone through one segment after the other, or there is little to do. Cores begin
// every stage with every segment, which few lines do not hide: the maximum over 1723
// frames of 256 samples, of four channels on two cores, took 1.4 times as long as storing
// the frames and reducing them. Sums that round, as of Welch, stay as they are: they would
// store all spectra first.
func (g *group) spreads(j int, rounds bool) bool {
	const little = 32 // lines
	each := 2
	if g.cores && !rounds {
		each = 8
	}
	all := ir.Count(g.dims)
	return all <= little || all/g.dims[j] >= each*g.workers
}

// consistent reports whether every buffer the step shares with the group has
// its lines in the same places for both, and none is needed in a segment that
// is only there after all of them.
func (g *group) consistent(m *member) bool {
	s := &g.plan.Steps[m.step]
	for i, b := range s.Reads {
		if !g.writes[b] {
			continue
		}
		if !slices.Equal(g.strides[b], m.outerStrides(m.axes.reads[i])) || g.behind[b] && !m.isBehind() {
			return false
		}
	}
	for i, b := range s.Writes {
		strides := m.outerStrides(m.axes.writes[i])
		if g.strides[b] != nil && (m.sums >= 0 || !slices.Equal(g.strides[b], strides)) {
			return false
		}
		for j, axis := range m.outer {
			if axis >= 0 && j != m.sums && strides[j] == 0 {
				return false
			}
		}
	}
	return true
}

// byLines reports that what passes between the step and the members passes line
// by line: lines of one are in the places where the other has them. Members that
// read a buffer before its writer is a member may have read it across its lines,
// as the transpose of a square matrix is, or in lines that overlap, as frames do: an
// element of those is written for one line and needed by several. A sum of overlapping frames is written
// whole, and blocks of a butterfly are read whole: neither is there while lines
// are computed.
func (g *group) byLines(m *member) bool {
	return !lists.Any(len(g.members), func(i int) bool {
		o := &g.members[i]
		return !passesLines(g.plan, o, m) || !passesLines(g.plan, m, o)
	})
}

// passesLines reports that a member reads what another writes line by line, or
// not at all.
func passesLines(p *Plan, from, to *member) bool {
	writes := p.Steps[from.step].Writes
	for i, b := range p.Steps[to.step].Reads {
		k := slices.Index(writes, b)
		if k < 0 {
			continue
		}
		if from.axes.frames != nil || to.axes.isShared(i) ||
			!slices.Equal(from.outerStrides(from.axes.writes[k]), to.outerStrides(to.axes.reads[i])) ||
			to.axes.frames == nil && to.readsOverlap(p.Steps[to.step].Program, to.axes.reads[i]) {
			return false
		}
	}
	return true
}

// convexWith reports whether the group with step i can run as one. Steps
// between its members that need what one of them computes then run behind it,
// so no member may need what those compute.
func (g *group) convexWith(i StepID) bool {
	steps := []StepID{i}
	steps = append(steps, lists.Map(g.members, func(m member) StepID { return m.step })...)
	slices.Sort(steps)
	behind := g.uses.behind(g.plan, steps)
	for _, m := range steps {
		s := &g.plan.Steps[m]
		for _, k := range behind {
			if k < m && (meet(g.plan.Steps[k].Writes, s.Reads) || meet(g.plan.Steps[k].Writes, s.Writes)) {
				return false
			}
		}
	}
	return true
}

// meet reports whether two lists of buffers have one in common.
func meet(a, b []BufferID) bool {
	return slices.ContainsFunc(a, func(buf BufferID) bool { return slices.Contains(b, buf) })
}

// overlapAxes is how line fusion sees the sum of overlapping frames: every frame
// is a line. Axes of one element are left out.
func overlapAxes(p *ir.Overlap) *axes {
	a := &axes{frames: []int{}}
	in, out := p.In, p.Out
	in.Strides, out.Strides = nil, nil
	add := func(n, from, to, frames int) {
		if n != 1 {
			a.dims, a.frames = append(a.dims, n), append(a.frames, frames)
			in.Strides, out.Strides = append(in.Strides, from), append(out.Strides, to)
		}
	}
	k := len(p.Outer)
	for i, n := range p.Outer {
		add(n, p.In.Strides[i], p.Out.Strides[i], 0)
	}
	add(p.Turns, p.In.Strides[k], 0, p.Phases)
	add(p.Phases, p.In.Strides[k+1], 0, 1)
	a.line = len(a.dims)
	a.dims, a.frames = append(a.dims, p.Size), append(a.frames, 0)
	in.Strides, out.Strides = append(in.Strides, p.In.Strides[k+2]), append(out.Strides, p.Out.Strides[k])
	a.reads, a.writes = []ir.Operand{in}, []ir.Operand{out}
	return a
}

// addsUp reports whether the group can add its lines where they overlap, and
// should: they are all frames, numbered as they come, needed for nothing else, and
// many more than workers would compute twice.
func (g *group) addsUp(m *member) bool {
	s := &g.plan.Steps[m.step]
	if !g.adds || g.segment >= 0 || s.Adds || !slices.Equal(g.strides[s.Reads[0]], m.outerStrides(m.axes.reads[0])) {
		return false
	}
	o := s.Program.(*ir.Overlap)
	halo := (max(o.Size, 1) - 1 + o.Hop - 1) / o.Hop
	lines := g.perHalo * halo * g.workers
	if o.Size > shortFrame {
		lines *= 4
	}
	if o.Out.Strides[len(o.Outer)] != 1 || ir.Count(g.dims) < lines {
		return false
	}
	return !slices.ContainsFunc(g.members, func(other member) bool {
		return other.axes.frames != nil && !slices.Equal(other.frameSteps(), m.frameSteps())
	})
}

// shortFrame is what a thread of a GPU holds of a frame by itself. Of longer ones a block
// has few at a time, and computes more of them twice: 27 lines for each such one and
// worker took an H200 62 us instead of 42, with frames of 240 samples at every 50.
const shortFrame = 64

// frameSteps is what each outer dimension of the group counts for in the number
// of a frame.
func (m *member) frameSteps() []int {
	return lists.Map(m.outer, func(axis int) int { return m.axes.frames[axis] })
}

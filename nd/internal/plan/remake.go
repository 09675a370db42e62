package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Regions decide what is stored before it is known which steps end up in one
// launch. Once it is, a value that crosses from one launch to another may turn
// out to be cheaper to make again there, of what has to cross anyway: a modulus,
// say, where the spectrum is read as well. The same operations on the same
// values give the same bits.

// remaker rewrites the steps of a plan before fusion by what fusing it gave.
type remaker struct {
	plan    *Plan
	figures device.Figures
	maxOps  int
	launch  []int  // by step: the step of the fused plan that it is a part of
	stored  []bool // by buffer: the fused plan has it in memory
	uses    *uses
}

// remake lets maps make again what other launches would store for them, and
// reports whether there are any.
func remake(p, fused *Plan, f device.Figures, maxOps int) bool {
	r := remaker{plan: p, figures: f, maxOps: maxOps, launch: make([]int, len(p.Steps)), stored: make([]bool, len(p.Buffers)), uses: usesOf(p)}
	for i := range r.launch {
		r.launch[i] = -1
	}
	for i, s := range fused.Steps {
		for _, part := range s.parts {
			r.launch[part] = i
		}
		for _, b := range s.Writes {
			r.stored[b] = true
		}
	}
	for i, b := range p.Buffers {
		r.stored[i] = r.stored[i] || b.Leaf
	}
	changed := false
	for i := range StepID(len(p.Steps)) {
		for from := r.nextWriter(i, -1); from < i; from = r.nextWriter(i, from) {
			changed = r.between(from, i) || changed
		}
	}
	if changed {
		dropUnread(p)
		dropDead(p)
	}
	return changed
}

// nextWriter is the first step behind another that writes what step i reads, or i.
func (r *remaker) nextWriter(i, from StepID) StepID {
	next := i
	for _, b := range r.plan.Steps[i].Reads {
		list := r.uses.writers[b]
		if at, _ := slices.BinarySearch(list, from+1); at < len(list) {
			next = min(next, list[at])
		}
	}
	return next
}

// between rewrites step to, if it reads what step from computes at the very
// same elements in another launch, and some of that is better made again.
func (r *remaker) between(from, to StepID) bool {
	s, t := &r.plan.Steps[from], &r.plan.Steps[to]
	a, ok := s.Program.(*ir.Map)
	b, alsoMap := t.Program.(*ir.Map)
	if !ok || !alsoMap || r.launch[from] < 0 || r.launch[to] < 0 || r.launch[from] == r.launch[to] || s.Stream != t.Stream || s.Adds || t.Adds ||
		!slices.Equal(a.Dims, b.Dims) || slices.ContainsFunc(a.Instrs, func(in ir.Instr) bool { return in.Type.IsHalf() }) {
		return false
	}
	c := crossing{remaker: r, from: from, to: to, a: a, wanted: make([]ir.ValueID, len(t.Reads))}
	now := map[ir.ValueID]bool{}
	for k, buf := range t.Reads {
		c.wanted[k] = -1
		if w := slices.Index(s.Writes, buf); w >= 0 && a.Out[w].Equal(b.In[k]) && !r.addedTo(buf) {
			c.wanted[k] = a.Value[w]
			now[a.Value[w]] = true
		}
	}
	if len(now) == 0 {
		return false
	}
	best := c.improved(now)
	if other := c.improved(map[ir.ValueID]bool{}); c.price(other) < c.price(best) {
		best = other
	}
	// Figures are not that exact: a tie is no reason.
	const worth = 0.9
	if c.price(best) > worth*c.price(now) || c.repeated(best)+operations(b) > r.maxOps+r.maxOps/2 {
		return false
	}
	c.rewrite(best)
	return true
}

// addedTo reports a buffer to which a scatter adds: what a map wrote there is not
// what is read from it.
func (r *remaker) addedTo(buf BufferID) bool {
	return slices.ContainsFunc(r.uses.writers[buf], func(i StepID) bool {
		_, scatters := r.plan.Steps[i].Program.(*ir.Scatter)
		return scatters
	})
}

// crossing is the values that one map hands to another in a later launch.
type crossing struct {
	*remaker
	from, to StepID
	a        *ir.Map      // of step from
	wanted   []ir.ValueID // by operand of step to: the value of a that it is, or -1
}

// improved adds values to those that are stored for the other launch, and takes
// values out, one at a time, as long as the price falls.
func (c *crossing) improved(stored map[ir.ValueID]bool) map[ir.ValueID]bool {
	best, least := copyOf(stored), c.price(stored)
	for again := true; again; {
		again = false
		for v, in := range c.a.Instrs {
			if in.Kind != ir.Apply {
				continue
			}
			other := copyOf(best)
			if other[ir.ValueID(v)] = !best[ir.ValueID(v)]; c.price(other) < least {
				best, least, again = other, c.price(other), true
			}
		}
	}
	return best
}

func copyOf(set map[ir.ValueID]bool) map[ir.ValueID]bool {
	out := map[ir.ValueID]bool{}
	for v, in := range set {
		if in {
			out[v] = true
		}
	}
	return out
}

// visit calls load for the values that the later launch reads, and apply for
// those that it computes again.
func (c *crossing) visit(stored map[ir.ValueID]bool, load, apply func(v ir.ValueID)) {
	seen := make([]bool, len(c.a.Instrs))
	var need func(v ir.ValueID)
	need = func(v ir.ValueID) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch in := c.a.Instrs[v]; {
		case in.Kind == ir.Load || stored[v]:
			load(v)
		case in.Kind == ir.Apply:
			for _, x := range in.Args() {
				need(*x)
			}
			apply(v)
		}
	}
	for _, v := range c.wanted {
		if v >= 0 {
			need(v)
		}
	}
}

func (c *crossing) repeated(stored map[ir.ValueID]bool) int {
	n := 0
	c.visit(stored, func(ir.ValueID) {}, func(ir.ValueID) { n++ })
	return n
}

// price is the nanoseconds for each element that crossing this way takes.
func (c *crossing) price(stored map[ir.ValueID]bool) float64 {
	bytes, ops := 0.0, 0.0
	c.visit(stored, func(v ir.ValueID) { bytes += c.bytes(v) }, func(v ir.ValueID) {
		in := c.a.Instrs[v]
		if in.Op.IsRandom() {
			ops = math.Inf(1)
			return
		}
		ops += cost.Again(in.Op, in.Type, c.a.Instrs[in.A].Type, c.figures)
	})
	f := c.figures
	if f.CopyBytesPerNs <= 0 || f.OpsPerNs <= 0 {
		return 0
	}
	return bytes/f.CopyBytesPerNs + ops/f.OpsPerNs
}

// bytes is what it costs to have a value in both launches: nothing if the later
// one reads it anyway, its size if it is stored anyway, and twice that otherwise.
func (c *crossing) bytes(v ir.ValueID) float64 {
	size := float64(c.a.Instrs[v].Type.Size())
	buf, o := c.source(v)
	switch {
	case buf < 0:
		return 2 * size
	case c.a.Instrs[v].Kind == ir.Load:
		t := &c.plan.Steps[c.to]
		if ir.FindOperand(t.Reads, t.Program.(*ir.Map).In, buf, o) >= 0 {
			return 0
		}
		if !c.stored[buf] {
			return 2 * size
		}
	case !c.usedElsewhere(buf):
		return 2 * size
	}
	return size
}

// source is where a value lies in memory, if it does: buffer -1 otherwise.
func (c *crossing) source(v ir.ValueID) (BufferID, ir.Operand) {
	s := &c.plan.Steps[c.from]
	if in := c.a.Instrs[v]; in.Kind == ir.Load {
		return s.Reads[in.Slot], c.a.In[in.Slot]
	}
	for w, value := range c.a.Value {
		if value == v && !c.addedTo(s.Writes[w]) {
			return s.Writes[w], c.a.Out[w]
		}
	}
	return -1, ir.Operand{}
}

// usedElsewhere reports a buffer that is a result, or read by some launch that
// neither of the two is.
func (c *crossing) usedElsewhere(buf BufferID) bool {
	return c.uses.result[buf] || slices.ContainsFunc(c.uses.readers[buf], func(i StepID) bool {
		return c.launch[i] != c.launch[c.from] && c.launch[i] != c.launch[c.to]
	})
}

// rewrite lets the later step make its operands of what is stored.
func (c *crossing) rewrite(stored map[ir.ValueID]bool) {
	s, t := &c.plan.Steps[c.from], &c.plan.Steps[c.to]
	b := t.Program.(*ir.Map)
	var w ir.Rewriter[BufferID]
	args := slices.Clone(t.Args)
	// Constants and positions first, then what is read or made again.
	again := ir.Copying[BufferID]{To: &w, From: &c.a.Code, Given: map[ir.ValueID]ir.ValueID{}, Arg: func(in ir.Instr) int {
		slot := slices.Index(args, s.Args[in.Slot])
		if slot < 0 {
			slot = len(args)
			args = append(args, s.Args[in.Slot])
		}
		return slot
	}}
	for v, in := range c.a.Instrs {
		if in.Kind == ir.Const || in.Kind == ir.Index {
			again.Value(ir.ValueID(v))
		}
	}
	var names []string
	c.visit(stored, func(v ir.ValueID) {
		buf, o := c.source(v)
		if buf < 0 {
			buf, o = c.store(v)
		}
		again.Given[v] = w.Load(buf, o)
	}, func(v ir.ValueID) {
		again.Value(v)
		names = append(names, c.a.Instrs[v].Op.String())
	})
	own := ir.Copying[BufferID]{To: &w, From: &b.Code, Load: func(in ir.Instr) ir.ValueID {
		if made := c.wanted[in.Slot]; made >= 0 {
			return again.Value(made)
		}
		return w.Load(t.Reads[in.Slot], b.In[in.Slot])
	}}
	own.All()
	m := &ir.Map{Dims: b.Dims, Code: w.Code, Out: b.Out}
	m.Value = lists.Map(b.Value, own.Value)
	c.uses.remove(c.to, t)
	t.Program, t.Reads, t.Args = m, w.Sources, args
	t.Label = strings.Join(names, "+") + " again, " + t.Label
	c.uses.add(c.to, t)
}

// store makes a value of the earlier step one of its results.
func (c *crossing) store(v ir.ValueID) (BufferID, ir.Operand) {
	s := &c.plan.Steps[c.from]
	t := c.a.Instrs[v].Type
	buf := c.plan.addBuffer(Buffer{Node: c.plan.Buffers[s.Writes[0]].Node, Bytes: ir.Count(c.a.Dims) * t.Size()})
	c.remaker.stored = append(c.remaker.stored, true)
	o := operand(t, shape.Contiguous(c.a.Dims))
	s.Writes = append(s.Writes, buf)
	c.uses.append(c.from)
	c.a.Out, c.a.Value = append(c.a.Out, o), append(c.a.Value, v)
	return buf, o
}

package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// make makes a stage, after those whose results it reads.
func (s *solo) make(i int) {
	if s.made[i] {
		return
	}
	s.made[i] = true
	stage := s.p.Stages[i]
	for _, slot := range s.inTurn(stage.Reads) {
		for _, w := range s.slots[slot].Writers {
			s.make(w)
		}
	}
	switch p := stage.Program.(type) {
	case *ir.Map:
		for e := range p.Dims[0] {
			s.point(stage, p, e)
		}
	case *ir.FFT:
		// What is on chip for all lines is loaded again behind this, instead
		// of being kept in registers that the transform wants.
		s.WarpBarrier()
		s.spectrum(i, s.ffts[i])
		s.narrow(stage.Writes[0])
	case *ir.Reduce:
		s.reduce(i, stage, p)
	}
}

// inTurn has the slots of which the least is kept first: a line that only its
// powers are wanted of makes room for the others.
func (s *solo) inTurn(slots []ir.SlotID) []ir.SlotID {
	return append(lists.Filter(slots, s.isNarrow), lists.Filter(slots, func(slot ir.SlotID) bool { return !s.isNarrow(slot) })...)
}

// isNarrow reports a spectrum whose readers take the power of each bin and
// nothing else.
func (s *solo) isNarrow(slot ir.SlotID) bool {
	if !s.p.Slots[slot].Type.IsComplex() || s.kinds[slot] != soloValue {
		return false
	}
	for _, u := range s.slots[slot].Readers {
		c := codeOf(s.p.Stages[u.Stage])
		if c == nil {
			return false
		}
		for _, in := range c.Instrs {
			if in.Kind != ir.Apply || in.Op == scalar.AbsSquared {
				continue
			}
			for _, a := range []ir.ValueID{in.A, in.B, in.C}[:in.Op.Arity()] {
				if c.Instrs[a].Kind == ir.Load && c.Instrs[a].Slot == u.Operand {
					return false
				}
			}
		}
	}
	return len(s.slots[slot].Readers) > 0
}

// narrow computes the powers of a spectrum of which nothing else is wanted. The
// compiler finds them again where they are used.
func (s *solo) narrow(slot ir.SlotID) {
	if !s.isNarrow(slot) {
		return
	}
	u := s.slots[slot].Readers[0]
	stage := s.p.Stages[u.Stage]
	c := codeOf(stage)
	for i, in := range c.Instrs {
		if in.Kind != ir.Apply || in.Op != scalar.AbsSquared || c.Instrs[in.A].Kind != ir.Load || c.Instrs[in.A].Slot != u.Operand {
			continue
		}
		for e := range s.p.Slots[slot].Len {
			s.code(c, func(int) []kgen.Num { return []kgen.Num{s.values[slot][e]} }, constant(e), []ir.ValueID{ir.ValueID(i)})
		}
		return
	}
}

// constant is an element that is known when the kernel is made.
func constant(e int) cell { return one(place{at: whole(e)}) }

// value is an element of a slot.
func (s *solo) value(slot ir.SlotID, e int) kgen.Num {
	t := s.p.Slots[slot].Type
	switch s.kinds[slot] {
	case soloFrames:
		return s.valueAt(t, s.frame[slot].At(e))
	case soloShared, soloItem:
		return s.valueAt(t, s.at[slot].At(e))
	}
	return s.values[slot][e]
}

// keepValue is the reverse, for elements that are computed.
func (s *solo) keepValue(slot ir.SlotID, e int, v kgen.Num) {
	if s.kinds[slot] == soloOut {
		kgen.Assign(s.Kernel, s.left[slot], v)
		return
	}
	if s.values[slot] == nil {
		s.values[slot] = make([]kgen.Num, s.p.Slots[slot].Len)
	}
	s.values[slot][e] = v
}

// element is the element that an operand has at a point.
func element(o ir.Operand, e int) int { return o.Offset + o.Along()*e }

// point makes a map at one point.
func (s *solo) point(stage ir.Stage, m *ir.Map, e int) {
	load := func(i int) []kgen.Num { return []kgen.Num{s.value(stage.Reads[i], element(m.In[i], e))} }
	for i, v := range s.code(&m.Code, load, constant(e), m.Value) {
		s.keepValue(stage.Writes[i], element(m.Out[i], e), v[0])
	}
}

// reduce makes a reduction, and with it the maps of the same points that can
// run already: what they compute alike is computed once. Points come in the
// order in which their sums can be joined soonest.
func (s *solo) reduce(i int, stage ir.Stage, r *ir.Reduce) {
	n := r.Dims[0]
	f := folding{s.kernel, r.Op, r.Instrs[r.Value].Type}
	maps := s.beside(i, n)
	at := func(e int) (v kgen.Num) { // nothing for lanes that hold the identity
		if e >= n {
			return v
		}
		load := func(i int) []kgen.Num { return []kgen.Num{s.value(stage.Reads[i], element(r.In[i], e))} }
		v = s.code(&r.Code, load, constant(e), []ir.ValueID{r.Value})[0][0]
		if !squared(r) { // which may be -0
			v = f.join(f.none(), v)
		}
		for _, j := range maps {
			s.point(s.p.Stages[j], s.p.Stages[j].Program.(*ir.Map), e)
		}
		return v
	}
	join := func(x, y kgen.Num) kgen.Num {
		switch {
		case x.Re.IsNil():
			return y
		case y.Re.IsNil():
			return x
		}
		return f.join(x, y)
	}
	pairs := order.Lanes(n) / 2
	var fold func(j, step int) kgen.Num
	fold = func(j, step int) kgen.Num {
		if step == pairs {
			x := at(2 * j)
			return join(x, at(2*j+1))
		}
		x := fold(j, 2*step)
		return join(x, fold(j+step, 2*step))
	}
	s.ending(stage, r, kgen.Named(s.Kernel, "total", fold(0, 1)))
}

// squared reports a reduction of squares.
func squared(r *ir.Reduce) bool {
	in := r.Instrs[r.Value]
	return in.Kind == ir.Apply && (in.Op == scalar.AbsSquared || in.Op == scalar.Mul && in.A == in.B)
}

// beside are the maps of n points whose operands are there, and marks them as
// made.
func (s *solo) beside(reduction, n int) []int {
	var list []int
	for j, stage := range s.p.Stages {
		m, ok := stage.Program.(*ir.Map)
		if !ok || s.made[j] || m.Dims[0] != n {
			continue
		}
		there := true
		for _, slot := range stage.Reads {
			for _, w := range s.slots[slot].Writers {
				there = there && s.made[w] && w != reduction && !slices.Contains(list, w)
			}
		}
		if there {
			list = append(list, j)
		}
	}
	for _, j := range list {
		s.made[j] = true
	}
	return list
}

// ending makes what a reduction ends in.
func (s *solo) ending(stage ir.Stage, r *ir.Reduce, result kgen.Num) {
	v := s.codes().At(&r.Post, "w", kgen.Leaves{Acc: result,
		Load:  func(i int) kgen.Num { return s.value(stage.Reads[len(r.In)+i], r.Post.In[i].Offset) },
		Index: func(i int) build.Val { return build.Int(ktree.Long, int64(r.Post.Positions[i].Offset)) },
	}, r.Post.Last())[0]
	s.keepValue(stage.Writes[0], r.Out.Offset, v)
}

// spectrum makes an FFT.
func (s *solo) spectrum(i int, x *transform) {
	stage := s.p.Stages[i]
	in := func(e int) kgen.Num { return s.value(stage.Reads[0], element(x.f.In, e)) }
	if n := x.f.N; x.packed() && n&(n-1) == 0 {
		s.real(stage, x, in)
		return
	}
	source := func(at cell) []number {
		if at.width == 2 {
			return []number{{Re: in(at.element(0).lo()).Re, Im: in(at.element(1).lo()).Re}}
		}
		return []number{x.numberOf(in(at.at.lo()))}
	}
	s.transform(x, source, func(at cell, v []number) {
		if there, known := at.at.ok.Known(); !at.at.ok.IsNil() && known && there == 0 {
			return
		}
		for j, z := range v {
			value := kgen.Named(s.Kernel, "v", valueOf(x.f.Out.Type, z))
			s.keepValue(stage.Writes[0], element(x.f.Out, at.element(j).lo()), value)
		}
	})
}

// real makes an FFT from or to a power of two of real numbers: not by packed lines, as several
// threads do, but in two thirds of the operations.
func (s *solo) real(stage ir.Stage, x *transform, in func(e int) kgen.Num) {
	a := s.arith(x.precision)
	keep := func(e int, z number) {
		s.keepValue(stage.Writes[0], element(x.f.Out, e), kgen.Named(s.Kernel, "v", valueOf(x.f.Out.Type, s.times(x, z))))
	}
	if x.f.Kind == ir.FFTRealForward {
		for k, z := range a.RealDFT(lists.Make(x.f.N, func(j int) build.Val { return in(j).Re })) {
			keep(k, z)
		}
		return
	}
	bins := lists.Make(x.f.N/2+1, func(k int) number { return x.numberOf(in(k)) })
	for j, v := range a.RealInverse(bins) {
		keep(j, a.Real(v))
	}
}

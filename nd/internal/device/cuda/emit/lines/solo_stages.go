package lines

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// make writes a stage, after those whose results it reads.
func (s *solo) make(i int) {
	if s.made[i] {
		return
	}
	s.made[i] = true
	stage := s.p.Stages[i]
	for _, slot := range s.inTurn(stage.Reads) {
		for _, w := range s.slots[slot].writers {
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
		s.line("__syncwarp();")
		s.transform(i, s.ffts[i])
		s.narrow(stage.Writes[0])
	case *ir.Reduce:
		s.reduce(i, stage, p)
	}
}

// inTurn has the slots of which the least is kept first: a line that only its
// powers are wanted of makes room for the others.
func (s *solo) inTurn(slots []int) []int {
	list := slices.Clone(slots)
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := 1, 1
		if s.isNarrow(a) {
			x = 0
		}
		if s.isNarrow(b) {
			y = 0
		}
		return x - y
	})
	return list
}

// isNarrow reports a spectrum whose readers take the power of each bin and
// nothing else.
func (s *solo) isNarrow(slot int) bool {
	if !s.p.Slots[slot].Type.IsComplex() || s.kinds[slot] != soloValue {
		return false
	}
	for _, u := range s.slots[slot].readers {
		c := codeOf(s.p.Stages[u.stage])
		if c == nil {
			return false
		}
		for _, in := range c.Instrs {
			if in.Kind != ir.Apply || in.Op == scalar.AbsSquared {
				continue
			}
			for _, a := range []int{in.A, in.B, in.C}[:in.Op.Arity()] {
				if c.Instrs[a].Kind == ir.Load && c.Instrs[a].Slot == u.operand {
					return false
				}
			}
		}
	}
	return len(s.slots[slot].readers) > 0
}

// codeOf is the code that a stage has for each of its points.
func codeOf(stage ir.Stage) *ir.Code {
	switch p := stage.Program.(type) {
	case *ir.Map:
		return &p.Code
	case *ir.Reduce:
		return &p.Code
	}
	return nil
}

// narrow computes the powers of a spectrum of which nothing else is wanted. The
// compiler finds them again where they are used.
func (s *solo) narrow(slot int) {
	if !s.isNarrow(slot) {
		return
	}
	u := s.slots[slot].readers[0]
	stage := s.p.Stages[u.stage]
	c := codeOf(stage)
	for i, in := range c.Instrs {
		if in.Kind != ir.Apply || in.Op != scalar.AbsSquared || c.Instrs[in.A].Kind != ir.Load || c.Instrs[in.A].Slot != u.operand {
			continue
		}
		for e := range s.p.Slots[slot].Len {
			s.code(c, func(int) []string { return []string{s.values[slot][e]} }, one(constant(e)), []int{i})
		}
		return
	}
}

// constant is an element that is known when the text is written.
func constant(e int) place { return place{add: e, lo: e, hi: e} }

// value is an element of a slot.
func (s *solo) value(slot, e int) string {
	t := s.p.Slots[slot].Type
	switch s.kinds[slot] {
	case soloFrames:
		return s.let(emit.Value(t), "%s", s.uses.Get(t, fmt.Sprintf("f%d[%d]", slot, e)))
	case soloShared, soloItem:
		return s.let(emit.Value(t), "%s", s.uses.Get(t, fmt.Sprintf("s%d[%d]", slot, e)))
	}
	return s.values[slot][e]
}

// set is the reverse, for elements that are computed.
func (s *solo) set(slot, e int, v string) {
	if s.kinds[slot] == soloOut {
		s.line("left%d = %s;", slot, v)
		return
	}
	if s.values[slot] == nil {
		s.values[slot] = make([]string, s.p.Slots[slot].Len)
	}
	s.values[slot][e] = v
}

// element is the element that an operand has at a point.
func element(o ir.Operand, e int) int { return o.Offset + along(o)*e }

// point writes a map at one point.
func (s *solo) point(stage ir.Stage, m *ir.Map, e int) {
	load := func(i int) []string { return []string{s.value(stage.Reads[i], element(m.In[i], e))} }
	for i, v := range s.code(&m.Code, load, one(constant(e)), m.Value) {
		s.set(stage.Writes[i], element(m.Out[i], e), v[0])
	}
}

// reduce writes a reduction, and with it the maps of the same points that can
// run already: what they compute alike is computed once. Points come in the
// order in which their sums can be joined soonest.
func (s *solo) reduce(i int, stage ir.Stage, r *ir.Reduce) {
	n := r.Dims[0]
	t := r.Instrs[r.Value].Type
	f := folding{s.kernel, r.Op, t}
	maps := s.beside(i, n)
	at := func(e int) string {
		if e >= n {
			return ""
		}
		load := func(i int) []string { return []string{s.value(stage.Reads[i], element(r.In[i], e))} }
		v := s.code(&r.Code, load, one(constant(e)), []int{r.Value})[0][0]
		if !squared(r) { // which may be -0
			v = f.join(s.let(emit.Value(t), "%s", emit.Identity(r.Op, t)), v)
		}
		for _, j := range maps {
			s.point(s.p.Stages[j], s.p.Stages[j].Program.(*ir.Map), e)
		}
		return v
	}
	join := func(x, y string) string {
		if x == "" || y == "" { // lanes that hold the identity
			return x + y
		}
		return f.join(x, y)
	}
	pairs := emit.Lanes(n) / 2
	var fold func(j, step int) string
	fold = func(j, step int) string {
		if step == pairs {
			x := at(2 * j)
			return join(x, at(2*j+1))
		}
		x := fold(j, 2*step)
		return join(x, fold(j+step, 2*step))
	}
	s.ending(stage, r, s.let(emit.Value(t), "%s", fold(0, 1)))
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
			for _, w := range s.slots[slot].writers {
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

// ending writes what a reduction ends in.
func (s *solo) ending(stage ir.Stage, r *ir.Reduce, result string) {
	for _, a := range emit.ArgSlots(&r.Post) {
		s.args[a] = true
	}
	st := s.uses.Code(&r.Post, emit.Spelling{Prefix: s.name("u") + "_", Acc: result,
		Load:  func(i int) string { return s.value(stage.Reads[len(r.In)+i], r.Post.In[i].Offset) },
		Index: func(i int) string { return fmt.Sprint(r.Post.Positions[i].Offset) },
	}, len(r.Post.Instrs)-1)
	s.paste(st.Head + st.Body)
	s.set(stage.Writes[0], r.Out.Offset, st.Names[len(r.Post.Instrs)-1])
}

// transform writes an FFT.
func (s *solo) transform(i int, x *transform) {
	stage := s.p.Stages[i]
	a := s.arithmetic(x.precision)
	in := func(e int) number {
		v := s.value(stage.Reads[0], element(x.f.In, e))
		if x.f.In.Type.IsComplex() {
			return x.parts(v)
		}
		return x.only(x.written(v))
	}
	out := func(e int, z number) {
		z = s.times(x, z)
		v := x.spelled(z.Re)
		if x.f.Out.Type.IsComplex() {
			v = s.let(x.pair, "{%s, %s}", x.spelled(z.Re), x.spelled(z.Im))
		}
		s.set(stage.Writes[0], element(x.f.Out, e), v)
	}
	z := make([]number, x.split.N)
	switch {
	case !x.packed():
		for e := range z {
			z[e] = in(e)
		}
		for e, v := range a.passes(x.split, z, x.inverse()) {
			out(e, v)
		}
	case x.f.Kind == ir.FFTRealForward:
		for e := range z {
			z[e] = number{Re: in(2 * e).Re, Im: in(2*e + 1).Re}
		}
		z = a.passes(x.split, z, false)
		for _, k := range twinsAlone(x.split) {
			if 2*k == x.split.N {
				out(k, z[k].Conjugate())
				continue
			}
			v, image := a.Untangle(z[k], z[(x.split.N-k)%x.split.N], a.root(k, x.f.N))
			if k == 0 {
				v.Im, image.Im = x.nothing().Im, x.nothing().Im
			}
			out(k, v)
			out(x.split.N-k, image)
		}
	default:
		for _, k := range twinsAlone(x.split) {
			if 2*k == x.split.N {
				z[k] = a.Scaled(in(k), a.Const(2)).Conjugate()
				continue
			}
			v, image := in(k), in(x.split.N-k)
			if k == 0 {
				v.Im, image.Im = a.Const(0), a.Const(0)
			}
			v, image = a.Tangle(v, image, a.root(k, x.f.N))
			z[k] = v
			if k > 0 {
				z[x.split.N-k] = image
			}
		}
		for e, v := range a.passes(x.split.Reversed(), z, true) {
			out(2*e, x.only(v.Re))
			out(2*e+1, x.only(v.Im))
		}
	}
}

// root is the k-th n-th root of unity.
func (a arithmetic) root(k, n int) number {
	re, im := roots.Of(n).At(k)
	return number{Re: a.Const(re), Im: a.Const(im)}
}

// passes is the transform of a line that a thread has alone: the operations of
// core.run, in which nothing depends on the thread.
func (a arithmetic) passes(s *recipe.Recipe, z []number, inverse bool) []number {
	ns := 1
	for _, r := range s.Passes() {
		next := make([]number, s.N)
		for b := range s.N / r {
			x := make([]number, r)
			for j := range x {
				x[j] = z[b+j*s.N/r]
			}
			if ns == 1 {
				x = a.DFT(x, inverse)
			} else {
				var w []number
				for e := 1; e < r; e *= 2 {
					v := a.root(e*(b%ns), ns*r)
					if inverse {
						v = v.Conjugate()
					}
					w = append(w, v)
				}
				x = a.Spun(x, w, inverse)
			}
			for j, v := range x {
				next[b/ns*ns*r+b%ns+j*ns] = v
			}
		}
		z, ns = next, ns*r
	}
	return z
}

// twinsAlone are the first elements of the pairs k and n-k that core.twins has
// over all threads.
func twinsAlone(s *recipe.Recipe) []int {
	passes := s.Passes()
	r := passes[len(passes)-1]
	count := s.N / r
	var list []int
	for b := range recipe.Pairs(count) {
		for e := range r {
			if b > 0 {
				list = append(list, b+e*count)
				continue
			}
			switch z := seatingOf(r, count%2 == 0).zero[e][0]; z.butterfly {
			case 0:
				list = append(list, z.element*count)
			case 1:
				list = append(list, count/2+z.element*count)
			}
		}
	}
	if s.N%2 == 0 {
		list = append(list, s.N/2)
	}
	return list
}

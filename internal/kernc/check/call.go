package check

import (
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

func (c *checker) call(x *syntax.Call) ktree.Expr {
	name := x.Fun.Text
	switch x.Fun.Scope {
	case "", "metal", "precise", "fast":
	default:
		c.r.Report(x.Pos, "unknown namespace %q", x.Fun.Scope)
		return invalid(x.Pos)
	}
	if name == "as_type" {
		return c.bitCast(x)
	}
	if f := c.funcs[name]; f != nil {
		return c.callFunc(x, f)
	}
	fn, ok := ktree.FindIntrinsic(name)
	if !ok {
		if name == "threadgroup_barrier" || name == "simdgroup_barrier" {
			c.r.Report(x.Pos, "%s has no value", name)
			return invalid(x.Pos)
		}
		if c.find(name) != nil {
			c.r.Report(x.Pos, "%s is not a function", name)
			return invalid(x.Pos)
		}
		names := append(ktree.IntrinsicNames(), "threadgroup_barrier", "simdgroup_barrier")
		for n := range c.funcs {
			names = append(names, n)
		}
		c.r.Suggest(x.Pos, source.DidYouMean(name, names), "unknown function %q", name)
		return invalid(x.Pos)
	}
	if fn.IsAtomic() {
		return c.atomic(x, fn)
	}
	return c.intrinsic(x, fn)
}

func (c *checker) bitCast(x *syntax.Call) ktree.Expr {
	t := c.typ(x.Type)
	if t.Kind == ktree.Invalid {
		return invalid(x.Pos)
	}
	if len(x.Args) != 1 {
		c.r.Report(x.Pos, "as_type takes one value")
		return invalid(x.Pos)
	}
	e := c.expr(x.Args[0])
	from := e.T()
	if from.Kind == ktree.Invalid {
		return e
	}
	if t.Form != ktree.Value || from.Form != ktree.Value || t.Kind <= ktree.Bool || from.Kind <= ktree.Bool ||
		t.Width != from.Width || t.Kind.Bits() != from.Kind.Bits() {
		c.r.Report(x.Pos, "as_type<%s> of %s: both must have equally many components of one size", t, from)
		return invalid(x.Pos)
	}
	return &ktree.BitCast{E: ktree.E{Type: t, Pos: x.Pos}, X: e}
}

func (c *checker) callFunc(x *syntax.Call, f *function) ktree.Expr {
	if f.syn.Body == nil {
		c.r.Report(x.Pos, "function %s has no body", f.fn.Name)
		return invalid(x.Pos)
	}
	if len(x.Args) != len(f.fn.Params) {
		c.r.Report(x.Pos, "%s takes %s, %d given", f.fn.Name, counted.Of(len(f.fn.Params), "argument"), len(x.Args))
		return invalid(x.Pos)
	}
	out := &ktree.Call{E: ktree.E{Type: f.fn.Result, Pos: x.Pos}, Fn: f.fn}
	for i, a := range x.Args {
		p := f.fn.Params[i]
		e := c.expr(a)
		if p.Ref && e.T().Kind != ktree.Invalid {
			if e.T() != p.Type {
				c.r.Report(a.At(), "%s refers to a %s, not to a %s", p.Name, p.Type, e.T())
				return invalid(x.Pos)
			}
			if !c.place(e) {
				return invalid(x.Pos)
			}
			if v, ok := ktree.Root(e); ok && v.Space != ktree.Thread {
				c.r.Report(a.At(), "%s must refer to a thread's variable", p.Name)
				return invalid(x.Pos)
			}
			c.wrote(e)
		} else {
			e = c.implicit(e, p.Type, "pass "+p.Name)
		}
		if e.T().Kind == ktree.Invalid || p.Type.Kind == ktree.Invalid {
			return invalid(x.Pos)
		}
		if v, ok := ktree.Root(e); ok && p.Type.Form == ktree.Pointer && v.Atomic != p.Atomic {
			c.r.Report(a.At(), "%s and %s do not agree on being atomic", v.Name, p.Name)
			return invalid(x.Pos)
		}
		out.Args = append(out.Args, e)
	}
	if c.fn != nil {
		c.fn.calls = append(c.fn.calls, f)
	} else {
		use(f)
	}
	return out
}

func use(f *function) {
	if f.used {
		return
	}
	f.used = true
	for _, g := range f.calls {
		use(g)
	}
}

// intrinsic checks a call of a built-in function.
func (c *checker) intrinsic(x *syntax.Call, fn ktree.Intrinsic) ktree.Expr {
	info := fn.Info()
	args := make([]ktree.Expr, len(x.Args))
	for i, a := range x.Args {
		args[i] = c.expr(a)
		if args[i].T().Kind == ktree.Invalid {
			return invalid(x.Pos)
		}
	}
	if len(args) != info.Arity {
		c.r.Report(x.Pos, "%s takes %s, %d given", fn, counted.Of(info.Arity, "argument"), len(args))
		return invalid(x.Pos)
	}
	a := &ktree.Apply{E: ktree.E{Pos: x.Pos}, Fn: fn, Args: args}
	if fn.IsSimd() {
		c.p.UsesSimd = true
		if c.fn != nil {
			c.fn.impure = true
		}
	}
	switch info.Class {
	case ktree.ClassSelect:
		return c.selectCall(a)
	case ktree.ClassLane:
		return c.laneCall(a)
	case ktree.ClassBools:
		if t := args[0].T(); t.Form != ktree.Value || t.Kind != ktree.Bool {
			c.r.Report(x.Pos, "%s needs bools, not %s", fn, t)
			return invalid(x.Pos)
		}
		a.Type = ktree.Scalar(ktree.Bool)
		return a
	case ktree.ClassVote:
		if !args[0].T().IsScalar() {
			c.r.Report(x.Pos, "%s needs one bool, not %s", fn, args[0].T())
			return invalid(x.Pos)
		}
		a.Type = ktree.Scalar(ktree.Bool)
		args[0] = convert(args[0], a.Type)
		return a
	}
	t, ok := c.unify(x.Pos, info.Name, args...)
	if !ok {
		return invalid(x.Pos)
	}
	if t, ok = c.operandType(x.Pos, fn, t); !ok {
		return invalid(x.Pos)
	}
	for i := range args {
		args[i] = convert(args[i], t)
	}
	switch info.Class {
	case ktree.ClassTest:
		a.Type = t.With(ktree.Bool)
	case ktree.ClassDot:
		a.Type = ktree.Scalar(t.Kind)
	default:
		a.Type = t
	}
	return foldApply(a)
}

// operandType is the type the operands of fn are brought to.
func (c *checker) operandType(at source.Pos, fn ktree.Intrinsic, t ktree.Type) (ktree.Type, bool) {
	switch fn.Info().Class {
	case ktree.ClassFloat, ktree.ClassTest:
		if !t.Kind.IsFloat() {
			if t.Width > 1 {
				c.r.Report(at, "%s needs floats, not %s", fn, t)
				return t, false
			}
			t = ktree.Scalar(ktree.Float)
		}
	case ktree.ClassNumber, ktree.ClassSimd:
		if t.Kind == ktree.Bool {
			if t.Width > 1 {
				c.r.Report(at, "%s needs numbers, not %s", fn, t)
				return t, false
			}
			t = ktree.Scalar(ktree.Int)
		}
	case ktree.ClassInt:
		if !t.Kind.IsInt() {
			c.r.Report(at, "%s needs integers, not %s", fn, t)
			return t, false
		}
	case ktree.ClassDot, ktree.ClassVector:
		if !t.IsVector() || !t.Kind.IsFloat() || fn == ktree.Cross && t.Width != 3 {
			c.r.Report(at, "%s needs vectors of floats, not %s", fn, t)
			return t, false
		}
	}
	return t, true
}

func (c *checker) selectCall(a *ktree.Apply) ktree.Expr {
	t, ok := c.unify(a.Pos, "select", a.Args[0], a.Args[1])
	if !ok {
		return invalid(a.Pos)
	}
	cond := a.Args[2]
	ct := cond.T()
	if ct.Form != ktree.Value || ct.Width > 1 && (ct.Kind != ktree.Bool || ct.Width != t.Width) {
		c.r.Report(a.Pos, "select of %s by %s", t, ct)
		return invalid(a.Pos)
	}
	if ct.Width == 1 {
		cond = convert(convert(cond, ktree.Scalar(ktree.Bool)), t.With(ktree.Bool))
	}
	a.Args = []ktree.Expr{convert(a.Args[0], t), convert(a.Args[1], t), cond}
	a.Type = t
	return a
}

func (c *checker) laneCall(a *ktree.Apply) ktree.Expr {
	t, lane := a.Args[0].T(), a.Args[1].T()
	if t.Form != ktree.Value || t.Kind <= ktree.Void {
		c.r.Report(a.Pos, "%s does not work on %s", a.Fn, t)
		return invalid(a.Pos)
	}
	if !lane.IsScalar() || !lane.Kind.IsInt() {
		c.r.Report(a.Args[1].At(), "a lane is an integer, this is %s", lane)
		return invalid(a.Pos)
	}
	a.Args[1] = convert(a.Args[1], ktree.Scalar(ktree.Uint))
	a.Type = t
	return a
}

// atomic checks atomic_fetch_add_explicit(&y[i], v, memory_order_relaxed).
func (c *checker) atomic(x *syntax.Call, fn ktree.Intrinsic) ktree.Expr {
	want := fn.Info().Arity
	args := x.Args
	if n := len(args); n == want+1 {
		if o, ok := args[n-1].(*syntax.Name); !ok || o.Text != "memory_order_relaxed" {
			c.r.Report(args[n-1].At(), "expected memory_order_relaxed")
			return invalid(x.Pos)
		}
		args = args[:n-1]
	}
	if len(args) != want {
		c.r.Report(x.Pos, "%s takes %s and memory_order_relaxed", fn, counted.Of(want, "argument"))
		return invalid(x.Pos)
	}
	p := c.expr(args[0])
	t := p.T()
	if t.Kind == ktree.Invalid {
		return invalid(x.Pos)
	}
	if t.Form == ktree.Array && t.Dims[1] == 0 {
		q := t.Elem()
		q.Form, q.Space = ktree.Pointer, t.Space
		p = &ktree.Addr{E: ktree.E{Type: q, Pos: p.At()}, X: p}
		t = q
	}
	if t.Form != ktree.Pointer {
		c.r.Report(args[0].At(), "%s needs an address, as in &y[i]", fn)
		return invalid(x.Pos)
	}
	v, ok := ktree.Root(p)
	if !ok || !v.Atomic {
		name := "this"
		if ok {
			name = v.Name
		}
		c.r.Suggest(args[0].At(), "launch with atomic outputs, or declare threadgroup atomic_int", "%s is not atomic", name)
		return invalid(x.Pos)
	}
	elem := t.Elem()
	switch fn {
	case ktree.AtomicAdd, ktree.AtomicSub, ktree.AtomicLoad, ktree.AtomicStore, ktree.AtomicExchange:
	default:
		if elem.Kind.IsFloat() {
			c.r.Report(x.Pos, "%s works on integers only", fn)
			return invalid(x.Pos)
		}
	}
	a := &ktree.Apply{E: ktree.E{Type: elem, Pos: x.Pos}, Fn: fn, Args: []ktree.Expr{p}}
	if fn == ktree.AtomicStore {
		a.Type = ktree.Scalar(ktree.Void)
	}
	if want == 2 {
		val := c.implicit(c.expr(args[1]), elem, "store")
		if val.T().Kind == ktree.Invalid {
			return val
		}
		a.Args = append(a.Args, val)
	}
	c.p.UsesAtomic = true
	if c.fn != nil {
		c.fn.impure = true
	}
	return a
}

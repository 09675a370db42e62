package check

import (
	"github.com/twiddle-go/twiddle/nd/internal/kernc/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kernc/syntax"
)

func (c *checker) call(x *syntax.Call) ir.Expr {
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
	fn, ok := ir.FindIntrinsic(name)
	if !ok {
		if name == "threadgroup_barrier" || name == "simdgroup_barrier" {
			c.r.Report(x.Pos, "%s has no value", name)
			return invalid(x.Pos)
		}
		if c.find(name) != nil {
			c.r.Report(x.Pos, "%s is not a function", name)
			return invalid(x.Pos)
		}
		names := append(ir.IntrinsicNames(), "threadgroup_barrier", "simdgroup_barrier")
		for n := range c.funcs {
			names = append(names, n)
		}
		c.r.Suggest(x.Pos, syntax.DidYouMean(name, names), "unknown function %q", name)
		return invalid(x.Pos)
	}
	if fn.IsAtomic() {
		return c.atomic(x, fn)
	}
	return c.intrinsic(x, fn)
}

func (c *checker) bitCast(x *syntax.Call) ir.Expr {
	t := c.typ(x.Type)
	if t.Kind == ir.Invalid {
		return invalid(x.Pos)
	}
	if len(x.Args) != 1 {
		c.r.Report(x.Pos, "as_type takes one value")
		return invalid(x.Pos)
	}
	e := c.expr(x.Args[0])
	from := e.T()
	if from.Kind == ir.Invalid {
		return e
	}
	if t.Form != ir.Value || from.Form != ir.Value || t.Kind <= ir.Bool || from.Kind <= ir.Bool ||
		t.Width != from.Width || t.Kind.Bits() != from.Kind.Bits() {
		c.r.Report(x.Pos, "as_type<%s> of %s: both must have equally many components of one size", t, from)
		return invalid(x.Pos)
	}
	return &ir.BitCast{E: ir.E{Type: t, Pos: x.Pos}, X: e}
}

func (c *checker) callFunc(x *syntax.Call, f *function) ir.Expr {
	if f.syn.Body == nil {
		c.r.Report(x.Pos, "function %s has no body", f.ir.Name)
		return invalid(x.Pos)
	}
	if len(x.Args) != len(f.ir.Params) {
		c.r.Report(x.Pos, "%s takes %d arguments, %d given", f.ir.Name, len(f.ir.Params), len(x.Args))
		return invalid(x.Pos)
	}
	out := &ir.Call{E: ir.E{Type: f.ir.Result, Pos: x.Pos}, Fn: f.ir}
	for i, a := range x.Args {
		p := f.ir.Params[i]
		e := c.expr(a)
		if p.Ref && e.T().Kind != ir.Invalid {
			if e.T() != p.Type {
				c.r.Report(a.At(), "%s refers to a %s, not to a %s", p.Name, p.Type, e.T())
				return invalid(x.Pos)
			}
			if !c.place(e) {
				return invalid(x.Pos)
			}
			if v, ok := root(e); ok && v.Space != ir.Thread {
				c.r.Report(a.At(), "%s must refer to a thread's variable", p.Name)
				return invalid(x.Pos)
			}
			c.wrote(e)
		} else {
			e = c.implicit(e, p.Type, "pass "+p.Name)
		}
		if e.T().Kind == ir.Invalid || p.Type.Kind == ir.Invalid {
			return invalid(x.Pos)
		}
		if v, ok := root(e); ok && p.Type.Form == ir.Pointer && v.Atomic != p.Atomic {
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
func (c *checker) intrinsic(x *syntax.Call, fn ir.Intrinsic) ir.Expr {
	info := fn.Info()
	args := make([]ir.Expr, len(x.Args))
	for i, a := range x.Args {
		args[i] = c.expr(a)
		if args[i].T().Kind == ir.Invalid {
			return invalid(x.Pos)
		}
	}
	if len(args) != info.Arity {
		c.r.Report(x.Pos, "%s takes %d arguments, %d given", fn, info.Arity, len(args))
		return invalid(x.Pos)
	}
	a := &ir.Apply{E: ir.E{Pos: x.Pos}, Fn: fn, Args: args}
	if fn.IsSimd() {
		c.p.UsesSimd = true
		if c.fn != nil {
			c.fn.impure = true
		}
	}
	switch info.Class {
	case ir.ClassSelect:
		return c.selectCall(a)
	case ir.ClassLane:
		return c.laneCall(a)
	case ir.ClassBools:
		if t := args[0].T(); t.Form != ir.Value || t.Kind != ir.Bool {
			c.r.Report(x.Pos, "%s needs bools, not %s", fn, t)
			return invalid(x.Pos)
		}
		a.Type = ir.Scalar(ir.Bool)
		return a
	case ir.ClassVote:
		if !args[0].T().IsScalar() {
			c.r.Report(x.Pos, "%s needs one bool, not %s", fn, args[0].T())
			return invalid(x.Pos)
		}
		a.Type = ir.Scalar(ir.Bool)
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
	case ir.ClassTest:
		a.Type = t.With(ir.Bool)
	case ir.ClassDot:
		a.Type = ir.Scalar(t.Kind)
	default:
		a.Type = t
	}
	return foldApply(a)
}

// operandType is the type the operands of fn are brought to.
func (c *checker) operandType(at syntax.Pos, fn ir.Intrinsic, t ir.Type) (ir.Type, bool) {
	switch fn.Info().Class {
	case ir.ClassFloat, ir.ClassTest:
		if !t.Kind.IsFloat() {
			if t.Width > 1 {
				c.r.Report(at, "%s needs floats, not %s", fn, t)
				return t, false
			}
			t = ir.Scalar(ir.Float)
		}
	case ir.ClassNumber, ir.ClassSimd:
		if t.Kind == ir.Bool {
			if t.Width > 1 {
				c.r.Report(at, "%s needs numbers, not %s", fn, t)
				return t, false
			}
			t = ir.Scalar(ir.Int)
		}
	case ir.ClassInt:
		if !t.Kind.IsInt() {
			c.r.Report(at, "%s needs integers, not %s", fn, t)
			return t, false
		}
	case ir.ClassDot, ir.ClassVector:
		if !t.IsVector() || !t.Kind.IsFloat() || fn == ir.Cross && t.Width != 3 {
			c.r.Report(at, "%s needs vectors of floats, not %s", fn, t)
			return t, false
		}
	}
	return t, true
}

func (c *checker) selectCall(a *ir.Apply) ir.Expr {
	t, ok := c.unify(a.Pos, "select", a.Args[0], a.Args[1])
	if !ok {
		return invalid(a.Pos)
	}
	cond := a.Args[2]
	ct := cond.T()
	if ct.Form != ir.Value || ct.Width > 1 && (ct.Kind != ir.Bool || ct.Width != t.Width) {
		c.r.Report(a.Pos, "select of %s by %s", t, ct)
		return invalid(a.Pos)
	}
	if ct.Width == 1 {
		cond = convert(convert(cond, ir.Scalar(ir.Bool)), t.With(ir.Bool))
	}
	a.Args = []ir.Expr{convert(a.Args[0], t), convert(a.Args[1], t), cond}
	a.Type = t
	return a
}

func (c *checker) laneCall(a *ir.Apply) ir.Expr {
	t, lane := a.Args[0].T(), a.Args[1].T()
	if t.Form != ir.Value || t.Kind <= ir.Void {
		c.r.Report(a.Pos, "%s does not work on %s", a.Fn, t)
		return invalid(a.Pos)
	}
	if !lane.IsScalar() || !lane.Kind.IsInt() {
		c.r.Report(a.Args[1].At(), "a lane is an integer, this is %s", lane)
		return invalid(a.Pos)
	}
	a.Args[1] = convert(a.Args[1], ir.Scalar(ir.Uint))
	a.Type = t
	return a
}

// atomic checks atomic_fetch_add_explicit(&y[i], v, memory_order_relaxed).
func (c *checker) atomic(x *syntax.Call, fn ir.Intrinsic) ir.Expr {
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
		c.r.Report(x.Pos, "%s takes %d arguments and memory_order_relaxed", fn, want)
		return invalid(x.Pos)
	}
	p := c.expr(args[0])
	t := p.T()
	if t.Kind == ir.Invalid {
		return invalid(x.Pos)
	}
	if t.Form == ir.Array && t.Dims[1] == 0 {
		q := t.Elem()
		q.Form, q.Space = ir.Pointer, t.Space
		p = &ir.Addr{E: ir.E{Type: q, Pos: p.At()}, X: p}
		t = q
	}
	if t.Form != ir.Pointer {
		c.r.Report(args[0].At(), "%s needs an address, as in &y[i]", fn)
		return invalid(x.Pos)
	}
	v, ok := root(p)
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
	case ir.AtomicAdd, ir.AtomicSub, ir.AtomicLoad, ir.AtomicStore, ir.AtomicExchange:
	default:
		if elem.Kind.IsFloat() {
			c.r.Report(x.Pos, "%s works on integers only", fn)
			return invalid(x.Pos)
		}
	}
	a := &ir.Apply{E: ir.E{Type: elem, Pos: x.Pos}, Fn: fn, Args: []ir.Expr{p}}
	if fn == ir.AtomicStore {
		a.Type = ir.Scalar(ir.Void)
	}
	if want == 2 {
		val := c.implicit(c.expr(args[1]), elem, "store")
		if val.T().Kind == ir.Invalid {
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

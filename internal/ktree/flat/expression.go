package flat

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

func (f *flattener) scalar(e ktree.Expr) Expr { return f.comps(e)[0] }

// effect runs an expression whose value nobody wants.
func (f *flattener) effect(e ktree.Expr) {
	switch e := e.(type) {
	case *ktree.Assign:
		f.assign(e)
	case *ktree.Call:
		f.call(e)
	case *ktree.Apply:
		if e.Fn.IsAtomic() {
			f.atomic(e, false)
			return
		}
		if e.Fn == ktree.Fence { // threads in lockstep need none
			return
		}
		f.comps(e)
	case *ktree.Seq:
		f.effect(e.X)
		f.effect(e.Y)
	default:
		f.comps(e)
	}
}

// comps splits a value into its components. Effects inside e are emitted as
// statements first.
func (f *flattener) comps(e ktree.Expr) []Expr {
	switch e := e.(type) {
	case *ktree.Lit:
		val := e.Val
		if e.Loose {
			val.F = ktree.Round(e.Type.Kind, val.F)
		}
		return slices.Repeat([]Expr{&Const{Kind: e.Type.Kind, Val: val}}, e.Type.Comps())
	case *ktree.Ref:
		return f.ref(e)
	case *ktree.Unary:
		return apply1(f.comps(e.X), func(x Expr) Expr { return &Un{Op: e.Op, Kind: e.Type.Kind, X: x} })
	case *ktree.Binary:
		x := f.comps(e.X)
		y := f.later(&x, e.Y)
		return apply2(x, y, func(x, y Expr) Expr { return &Bin{Op: e.Op, In: e.X.T().Kind, X: x, Y: y, Sure: e.Sure} })
	case *ktree.Logic:
		return []Expr{f.logic(e)}
	case *ktree.Cond:
		return f.cond(e)
	case *ktree.Convert:
		if e.Type.Kind == e.X.T().Kind {
			return f.comps(e.X)
		}
		return apply1(f.comps(e.X), func(x Expr) Expr { return &Conv{To: e.Type.Kind, X: x} })
	case *ktree.BitCast:
		return apply1(f.comps(e.X), func(x Expr) Expr { return &Bits{To: e.Type.Kind, X: x} })
	case *ktree.Make:
		return f.make(e)
	case *ktree.Swizzle:
		return f.swizzle(e)
	case *ktree.Pick:
		xs := f.freeze(f.comps(e.X))
		return []Expr{choose(f.keep(f.scalar(e.I)), xs)}
	case *ktree.Index:
		return f.read(f.place(e))
	case *ktree.Call:
		return f.call(e)
	case *ktree.Apply:
		return f.apply(e)
	case *ktree.Assign:
		var old []Expr
		if e.Old {
			old = f.freeze(f.read(f.place(e.L)))
		}
		f.assign(e)
		if e.Old {
			return old
		}
		return f.read(f.place(e.L))
	case *ktree.Seq:
		f.effect(e.X)
		return f.comps(e.Y)
	}
	f.fail(e.At(), "unexpected expression")
	return nil
}

// later evaluates e after the values in xs: if e has effects that could change
// them, they are kept first.
func (f *flattener) later(xs *[]Expr, e ktree.Expr) []Expr {
	var ys []Expr
	effects := f.nested(func() { ys = f.comps(e) })
	if changes(effects) {
		*xs = f.freeze(*xs)
	}
	f.list = append(f.list, effects...)
	return ys
}

// changes reports statements that assign more than temporaries.
func changes(list []Stmt) bool {
	for _, s := range list {
		if set, ok := s.(*Set); ok && set.Decl {
			continue
		}
		return true
	}
	return false
}

func apply1(xs []Expr, op func(Expr) Expr) []Expr {
	out := make([]Expr, len(xs))
	for i, x := range xs {
		out[i] = op(x)
	}
	return out
}

func apply2(xs, ys []Expr, op func(x, y Expr) Expr) []Expr {
	out := make([]Expr, len(xs))
	for i := range xs {
		out[i] = op(xs[i], ys[i])
	}
	return out
}

func (f *flattener) ref(e *ktree.Ref) []Expr {
	v := e.Var
	switch v.Role {
	case ktree.Builtin:
		out := make([]Expr, v.Type.Comps())
		for i := range out {
			out[i] = f.grid(v.Grid, i)
		}
		return out
	case ktree.Meta:
		return []Expr{&Load{Mem: f.env[v].mem, Pos: e.Pos}}
	case ktree.Number:
		out := make([]Expr, v.Type.Comps())
		for i := range out {
			out[i] = &Load{Mem: f.env[v].mem, Comp: i, Pos: e.Pos}
		}
		return out
	}
	return f.read(f.place(e))
}

func (f *flattener) grid(g ktree.Grid, comp int) Expr {
	if g == ktree.ThreadsPerSimdgroup {
		return &Const{Kind: ktree.Uint, Val: ktree.Num{I: ktree.SimdWidth}}
	}
	return &Grid{Grid: g, Comp: comp}
}

// fails reports an expression that must not be evaluated for threads that do
// not need it.
func fails(x Expr) bool {
	switch x := x.(type) {
	case *Load:
		return x.Mem.Role != ktree.Number
	case *Un:
		return fails(x.X)
	case *Bin:
		return fails(x.X) || fails(x.Y)
	case *Conv:
		return fails(x.X)
	case *Bits:
		return fails(x.X)
	case *Sel:
		return fails(x.C) || fails(x.X) || fails(x.Y)
	case *Math:
		for _, a := range x.Args {
			if fails(a) {
				return true
			}
		}
	}
	return false
}

// logic keeps && and || from evaluating what they must skip.
func (f *flattener) logic(e *ktree.Logic) Expr {
	x := f.scalar(e.X)
	var y Expr
	rest := f.nested(func() { y = f.scalar(e.Y) })
	if len(rest) == 0 && !fails(y) {
		op := ktree.And
		if e.Or {
			op = ktree.Or
		}
		return &Bin{Op: op, In: ktree.Bool, X: x, Y: y}
	}
	t := f.temp(x)
	t.Sets++
	branch := &If{Cond: &Use{t}}
	if e.Or {
		branch.Cond = &Un{Op: ktree.Not, Kind: ktree.Bool, X: &Use{t}}
	}
	branch.Then = append(rest, &Set{Var: t, X: y})
	f.emit(branch)
	return &Use{t}
}

func (f *flattener) cond(e *ktree.Cond) []Expr {
	c := f.scalar(e.C)
	var xs, ys []Expr
	then := f.nested(func() { xs = f.comps(e.X) })
	other := f.nested(func() { ys = f.comps(e.Y) })
	if len(then) == 0 && len(other) == 0 && !slices.ContainsFunc(xs, fails) && !slices.ContainsFunc(ys, fails) {
		if len(xs) > 1 {
			c = f.keep(c)
		}
		return apply2(xs, ys, func(x, y Expr) Expr { return &Sel{C: c, X: x, Y: y} })
	}
	// An arm that every thread may evaluate comes before a branch with the other alone:
	// SwiftShader takes twice as long to compile a loop for each branch with two arms in it.
	early := ys
	if len(other) > 0 || slices.ContainsFunc(ys, fails) {
		early = nil
		if len(then) == 0 && !slices.ContainsFunc(xs, fails) {
			c = &Un{Op: ktree.Not, Kind: ktree.Bool, X: c}
			early, xs, then, other = xs, ys, other, then
		}
	}
	out := make([]Expr, len(xs))
	for i := range xs {
		v := f.newVar("", xs[i].K())
		v.Sets = 2
		out[i] = &Use{v}
		set := &Set{Var: v, Decl: true}
		f.emit(set)
		then = append(then, &Set{Var: v, X: xs[i]})
		if early != nil {
			set.X = early[i]
		} else {
			other = append(other, &Set{Var: v, X: ys[i]})
		}
	}
	f.emit(&If{Cond: c, Then: then, Else: other})
	return out
}

func (f *flattener) make(e *ktree.Make) []Expr {
	var out []Expr
	for _, a := range e.Args {
		if len(out) == 0 {
			out = append(out, f.comps(a)...)
		} else {
			out = append(out, f.later(&out, a)...)
		}
	}
	if len(out) == 1 && e.Type.Width > 1 {
		x := f.keep(out[0])
		out = nil
		for range e.Type.Comps() {
			out = append(out, x)
		}
	}
	return out
}

func (f *flattener) swizzle(e *ktree.Swizzle) []Expr {
	if r, ok := e.X.(*ktree.Ref); ok && r.Var.Role == ktree.Builtin {
		out := make([]Expr, len(e.Sel))
		for i, s := range e.Sel {
			out[i] = f.grid(r.Var.Grid, s)
		}
		return out
	}
	xs := f.comps(e.X)
	seen := 0
	for _, s := range e.Sel {
		if seen>>s&1 == 1 {
			xs[s] = f.keep(xs[s])
		}
		seen |= 1 << s
	}
	out := make([]Expr, len(e.Sel))
	for i, s := range e.Sel {
		out[i] = xs[s]
	}
	return out
}

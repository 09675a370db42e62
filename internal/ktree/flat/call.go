package flat

import "github.com/twiddle-go/twiddle/internal/ktree"

// call expands a function in place and gives its result.
func (f *flattener) call(e *ktree.Call) []Expr {
	f.calls++
	if f.calls > maxCalls {
		f.fail(e.Pos, "functions call each other more than %d deep", maxCalls)
	}
	args := make([]binding, len(e.Args))
	for i, a := range e.Args {
		args[i] = f.argument(e.Fn.Params[i], a)
	}
	for i, p := range e.Fn.Params {
		f.bind(p, args[i])
	}
	ret := f.ret
	f.ret = nil
	if e.Type.Kind > ktree.Void {
		f.ret = f.declare("", e.Type)
		for _, v := range f.ret {
			f.emit(&Set{Var: v, Decl: true})
		}
	}
	f.emit(&Scope{Body: f.block(e.Fn.Body)})
	var out []Expr
	for _, v := range f.ret {
		// Set by each return; Sets keeps the variable from being taken for a
		// name of one value.
		v.Sets = max(v.Sets, 2)
		out = append(out, &Use{v})
	}
	f.ret = ret
	f.calls--
	return out
}

// argument prepares what a parameter stands for.
func (f *flattener) argument(p *ktree.Var, a ktree.Expr) binding {
	switch {
	case p.Type.Form == ktree.Pointer:
		b := f.pointer(a)
		b.terms = f.freezeTerms(b.terms)
		if p.Written == 0 {
			return b
		}
		off := f.newVar(p.Name, ktree.Long)
		off.Sets++
		off.Offset = true
		f.emit(&Set{Var: off, X: sum(b.terms), Decl: true})
		return binding{mem: b.mem, moves: off}
	case p.Ref:
		pl := f.place(a)
		if pl.mem == nil && pl.pick == nil {
			return binding{vars: pl.vars}
		}
		if pl.pick != nil || len(pl.comps) != pl.mem.Comps {
			f.fail(a.At(), "%s cannot refer to part of a vector in memory", p.Name)
		}
		return binding{mem: pl.mem, terms: f.freezeTerms(pl.terms)}
	}
	xs := f.comps(a)
	if f.taken[p] {
		m := f.addMem(&Mem{Name: p.Name, Kind: p.Type.Kind, Comps: p.Type.Comps(), Len: 1, Space: ktree.Thread})
		f.emit(&Clear{Mem: m})
		f.storeAll(m, nil, allComps(len(xs)), xs, a.At())
		return binding{mem: m}
	}
	vars := f.declare(p.Name, p.Type)
	f.setAll(vars, xs, true)
	return binding{vars: vars}
}

// apply evaluates a built-in function.
func (f *flattener) apply(e *ktree.Apply) []Expr {
	switch {
	case e.Fn.IsAtomic():
		return f.atomic(e, true)
	case e.Fn.IsSimd():
		return f.cross(e)
	}
	args := make([][]Expr, len(e.Args))
	for i, a := range e.Args {
		var held []Expr
		for _, b := range args[:i] {
			held = append(held, b...)
		}
		args[i] = f.later(&held, a)
		for _, b := range args[:i] {
			held = held[copy(b, held):]
		}
	}
	if out := f.compound(e, args); out != nil {
		return out
	}
	kind := e.Args[0].T().Kind
	out := make([]Expr, e.Type.Comps())
	for c := range out {
		m := &Math{Fn: e.Fn, Kind: kind}
		for i := range args {
			m.Args = append(m.Args, args[i][c])
		}
		switch e.Fn {
		case ktree.Select:
			out[c] = &Sel{C: args[2][c], X: args[1][c], Y: args[0][c]}
		case ktree.Now, ktree.Once: // a hint
			out[c] = args[0][c]
		default:
			out[c] = m
		}
	}
	return out
}

// compound writes functions that are short for others in terms of them.
func (f *flattener) compound(e *ktree.Apply, args [][]Expr) []Expr {
	k := e.Args[0].T().Kind
	num := func(v float64) Expr { return &Const{Kind: k, Val: ktree.Num{F: v}} }
	bin := func(op ktree.Op, x, y Expr) Expr { return &Bin{Op: op, In: k, X: x, Y: y} }
	fn := func(i ktree.Intrinsic, xs ...Expr) Expr { return &Math{Fn: i, Kind: k, Args: xs} }
	dot := func(x, y []Expr) Expr {
		total := bin(ktree.Mul, x[0], y[0])
		for i := 1; i < len(x); i++ {
			total = bin(ktree.Add, total, bin(ktree.Mul, x[i], y[i]))
		}
		return total
	}
	each := func(op func(x []Expr) Expr) []Expr {
		out := make([]Expr, len(args[0]))
		for c := range out {
			xs := make([]Expr, len(args))
			for i := range args {
				xs[i] = args[i][c]
			}
			out[c] = op(xs)
		}
		return out
	}
	switch e.Fn {
	case ktree.Saturate:
		return each(func(x []Expr) Expr { return fn(ktree.Clamp, x[0], num(0), num(1)) })
	case ktree.Fabs:
		return each(func(x []Expr) Expr { return fn(ktree.Abs, x[0]) })
	case ktree.Fmin:
		return each(func(x []Expr) Expr { return fn(ktree.Min, x...) })
	case ktree.Fmax:
		return each(func(x []Expr) Expr { return fn(ktree.Max, x...) })
	case ktree.Fract:
		return each(func(x []Expr) Expr {
			v := f.keep(x[0])
			return bin(ktree.Sub, v, fn(ktree.Floor, v))
		})
	case ktree.Step:
		return each(func(x []Expr) Expr { return &Sel{C: bin(ktree.Lt, x[1], x[0]), X: num(0), Y: num(1)} })
	case ktree.Mix:
		return each(func(x []Expr) Expr {
			a := f.keep(x[0])
			return bin(ktree.Add, a, bin(ktree.Mul, bin(ktree.Sub, x[1], a), x[2]))
		})
	case ktree.Smoothstep:
		return each(func(x []Expr) Expr {
			lo := f.keep(x[0])
			t := fn(ktree.Clamp, bin(ktree.Div, bin(ktree.Sub, x[2], lo), bin(ktree.Sub, x[1], lo)), num(0), num(1))
			t = f.keep(t)
			return bin(ktree.Mul, bin(ktree.Mul, t, t), bin(ktree.Sub, num(3), bin(ktree.Mul, num(2), t)))
		})
	case ktree.Dot:
		return []Expr{dot(args[0], args[1])}
	case ktree.Length:
		x := f.freeze(args[0])
		return []Expr{fn(ktree.Sqrt, dot(x, x))}
	case ktree.Distance:
		d := f.freeze(apply2(args[0], args[1], func(x, y Expr) Expr { return bin(ktree.Sub, x, y) }))
		return []Expr{fn(ktree.Sqrt, dot(d, d))}
	case ktree.Normalize:
		x := f.freeze(args[0])
		s := f.keep(fn(ktree.Rsqrt, dot(x, x)))
		return apply1(x, func(x Expr) Expr { return bin(ktree.Mul, x, s) })
	case ktree.Cross:
		a, b := f.freeze(args[0]), f.freeze(args[1])
		out := make([]Expr, 3)
		for i := range out {
			j, k := (i+1)%3, (i+2)%3
			out[i] = bin(ktree.Sub, bin(ktree.Mul, a[j], b[k]), bin(ktree.Mul, a[k], b[j]))
		}
		return out
	case ktree.Any, ktree.All:
		op := ktree.Or
		if e.Fn == ktree.All {
			op = ktree.And
		}
		out := args[0][0]
		for _, x := range args[0][1:] {
			out = &Bin{Op: op, In: ktree.Bool, X: out, Y: x}
		}
		return []Expr{out}
	}
	return nil
}

func (f *flattener) cross(e *ktree.Apply) []Expr {
	xs := f.comps(e.Args[0])
	if e.Fn == ktree.SimdTurn {
		return f.turnMatrix(xs)
	}
	var lane Expr
	if len(e.Args) == 2 {
		lane = f.keep(f.later(&xs, e.Args[1])[0])
	}
	out := make([]Expr, len(xs))
	for i, x := range xs {
		v := f.newVar("", x.K())
		v.Sets = 1
		f.emit(&Cross{Dst: v, Fn: e.Fn, X: x, Lane: lane, Pos: e.Pos})
		out[i] = &Use{v}
	}
	return out
}

func (f *flattener) atomic(e *ktree.Apply, used bool) []Expr {
	b := f.pointer(e.Args[0])
	a := &Atomic{Fn: e.Fn, Mem: b.mem, Terms: b.terms, Pos: e.Args[0].At()}
	if len(e.Args) == 2 {
		a.Terms = f.freezeTerms(a.Terms)
		a.X = f.scalar(e.Args[1])
	}
	if !used {
		f.emit(a)
		return nil
	}
	a.Dst = f.newVar("", b.mem.Kind)
	a.Dst.Sets = 1
	if b.mem.Changes() {
		f.out.ReturnsAtomic = true
	}
	f.emit(a)
	return []Expr{&Use{a.Dst}}
}

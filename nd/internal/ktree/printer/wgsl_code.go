package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/ktree"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/flat"
)

func (w *wgsl) list(list []flat.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *wgsl) nested(list []flat.Stmt) {
	w.indent++
	w.list(list)
	w.indent--
}

func (w *wgsl) stmt(s flat.Stmt) {
	switch s := s.(type) {
	case *flat.Set:
		if s.X != nil {
			w.line("%s = %s;", w.name(s.Var, s.Var.Name), bare(w.as(s.X, s.Var.Kind, s.Var.Offset)))
		}
	case *flat.Clear:
		t := w.kind(s.Mem.Kind, false)
		if s.Mem.Comps > 1 {
			t = fmt.Sprintf("vec%d<%s>", s.Mem.Comps, t)
		}
		w.line("%s = array<%s, %d>();", w.name(s.Mem, s.Mem.Name), t, s.Mem.Len)
	case *flat.Store:
		w.line("%s = %s;", w.element(s.Mem, s.Terms, s.Comp), bare(w.expr(s.X)))
	case *flat.Cross:
		w.cross(s)
	case *flat.Atomic:
		w.atomic(s)
	case *flat.If:
		w.line("if (%s) {", bare(w.expr(s.Cond)))
		w.nested(s.Then)
		if len(s.Else) > 0 {
			w.line("} else {")
			w.nested(s.Else)
		}
		w.line("}")
	case *flat.Loop:
		w.loop(s)
	case *flat.Jump:
		if s.Break {
			w.line("break;")
		} else {
			w.line("continue;")
		}
	case *flat.Scope:
		w.scope(s)
	case *flat.Return:
		w.ret()
	case *flat.Barrier:
		switch {
		case s.Simd:
			w.line("subgroupBarrier();")
		default:
			if s.Threadgroup || !s.Device {
				w.line("workgroupBarrier();")
			}
			if s.Device {
				w.line("storageBarrier();")
			}
		}
	}
}

func (w *wgsl) loop(s *flat.Loop) {
	top := w.scopes[len(w.scopes)-1]
	top.loops++
	w.line("loop {")
	w.indent++
	w.list(s.Head)
	if s.Cond != nil {
		w.line("if (!(%s)) { break; }", bare(w.expr(s.Cond)))
	}
	w.list(s.Body)
	if len(s.Post) > 0 || s.Late != nil {
		w.line("continuing {")
		w.nested(s.Post)
		if s.Late != nil {
			w.line("  break if !(%s);", bare(w.expr(s.Late)))
		}
		w.line("}")
	}
	w.indent--
	w.line("}")
	top.loops--
	if top.once && returnsInside(s.Body) {
		w.line("if (%s) { break; }", top.flag)
	}
}

// returnsInside reports a return of the current scope somewhere in list.
func returnsInside(list []flat.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *flat.Return:
			return true
		case *flat.If:
			if returnsInside(s.Then) || returnsInside(s.Else) {
				return true
			}
		case *flat.Loop:
			if returnsInside(s.Body) {
				return true
			}
		}
	}
	return false
}

// loopReturns reports a return from inside a loop of list.
func loopReturns(list []flat.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *flat.If:
			if loopReturns(s.Then) || loopReturns(s.Else) {
				return true
			}
		case *flat.Loop:
			if returnsInside(s.Body) {
				return true
			}
		}
	}
	return false
}

func (w *wgsl) scope(s *flat.Scope) {
	st := &scopeState{}
	body := s.Body
	if n := len(body); n > 0 {
		if _, ok := body[n-1].(*flat.Return); ok && !returnsInside(body[:n-1]) {
			body = body[:n-1] // falls out at the end anyway
		}
	}
	st.once = returnsInside(body)
	if !st.once {
		w.line("{")
		w.scopes = append(w.scopes, st)
		w.nested(body)
		w.scopes = w.scopes[:len(w.scopes)-1]
		w.line("}")
		return
	}
	if loopReturns(body) {
		st.flag = w.name(st, "returned")
		w.line("var %s = false;", st.flag)
	}
	w.line("loop {")
	w.scopes = append(w.scopes, st)
	w.nested(body)
	w.scopes = w.scopes[:len(w.scopes)-1]
	if _, ok := body[len(body)-1].(*flat.Return); !ok {
		w.line("  break;")
	}
	w.line("}")
}

func (w *wgsl) ret() {
	st := w.scopes[len(w.scopes)-1]
	if len(w.scopes) == 1 {
		w.line("return;")
		return
	}
	if st.loops > 0 {
		w.line("%s = true;", st.flag)
	}
	w.line("break;")
}

// element is a place: an element, or a component of one.
func (w *wgsl) element(m *flat.Mem, terms []flat.Term, comp int) string {
	s := w.name(m, m.Name) + "[" + w.index(terms) + "]"
	if m.Comps > 1 {
		s += "." + "xyzw"[comp:comp+1]
	}
	return s
}

// index sums terms; mixed signs meet as i32.
func (w *wgsl) index(terms []flat.Term) string {
	if len(terms) == 0 {
		return "0"
	}
	signed := false
	for _, t := range terms {
		if t.X.K() != ktree.Uint {
			signed = true
		}
	}
	var parts []string
	for _, t := range terms {
		s := w.offset(t.X)
		if signed && t.X.K() == ktree.Uint {
			s = "i32(" + s + ")"
		}
		if t.Scale != 1 {
			suffix := "u"
			if signed {
				suffix = "i"
			}
			s = fmt.Sprintf("%s * %d%s", s, t.Scale, suffix)
		}
		parts = append(parts, s)
	}
	return bare(strings.Join(parts, " + "))
}

// offset prints an index, where long arithmetic of pointers is i32.
func (w *wgsl) offset(x flat.Expr) string {
	if x.K() == ktree.Long {
		return w.as(x, ktree.Long, true)
	}
	return w.expr(x)
}

// as prints x for a variable; offset says long is i32 there.
func (w *wgsl) as(x flat.Expr, k ktree.Kind, offset bool) string {
	if !offset {
		return w.expr(x)
	}
	switch x := x.(type) {
	case *flat.Const:
		return w.num(ktree.Int, x.Val)
	case *flat.Use:
		return w.name(x.Var, x.Var.Name)
	case *flat.Conv:
		if x.X.K() == ktree.Int {
			return w.expr(x.X)
		}
		return "i32(" + w.as(x.X, x.X.K(), x.X.K() == ktree.Long) + ")"
	case *flat.Bin:
		if k == ktree.Long && x.In == ktree.Long {
			return fmt.Sprintf("(%s %s %s)", w.as(x.X, k, true), x.Op, w.as(x.Y, k, true))
		}
	case *flat.Un:
		if x.Kind == ktree.Long && x.Op == ktree.Neg {
			return "(-" + w.as(x.X, k, true) + ")"
		}
	}
	return w.expr(x)
}

func (w *wgsl) cross(s *flat.Cross) {
	names := map[ktree.Intrinsic]string{
		ktree.SimdSum: "subgroupAdd", ktree.SimdProduct: "subgroupMul", ktree.SimdMax: "subgroupMax", ktree.SimdMin: "subgroupMin",
		ktree.SimdAll: "subgroupAll", ktree.SimdAny: "subgroupAny", ktree.SimdPrefixInclusiveSum: "subgroupInclusiveAdd",
		ktree.SimdPrefixExclusiveSum: "subgroupExclusiveAdd", ktree.SimdBroadcast: "subgroupShuffle", ktree.SimdShuffle: "subgroupShuffle",
		ktree.SimdShuffleXor: "subgroupShuffleXor", ktree.SimdShuffleUp: "subgroupShuffleUp", ktree.SimdShuffleDown: "subgroupShuffleDown",
	}
	args := w.expr(s.X)
	if s.Lane != nil {
		args += ", " + w.expr(s.Lane)
	}
	w.line("%s = %s(%s);", w.name(s.Dst, s.Dst.Name), names[s.Fn], args)
}

func (w *wgsl) atomic(s *flat.Atomic) {
	at := "&" + w.name(s.Mem, s.Mem.Name) + "[" + w.index(s.Terms) + "]"
	float := s.Mem.Kind == ktree.Float
	set := func(v string) {
		switch {
		case s.Dst != nil:
			if float {
				v = "bitcast<f32>(" + v + ")"
			}
			w.line("%s = %s;", w.name(s.Dst, s.Dst.Name), v)
		default:
			w.line("%s;", v)
		}
	}
	x := ""
	if s.X != nil {
		x = w.expr(s.X)
	}
	if float && (s.Fn == ktree.AtomicAdd || s.Fn == ktree.AtomicSub) {
		op := "+"
		if s.Fn == ktree.AtomicSub {
			op = "-"
		}
		w.line("loop {")
		w.line("  let tw_old = atomicLoad(%s);", at)
		w.line("  let tw_new = bitcast<u32>(bitcast<f32>(tw_old) %s %s);", op, x)
		w.line("  if (atomicCompareExchangeWeak(%s, tw_old, tw_new).exchanged) {", at)
		if s.Dst != nil {
			w.line("    %s = bitcast<f32>(tw_old);", w.name(s.Dst, s.Dst.Name))
		}
		w.line("    break;")
		w.line("  }")
		w.line("}")
		return
	}
	if float && x != "" {
		x = "bitcast<u32>(" + x + ")"
	}
	names := map[ktree.Intrinsic]string{
		ktree.AtomicAdd: "atomicAdd", ktree.AtomicSub: "atomicSub", ktree.AtomicMin: "atomicMin", ktree.AtomicMax: "atomicMax",
		ktree.AtomicAnd: "atomicAnd", ktree.AtomicOr: "atomicOr", ktree.AtomicXor: "atomicXor", ktree.AtomicExchange: "atomicExchange",
	}
	switch s.Fn {
	case ktree.AtomicLoad:
		if s.Dst != nil {
			set(fmt.Sprintf("atomicLoad(%s)", at))
		}
	case ktree.AtomicStore:
		w.line("atomicStore(%s, %s);", at, x)
	default:
		set(fmt.Sprintf("%s(%s, %s)", names[s.Fn], at, x))
	}
}

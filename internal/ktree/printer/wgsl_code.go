package printer

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
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
			x := ""
			if s.Var.Offset {
				x = w.offset(s.X)
			} else {
				x = w.expr(s.X)
			}
			w.line("%s = %s;", w.name(s.Var, s.Var.Name), bare(x))
		}
	case *flat.Clear:
		w.line("%s = array<%s, %d>();", w.name(s.Mem, s.Mem.Name), w.stored(s.Mem), s.Mem.Len)
	case *flat.Store:
		w.store(s)
	case *flat.Cross:
		w.cross(s)
	case *flat.Atomic:
		w.atomic(s)
	case *flat.If:
		w.line("if (%s) {", bare(w.expr(s.Cond)))
		defer w.apart(s.Level)()
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
		case s.Simd && w.native:
			w.line("subgroupBarrier();")
		case s.Simd && w.parted > 0:
			w.fail("threads of a group wait for a simdgroup at different places")
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

// apart notes that some threads of a group may not run what follows, until the
// function it gives is called.
func (w *wgsl) apart(l flat.Level) func() {
	if l == flat.Group {
		return func() {}
	}
	w.parted++
	return func() { w.parted-- }
}

func (w *wgsl) loop(s *flat.Loop) {
	top := w.scopes[len(w.scopes)-1]
	top.loops++
	defer w.apart(max(s.Level, s.Breaks, s.Continues))()
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

func (w *wgsl) atomic(s *flat.Atomic) {
	if w.isSpread(s.Mem) {
		w.fail("%s is atomic, and too large for a binding or one buffer too many", s.Mem.Name)
		return
	}
	index, end := w.write(s.Mem, s.Terms, s.Pos)
	defer end()
	at := "&" + w.name(s.Mem, s.Mem.Name) + "[" + index + "]"
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

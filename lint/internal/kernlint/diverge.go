package kernlint

import (
	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// level is how far a value is the same across threads.
type level uint8

const (
	group   level = iota // all threads of a threadgroup agree
	simd                 // those of a simdgroup do
	varying              // each has its own
)

// divergence finds barriers that not all threads reach together.
func (k *kernel) divergence() {
	a := &spread{k: k, holds: map[string]bool{}, loops: map[syntax.Stmt]level{}}
	for _, f := range k.tree.Funcs {
		a.holds[f.Name] = f.Body != nil && hasBarrier(f.Body)
		for _, v := range k.params[f] {
			v.level = varying // whoever calls it
		}
	}
	written := map[*variable]bool{}
	k.all(func(e syntax.Expr) {
		if s, ok := e.(*syntax.Assign); ok {
			if v := k.root(s.L, nil); v != nil {
				written[v] = true
			}
		}
	})
	for v := range written {
		if isDevice(v) || v.space == "threadgroup" {
			v.level = varying // another thread may have written it meanwhile
		}
	}
	// Levels only grow, so this ends; the bound is for texts made to be slow.
	for range 32 {
		a.changed = false
		a.frames = []frame{{whole: true}}
		a.stmt(k.tree.Body)
		if !a.changed {
			break
		}
	}
	a.report = true
	a.frames = []frame{{whole: true}}
	a.stmt(k.tree.Body)
}

func hasBarrier(s syntax.Stmt) bool {
	found := false
	each(s, func(e syntax.Expr) {
		if c, ok := e.(*syntax.Call); ok && c.Fun != nil && (c.Fun.Text == "threadgroup_barrier" || c.Fun.Text == "simdgroup_barrier") {
			found = true
		}
	})
	return found
}

// spread follows how threads part and meet.
type spread struct {
	k       *kernel
	holds   map[string]bool // functions with a barrier in them
	loops   map[syntax.Stmt]level
	frames  []frame
	changed bool
	report  bool
}

// frame is an enclosing piece of control flow.
type frame struct {
	level       level
	loop, whole bool
}

func (a *spread) control(depth int) level {
	l := group
	for _, f := range a.frames[min(depth, len(a.frames)):] {
		l = max(l, f.level)
	}
	return l
}

func (a *spread) raise(v *variable, l level) {
	if v != nil && l > v.level {
		v.level = l
		a.changed = true
	}
}

func (a *spread) within(f frame, list ...syntax.Stmt) frame {
	a.frames = append(a.frames, f)
	for _, s := range list {
		a.stmt(s)
	}
	last := a.frames[len(a.frames)-1]
	a.frames = a.frames[:len(a.frames)-1]
	return last
}

func (a *spread) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case nil:
	case *syntax.Decl:
		v := a.k.locals[s]
		if v == nil {
			return
		}
		v.depth = len(a.frames)
		if s.Init != nil {
			a.raise(v, a.expr(s.Init))
		}
	case *syntax.ExprStmt:
		a.expr(s.X)
	case *syntax.If:
		l := a.expr(s.Cond)
		a.within(frame{level: l}, s.Then, s.Else)
	case *syntax.For:
		for _, i := range s.Init {
			a.stmt(i)
		}
		a.turns(s, s.Cond, s.Body, s.Post)
	case *syntax.Do:
		a.turns(s, s.Cond, s.Body, nil)
	case *syntax.Block:
		for _, c := range s.List {
			a.stmt(c)
		}
	case *syntax.Return:
		if s.X != nil {
			a.expr(s.X)
		}
		a.leave(func(f frame) bool { return f.whole })
	case *syntax.Jump:
		a.leave(func(f frame) bool { return f.loop })
	}
}

// turns runs a loop. What its end changes is seen at its start in the next
// walk, for which the loop's level is kept.
func (a *spread) turns(s syntax.Stmt, cond syntax.Expr, body syntax.Stmt, post []syntax.Expr) {
	l := max(a.loops[s], a.expr(cond))
	l = max(l, a.within(frame{level: l, loop: true}, body).level)
	for _, e := range post {
		a.expr(e)
	}
	if l > a.loops[s] {
		a.loops[s] = l
		a.changed = true
	}
}

// leave makes the frame that a jump leads out of as divergent as the way to
// the jump: from here on, some threads are missing.
func (a *spread) leave(target func(frame) bool) {
	for i := len(a.frames) - 1; i >= 0; i-- {
		if target(a.frames[i]) {
			by := a.control(i + 1)
			for j := i; j < len(a.frames); j++ {
				a.frames[j].level = max(a.frames[j].level, by)
			}
			return
		}
	}
}

// expr is the level of an expression; on the way it notes assignments and
// looks at barriers.
func (a *spread) expr(e syntax.Expr) level {
	switch e := e.(type) {
	case nil:
		return group
	case *syntax.Name:
		return a.name(e)
	case *syntax.Assign:
		l := a.expr(e.R)
		if e.Op != "" {
			l = max(l, a.expr(e.L))
		} else {
			l = max(l, a.indices(e.L))
		}
		if v := a.k.root(e.L, nil); v != nil {
			a.raise(v, max(l, a.control(v.depth)))
		}
		return l
	case *syntax.Unary:
		l := a.expr(e.X)
		if e.Op == "++" || e.Op == "--" {
			if v := a.k.root(e.X, nil); v != nil {
				a.raise(v, max(l, a.control(v.depth)))
			}
		}
		return l
	case *syntax.Call:
		return a.call(e)
	}
	l := group
	for _, o := range operands(e) {
		l = max(l, a.expr(o))
	}
	return l
}

func (a *spread) name(e *syntax.Name) level {
	switch e.Text {
	case ktree.GridNames[ktree.ThreadPositionInGrid], ktree.GridNames[ktree.ThreadPositionInThreadgroup], ktree.GridNames[ktree.ThreadIndexInThreadgroup],
		ktree.GridNames[ktree.ThreadIndexInSimdgroup]:
		return varying
	case ktree.GridNames[ktree.SimdgroupIndexInThreadgroup]:
		return simd
	}
	if v := a.k.refs[e]; v != nil {
		return v.level
	}
	return group
}

// indices is the level of the indices of a place.
func (a *spread) indices(e syntax.Expr) level {
	l := group
	for {
		switch x := e.(type) {
		case *syntax.Index:
			l = max(l, a.expr(x.I))
			e = x.X
		case *syntax.Member:
			e = x.X
		default:
			return l
		}
	}
}

func (a *spread) call(e *syntax.Call) level {
	l := group
	for _, arg := range e.Args {
		l = max(l, a.expr(arg))
	}
	if e.Fun == nil {
		return l
	}
	name := e.Fun.Text
	if name == "threadgroup_barrier" || name == "simdgroup_barrier" || a.holds[name] {
		a.barrier(e, name)
		return l
	}
	fn, ok := ktree.FindIntrinsic(name)
	switch {
	case !ok:
		return l
	case fn.IsAtomic():
		return varying
	case fn == ktree.SimdBroadcast || fn.Info().Class == ktree.ClassVote || fn == ktree.SimdSum || fn == ktree.SimdProduct || fn == ktree.SimdMax || fn == ktree.SimdMin:
		return simd
	case fn.IsSimd():
		return varying
	}
	return l
}

func (a *spread) barrier(e *syntax.Call, name string) {
	limit := group
	if name == "simdgroup_barrier" {
		limit = simd
	}
	if !a.report {
		return
	}
	for _, f := range a.frames {
		if f.level <= limit {
			continue
		}
		why := "inside a condition that differs between threads"
		switch {
		case f.loop:
			why = "inside a loop that threads leave at different times"
		case f.whole:
			why = "after a return that only some threads take"
		}
		a.k.report(Divergent, e.Pos, nil, name+" "+why+": every thread of the group must reach it together")
		return
	}
}

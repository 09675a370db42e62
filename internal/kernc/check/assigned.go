package check

import "github.com/twiddle-go/twiddle/internal/ktree"

// assigned reports variables that are read before anything set them, on some
// path. Components of a vector are followed one by one; arrays are not: their
// elements are the author's business.
func (c *checker) assigned() {
	for _, f := range c.p.Funcs {
		w := &walk{c: c, set: facts{}}
		w.list(f.Body)
	}
	w := &walk{c: c, set: facts{}}
	w.list(c.p.Body)
}

// facts map a variable to the components that are certainly set. Variables
// without an entry need none.
type facts map[*ktree.Var]uint8

func (f facts) clone() facts {
	g := make(facts, len(f))
	for v, m := range f {
		g[v] = m
	}
	return g
}

// meet keeps what holds on both paths.
func (f facts) meet(g facts) {
	for v, m := range f {
		if n, ok := g[v]; ok {
			f[v] = m & n
		}
	}
}

type walk struct {
	c    *checker
	set  facts
	dead bool // the path ended: anything holds
	// exits and nexts collect what holds at breaks and continues.
	exits, nexts []facts
}

func full(v *ktree.Var) uint8 { return 1<<v.Type.Width - 1 }

func tracked(v *ktree.Var) bool {
	return v.Role == ktree.Local && v.Space == ktree.Thread && v.Type.Form == ktree.Value
}

func (w *walk) list(list []ktree.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *walk) stmt(s ktree.Stmt) {
	switch s := s.(type) {
	case *ktree.Decl:
		w.expr(s.Init)
		for _, e := range s.List {
			w.expr(e)
		}
		if tracked(s.Var) {
			w.set[s.Var] = 0
			if s.Init != nil || s.List != nil {
				w.set[s.Var] = full(s.Var)
			}
		}
	case *ktree.Do:
		w.expr(s.X)
	case *ktree.Block:
		w.list(s.List)
	case *ktree.If:
		w.branch(s.Cond, func() { w.list(s.Then) }, func() { w.list(s.Else) })
	case *ktree.Loop:
		w.loop(s)
	case *ktree.Jump:
		if s.Break {
			w.exits = append(w.exits, w.mark())
		} else {
			w.nexts = append(w.nexts, w.mark())
		}
		w.dead = true
	case *ktree.Return:
		w.expr(s.X)
		w.dead = true
	}
}

// mark is the current facts, or nil on a dead path.
func (w *walk) mark() facts {
	if w.dead {
		return nil
	}
	return w.set.clone()
}

// branch runs one of two pieces.
func (w *walk) branch(cond ktree.Expr, yes, no func()) {
	w.expr(cond)
	if v, ok := constant(cond); ok {
		if v[0].I != 0 {
			yes()
		} else {
			no()
		}
		return
	}
	before, deadBefore := w.set.clone(), w.dead
	yes()
	after, deadAfter := w.set, w.dead
	w.set, w.dead = before, deadBefore
	no()
	w.join(after, deadAfter)
}

// join merges another path into the current one.
func (w *walk) join(g facts, dead bool) {
	switch {
	case dead:
	case w.dead:
		w.set, w.dead = g, false
	default:
		w.set.meet(g)
	}
}

func (w *walk) loop(s *ktree.Loop) {
	w.list(s.Init)
	exits, nexts := w.exits, w.nexts
	w.exits, w.nexts = nil, nil
	runBody := func() {
		w.list(s.Body)
		for _, n := range w.nexts {
			w.join(n, n == nil)
		}
		w.list(s.Post)
	}
	if s.Late {
		runBody()
		w.expr(s.Cond)
	} else {
		endless := s.Cond == nil
		if s.Cond != nil {
			w.expr(s.Cond)
			v, ok := constant(s.Cond)
			endless = ok && v[0].I != 0
		}
		skipped, wasDead := w.set.clone(), w.dead
		runBody()
		w.set, w.dead = skipped, wasDead || endless
	}
	for _, e := range w.exits {
		w.join(e, e == nil)
	}
	w.exits, w.nexts = exits, nexts
}

// read reports components of v that are not certainly set.
func (w *walk) read(r *ktree.Ref, need uint8) {
	v := r.Var
	have, ok := w.set[v]
	if w.dead || !ok || !tracked(v) || have&need == need {
		return
	}
	w.c.r.Report(r.Pos, "%s may be read before it is set", v.Name)
	w.set[v] = full(v)
}

func (w *walk) expr(e ktree.Expr) {
	switch e := e.(type) {
	case nil, *ktree.Lit:
	case *ktree.Ref:
		w.read(e, full(e.Var))
	case *ktree.Unary:
		w.expr(e.X)
	case *ktree.Binary:
		w.expr(e.X)
		w.expr(e.Y)
	case *ktree.Logic:
		w.branch(e.X, func() { w.expr(e.Y) }, func() {})
	case *ktree.Cond:
		w.branch(e.C, func() { w.expr(e.X) }, func() { w.expr(e.Y) })
	case *ktree.Convert:
		w.expr(e.X)
	case *ktree.BitCast:
		w.expr(e.X)
	case *ktree.Make:
		for _, a := range e.Args {
			w.expr(a)
		}
	case *ktree.Swizzle:
		if r, ok := e.X.(*ktree.Ref); ok {
			w.read(r, selected(e.Sel))
			return
		}
		w.expr(e.X)
	case *ktree.Pick:
		w.expr(e.X)
		w.expr(e.I)
	case *ktree.Index:
		w.expr(e.X)
		w.expr(e.I)
	case *ktree.Addr:
		w.address(e.X)
	case *ktree.Offset:
		w.expr(e.X)
		w.expr(e.N)
	case *ktree.Call:
		w.call(e)
	case *ktree.Apply:
		for _, a := range e.Args {
			w.expr(a)
		}
	case *ktree.Assign:
		w.expr(e.R)
		if e.Old {
			w.expr(e.L)
		}
		w.write(e.L)
	case *ktree.Seq:
		w.expr(e.X)
		w.expr(e.Y)
	}
}

func selected(sel []int) uint8 {
	m := uint8(0)
	for _, s := range sel {
		m |= 1 << s
	}
	return m
}

// call sets what is passed by reference.
func (w *walk) call(e *ktree.Call) {
	for i, a := range e.Args {
		if !e.Fn.Params[i].Ref {
			w.expr(a)
		}
	}
	for i, a := range e.Args {
		if e.Fn.Params[i].Ref {
			w.write(a)
		}
	}
}

// address takes &x to set x: whoever asks for it is about to write there.
func (w *walk) address(x ktree.Expr) {
	if r, ok := x.(*ktree.Ref); ok && tracked(r.Var) {
		w.set[r.Var] = full(r.Var)
		return
	}
	w.expr(x)
}

func (w *walk) write(l ktree.Expr) {
	switch l := l.(type) {
	case *ktree.Ref:
		if tracked(l.Var) {
			w.set[l.Var] = full(l.Var)
		}
	case *ktree.Swizzle:
		if r, ok := l.X.(*ktree.Ref); ok && tracked(r.Var) {
			w.set[r.Var] |= selected(l.Sel)
			return
		}
		w.write(l.X)
	case *ktree.Pick:
		w.expr(l.I)
		if r, ok := l.X.(*ktree.Ref); ok && tracked(r.Var) {
			return // some component, unknown which
		}
		w.write(l.X)
	case *ktree.Index:
		w.expr(l.X)
		w.expr(l.I)
	}
}

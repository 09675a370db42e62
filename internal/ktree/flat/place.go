package flat

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// place is something that can be read and written: variables, or components
// of an element.
type place struct {
	vars  []*Var
	mem   *Mem
	terms []Term
	comps []int
	pick  Expr // a component chosen while running, out of vars or comps
	pos   source.Pos
}

// declPointer binds a pointer variable. One that is never reassigned is its
// target under another name; others carry an offset.
func (f *flattener) declPointer(v *ktree.Var, p binding) {
	if v.Written == 0 {
		f.bind(v, binding{mem: p.mem, terms: f.freezeTerms(p.terms)})
		return
	}
	off := f.newVar(v.Name, ktree.Long)
	off.Sets++
	off.Offset = true
	f.emit(&Set{Var: off, X: sum(p.terms), Decl: true})
	f.bind(v, binding{mem: p.mem, moves: off})
}

func (f *flattener) freezeTerms(terms []Term) []Term {
	out := make([]Term, len(terms))
	for i, t := range terms {
		out[i] = Term{X: f.keep(t.X), Scale: t.Scale}
	}
	return out
}

// sum is the offset of terms as one long.
func sum(terms []Term) Expr {
	var total Expr = &Const{Kind: ktree.Long}
	for i, t := range terms {
		x := toLong(t.X)
		if t.Scale != 1 {
			x = &Bin{Op: ktree.Mul, In: ktree.Long, X: x, Y: &Const{Kind: ktree.Long, Val: ktree.Num{I: int64(t.Scale)}}}
		}
		if i == 0 {
			total = x
		} else {
			total = &Bin{Op: ktree.Add, In: ktree.Long, X: total, Y: x}
		}
	}
	return total
}

func toLong(x Expr) Expr {
	if x.K() == ktree.Long {
		return x
	}
	return &Conv{To: ktree.Long, X: x}
}

// pointer resolves a pointer expression to memory and an offset.
func (f *flattener) pointer(e ktree.Expr) binding {
	switch e := e.(type) {
	case *ktree.Ref:
		b := f.env[e.Var]
		if b.moves != nil {
			return binding{mem: b.mem, terms: []Term{{X: &Use{b.moves}, Scale: 1}}}
		}
		return b
	case *ktree.Offset:
		b := f.pointer(e.X)
		return binding{mem: b.mem, terms: append(b.terms[:len(b.terms):len(b.terms)], Term{X: f.scalar(e.N), Scale: 1})}
	case *ktree.Addr:
		if t := e.X.T(); t.Form == ktree.Array {
			p := f.element(e.X)
			return binding{mem: p.mem, terms: p.terms}
		}
		p := f.place(e.X)
		return binding{mem: p.mem, terms: p.terms}
	case *ktree.Assign:
		f.assign(e)
		return f.pointer(e.L)
	}
	f.fail(e.At(), "this pointer is too involved; name its parts")
	return binding{}
}

// element follows x[i][j] down to its memory; a row has fewer terms.
func (f *flattener) element(e ktree.Expr) place {
	switch e := e.(type) {
	case *ktree.Index:
		i := f.scalar(e.I)
		scale := 1
		if e.Type.Form == ktree.Array {
			scale = e.Type.Len()
		}
		var p place
		if e.X.T().Form == ktree.Pointer {
			b := f.pointer(e.X)
			p = place{mem: b.mem, terms: b.terms}
		} else {
			p = f.element(e.X)
		}
		p.terms = append(p.terms[:len(p.terms):len(p.terms)], Term{X: i, Scale: scale})
		p.pos = e.Pos
		return p
	case *ktree.Ref:
		b := f.env[e.Var]
		return place{mem: b.mem, terms: b.terms, pos: e.Pos}
	}
	f.fail(e.At(), "this element is too involved; name its parts")
	return place{}
}

// place resolves something assignable.
func (f *flattener) place(e ktree.Expr) place {
	switch e := e.(type) {
	case *ktree.Ref:
		b := f.env[e.Var]
		if b.mem != nil {
			return place{mem: b.mem, terms: b.terms, comps: allComps(e.Type.Comps()), pos: e.Pos}
		}
		return place{vars: b.vars, pos: e.Pos}
	case *ktree.Index:
		p := f.element(e)
		p.comps = allComps(e.Type.Comps())
		return p
	case *ktree.Swizzle:
		p := f.place(e.X)
		q := p
		q.vars, q.comps = nil, nil
		for _, s := range e.Sel {
			if p.mem != nil {
				q.comps = append(q.comps, p.comps[s])
			} else {
				q.vars = append(q.vars, p.vars[s])
			}
		}
		return q
	case *ktree.Pick:
		p := f.place(e.X)
		p.pick = f.keep(f.scalar(e.I))
		return p
	}
	f.fail(e.At(), "this cannot be written")
	return place{}
}

// assign stores and leaves L readable.
func (f *flattener) assign(e *ktree.Assign) {
	if e.L.T().Form == ktree.Pointer {
		f.movePointer(e)
		return
	}
	xs := f.comps(e.R)
	f.write(f.place(e.L), xs)
}

func (f *flattener) write(p place, xs []Expr) {
	switch {
	case p.pick != nil:
		// Write every component that the index names.
		x := f.keep(xs[0])
		for i := range max(len(p.vars), len(p.comps)) {
			hit := &Bin{Op: ktree.Eq, In: p.pick.K(), X: p.pick, Y: &Const{Kind: p.pick.K(), Val: ktree.Num{I: int64(i)}}}
			then := f.nested(func() {
				q := p
				q.pick = nil
				if p.mem != nil {
					q.comps = p.comps[i : i+1]
				} else {
					q.vars = p.vars[i : i+1]
				}
				f.write(q, []Expr{x})
			})
			f.emit(&If{Cond: hit, Then: then})
		}
	case p.mem != nil:
		f.storeAll(p.mem, p.terms, p.comps, xs, p.pos)
	default:
		f.setAll(p.vars, xs, false)
	}
}

func (f *flattener) storeAll(m *Mem, terms []Term, comps []int, xs []Expr, at source.Pos) {
	if len(xs) > 1 {
		terms, xs = f.freezeTerms(terms), f.freeze(xs)
	}
	for i, x := range xs {
		f.emit(&Store{Mem: m, Terms: terms, Comp: comps[i], X: x, Pos: at})
	}
}

// move copies neighbours one by one, all read before any is written.
func (f *flattener) move(s *ktree.Move) {
	if s.Where != nil {
		where := f.keep(f.scalar(s.Where))
		whole := *s
		whole.Where = nil
		then := f.nested(func() { f.move(&whole) })
		other := f.nested(func() {
			to := f.element(s.To)
			for i := range s.Count {
				zero := &Const{Kind: to.mem.Kind}
				f.emit(&Store{Mem: to.mem, Terms: append(to.terms[:len(to.terms):len(to.terms)], Term{X: intConst(int64(i)), Scale: 1}), X: zero, Pos: s.Pos})
			}
		})
		f.emit(&If{Cond: where, Then: then, Else: other})
		return
	}
	from, to := f.element(s.From), f.element(s.To)
	from.terms, to.terms = f.freezeTerms(from.terms), f.freezeTerms(to.terms)
	step := func(p place, i int) []Term {
		if i == 0 {
			return p.terms
		}
		return append(p.terms[:len(p.terms):len(p.terms)], Term{X: intConst(int64(i)), Scale: 1})
	}
	var xs [][]Expr
	for i := range s.Count {
		var x []Expr
		for c := range from.mem.Comps {
			x = append(x, f.keep(&Load{Mem: from.mem, Terms: step(from, i), Comp: c, Pos: s.Pos}))
		}
		xs = append(xs, x)
	}
	for i, x := range xs {
		for c := range x {
			f.emit(&Store{Mem: to.mem, Terms: step(to, i), Comp: c, X: x[c], Pos: s.Pos})
		}
	}
}

// bring copies runs one after the other.
func (f *flattener) bring(s *ktree.Bring) {
	to, from := f.element(s.To), place{mem: f.env[s.Buffer].mem, terms: []Term{{X: f.scalar(s.From), Scale: 1}}}
	if !to.mem.Pooled || s.Landing >= f.out.IR.Landings {
		f.fail(s.Pos, "%s is brought to, which is no pool, or as number %d of %d", to.mem.Name, s.Landing, f.out.IR.Landings)
	}
	to.terms, from.terms = f.freezeTerms(to.terms), f.freezeTerms(from.terms)
	run := f.newVar("run", ktree.Int)
	run.Sets = 2
	at := &Use{run}
	f.emit(&Set{Var: run, X: intConst(0), Decl: true})
	f.emit(&Loop{
		Cond: &Bin{Op: ktree.Lt, In: ktree.Int, X: at, Y: intConst(int64(s.Runs))},
		Body: f.nested(func() {
			for i := range s.Count {
				step := func(p place, scale int) []Term {
					return append(p.terms[:len(p.terms):len(p.terms)], Term{X: at, Scale: scale}, Term{X: intConst(int64(i)), Scale: 1})
				}
				for c := range to.mem.Comps {
					f.emit(&Store{Mem: to.mem, Terms: step(to, s.Count), Comp: c, X: &Load{Mem: from.mem, Terms: step(from, s.Apart), Comp: c, Pos: s.Pos}, Pos: s.Pos})
				}
			}
		}),
		Post: []Stmt{&Set{Var: run, X: &Bin{Op: ktree.Add, In: ktree.Int, X: at, Y: intConst(1)}}},
		Pos:  s.Pos,
	})
}

// push stores components in the pool of another group.
func (f *flattener) push(s *ktree.Push) {
	to := f.element(s.To)
	if f.out.IR.Cluster < 2 || !to.mem.Pooled {
		f.fail(s.Pos, "%s is pushed to, which is no pool of a cluster", to.mem.Name)
	}
	rank, terms, xs := f.keep(f.scalar(s.Rank)), f.freezeTerms(to.terms), f.freeze(f.comps(s.X))
	for i, x := range xs {
		f.emit(&Store{Rank: rank, Mem: to.mem, Terms: terms, Comp: i, X: x, Pos: s.Pos})
	}
}

// movePointer reassigns a pointer, which must stay in its object.
func (f *flattener) movePointer(e *ktree.Assign) {
	r, ok := e.L.(*ktree.Ref)
	if !ok {
		f.fail(e.Pos, "only a pointer variable can be moved")
	}
	b := f.env[r.Var]
	p := f.pointer(e.R)
	if p.mem != b.mem {
		f.fail(e.Pos, "%s points into %s and cannot move to %s", r.Var.Name, b.mem.Name, p.mem.Name)
	}
	if b.moves == nil {
		f.fail(e.Pos, "%s cannot be moved", r.Var.Name)
	}
	b.moves.Sets++
	f.emit(&Set{Var: b.moves, X: sum(p.terms)})
}

// read gives the components of a place.
func (f *flattener) read(p place) []Expr {
	var out []Expr
	if p.mem == nil {
		for _, v := range p.vars {
			out = append(out, &Use{v})
		}
	} else {
		terms := p.terms
		if len(p.comps) > 1 {
			terms = f.freezeTerms(terms)
		}
		for _, c := range p.comps {
			out = append(out, &Load{Mem: p.mem, Terms: terms, Comp: c, Pos: p.pos})
		}
	}
	if p.pick != nil {
		return []Expr{choose(p.pick, out)}
	}
	return out
}

// choose picks one of xs by index; an index outside takes the last.
func choose(i Expr, xs []Expr) Expr {
	out := xs[len(xs)-1]
	for k := len(xs) - 2; k >= 0; k-- {
		hit := &Bin{Op: ktree.Eq, In: i.K(), X: i, Y: &Const{Kind: i.K(), Val: ktree.Num{I: int64(k)}}}
		out = &Sel{C: hit, X: xs[k], Y: out}
	}
	return out
}

package flat

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// maxStmts bounds how large a kernel may grow when its functions are
// expanded; maxCalls how deep they may nest.
const (
	maxStmts = 1 << 16
	maxCalls = 64
	// maxPrivate is the numbers in arrays of one thread, all expansions
	// together: with 1024 threads a machine needs 64 MiB for them.
	maxPrivate = 1 << 14
)

// Flatten expands p and checks its barriers. Faults are a source.Errors.
func Flatten(p *ktree.Program) (*Program, error) {
	r := &source.Reporter{Source: p.Source}
	f := &flattener{r: r, out: &Program{IR: p}, taken: map[*ktree.Var]bool{}, env: map[*ktree.Var]binding{}}
	for _, list := range [][]*ktree.Var{p.Inputs, p.Outputs, p.Metas, p.Params, p.Globals} {
		for _, v := range list {
			if v.Role != ktree.Map { // runs lie as a Bring says
				f.bind(v, binding{mem: f.operand(v)})
			}
		}
	}
	for _, fn := range p.Funcs {
		f.addresses(fn.Body)
	}
	f.addresses(p.Body)
	err := f.run(func() {
		f.out.Body = &Scope{Body: f.block(p.Body)}
	})
	if err != nil {
		return nil, err
	}
	f.out.analyse(r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return f.out, nil
}

type flattener struct {
	r     *source.Reporter
	out   *Program
	taken map[*ktree.Var]bool // variables whose address is taken: they need memory
	env   map[*ktree.Var]binding
	list  []Stmt // where statements go
	stmts int
	calls int
	owned int    // numbers in arrays of one thread
	ret   []*Var // where the expanded function's result goes
}

// binding is what a name stands for: variables, or memory (with an offset for
// pointers and references).
type binding struct {
	vars  []*Var // one per component
	mem   *Mem
	terms []Term
	moves *Var // the offset of a pointer that is reassigned
}

// stop ends flattening after a fault; it never leaves Flatten.
type stop struct{}

func (f *flattener) run(body func()) (err error) {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(stop); !ok {
				panic(e)
			}
			err = f.r.Err()
		}
	}()
	body()
	return f.r.Err()
}

func (f *flattener) fail(at source.Pos, format string, args ...any) {
	f.r.Report(at, format, args...)
	panic(stop{})
}

func (f *flattener) bind(v *ktree.Var, b binding) { f.env[v] = b }

func (f *flattener) operand(v *ktree.Var) *Mem {
	m := &Mem{Name: v.Name, Kind: v.Type.Kind, Comps: v.Type.Comps(), Space: v.Space, Role: v.Role,
		Index: v.Index, What: v.What, Atomic: v.Atomic, ReadOnly: v.Type.Const}
	if v.Role == ktree.Global {
		m.Values, m.Len = v.Values, v.Type.Len()
	}
	return f.addMem(m)
}

func (f *flattener) addMem(m *Mem) *Mem {
	if m.Space == ktree.Thread && m.Role == ktree.Local {
		if f.owned += m.Len * m.Comps; f.owned > maxPrivate {
			f.fail(source.Pos{}, "a thread's arrays hold more than %d numbers, counting every expanded call", maxPrivate)
		}
	}
	m.ID = len(f.out.Mems)
	f.out.Mems = append(f.out.Mems, m)
	return m
}

func (f *flattener) newVar(name string, k ktree.Kind) *Var {
	v := &Var{Name: name, Kind: k, ID: len(f.out.Vars)}
	f.out.Vars = append(f.out.Vars, v)
	return v
}

func (f *flattener) emit(s Stmt) {
	f.stmts++
	if f.stmts > maxStmts {
		f.fail(source.Pos{}, "the kernel has more than %d steps once its functions are expanded", maxStmts)
	}
	f.list = append(f.list, s)
}

// nested collects the statements that body emits.
func (f *flattener) nested(body func()) []Stmt {
	save := f.list
	f.list = nil
	body()
	out := f.list
	f.list = save
	return out
}

func (f *flattener) block(list []ktree.Stmt) []Stmt {
	return f.nested(func() { f.stmtList(list) })
}

func (f *flattener) stmtList(list []ktree.Stmt) {
	for _, s := range list {
		f.stmt(s)
	}
}

func (f *flattener) stmt(s ktree.Stmt) {
	switch s := s.(type) {
	case *ktree.Decl:
		f.decl(s)
	case *ktree.Do:
		f.effect(s.X)
	case *ktree.Block:
		f.stmtList(s.List)
	case *ktree.If:
		cond := f.scalar(s.Cond)
		if c, ok := cond.(*Const); ok {
			if c.Val.I != 0 {
				f.stmtList(s.Then)
			} else {
				f.stmtList(s.Else)
			}
			return
		}
		f.emit(&If{Cond: cond, Then: f.block(s.Then), Else: f.block(s.Else)})
	case *ktree.Loop:
		f.loop(s)
	case *ktree.Jump:
		f.emit(&Jump{Break: s.Break})
	case *ktree.Return:
		if s.X != nil {
			f.setAll(f.ret, f.comps(s.X), false)
		}
		f.emit(&Return{})
	case *ktree.Move:
		f.move(s)
	case *ktree.Copies: // lockstep leaves nothing under way
	case *ktree.Bring:
		f.bring(s)
	case *ktree.Vacate: // which barriers see
	case *ktree.Landed: // lockstep leaves nothing under way
		f.emit(&Barrier{Threadgroup: true, Pos: s.Pos})
	case *ktree.Prefetch:
		from := f.element(s.From)
		last := append(slices.Clone(from.terms), Term{X: intConst(int64(s.Count - 1)), Scale: 1})
		f.emit(&Prefetch{Mem: from.mem, First: from.terms, Last: last, Pos: s.Pos})
	case *ktree.LoadMatrices:
		f.loadMatrices(s)
	case *ktree.MultiplyMatrices:
		f.multiplyMatrices(s)
	case *ktree.Push:
		f.push(s)
	case *ktree.Meet:
		f.emit(&Meet{Arrive: s.Arrive, Wait: s.Wait, Pos: s.Pos})
	case *ktree.Collect:
		f.emit(&Collect{s.Pos})
	case *ktree.Barrier:
		f.emit(&Barrier{Simd: s.Simd, Threadgroup: s.Threadgroup, Device: s.Device, Pos: s.Pos})
	}
}

func (f *flattener) loop(s *ktree.Loop) {
	f.stmtList(s.Init)
	l := &Loop{Pos: s.Pos, Unroll: s.Unroll}
	if s.Cond != nil && !s.Late {
		l.Head = f.nested(func() { l.Cond = f.scalar(s.Cond) })
	}
	l.Body = f.block(s.Body)
	l.Post = f.nested(func() {
		f.stmtList(s.Post)
		if s.Late {
			l.Late = f.scalar(s.Cond)
		}
	})
	f.emit(l)
}

// decl gives a variable its home.
func (f *flattener) decl(s *ktree.Decl) {
	v := s.Var
	t := v.Type
	switch {
	case t.Form == ktree.Pointer:
		f.declPointer(v, f.pointer(s.Init))
		return
	case v.Space == ktree.Threadgroup:
		f.bind(v, binding{mem: f.addMem(&Mem{Name: v.Name, Kind: t.Kind, Comps: t.Comps(), Len: t.Len(), Space: ktree.Threadgroup, Atomic: v.Atomic, Pooled: v.Pooled})})
		return
	case t.Form == ktree.Array || f.taken[v]:
		var init [][]Expr
		for _, e := range s.List {
			init = append(init, f.freeze(f.comps(e)))
		}
		if s.Init != nil {
			init = append(init, f.freeze(f.comps(s.Init)))
		}
		m := f.addMem(&Mem{Name: v.Name, Kind: t.Kind, Comps: t.Comps(), Len: t.Len(), Space: ktree.Thread})
		f.bind(v, binding{mem: m})
		if !s.Bare {
			f.emit(&Clear{Mem: m})
		}
		for i, e := range init {
			f.storeAll(m, []Term{{X: intConst(int64(i)), Scale: 1}}, allComps(len(e)), e, s.Pos)
		}
		return
	}
	vars := f.declare(v.Name, t)
	f.bind(v, binding{vars: vars})
	if s.Init == nil {
		for _, x := range vars {
			f.emit(&Set{Var: x, Decl: true})
		}
		return
	}
	f.setAll(vars, f.comps(s.Init), true)
}

func (f *flattener) declare(name string, t ktree.Type) []*Var {
	vars := make([]*Var, t.Comps())
	for i := range vars {
		n := name
		if len(vars) > 1 {
			n = fmt.Sprintf("%s.%c", name, "xyzwabcd"[i])
		}
		vars[i] = f.newVar(n, t.Kind)
	}
	return vars
}

// setAll assigns components. When several depend on each other, as in
// v = v.yx, they are read before any is written.
func (f *flattener) setAll(vars []*Var, xs []Expr, decl bool) {
	if len(vars) > 1 && !decl {
		xs = f.freeze(xs)
	}
	for i, v := range vars {
		v.Sets++
		f.emit(&Set{Var: v, X: xs[i], Decl: decl})
	}
}

// freeze keeps values in temporaries, so that they are computed once and now.
func (f *flattener) freeze(xs []Expr) []Expr {
	out := make([]Expr, len(xs))
	for i, x := range xs {
		out[i] = f.keep(x)
	}
	return out
}

// keep gives an expression that can be evaluated again, later, at no cost.
func (f *flattener) keep(x Expr) Expr {
	switch x := x.(type) {
	case *Const, *Grid:
		return x
	case *Use:
		if x.Var.Name == "" && x.Var.Sets == 1 {
			return x // a temporary never changes
		}
	}
	return &Use{f.temp(x)}
}

func (f *flattener) temp(x Expr) *Var {
	v := f.newVar("", x.K())
	v.Sets = 1
	f.emit(&Set{Var: v, X: x, Decl: true})
	return v
}

func intConst(v int64) Expr { return &Const{Kind: ktree.Int, Val: ktree.Num{I: v}} }

func allComps(n int) []int { return []int{0, 1, 2, 3, 4, 5, 6, 7}[:n] }

// addresses notes variables whose address is taken.
func (f *flattener) addresses(list []ktree.Stmt) {
	ktree.Walk(list, func(e ktree.Expr) {
		a, ok := e.(*ktree.Addr)
		if !ok {
			return
		}
		if r, ok := a.X.(*ktree.Ref); ok && r.Var.Type.Form == ktree.Value && r.Var.Space == ktree.Thread {
			f.taken[r.Var] = true
		}
	})
}

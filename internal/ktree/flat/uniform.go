package flat

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// analyse finds the Level of every variable and control structure, then
// refuses barriers that not all threads reach together.
//
// Levels only grow, so the walk is repeated until nothing changes. What a
// variable inherits from control flow is the divergence between where it was
// declared and where it is set: threads that are not there cannot see it.
func (p *Program) analyse(r *source.Reporter) {
	a := &analysis{}
	for a.changed = true; a.changed; {
		a.changed = false
		a.scope(p.Body)
	}
	a.r = r
	a.scope(p.Body)
}

type analysis struct {
	r       *source.Reporter // set for the last walk, which reports
	changed bool
	frames  []frame
}

// frame is an enclosing control structure.
type frame struct {
	level Level // how far threads have parted
	loop  *Loop
	scope *Scope
}

func (a *analysis) raise(l *Level, to Level) {
	if to > *l {
		*l = to
		a.changed = true
	}
}

// control is how far threads have parted since depth.
func (a *analysis) control(depth int) Level {
	l := Group
	for _, f := range a.frames[depth:] {
		l = max(l, f.level)
	}
	return l
}

func (a *analysis) push(f frame) { a.frames = append(a.frames, f) }
func (a *analysis) pop()         { a.frames = a.frames[:len(a.frames)-1] }

func (a *analysis) scope(s *Scope) {
	a.push(frame{scope: s})
	a.list(s.Body)
	a.pop()
}

func (a *analysis) list(list []Stmt) {
	for _, s := range list {
		a.stmt(s)
	}
}

func (a *analysis) stmt(s Stmt) {
	switch s := s.(type) {
	case *Set:
		if s.Decl {
			s.Var.depth = len(a.frames)
		}
		if s.X != nil {
			a.raise(&s.Var.Level, max(level(s.X), a.control(s.Var.depth)))
		}
	case *Cross:
		s.Dst.depth = len(a.frames)
		l := Varying
		switch s.Fn {
		case ktree.SimdSum, ktree.SimdProduct, ktree.SimdMax, ktree.SimdMin, ktree.SimdAll, ktree.SimdAny:
			l = Simd
		case ktree.GroupSame, ktree.GroupAny:
			l = Group
		case ktree.SimdBroadcast, ktree.SimdShuffle:
			l = max(Simd, level(s.Lane))
		}
		a.raise(&s.Dst.Level, l)
	case *Atomic:
		if s.Dst != nil {
			s.Dst.depth = len(a.frames)
			a.raise(&s.Dst.Level, Varying)
		}
	case *If:
		a.raise(&s.Level, level(s.Cond))
		a.push(frame{level: s.Level})
		a.list(s.Then)
		a.list(s.Else)
		a.pop()
	case *Loop:
		a.loop(s)
	case *Jump:
		a.jump(s)
	case *Scope:
		a.scope(s)
	case *Return:
		a.leave()
	case *Barrier:
		if s.Simd {
			a.barrier(s.Pos, "simdgroup_barrier", Simd)
		} else {
			a.barrier(s.Pos, "threadgroup_barrier", Group)
		}
	case *Meet:
		a.barrier(s.Pos, "a barrier of the cluster", Group)
	case *Collect:
		a.barrier(s.Pos, "a wait for what is pushed", Group)
	}
}

func (a *analysis) loop(s *Loop) {
	a.push(frame{level: s.Level, loop: s})
	a.list(s.Head)
	if s.Cond != nil {
		a.raise(&s.Level, level(s.Cond))
	}
	a.list(s.Body)
	a.list(s.Post)
	if s.Late != nil {
		a.raise(&s.Level, level(s.Late))
	}
	a.pop()
}

// jump makes the loop as divergent as the way to its break or continue.
func (a *analysis) jump(s *Jump) {
	for i := len(a.frames) - 1; i >= 0; i-- {
		l := a.frames[i].loop
		if l == nil {
			continue
		}
		by := a.control(i + 1)
		if s.Break {
			a.raise(&l.Breaks, by)
		} else {
			a.raise(&l.Continues, by)
		}
		a.raise(&l.Level, by)
		a.frames[i].level = max(a.frames[i].level, l.Level)
		return
	}
}

// leave makes the scope, and loops on the way out, as divergent as the way to
// the return. Code before the return is not touched.
func (a *analysis) leave() {
	for i := len(a.frames) - 1; i >= 0; i-- {
		f := &a.frames[i]
		if f.scope == nil {
			continue
		}
		by := a.control(i + 1)
		a.raise(&f.scope.Returns, by)
		for k := i + 1; k < len(a.frames); k++ {
			if l := a.frames[k].loop; l != nil {
				a.raise(&l.Level, by)
				a.raise(&l.Breaks, by)
				a.frames[k].level = max(a.frames[k].level, l.Level)
			}
		}
		f.level = max(f.level, by)
		return
	}
}

func (a *analysis) barrier(at source.Pos, name string, limit Level) {
	if a.r == nil {
		return
	}
	for _, f := range a.frames {
		if f.level <= limit {
			continue
		}
		why := "inside a condition that differs between threads"
		switch {
		case f.loop != nil:
			why = "inside a loop that threads leave at different times"
		case f.scope != nil:
			why = "after a return that only some threads take"
		}
		a.r.Suggest(at, "every thread of the group must reach it together", "%s %s", name, why)
		return
	}
}

// level is how far an expression is the same across threads.
func level(x Expr) Level {
	switch x := x.(type) {
	case *Use:
		return x.Var.Level
	case *Grid:
		switch x.Grid {
		case ktree.ThreadgroupPositionInGrid, ktree.ThreadsPerThreadgroup, ktree.ThreadsPerGrid, ktree.ThreadgroupsPerGrid, ktree.SimdgroupsPerThreadgroup:
			return Group
		case ktree.SimdgroupIndexInThreadgroup:
			return Simd
		}
		return Varying
	case *Un:
		return level(x.X)
	case *Bin:
		return max(level(x.X), level(x.Y))
	case *Conv:
		return level(x.X)
	case *Bits:
		return level(x.X)
	case *Math:
		l := Group
		for _, a := range x.Args {
			l = max(l, level(a))
		}
		return l
	case *Sel:
		return max(level(x.C), level(x.X), level(x.Y))
	case *Load:
		switch {
		case x.Mem.Role == ktree.Input, x.Mem.Role == ktree.Meta, x.Mem.Role == ktree.Global, x.Mem.Role == ktree.Number,
			x.Mem.Role == ktree.Buffer && x.Mem.ReadOnly:
		default:
			return Varying // another thread may have written it meanwhile
		}
		l := Group
		for _, t := range x.Terms {
			l = max(l, level(t.X))
		}
		return l
	}
	return Group
}

// LevelOf is how far an expression is the same across threads; valid after
// Flatten.
func LevelOf(x Expr) Level { return level(x) }

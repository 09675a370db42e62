package flat

import "github.com/twiddle-go/twiddle/internal/ktree"

// Launch is what decides which elements a kernel writes.
type Launch struct {
	Grid   [3]int
	Shapes [][]int // of inputs
	Lens   []int   // elements of outputs
}

// Covers says of each output whether every thread, whatever happens, writes
// one element, each thread another and together all, and nobody reads the
// output. Such an output needs no initial value.
func (p *Program) Covers(l Launch) []bool {
	out := make([]bool, len(p.IR.Outputs))
	comps := make([]uint8, len(out))
	known := places{launch: l, of: map[*Var]affine{}}
	for _, s := range p.Body.Body {
		switch s := s.(type) {
		case *Set:
			if s.Decl && s.Var.Sets == 1 {
				if a, ok := known.expr(s.X); ok {
					known.of[s.Var] = a
				}
			}
		case *Store:
			if s.Mem.Role == ktree.Output {
				if a, ok := known.index(s.Terms); ok && a.isWhole(l.Grid, l.Lens[s.Mem.Index]) {
					comps[s.Mem.Index] |= 1 << s.Comp
				}
			}
		case *If, *Loop, *Scope, *Return, *Jump:
			if leaves(s) {
				return p.uncovered(out, comps)
			}
		}
	}
	return p.uncovered(out, comps)
}

// uncovered completes Covers: all components written, none read.
func (p *Program) uncovered(out []bool, comps []uint8) []bool {
	for _, m := range p.Mems {
		if m.Role == ktree.Output {
			out[m.Index] = comps[m.Index] == 1<<m.Comps-1 && !reads(p.Body, m)
		}
	}
	return out
}

// leaves reports a statement after which threads may be gone.
func leaves(s Stmt) bool {
	switch s := s.(type) {
	case *Return:
		return true
	case *If:
		return anyLeaves(s.Then) || anyLeaves(s.Else)
	case *Loop:
		return anyLeaves(s.Body)
	}
	return false // a Scope's returns end in it
}

func anyLeaves(list []Stmt) bool {
	for _, s := range list {
		if leaves(s) {
			return true
		}
	}
	return false
}

// reads reports a load from m, or an atomic operation on it, anywhere in s.
func reads(s Stmt, m *Mem) bool {
	list := func(l []Stmt) bool {
		for _, s := range l {
			if reads(s, m) {
				return true
			}
		}
		return false
	}
	switch s := s.(type) {
	case *Set:
		return loads(s.X, m)
	case *Store:
		return loads(s.X, m) || termsLoad(s.Terms, m)
	case *Cross:
		return loads(s.X, m) || loads(s.Lane, m)
	case *Atomic:
		return s.Mem == m || loads(s.X, m) || termsLoad(s.Terms, m)
	case *If:
		return loads(s.Cond, m) || list(s.Then) || list(s.Else)
	case *Loop:
		return list(s.Head) || loads(s.Cond, m) || list(s.Body) || list(s.Post) || loads(s.Late, m)
	case *Scope:
		return list(s.Body)
	}
	return false
}

func termsLoad(terms []Term, m *Mem) bool {
	for _, t := range terms {
		if loads(t.X, m) {
			return true
		}
	}
	return false
}

func loads(x Expr, m *Mem) bool {
	switch x := x.(type) {
	case *Un:
		return loads(x.X, m)
	case *Bin:
		return loads(x.X, m) || loads(x.Y, m)
	case *Conv:
		return loads(x.X, m)
	case *Bits:
		return loads(x.X, m)
	case *Sel:
		return loads(x.C, m) || loads(x.X, m) || loads(x.Y, m)
	case *Math:
		for _, a := range x.Args {
			if loads(a, m) {
				return true
			}
		}
	case *Load:
		return x.Mem == m || termsLoad(x.Terms, m)
	}
	return false
}

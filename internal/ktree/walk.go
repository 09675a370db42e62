package ktree

// Walk calls visit on every expression of list, operands after the whole.
func Walk(list []Stmt, visit func(Expr)) {
	for _, s := range list {
		switch s := s.(type) {
		case *Decl:
			walkExpr(s.Init, visit)
			for _, e := range s.List {
				walkExpr(e, visit)
			}
		case *Do:
			walkExpr(s.X, visit)
		case *Block:
			Walk(s.List, visit)
		case *If:
			walkExpr(s.Cond, visit)
			Walk(s.Then, visit)
			Walk(s.Else, visit)
		case *Loop:
			Walk(s.Init, visit)
			walkExpr(s.Cond, visit)
			Walk(s.Body, visit)
			Walk(s.Post, visit)
		case *Return:
			walkExpr(s.X, visit)
		case *Move:
			walkExpr(s.To, visit)
			walkExpr(s.From, visit)
			walkExpr(s.Where, visit)
		case *Push:
			walkExpr(s.Rank, visit)
			walkExpr(s.To, visit)
			walkExpr(s.X, visit)
		case *Bring:
			walkExpr(s.To, visit)
			walkExpr(s.From, visit)
		case *Landed:
			walkExpr(s.Odd, visit)
		case *Prefetch:
			walkExpr(s.From, visit)
		case *LoadMatrices:
			walkExpr(s.To, visit)
			walkExpr(s.From, visit)
		case *MultiplyMatrices:
			walkExpr(s.Sum, visit)
			walkExpr(s.A, visit)
			walkExpr(s.B, visit)
		}
	}
}

// walkExpr calls visit on e and everything in it; nil is nothing.
func walkExpr(e Expr, visit func(Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, x := range Operands(e) {
		walkExpr(x, visit)
	}
}

// Operands lists the expressions e is made of.
func Operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Logic:
		return []Expr{e.X, e.Y}
	case *Cond:
		return []Expr{e.C, e.X, e.Y}
	case *Convert:
		return []Expr{e.X}
	case *BitCast:
		return []Expr{e.X}
	case *Make:
		return e.Args
	case *Swizzle:
		return []Expr{e.X}
	case *Pick:
		return []Expr{e.X, e.I}
	case *Index:
		return []Expr{e.X, e.I}
	case *Addr:
		return []Expr{e.X}
	case *Offset:
		return []Expr{e.X, e.N}
	case *Call:
		return e.Args
	case *Apply:
		return e.Args
	case *Assign:
		return []Expr{e.L, e.R}
	case *Seq:
		return []Expr{e.X, e.Y}
	}
	return nil
}

// Root is the variable that a place is in: x for x[i].y. False is one that is in none.
func Root(e Expr) (*Var, bool) {
	for {
		switch x := e.(type) {
		case *Ref:
			return x.Var, true
		case *Index:
			e = x.X
		case *Swizzle:
			e = x.X
		case *Pick:
			e = x.X
		case *Addr:
			e = x.X
		case *Offset:
			e = x.X
		default:
			return nil, false
		}
	}
}

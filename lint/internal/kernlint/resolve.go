package kernlint

import (
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// class is what is known of the numbers an expression gives.
type class uint8

const (
	unknown class = iota
	boolean
	integer
	half
	float
)

// variable is an object of the text, or an operand that it only mentions.
type variable struct {
	name     string
	class    class
	space    string
	dims     int
	pointer  bool
	operand  bool        // not declared: an input, an output or a template constant
	init     syntax.Expr // of a declaration
	sets     int         // assignments after the declaration
	unrolled bool        // counts a loop with constant bounds
	level    level
	depth    int // of control flow where it was declared
}

// kernel is a text under inspection.
type kernel struct {
	tree     *syntax.Tree
	refs     map[*syntax.Name]*variable
	operands map[string]*variable
	funcs    map[string]*syntax.Func
	locals   map[*syntax.Decl]*variable
	params   map[*syntax.Func][]*variable
	classes  map[syntax.Expr]class
	// constants is what constant found out; it is valid once loops are known.
	constants map[syntax.Expr]bool
	told      map[*syntax.Number]bool // literals beside a half
	found     []Finding
}

type scope map[string]*variable

// resolve binds names to variables.
func resolve(tree *syntax.Tree) *kernel {
	k := &kernel{tree: tree, refs: map[*syntax.Name]*variable{}, operands: map[string]*variable{}, funcs: map[string]*syntax.Func{},
		locals: map[*syntax.Decl]*variable{}, params: map[*syntax.Func][]*variable{},
		told: map[*syntax.Number]bool{}, classes: map[syntax.Expr]class{}, constants: map[syntax.Expr]bool{}}
	global := scope{}
	for _, d := range tree.Globals {
		k.declare(d, []scope{global})
	}
	for _, f := range tree.Funcs {
		k.funcs[f.Name] = f
	}
	for _, f := range tree.Funcs {
		inner := scope{}
		for _, p := range f.Params {
			v := &variable{name: p.Name, class: k.typeClass(p.Type), space: p.Type.Space, pointer: p.Type.Ptr, sets: 1}
			inner[p.Name] = v
			k.params[f] = append(k.params[f], v)
		}
		if f.Body != nil {
			k.stmt(f.Body, []scope{global, inner})
		}
	}
	k.stmt(tree.Body, []scope{global})
	k.countedLoops()
	clear(k.constants)
	return k
}

func (k *kernel) declare(d *syntax.Decl, scopes []scope) {
	for _, e := range d.Dims {
		k.expr(e, scopes)
	}
	if d.Init != nil {
		k.expr(d.Init, scopes)
	}
	v := &variable{name: d.Name, class: k.typeClass(d.Type), space: d.Type.Space, dims: len(d.Dims), pointer: d.Type.Ptr, init: d.Init}
	scopes[len(scopes)-1][d.Name] = v
	k.locals[d] = v
}

func (k *kernel) stmt(s syntax.Stmt, scopes []scope) {
	if s == nil {
		return
	}
	if d, ok := s.(*syntax.Decl); ok {
		k.declare(d, scopes)
		return
	}
	switch s.(type) {
	case *syntax.Block, *syntax.For, *syntax.If, *syntax.Do:
		scopes = append(slices.Clip(scopes), scope{})
	}
	exprs, stmts := parts(s)
	if f, ok := s.(*syntax.For); ok {
		// The first clause declares what the others name.
		for _, i := range f.Init {
			k.stmt(i, scopes)
		}
		stmts = stmts[len(f.Init):]
	}
	for _, e := range exprs {
		k.expr(e, scopes)
	}
	for _, c := range stmts {
		k.stmt(c, scopes)
	}
}

func (k *kernel) expr(e syntax.Expr, scopes []scope) {
	inspect(e, func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Name:
			if e.Scope == "" { // mem_flags::mem_device is no object
				k.refs[e] = k.lookup(e.Text, scopes)
			}
		case *syntax.Assign:
			if v := k.root(e.L, scopes); v != nil {
				v.sets++
			}
		case *syntax.Unary:
			if e.Op == "++" || e.Op == "--" || e.Op == "&" {
				if v := k.root(e.X, scopes); v != nil {
					v.sets++
				}
			}
		}
	})
}

// lookup finds a variable; a name that nobody declared is an operand.
func (k *kernel) lookup(name string, scopes []scope) *variable {
	for i := len(scopes) - 1; i >= 0; i-- {
		if v, ok := scopes[i][name]; ok {
			return v
		}
	}
	v, ok := k.operands[name]
	if !ok {
		v = &variable{name: name, operand: true}
		if isGrid(name) || strings.HasSuffix(name, "_shape") || strings.HasSuffix(name, "_strides") || strings.HasSuffix(name, "_ndim") {
			v.class = integer
		}
		k.operands[name] = v
	}
	return v
}

// root is the variable that a place is in: y for y[i].x.
func (k *kernel) root(e syntax.Expr, scopes []scope) *variable {
	x := base(e)
	if x == nil {
		return nil
	}
	if v, ok := k.refs[x]; ok {
		return v
	}
	if scopes == nil || x.Scope != "" {
		return nil
	}
	return k.lookup(x.Text, scopes)
}

// base is the name that a place starts with, or nil.
func base(e syntax.Expr) *syntax.Name {
	for {
		switch x := e.(type) {
		case *syntax.Name:
			return x
		case *syntax.Index:
			e = x.X
		case *syntax.Member:
			e = x.X
		case *syntax.Unary:
			e = x.X
		default:
			return nil
		}
	}
}

// typeClass is the class of a type as written.
func (k *kernel) typeClass(t *syntax.Type) class {
	if t == nil {
		return unknown
	}
	if a, ok := k.tree.Aliases[t.Name]; ok && a != t {
		t = a
	}
	v, ok := ktree.ValueType(t.Name)
	switch {
	case !ok:
		return unknown
	case v.Kind == ktree.Bool:
		return boolean
	case v.Kind.IsInt():
		return integer
	case v.Kind == ktree.Half:
		return half
	case v.Kind == ktree.Float || v.Kind == ktree.Double:
		return float
	}
	return unknown
}

// isGrid reports a position or size that the engine provides.
func isGrid(name string) bool {
	_, ok := ktree.GridNamed(name)
	return ok
}

// countedLoops finds the loops that a compiler unrolls: constant bounds, and
// a counter that only the loop itself moves.
func (k *kernel) countedLoops() {
	var visit func(s syntax.Stmt)
	visit = func(s syntax.Stmt) {
		if s == nil {
			return
		}
		if f, ok := s.(*syntax.For); ok && len(f.Init) == 1 && len(f.Post) == 1 && f.Cond != nil {
			d, isDecl := f.Init[0].(*syntax.Decl)
			c, isCompare := f.Cond.(*syntax.Binary)
			if isDecl && isCompare {
				v := k.locals[d]
				if v != nil && v.sets == 1 && d.Init != nil && k.constant(d.Init) && k.steps(f.Post[0], v) &&
					(k.shifted(c.X, v) && k.constant(c.Y) || k.shifted(c.Y, v) && k.constant(c.X)) {
					v.unrolled = true
				}
			}
		}
		_, stmts := parts(s)
		for _, c := range stmts {
			visit(c)
		}
	}
	for _, f := range k.tree.Funcs {
		if f.Body != nil {
			visit(f.Body)
		}
	}
	visit(k.tree.Body)
}

// shifted reports that e is v, or v and a constant, as t + 1 in t + 1 < 8.
func (k *kernel) shifted(e syntax.Expr, v *variable) bool {
	if b, ok := e.(*syntax.Binary); ok && (b.Op == "+" || b.Op == "-") {
		return k.shifted(b.X, v) && k.constant(b.Y) || k.constant(b.X) && k.shifted(b.Y, v)
	}
	return k.root(e, nil) == v
}

// steps reports that a loop's last clause moves v by a constant.
func (k *kernel) steps(post syntax.Expr, v *variable) bool {
	switch p := post.(type) {
	case *syntax.Unary:
		return (p.Op == "++" || p.Op == "--") && k.root(p.X, nil) == v
	case *syntax.Assign:
		return p.Op != "" && k.root(p.L, nil) == v && k.constant(p.R)
	}
	return false
}

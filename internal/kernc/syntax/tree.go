package syntax

import "github.com/twiddle-go/twiddle/internal/ktree/source"

// Expr is an expression.
type Expr interface{ At() source.Pos }

type (
	// Name is an identifier; a namespace in front of it is kept in Scope.
	Name struct {
		Pos   source.Pos
		End   source.Pos // just past the identifier
		Scope string
		Text  string
	}
	// Number is an integer or floating literal.
	Number struct {
		Pos     source.Pos
		IsFloat bool
		Int     uint64
		Float   float64
		Mark    byte
	}
	// Bool is true or false.
	Bool struct {
		Pos   source.Pos
		Value bool
	}
	// Unary is a prefix operator: + - ! ~ & * ++ --; or, with Post, x++ and x--.
	Unary struct {
		Pos  source.Pos
		Op   string
		Post bool
		X    Expr
	}
	// Binary is an infix operator other than assignment.
	Binary struct {
		Pos  source.Pos // of the operator
		Op   string
		X, Y Expr
	}
	// Assign is = or a compound assignment; Op is "" or "+", "<<", ...
	Assign struct {
		Pos  source.Pos
		Op   string
		L, R Expr
	}
	// Cond is c ? x : y.
	Cond struct {
		Pos     source.Pos
		C, X, Y Expr
	}
	// Call is a call or a constructor such as float2(x, y).
	Call struct {
		Pos  source.Pos
		Fun  *Name
		Type *Type // as in as_type<uint>(x)
		Args []Expr
	}
	// Make is a constructor of a named type: float4(a, b).
	Make struct {
		Pos  source.Pos
		Type *Type
		Args []Expr
	}
	// Index is x[i].
	Index struct {
		Pos  source.Pos
		X, I Expr
	}
	// Member is x.name.
	Member struct {
		Pos  source.Pos // of the name
		X    Expr
		Name string
	}
	// Cast is (type)x.
	Cast struct {
		Pos  source.Pos
		Type *Type
		X    Expr
	}
	// List is { a, b, ... }.
	List struct {
		Pos   source.Pos
		Elems []Expr
	}
)

func (x *Name) At() source.Pos   { return x.Pos }
func (x *Number) At() source.Pos { return x.Pos }
func (x *Bool) At() source.Pos   { return x.Pos }
func (x *Unary) At() source.Pos  { return x.Pos }
func (x *Binary) At() source.Pos { return x.Pos }
func (x *Assign) At() source.Pos { return x.Pos }
func (x *Cond) At() source.Pos   { return x.Pos }
func (x *Call) At() source.Pos   { return x.Pos }
func (x *Make) At() source.Pos   { return x.Pos }
func (x *Index) At() source.Pos  { return x.Pos }
func (x *Member) At() source.Pos { return x.Pos }
func (x *Cast) At() source.Pos   { return x.Pos }
func (x *List) At() source.Pos   { return x.Pos }

// Type is a type as written: qualifiers, a name, and at most one * or &.
type Type struct {
	Pos   source.Pos
	Name  string
	Space string // device, threadgroup, constant, thread, or ""
	Const bool
	Ptr   bool
	Ref   bool
}

// Stmt is a statement.
type Stmt interface{ At() source.Pos }

type (
	// Decl declares one variable; a list of declarators becomes several.
	Decl struct {
		Pos  source.Pos // of the name
		Type *Type
		Name string
		Dims []Expr
		Init Expr // nil, an expression, or a *List
	}
	// ExprStmt is an expression run for its effect.
	ExprStmt struct {
		Pos source.Pos
		X   Expr
	}
	// Block is { ... }.
	Block struct {
		Pos  source.Pos
		List []Stmt
	}
	// If is if/else.
	If struct {
		Pos        source.Pos
		Cond       Expr
		Then, Else Stmt // Else may be nil
	}
	// For is for, and while with neither Init nor Post.
	For struct {
		Pos  source.Pos
		Init []Stmt
		Cond Expr // nil: forever
		Post []Expr
		Body Stmt
	}
	// Do is do ... while (Cond).
	Do struct {
		Pos  source.Pos
		Body Stmt
		Cond Expr
	}
	// Return leaves the function or the kernel.
	Return struct {
		Pos source.Pos
		X   Expr // nil where nothing is returned
	}
	// Jump is break or continue.
	Jump struct {
		Pos   source.Pos
		Break bool
	}
)

func (s *Decl) At() source.Pos     { return s.Pos }
func (s *ExprStmt) At() source.Pos { return s.Pos }
func (s *Block) At() source.Pos    { return s.Pos }
func (s *If) At() source.Pos       { return s.Pos }
func (s *For) At() source.Pos      { return s.Pos }
func (s *Do) At() source.Pos       { return s.Pos }
func (s *Return) At() source.Pos   { return s.Pos }
func (s *Jump) At() source.Pos     { return s.Pos }

// Param is one parameter of a function.
type Param struct {
	Pos  source.Pos
	Type *Type
	Name string
}

// Func is a function of the header.
type Func struct {
	Pos    source.Pos
	Result *Type
	Name   string
	Params []Param
	Body   *Block // nil for a declaration only
}

// Tree is a whole kernel.
type Tree struct {
	Source  *source.Source
	Funcs   []*Func
	Globals []*Decl
	Body    *Block
	Aliases map[string]*Type // using X = float; typedef float X;
}

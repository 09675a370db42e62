package flat

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Level says across which threads a value is the same.
type Level uint8

const (
	Group   Level = iota // all threads of the group that are there
	Simd                 // all threads of a simdgroup
	Varying              // may differ from thread to thread
)

// Var is a scalar variable of a thread.
type Var struct {
	Name  string
	Kind  ktree.Kind
	Level Level
	ID    int
	// Sets counts the places that assign it; one set at its declaration
	// makes it a name for a value.
	Sets int
	// Offset marks the position of a moving pointer.
	Offset bool

	depth int // of the control structure it was declared in
}

// Mem is an object with elements: an operand, an array, a table.
type Mem struct {
	Name  string
	Kind  ktree.Kind
	Comps int
	Len   int // elements; 0 for operands, whose length comes with the launch
	Space ktree.Space
	Role  ktree.Role
	Index int    // of an operand
	What  string // of a Meta
	ID    int
	// Values initialise a table.
	Values []ktree.Num
	Atomic bool
	// Pooled is that of ktree.Var.
	Pooled bool
	// ReadOnly marks a Buffer that the kernel does not write.
	ReadOnly bool
}

// IsOperand reports memory that comes with the launch.
func (m *Mem) IsOperand() bool {
	switch m.Role {
	case ktree.Input, ktree.Output, ktree.Meta, ktree.Buffer, ktree.Number:
		return true
	}
	return false
}

// Changes reports an operand that threads write.
func (m *Mem) Changes() bool { return m.Role == ktree.Output || m.Role == ktree.Buffer && !m.ReadOnly }

// Expr is a scalar expression without effects. A Load is the only one that
// can fail, and is only evaluated for active threads.
type Expr interface{ K() ktree.Kind }

type (
	// Const is a number.
	Const struct {
		Kind ktree.Kind
		Val  ktree.Num
	}
	// Use is a variable's value.
	Use struct{ Var *Var }
	// Grid is a component of a position or size.
	Grid struct {
		Grid ktree.Grid
		Comp int
	}
	// Un applies an operator to X.
	Un struct {
		Op   ktree.Op
		Kind ktree.Kind
		X    Expr
	}
	// Bin applies an operator to operands of kind In; && and || of bools are
	// And and Or.
	Bin struct {
		Op   ktree.Op
		In   ktree.Kind
		X, Y Expr
		Sure bool // as that of ktree.Binary
	}
	// Conv changes the kind.
	Conv struct {
		To ktree.Kind
		X  Expr
	}
	// Bits keeps the bits.
	Bits struct {
		To ktree.Kind
		X  Expr
	}
	// Math is an intrinsic that works component by component.
	Math struct {
		Fn   ktree.Intrinsic
		Kind ktree.Kind // of the operands
		Args []Expr
	}
	// Sel is C ? X : Y, both evaluated.
	Sel struct {
		C, X, Y Expr
	}
	// Load reads component Comp of the element at the sum of Terms.
	Load struct {
		Mem   *Mem
		Terms []Term
		Comp  int
		Pos   source.Pos
	}
)

// Term is a part of an element's index.
type Term struct {
	X     Expr
	Scale int
}

func (e *Const) K() ktree.Kind { return e.Kind }
func (e *Use) K() ktree.Kind   { return e.Var.Kind }
func (e *Grid) K() ktree.Kind  { return ktree.Uint }
func (e *Un) K() ktree.Kind    { return e.Kind }
func (e *Bin) K() ktree.Kind {
	if e.Op.IsCompare() {
		return ktree.Bool
	}
	return e.In
}
func (e *Conv) K() ktree.Kind { return e.To }
func (e *Bits) K() ktree.Kind { return e.To }
func (e *Math) K() ktree.Kind {
	if e.Fn.Info().Class == ktree.ClassTest {
		return ktree.Bool
	}
	return e.Kind
}
func (e *Sel) K() ktree.Kind  { return e.X.K() }
func (e *Load) K() ktree.Kind { return e.Mem.Kind }

// Stmt is a statement.
type Stmt interface{}

type (
	// Set assigns. Decl marks the start of the variable's life; X nil leaves
	// it unset.
	Set struct {
		Var  *Var
		X    Expr
		Decl bool
	}
	// Clear zeroes an array where it is declared.
	Clear struct{ Mem *Mem }
	// Store writes an element's component; with a Rank, that of another group of the
	// cluster.
	Store struct {
		Rank  Expr
		Mem   *Mem
		Terms []Term
		Comp  int
		X     Expr
		Pos   source.Pos
	}
	// Prefetch asks for elements between two places, which are first and last.
	Prefetch struct {
		Mem         *Mem
		First, Last []Term
		Pos         source.Pos
	}
	// Cross is an operation across a simdgroup.
	Cross struct {
		Dst  *Var
		Fn   ktree.Intrinsic
		X    Expr
		Lane Expr // of shuffles and broadcasts
		Pos  source.Pos
	}
	// Atomic is an operation on an element; Dst is nil where the old value is
	// not used.
	Atomic struct {
		Dst   *Var
		Fn    ktree.Intrinsic
		Mem   *Mem
		Terms []Term
		X     Expr
		Pos   source.Pos
	}
	// If chooses.
	If struct {
		Cond       Expr
		Then, Else []Stmt
		Level      Level // of Cond
	}
	// Loop runs, until a thread leaves: Head, then Cond (nil: true), Body,
	// Post, then Late (nil: true). Continue goes to Post.
	Loop struct {
		Head  []Stmt
		Cond  Expr
		Body  []Stmt
		Post  []Stmt
		Late  Expr
		Level Level // whether threads leave at different times
		// Jumps says whether some thread may leave or continue while others
		// of its group do not, other than by Cond and Late.
		Breaks, Continues Level
		Unroll            int // as that of ktree.Loop
		Pos               source.Pos
	}
	// Jump is break or continue.
	Jump struct{ Break bool }
	// Scope is where Return goes: the kernel, or an expanded function.
	Scope struct {
		Body    []Stmt
		Returns Level // whether threads return at different times
	}
	// Return leaves the nearest Scope.
	Return struct{}
	// Meet is that of ktree.
	Meet struct {
		Arrive, Wait bool
		Pos          source.Pos
	}
	// Collect is that of ktree.
	Collect struct{ Pos source.Pos }
	// Barrier orders memory.
	Barrier struct {
		Simd                bool
		Threadgroup, Device bool
		Pos                 source.Pos
	}
)

// Program is a kernel without calls, vectors or pointers.
type Program struct {
	IR   *ktree.Program
	Vars []*Var
	Mems []*Mem // inputs, then outputs, then metas, then the rest
	Body *Scope
	// ReturnsAtomic reports an atomic operation on an output whose result is
	// used: then the order of groups matters.
	ReturnsAtomic bool
}

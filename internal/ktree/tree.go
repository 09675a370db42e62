package ktree

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Role says what an object is for.
type Role uint8

const (
	Local   Role = iota // a variable, threadgroup ones included
	Param               // a function's parameter
	Input               // a read-only operand
	Output              // an operand the kernel writes
	Meta                // <input>_shape, _strides, _ndim
	Global              // a program-scope constant
	Builtin             // thread_position_in_grid and the like
	Buffer              // a parameter that points to memory; Type.Const: only read
	Number              // a parameter that is a value
	Map                 // a parameter that says how the runs of a Bring lie
)

// Var is an object with a name.
type Var struct {
	Name  string
	Type  Type
	Space Space
	Role  Role
	Pos   source.Pos
	Const bool
	// Ref marks a parameter that stands for its argument's variable.
	Ref bool
	// Aliased marks a Buffer whose memory another parameter may point to as well.
	Aliased bool
	// Overlay numbers arrays of a group that are not in use at the same time as
	// those of other numbers, which may lie in the same memory; 0 stays apart.
	Overlay int
	// Pooled marks an array of the group that begins where the group's pool does, as
	// all such arrays do: they are views of the same bytes.
	Pooled bool
	// Atomic marks an object whose elements are only touched atomically.
	Atomic bool
	// Index is the operand number of an Input, Output or Meta, and the place among
	// the parameters of a Buffer or Number.
	Index int
	// What is the name part of a Meta: shape, strides or ndim.
	What string
	// Grid is which Builtin it is.
	Grid Grid
	// Values are the elements of a Global, in row-major component order.
	Values []Num
	// Written counts assignments after the declaration.
	Written int
	// Least and Most bound an integer that is never assigned; both are 0 where
	// nothing is known.
	Least, Most int64
}

// Grid is a built-in position or size.
type Grid uint8

const (
	ThreadPositionInGrid Grid = iota
	ThreadgroupPositionInGrid
	ThreadPositionInThreadgroup
	ThreadsPerThreadgroup
	ThreadsPerGrid
	ThreadgroupsPerGrid
	ThreadIndexInThreadgroup
	ThreadIndexInSimdgroup
	SimdgroupIndexInThreadgroup
	ThreadsPerSimdgroup
	SimdgroupsPerThreadgroup
	GridCount
)

// GridNames are the built-ins as the dialect writes them.
var GridNames = [GridCount]string{
	"thread_position_in_grid", "threadgroup_position_in_grid", "thread_position_in_threadgroup",
	"threads_per_threadgroup", "threads_per_grid", "threadgroups_per_grid",
	"thread_index_in_threadgroup", "thread_index_in_simdgroup", "simdgroup_index_in_threadgroup",
	"threads_per_simdgroup", "simdgroups_per_threadgroup",
}

// GridNamed finds a built-in by its name, or by the one that people who come from
// CUDA use.
func GridNamed(name string) (Grid, bool) {
	if name == "grid_size" {
		return ThreadsPerGrid, true
	}
	i := slices.Index(GridNames[:], name)
	return Grid(max(i, 0)), i >= 0
}

// Type is uint3 for positions and sizes, uint for indices.
func (g Grid) Type() Type {
	if g < ThreadIndexInThreadgroup {
		return Vector(Uint, 3)
	}
	return Scalar(Uint)
}

// SimdWidth is the number of threads in a simdgroup, on every device.
const SimdWidth = 32

// Op is an operator on values.
type Op uint8

const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Neg
	BitNot
	Not
)

var opNames = [...]string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "-", "~", "!"}

func (o Op) String() string { return opNames[o] }

// IsCompare reports an operator that gives bool.
func (o Op) IsCompare() bool { return o >= Eq && o <= Ge }

// Expr is an expression.
type Expr interface {
	T() Type
	At() source.Pos
}

// E is the part all expressions share.
type E struct {
	Type Type
	Pos  source.Pos
}

func (e E) T() Type        { return e.Type }
func (e E) At() source.Pos { return e.Pos }

type (
	// Lit is a constant; one of a vector's type has the number in all components.
	Lit struct {
		E
		Val Num
		// Loose marks a floating literal without suffix: converted to double
		// it keeps all its digits.
		Loose bool
		// Known marks a float that is an exact nothing, not a zero with a sign.
		Known bool
	}
	// Ref is the value of, or a place in, a variable.
	Ref struct {
		E
		Var *Var
	}
	// Unary applies Neg, BitNot or Not.
	Unary struct {
		E
		Op Op
		X  Expr
	}
	// Binary applies an operator to operands of one type; shifts may mix. Sure
	// says that no divisor is zero and no shift is beyond the width, so that the
	// operator of the printed language will do.
	Binary struct {
		E
		Op   Op
		X, Y Expr
		Sure bool
	}
	// Logic is && or ||, which skip Y where X decides.
	Logic struct {
		E
		Or   bool
		X, Y Expr
	}
	// Cond is c ? x : y, which runs one of the two.
	Cond struct {
		E
		C, X, Y Expr
	}
	// Convert changes the kind, component by component.
	Convert struct {
		E
		X Expr
	}
	// BitCast keeps the bits.
	BitCast struct {
		E
		X Expr
	}
	// Make builds a vector from the components of Args; a single scalar
	// fills all components.
	Make struct {
		E
		Args []Expr
	}
	// Swizzle picks components.
	Swizzle struct {
		E
		X   Expr
		Sel []int
	}
	// Pick is v[i] on a vector.
	Pick struct {
		E
		X, I Expr
	}
	// Index is an element of an array or behind a pointer.
	Index struct {
		E
		X, I Expr
	}
	// Addr is &x.
	Addr struct {
		E
		X Expr
	}
	// Offset is a pointer moved by N elements.
	Offset struct {
		E
		X, N Expr
	}
	// Call runs a function of the header.
	Call struct {
		E
		Fn   *Func
		Args []Expr
	}
	// Apply runs a built-in function. Whole says of one across a simdgroup that
	// all of its threads take part.
	Apply struct {
		E
		Fn    Intrinsic
		Args  []Expr
		Whole bool
	}
	// Assign stores R, already of L's type, and gives L's new value; with
	// Old, the value before.
	Assign struct {
		E
		L, R Expr
		Old  bool
	}
	// Seq runs X for its effect and gives Y.
	Seq struct {
		E
		X, Y Expr
	}
)

// Stmt is a statement.
type Stmt interface{ At() source.Pos }

// S is the part all statements share.
type S struct{ Pos source.Pos }

func (s S) At() source.Pos { return s.Pos }

type (
	// Decl brings a variable to life.
	Decl struct {
		S
		Var  *Var
		Init Expr   // nil: unset
		List []Expr // elements of an array, the rest zero; nil where there is no list
		// Bare arrays are not even zero: whoever made the kernel promises that
		// elements are set before they are read.
		Bare bool
	}
	// Move copies Count neighbours from element From to element To, both places in
	// memory or a thread's array, in one access: in device and threadgroup memory
	// the places are multiples of Count.
	Move struct {
		S
		To, From Expr
		Count    int
		// Async copies from device to threadgroup memory, 16 bytes, run by
		// themselves: see Copies. Where Where is false they store zeros.
		Async bool
		Where Expr
	}
	// Push stores X in place To, an element of the pool, of group Rank of the
	// cluster. That group must be there before and must not leave until all who push
	// have arrived behind it.
	Push struct {
		S
		Rank, To, X Expr
	}
	// Meet is a barrier of the cluster, in one or two halves: a group that Arrives
	// says that its threads are done with what they read, and if it Waits in the same
	// place, that what they pushed is there; one that Waits goes on when all groups have
	// arrived.
	Meet struct {
		S
		Arrive, Wait bool
	}
	// Collect waits until all that is pushed to the group has come, where pushes are
	// counted: see Program.Counted.
	Collect struct{ S }
	// Copies ends a group of Async moves, or with Wait waits until no more than
	// Pending groups of this thread are under way; Behind says that what is computed before
	// that in the text is to be computed there.
	Copies struct {
		S
		Wait, Behind bool
		Pending      int
	}
	// Bring copies Runs runs of Count neighbours, each Apart elements behind the one
	// before it, from element From of a Buffer that is only read to the pool, where they
	// follow each other from element To on, a multiple of 128 bytes. One thread asks for
	// it, and it is under way until the group has Landed. Map is the parameter that says
	// how the runs lie.
	Bring struct {
		S
		Map, Buffer        *Var
		To, From           Expr // From is an index, an Int
		Count, Runs, Apart int
		Landing            int // its number, less than Program.Landings
	}
	// Landed waits until what was brought under a number is there. Odd, a Bool, is
	// whether it is the second, the fourth and so on that is waited for.
	Landed struct {
		S
		Landing int
		Odd     Expr
	}
	// Vacate says that the thread has read what was brought, so that more may be brought to
	// the same place behind the next Barrier.
	Vacate struct{ S }
	// Prefetch asks for Count neighbours from element From on, which are in device
	// memory and only read, to be brought near. It changes nothing.
	Prefetch struct {
		S
		From  Expr
		Count int
	}
	// LoadMatrices loads four 8 x 8 matrices of halves from threadgroup memory:
	// From is, in lane 8*i+r of a simdgroup, row r of matrix i. Lane l gets, as
	// element i of To, an array of four words, neighbours 2*(l%4) and the next of
	// row l/4 of matrix i; Turned, of its column.
	LoadMatrices struct {
		S
		To, From Expr
		Turned   bool
	}
	// MultiplyMatrices is Sum += A * B of a simdgroup, 16 x 16 by 16 x 8 halves of
	// a Kind, in the fragments that the PTX manual defines for mma.m16n8k16: arrays
	// of four floats, four words and two words.
	MultiplyMatrices struct {
		S
		Kind      Kind
		Sum, A, B Expr
	}
	// Do runs an expression for its effect.
	Do struct {
		S
		X Expr
	}
	// Block is a scope.
	Block struct {
		S
		List []Stmt
	}
	// If chooses.
	If struct {
		S
		Cond       Expr
		Then, Else []Stmt
	}
	// Loop runs Init once, then Body and Post while Cond holds. With Late,
	// Cond is looked at after Body and Post.
	Loop struct {
		S
		Init []Stmt
		Cond Expr // nil: forever
		Body []Stmt
		Post []Stmt
		Late bool
		// Unroll asks for so many rounds to be written out: Fully for all, 1 for
		// none, 0 leaves it to the compiler.
		Unroll int
	}
	// Jump is break or continue.
	Jump struct {
		S
		Break bool
	}
	// Return leaves the function, or the thread.
	Return struct {
		S
		X Expr
	}
	// Barrier waits for the threadgroup, or with Simd the simdgroup.
	Barrier struct {
		S
		Simd                bool
		Threadgroup, Device bool // which memory it orders
	}
)

// Fully is the Unroll of a loop that is written out as a whole.
const Fully = -1

package ir

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Gather reads Data at positions given by an index array: at each point of
// Dims, Out = Data[point, with index*AxisStride added]. Negative indices count
// from the end; an index outside [-AxisLen, AxisLen) fails the launch with an
// *IndexError.
type Gather struct {
	Dims                []int
	Data, Index, Out    Operand // Data has stride 0 where the index replaces a dimension
	AxisStride, AxisLen int
}

// Scatter adds Updates into Out at positions given by an index array, in
// row-major order of Dims, so that repeated indices add up the same way every
// time. Out holds the base when the launch starts. Bounds are as in Gather.
type Scatter struct {
	Dims                []int
	Updates, Index, Out Operand // Out has stride 0 along Axis
	Axis                int     // the dimension of Dims the index replaces
	AxisStride, AxisLen int
}

// Gemm is Out = A x B over matrices (M,K) x (K,N), batched. Operands carry
// strides for Batch, then row, then column. K = 0 gives zeros. Half types
// accumulate in float32.
//
// Mode is how floats and complex numbers add up; integers are always exact. In
// mode Exact every element is the exact sum rounded once to its type, whatever
// the order, with NaN and infinities as IEEE 754 adds them, and +0 for zero; in
// Compensated its error is that of twice the digits. Root, for floats in mode
// Exact, stores the square root of each sum, rounded once.
type Gemm struct {
	Batch   []int
	M, N, K int
	A, B    Operand
	Out     Operand
	Mode    accum.Mode
	Root    bool

	// AxesA and AxesB are for factors whose rows or columns are several axes. Their operands have a stride for each.
	AxesA, AxesB MatrixAxes

	// Seen, if not nil, is the part of each matrix of Out that anything reads. What the rest holds is not defined.
	Seen  *Band
	Alike *Alike
}

// MatrixAxes is the dimensions of the axes that are the rows of a matrix, in row-major order, and of those that are its
// columns; nil is one axis. Overlapping windows of an image are such a matrix: it has a row for each channel and place
// in a window, and a column for each window.
type MatrixAxes struct{ Rows, Columns []int }

// Plain reports one axis each.
func (a MatrixAxes) Plain() bool { return a.Rows == nil && a.Columns == nil }

// dims is the dimensions of a matrix of a batch.
func (a MatrixAxes) dims(batch []int, rows, columns int) []int {
	r, c := a.Split(rows, columns)
	return slices.Concat(batch, r, c)
}

// Split is the axes of rows and of columns.
func (a MatrixAxes) Split(rows, columns int) (r, c []int) {
	r, c = a.Rows, a.Columns
	if r == nil {
		r = []int{rows}
	}
	if c == nil {
		c = []int{columns}
	}
	return r, c
}

// DimsA and DimsB are the index spaces of the factors.
func (g *Gemm) DimsA() []int { return g.AxesA.dims(g.Batch, g.M, g.K) }
func (g *Gemm) DimsB() []int { return g.AxesB.dims(g.Batch, g.K, g.N) }

// Plain reports a product that adds up as any device does by itself.
func (g *Gemm) Plain() bool { return (g.Mode == accum.Pairwise || g.Mode == accum.Fast) && !g.Root }

// IndexError is an index outside an axis, found while running.
type IndexError struct {
	Op    string
	Index int64
	Len   int
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("index %d out of range for axis of length %d", e.Index, e.Len)
}

func (*Gather) Name() string  { return "gather" }
func (*Scatter) Name() string { return "scatter" }
func (*Gemm) Name() string    { return "gemm" }

func (*Gather) String() string  { return "gather" }
func (*Scatter) String() string { return "scatter" }
func (*Gemm) String() string    { return "gemm" }

func (g *Gather) Extent() []int  { return g.Dims }
func (s *Scatter) Extent() []int { return s.Dims }
func (g *Gemm) Extent() []int    { return with(g.Batch, g.M, g.N, g.K) }

func (g *Gather) Accesses() []Access {
	return []Access{indexed(g.Data, g.Dims, g.AxisStride, g.AxisLen, false), {Operand: g.Index, Dims: g.Dims}, {Operand: g.Out, Dims: g.Dims, Write: true}}
}

func (s *Scatter) Accesses() []Access {
	return append(accesses(s.Dims, false, s.Updates, s.Index), indexed(s.Out, s.Dims, s.AxisStride, s.AxisLen, true))
}

func (g *Gemm) Accesses() []Access {
	return []Access{{Operand: g.A, Dims: g.DimsA()}, {Operand: g.B, Dims: g.DimsB()},
		{Operand: g.Out, Dims: with(g.Batch, g.M, g.N), Write: true}}
}

func (g *Gather) key(k *keyer) {
	k.ints(g.Dims)
	k.operands(g.Data, g.Index, g.Out)
	k.ints([]int{g.AxisStride, g.AxisLen})
}

func (s *Scatter) key(k *keyer) {
	k.ints(s.Dims)
	k.operands(s.Updates, s.Index, s.Out)
	k.ints([]int{s.Axis, s.AxisStride, s.AxisLen})
}

func (g *Gemm) key(k *keyer) {
	k.ints(g.Batch)
	k.operands(g.A, g.B, g.Out)
	k.ints([]int{g.M, g.N, g.K, int(g.Mode), flag(g.Root)})
	for _, a := range []MatrixAxes{g.AxesA, g.AxesB} {
		k.ints(a.Rows)
		k.ints(a.Columns)
	}
	var seen []int
	if g.Seen != nil {
		seen = []int{g.Seen.From, g.Seen.To}
	}
	k.ints(seen)
	k.ints(g.Alike.ints())
}

func (g *Gather) clone() Program  { c := *g; return &c }
func (s *Scatter) clone() Program { c := *s; return &c }
func (g *Gemm) clone() Program    { c := *g; return &c }

func (g *Gather) spaces(visit func(*Space)) {
	g.Dims = outside(g.Dims, visit, &g.Data, &g.Index, &g.Out)
}
func (g *Gemm) spaces(visit func(*Space)) { g.Batch = outside(g.Batch, visit, &g.A, &g.B, &g.Out) }

// spaces visits what is behind the axis first: what is before still begins at 0.
func (s *Scatter) spaces(visit func(*Space)) {
	all := []*Operand{&s.Updates, &s.Index, &s.Out}
	behind := Space{Dims: s.Dims[s.Axis+1:], Operands: all, first: s.Axis + 1}
	visit(&behind)
	before := outside(s.Dims[:s.Axis], visit, all...)
	s.Dims, s.Axis = slices.Concat(before, s.Dims[s.Axis:s.Axis+1], behind.Dims), len(before)
}

func (g *Gather) Ops() float64  { return float64(Count(g.Dims)) }
func (s *Scatter) Ops() float64 { return float64(Count(s.Dims)) }
func (g *Gemm) Ops() float64 {
	ops := 2 * float64(Count(g.Batch)) * float64(g.M) * float64(g.N) * float64(g.K)
	if g.Out.Type.IsComplex() {
		ops *= 4
	}
	return ops
}

func indexType(t elem.Type) bool { return t == elem.Int32 || t == elem.Int64 }

// AsReduce is a product with a vector, M or N of 1, as a sum of products. Its factors are plain.
func (g *Gemm) AsReduce() *Reduce {
	rank := len(g.Batch)
	t, c := g.Out.Type, g.Out.Type.Compute()
	operand := func(o Operand, kept, summed int) Operand {
		o.Strides = with(o.Strides[:rank], kept, summed)
		return o
	}
	// The kept dimension is the rows of a column, or the columns of a row.
	kept, length := rank, g.M
	a, b := operand(g.A, g.A.Strides[rank], g.A.Strides[rank+1]), operand(g.B, 0, g.B.Strides[rank])
	if g.M == 1 {
		kept, length = rank+1, g.N
		a, b = operand(g.A, 0, g.A.Strides[rank+1]), operand(g.B, g.B.Strides[rank+1], g.B.Strides[rank])
	}
	out := g.Out
	out.Strides = with(g.Out.Strides[:rank], g.Out.Strides[kept])
	var w, post Rewriter[int]
	x, y := w.Load(0, a), w.Load(1, b)
	post.Append(Instr{Kind: Acc, Type: c})
	if c != t { // halves are added as floats
		x, y = w.Append(Instr{Kind: Apply, Op: scalar.Cast, Type: c, A: x}), w.Append(Instr{Kind: Apply, Op: scalar.Cast, Type: c, A: y})
		post.Append(Instr{Kind: Apply, Op: scalar.Cast, Type: t})
	}
	v := w.Append(Instr{Kind: Apply, Op: scalar.Mul, Type: c, A: x, B: y})
	return &Reduce{Dims: with(g.Batch, length, g.K), Inner: 1, Code: w.Code, Value: v, Op: Sum, Post: post.Code, Out: out}
}

func (g *Gather) Verify() error {
	n := len(g.Dims)
	if len(g.Data.Strides) != n || len(g.Index.Strides) != n || len(g.Out.Strides) != n ||
		g.Data.Type != g.Out.Type || !indexType(g.Index.Type) || g.AxisLen < 0 {
		return fmt.Errorf("ir: gather: dims %v, data %v, index %v, out %v", g.Dims, g.Data, g.Index, g.Out)
	}
	return nil
}

func (s *Scatter) Verify() error {
	n := len(s.Dims)
	if len(s.Updates.Strides) != n || len(s.Index.Strides) != n || len(s.Out.Strides) != n || s.Axis < 0 || s.Axis >= n ||
		s.Updates.Type != s.Out.Type || !indexType(s.Index.Type) || s.Out.Strides[s.Axis] != 0 {
		return fmt.Errorf("ir: scatter: dims %v, updates %v, index %v, out %v", s.Dims, s.Updates, s.Index, s.Out)
	}
	return nil
}

func (g *Gemm) Verify() error {
	n := len(g.Batch) + 2
	if !g.Mode.Valid() || g.Root && (g.Mode != accum.Exact || !g.Out.Type.IsFloat()) {
		return fmt.Errorf("ir: gemm: %s sum of %s, root %t", g.Mode, g.Out.Type, g.Root)
	}
	if g.M < 0 || g.N < 0 || g.K < 0 || len(g.A.Strides) != len(g.DimsA()) || len(g.B.Strides) != len(g.DimsB()) || len(g.Out.Strides) != n ||
		Count(g.DimsA()) != Count(g.Batch)*g.M*g.K || Count(g.DimsB()) != Count(g.Batch)*g.K*g.N || g.A.Type != g.B.Type || g.A.Type != g.Out.Type {
		return fmt.Errorf("ir: gemm: %dx%dx%d, a %v, b %v, out %v", g.M, g.N, g.K, g.A, g.B, g.Out)
	}
	return nil
}

package ir

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Program is one of *Map, *Reduce, *Scan, *Sort, *Gather, *Scatter, *Gemm,
// *FFT, *Butterfly, *Overlap, *Custom, *Batch and *Line. The set is closed.
type Program interface {
	// Name is the program's kind in one lower-case word.
	Name() string
	// String describes the program in one line, without its operands.
	String() string
	// Accesses lists the operands, each with its index space, in the order a
	// launch binds them: reads first.
	Accesses() []Access
	// Extent is the index space, for people.
	Extent() []int
	// Ops counts arithmetic operations, for the cost model.
	Ops() float64
	// Pieces is into how many parts a device with a few workers can cut it, of which
	// those that go point by point have at least grain points.
	Pieces(grain int) int
	// Verify reports the first broken invariant.
	Verify() error

	// key writes what tells the program from others of its kind.
	key(*keyer)
	// spaces calls visit with each index space whose dimensions may be dropped
	// or joined without a change of what is computed, and keeps what it did.
	spaces(visit func(*Space))
	// clone is a copy; see Clone.
	clone() Program
}

// Operand says where elements lie in a buffer, relative to an index space:
// element (i0, i1, ...) is at Offset + i0*Strides[0] + i1*Strides[1] + ...
type Operand struct {
	Type    elem.Type
	Offset  int
	Strides []int // one per dimension of the program's index space
}

// Contiguous is the row-major operand over dims.
func Contiguous(t elem.Type, dims []int) Operand {
	s := make([]int, len(dims))
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		s[i] = n
		n *= dims[i]
	}
	return Operand{Type: t, Strides: s}
}

// Span is the half-open range of element positions the operand touches over
// dims; empty dims touch nothing.
func (o Operand) Span(dims []int) (lo, hi int) {
	return o.view(dims).Span()
}

// view is the operand over dims as a view of its buffer.
func (o Operand) view(dims []int) shape.View {
	return shape.View{Shape: dims, Strides: o.Strides, Offset: o.Offset}
}

// Touched is the number of distinct elements the operand reads over dims,
// taking stride-0 dimensions once and overlaps at most once per span.
func (o Operand) Touched(dims []int) int {
	n := 1
	for i, d := range dims {
		if d == 0 {
			return 0
		}
		if o.Strides[i] != 0 {
			n *= d
		}
	}
	lo, hi := o.Span(dims)
	return min(n, hi-lo)
}

// Count is the number of points of an index space.
func Count(dims []int) int { return lists.Product(dims) }

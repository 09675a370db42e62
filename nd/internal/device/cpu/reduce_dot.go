package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A sum of products of numbers in memory, as norms and dot products are, is one pass: products are
// rounded in registers and added as sums of a line are, so that the result has the same bits.

// dot adds the products of n elements of x and y.
type dot func(acc, x, y unsafe.Pointer, n int)

// dotOf is of type t, float32 or float64.
func dotOf(k *vec.Table, t elem.Type) dot {
	if t == elem.Float32 {
		return dotWith(k.F32.Dot)
	}
	return dotWith(k.F64.Dot)
}

func dotWith[T vec.Float](f func(x, y []T) T) dot {
	return func(acc, x, y unsafe.Pointer, n int) { *(*T)(acc) = f(slice[T](x, n), slice[T](y, n)) }
}

// factors are the two values in memory whose products a reduction adds, or -1.
func factors(r *ir.Reduce) (a, b ir.ValueID) {
	src := r.Instrs[r.Value]
	if r.Op != ir.Sum || src.Kind != ir.Apply || src.Type != elem.Float32 && src.Type != elem.Float64 {
		return -1, -1
	}
	switch a, b = src.A, src.B; src.Op {
	case scalar.Mul:
	case scalar.AbsSquared:
		b = a
	default:
		return -1, -1
	}
	if r.Instrs[a].Kind != ir.Load || r.Instrs[b].Kind != ir.Load || r.Instrs[a].Type != src.Type {
		return -1, -1 // of complex numbers, too, there are squares
	}
	return a, b
}

// readsOnly reports code that does nothing but find vectors in memory.
func (c *code) readsOnly() bool {
	return len(c.once) == 0 && len(c.steps) == 0 && !lists.Any(len(c.loads), func(i int) bool { return c.loads[i].kind != loadDirect })
}

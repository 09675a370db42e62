package chain

import (
	"math"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Float is the set of element types.
type Float interface{ float32 | float64 }

// Op is what an instruction does to the accumulator, x; y is its operand. The
// Scalar form of an operation follows the vector form, and its operand is one
// number.
type Op uint64

const (
	Load   Op = iota // x = y
	Fill             // x = y, one number
	Store            // y = x
	Stream           // y = x, past the caches; y is aligned to 64 bytes
	Neg
	Abs
	Sqrt
	Square
	Floor
	Ceil
	Round // half to even
	Add
	AddScalar
	Sub // x - y
	SubScalar
	SubFrom // y - x
	SubFromScalar
	Mul
	MulScalar
	Div // x / y
	DivScalar
	DivInto // y / x
	DivIntoScalar
	Max // NaN wins, -0 is below +0
	MaxScalar
	Min
	MinScalar
)

// Instr is an operation and where its operand starts.
type Instr struct {
	Op   Op
	Addr unsafe.Pointer
}

// Machine runs chains on one type.
type Machine[T Float] struct {
	// Group is how many elements go through the chain at once: Run does whole
	// groups only.
	Group int
	// Run runs code on n elements, a multiple of Group.
	Run func(code []Instr, n int)
}

// F32 is the float32 machine of a level.
func F32(l simd.Level) Machine[float32] {
	if m, ok := fast32(l); ok {
		return m
	}
	return Machine[float32]{1, run[float32]}
}

// F64 is the float64 machine of a level.
func F64(l simd.Level) Machine[float64] {
	if m, ok := fast64(l); ok {
		return m
	}
	return Machine[float64]{1, run[float64]}
}

// run is the portable machine.
func run[T Float](code []Instr, n int) {
	var x T
	size := unsafe.Sizeof(x)
	for i := range n {
		for _, c := range code {
			switch c.Op {
			case Store, Stream:
				*(*T)(unsafe.Add(c.Addr, uintptr(i)*size)) = x
			case Fill, AddScalar, SubScalar, SubFromScalar, MulScalar, DivScalar, DivIntoScalar, MaxScalar, MinScalar:
				x = apply(c.Op-1, x, *(*T)(c.Addr))
			case Neg, Abs, Sqrt, Square, Floor, Ceil, Round:
				x = apply(c.Op, x, 0)
			default:
				x = apply(c.Op, x, *(*T)(unsafe.Add(c.Addr, uintptr(i)*size)))
			}
		}
	}
}

// apply is one operation on one element; scalar forms are their vector forms.
func apply[T Float](op Op, x, y T) T {
	switch op {
	case Load:
		return y
	case Neg:
		return -x
	case Abs:
		return T(math.Abs(float64(x)))
	case Sqrt:
		return T(math.Sqrt(float64(x)))
	case Square:
		return T(x * x) // the conversions keep products from being fused into sums
	case Floor:
		return T(math.Floor(float64(x)))
	case Ceil:
		return T(math.Ceil(float64(x)))
	case Round:
		return T(math.RoundToEven(float64(x)))
	case Add:
		return x + y
	case Sub:
		return x - y
	case SubFrom:
		return y - x
	case Mul:
		return T(x * y)
	case Div:
		return x / y
	case DivInto:
		return y / x
	case Max:
		return max(x, y)
	case Min:
		return min(x, y)
	}
	return x
}

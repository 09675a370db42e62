package vec

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Float is the set of real element types.
type Float interface{ float32 | float64 }

// Unary computes dst[i] from x[i].
type Unary[T any] func(dst, x []T, stream bool)

// Binary computes dst[i] from x[i] and y[i]; S marks the operand that is one
// value for all i.
type Binary[T any] struct {
	VV func(dst, x, y []T, stream bool)
	VS func(dst, x []T, y T, stream bool)
	SV func(dst []T, x T, y []T, stream bool)
}

// Compare is a Binary whose result is a truth value.
type Compare[T any] struct {
	VV func(dst []bool, x, y []T, stream bool)
	VS func(dst []bool, x []T, y T, stream bool)
	SV func(dst []bool, x T, y []T, stream bool)
}

// Select computes dst[i] = x[i] where cond[i], else y[i].
type Select[T any] struct {
	VV func(dst []T, cond []bool, x, y []T, stream bool)
	VS func(dst []T, cond []bool, x []T, y T, stream bool)
	SV func(dst []T, cond []bool, x T, y []T, stream bool)
}

// Real is the kernels of a real type.
type Real[T Float] struct {
	Add, Sub, Mul, Div Binary[T]
	Max, Min           Binary[T] // as Go's max and min: NaN wins, -0 is below +0
	Pow                Binary[T] // as math.Pow
	Atan2              Binary[T] // the angle of (y, x), as math.Atan2: y comes first

	Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual Compare[T]

	Where Select[T]

	Neg, Abs, Sqrt Unary[T]
	Square         Unary[T] // x*x
	Rsqrt          Unary[T] // 1/sqrt(x), two roundings
	Floor, Ceil    Unary[T]
	Round          Unary[T] // half to even
	Sign           Unary[T] // -1, +0 or 1; NaN for NaN

	Exp, Expm1, Log, Log1p, Sin, Cos, Tan, Tanh, Sigmoid, Erf Unary[T]

	// The reductions of nothing are 0, -Inf and +Inf. NaN wins.
	Sum, Largest, Least func(x []T) T
	// Dot is Sum of the products x[i]*y[i], each of them rounded; y is as long as x.
	Dot func(x, y []T) T

	// MulRows multiplies rows of n elements that lie steps of so many bytes
	// apart: dst[r][i] = x[r][i] * y[r][i].
	MulRows func(dst, x, y *T, rows, n, dstStep, xStep, yStep int)

	// AddDiagonals adds rows of n elements that lie step bytes apart, from the
	// last to the first, each to where it belongs: dst[r+i] += x[r][i]. Before
	// and behind every row there are zeros for a vector of 64 bytes, and dst has
	// room for as much.
	AddDiagonals func(dst, x *T, rows, n, step int)
}

// Complex is the kernels of a complex type with parts of type R.
type Complex[C complex64 | complex128, R Float] struct {
	Add, Sub, Mul, Div Binary[C]
	MulReal            func(dst, x []C, y []R, stream bool) // x[i]*y[i]
	Neg, Conj          Unary[C]

	Abs, AbsSquared, Angle, Real, Imag func(dst []R, x []C, stream bool)

	Make func(dst []C, re, im []R, stream bool)

	// Mirror is dst[i] = conj(x[len(x)-1-i]), in other memory.
	Mirror func(dst, x []C)

	Sum func(x []C) C
}

// Convert is the conversions between element types. Half-precision numbers
// are their bits.
type Convert struct {
	F32FromF16  func(dst []float32, x []uint16, stream bool)
	F16FromF32  func(dst []uint16, x []float32, stream bool)
	F32FromBF16 func(dst []float32, x []uint16, stream bool)
	BF16FromF32 func(dst []uint16, x []float32, stream bool)
	F32FromI32  func(dst []float32, x []int32, stream bool)
	I32FromF32  func(dst []int32, x []float32, stream bool) // truncates, saturates, NaN to 0
	F64FromI32  func(dst []float64, x []int32, stream bool)
	I32FromF64  func(dst []int32, x []float64, stream bool) // truncates, saturates, NaN to 0
	F64FromF32  func(dst []float64, x []float32, stream bool)
	F32FromF64  func(dst []float32, x []float64, stream bool)
	F32FromU8   func(dst []float32, x []uint8, stream bool)
	F32FromI16  func(dst []float32, x []int16, stream bool) // of parts of 32768: samples
}

// Move is the kernels that only move elements of 1, 2, 4, 8 or 16 bytes.
// Strides count elements.
type Move struct {
	Copy  func(dst, src []byte, stream bool)
	Fill4 func(dst []uint32, v uint32, stream bool)
	Fill8 func(dst []uint64, v uint64, stream bool)

	// Transpose does dst[c*dstStride+r] = src[r*srcStride+c] for r < rows and
	// c < cols. dst and src do not overlap.
	Transpose func(size int, dst, src unsafe.Pointer, dstStride, srcStride, rows, cols int, stream bool)

	// Gather does dst[i] = src[i*stride] for i < n.
	Gather func(size int, dst, src unsafe.Pointer, stride, n int)

	// Scatter does dst[i*stride] = src[i] for i < n.
	Scatter func(size int, dst, src unsafe.Pointer, stride, n int)
}

// Table is the kernels of one level.
type Table struct {
	Level   simd.Level
	F32     Real[float32]
	F64     Real[float64]
	C64     Complex[complex64, float32]
	C128    Complex[complex128, float64]
	Convert Convert
	Move    Move

	U8  Integer[uint8]
	I8  Integer[int8]
	I16 Integer[int16]
	I32 Integer[int32]
	U32 Integer[uint32]
	I64 Integer[int64]

	Choose1, Choose2 Choose // among elements of one and of two bytes

	Casts map[[2]string]Cast // by the names of the types, first that of the result
}

var tables = build()

func build() map[simd.Level]*Table {
	all := map[simd.Level]*Table{}
	for _, l := range simd.Available() {
		t := portable()
		t.Level = l
		accelerate(t)
		all[l] = t
	}
	return all
}

// For is the kernels of a level, or the portable ones if this machine cannot
// run that level.
func For(l simd.Level) *Table {
	if t, ok := tables[l]; ok {
		return t
	}
	return tables[simd.Portable]
}

// portable is a table of plain Go kernels.
func portable() *Table {
	f32, f64 := portableReal[float32](), portableReal[float64]()
	return &Table{
		F32:  f32,
		F64:  f64,
		C64:  complexOf[complex64](&f32, portablePairs[float32]()),
		C128: complexOf[complex128](&f64, portablePairs[float64]()),
		Convert: Convert{
			F32FromF16:  f32FromF16,
			F16FromF32:  f16FromF32,
			F32FromBF16: f32FromBF16,
			BF16FromF32: bf16FromF32,
			F32FromI32:  convert[float32, int32],
			I32FromF32:  truncate[float32],
			F64FromI32:  convert[float64, int32],
			I32FromF64:  truncate[float64],
			F64FromF32:  convert[float64, float32],
			F32FromF64:  convert[float32, float64],
			F32FromU8:   convert[float32, uint8],
			F32FromI16:  f32FromI16,
		},
		Move: Move{
			Copy:      func(dst, src []byte, _ bool) { copy(dst, src) },
			Fill4:     fill[uint32],
			Fill8:     fill[uint64],
			Transpose: transpose,
			Gather:    gather,
			Scatter:   scatter,
		},
		U8: portableInteger[uint8](), I8: portableInteger[int8](), I16: portableInteger[int16](),
		I32: portableInteger[int32](), U32: portableInteger[uint32](), I64: portableInteger[int64](),
		Choose1: chosen[uint8], Choose2: chosen[uint16],
		Casts: portableCasts(),
	}
}

func portableReal[T Float]() Real[T] {
	return Real[T]{
		Add: Binary[T]{addVV[T], addVS[T], flip(addVS[T])},
		Sub: Binary[T]{subVV[T], subVS[T], subSV[T]},
		Mul: Binary[T]{mulVV[T], mulVS[T], flip(mulVS[T])},
		Div: Binary[T]{divVV[T], divVS[T], divSV[T]},
		Max: Binary[T]{maxVV[T], maxVS[T], flip(maxVS[T])},
		Min: Binary[T]{minVV[T], minVS[T], flip(minVS[T])},
		Pow: Binary[T]{powVV[T], powVS[T], powSV[T]},

		Atan2: Binary[T]{atan2VV[T], atan2VS[T], atan2SV[T]},

		Equal:        Compare[T]{equalVV[T], equalVS[T], flipCompare(equalVS[T])},
		NotEqual:     Compare[T]{notEqualVV[T], notEqualVS[T], flipCompare(notEqualVS[T])},
		Less:         Compare[T]{lessVV[T], lessVS[T], flipCompare(greaterVS[T])},
		LessEqual:    Compare[T]{lessEqualVV[T], lessEqualVS[T], flipCompare(greaterEqualVS[T])},
		Greater:      Compare[T]{swapCompare(lessVV[T]), greaterVS[T], flipCompare(lessVS[T])},
		GreaterEqual: Compare[T]{swapCompare(lessEqualVV[T]), greaterEqualVS[T], flipCompare(lessEqualVS[T])},

		Where: Select[T]{whereVV[T], whereVS[T], whereSV[T]},

		Neg: neg[T], Abs: abs[T], Sqrt: sqrt[T], Square: square[T], Rsqrt: rsqrt[T],
		Floor: floor[T], Ceil: ceil[T], Round: round[T], Sign: sign[T],

		Exp: each[T](exp32, exp64), Expm1: each[T](expm132, expm164),
		Log: each[T](log32, log64), Log1p: each[T](log1p32, log1p64),
		Sin: each[T](sin32, sin64), Cos: each[T](cos32, cos64), Tan: each[T](tan32, tan64),
		Tanh: each[T](tanh32, tanh64), Sigmoid: each[T](sigmoid32, sigmoid64), Erf: each[T](erf32, erf64),

		Sum:          func(x []T) T { return tree(x, sumBlock[T]) },
		Dot:          func(x, y []T) T { return treeProducts(x, y, dotBlock[T]) },
		MulRows:      mulRows[T],
		AddDiagonals: addDiagonals[T],
		Largest:      largest[T],
		Least:        least[T],
	}
}

// flip makes the scalar-first form of a commutative operation.
func flip[T any](vs func(dst, x []T, y T, stream bool)) func(dst []T, x T, y []T, stream bool) {
	return func(dst []T, x T, y []T, stream bool) { vs(dst, y, x, stream) }
}

// flipCompare makes the scalar-first form of a comparison from the
// scalar-last form of its mirror image.
func flipCompare[T any](vs func(dst []bool, x []T, y T, stream bool)) func(dst []bool, x T, y []T, stream bool) {
	return func(dst []bool, x T, y []T, stream bool) { vs(dst, y, x, stream) }
}

func swapCompare[T any](vv func(dst []bool, x, y []T, stream bool)) func(dst []bool, x, y []T, stream bool) {
	return func(dst []bool, x, y []T, stream bool) { vv(dst, y, x, stream) }
}

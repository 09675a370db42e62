package ktree

import (
	"math"
	"math/bits"
)

// EvalUnary applies Neg, BitNot or Not to a scalar of kind k.
func EvalUnary(op Op, k Kind, a Num) Num {
	switch op {
	case Not:
		return BoolNum(a.I == 0 && a.F == 0)
	case BitNot:
		return Num{I: Wrap(k, ^a.I)}
	}
	if k.IsFloat() {
		return Num{F: -a.F}
	}
	return Num{I: Wrap(k, -a.I)}
}

// EvalBinary applies an operator to two scalars of kind k, exactly as every
// device does: integers wrap, division by integer zero gives 0, shift counts
// are taken modulo the width.
func EvalBinary(op Op, k Kind, a, b Num) Num {
	switch {
	case op.IsCompare():
		return BoolNum(compare(op, k, a, b))
	case k == Float || k.IsHalf():
		return Num{F: Round(k, float64(binaryFloat(op, float32(a.F), float32(b.F))))}
	case k == Double:
		return Num{F: binaryFloat(op, a.F, b.F)}
	}
	return Num{I: Wrap(k, binaryInt(op, k, a.I, b.I))}
}

// binaryFloat rounds once, in the type that it computes in.
func binaryFloat[T float32 | float64](op Op, a, b T) T {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	}
	return a / b
}

func binaryInt(op Op, k Kind, a, b int64) int64 {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Div:
		return divInt(k, a, b)
	case Rem:
		return remInt(k, a, b)
	case And:
		return a & b
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case Shl:
		return a << (uint64(b) & uint64(k.Bits()-1))
	}
	n := uint64(b) & uint64(k.Bits()-1)
	if k == Ulong {
		return int64(uint64(a) >> n)
	}
	return a >> n // values of narrower unsigned kinds are not negative
}

// divInt truncates towards zero; a zero divisor gives 0.
func divInt(k Kind, a, b int64) int64 {
	switch {
	case b == 0:
		return 0
	case k == Ulong:
		return int64(uint64(a) / uint64(b))
	}
	return a / b
}

// remInt has the sign of the dividend; a zero divisor gives 0.
func remInt(k Kind, a, b int64) int64 {
	switch {
	case b == 0:
		return 0
	case k == Ulong:
		return int64(uint64(a) % uint64(b))
	}
	return a % b
}

func compare(op Op, k Kind, a, b Num) bool {
	var less, equal bool
	switch {
	case k.IsFloat():
		less, equal = a.F < b.F, a.F == b.F
		if a.F != a.F || b.F != b.F {
			return op == Ne
		}
	case k == Ulong:
		less, equal = uint64(a.I) < uint64(b.I), a.I == b.I
	default:
		less, equal = a.I < b.I, a.I == b.I
	}
	switch op {
	case Eq:
		return equal
	case Ne:
		return !equal
	case Lt:
		return less
	case Le:
		return less || equal
	case Gt:
		return !less && !equal
	}
	return !less
}

// ReverseBitsInt mirrors the bits of an integer of kind k.
func ReverseBitsInt(k Kind, v int64) int64 {
	return Wrap(k, int64(bits.Reverse64(uint64(v))>>(64-k.Bits())))
}

// ClzInt and CtzInt count zero bits from the top and the bottom; all of them
// for zero.
func ClzInt(k Kind, v int64) int64 {
	return int64(bits.LeadingZeros64(masked(k, v)) - (64 - k.Bits()))
}

// CtzInt counts zero bits from the bottom.
func CtzInt(k Kind, v int64) int64 {
	return int64(min(bits.TrailingZeros64(masked(k, v)), k.Bits()))
}

// PopcountInt counts set bits.
func PopcountInt(k Kind, v int64) int64 { return int64(bits.OnesCount64(masked(k, v))) }

func masked(k Kind, v int64) uint64 { return uint64(v) & (math.MaxUint64 >> (64 - k.Bits())) }

// MulHiInt is the upper half of the product.
func MulHiInt(k Kind, a, b int64) int64 {
	switch {
	case k == Ulong:
		hi, _ := bits.Mul64(uint64(a), uint64(b))
		return int64(hi)
	case k == Long:
		hi, _ := bits.Mul64(uint64(a), uint64(b))
		// Correct the unsigned product for negative factors.
		if a < 0 {
			hi -= uint64(b)
		}
		if b < 0 {
			hi -= uint64(a)
		}
		return int64(hi)
	case k == Uint:
		return int64(uint64(a) * uint64(b) >> 32)
	}
	return Wrap(k, (a*b)>>k.Bits())
}

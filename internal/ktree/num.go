package ktree

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Num is a scalar value of a known kind: I for bool and integers, F for
// floats. Both are kept in the kind's own range and precision.
type Num struct {
	I int64
	F float64
}

// BoolNum is 1 or 0.
func BoolNum(b bool) Num {
	if b {
		return Num{I: 1}
	}
	return Num{}
}

// Wrap brings an integer into the range of k, modulo 2^bits. An Ulong is held
// as the int64 with the same bits.
func Wrap(k Kind, v int64) int64 {
	switch k {
	case Bool:
		if v != 0 {
			return 1
		}
		return 0
	case Char:
		return int64(int8(v))
	case Uchar:
		return int64(uint8(v))
	case Short:
		return int64(int16(v))
	case Ushort:
		return int64(uint16(v))
	case Int:
		return int64(int32(v))
	case Uint:
		return int64(uint32(v))
	}
	return v
}

// Round brings a float to the precision of k.
func Round(k Kind, v float64) float64 {
	switch k {
	case Float:
		return float64(float32(v))
	case Half:
		return float64(elem.F16From(float32(v)).Float32())
	case Bfloat:
		return float64(elem.BF16From(float32(v)).Float32())
	}
	return v
}

// ConvertNum converts between kinds as C does; a float outside an integer's
// range saturates and NaN gives 0, so that every device agrees.
func ConvertNum(from, to Kind, n Num) Num {
	switch {
	case to == Bool:
		return BoolNum(n.I != 0 || n.F != 0)
	case to.IsFloat() && from.IsFloat():
		return Num{F: Round(to, n.F)}
	case to.IsFloat():
		return Num{F: intToFloat(from, to, n.I)}
	case from.IsFloat():
		return Num{I: floatToInt(to, n.F)}
	}
	return Num{I: Wrap(to, n.I)}
}

func intToFloat(from, to Kind, v int64) float64 {
	if from == Ulong && v < 0 {
		if to == Double {
			return float64(uint64(v))
		}
		return Round(to, float64(float32(uint64(v))))
	}
	if to == Double {
		return float64(v)
	}
	return Round(to, float64(float32(v)))
}

// floatToInt truncates towards zero and saturates.
func floatToInt(to Kind, f float64) int64 {
	if f != f {
		return 0
	}
	f = math.Trunc(f)
	lo, hi := intRange(to)
	switch {
	case f <= lo:
		if to.IsSigned() {
			return Wrap(to, int64(lo))
		}
		return 0
	case f >= hi:
		if to == Ulong {
			return -1
		}
		if to == Long {
			return math.MaxInt64
		}
		return int64(hi)
	}
	if to == Ulong {
		return int64(uint64(f))
	}
	return int64(f)
}

func intRange(k Kind) (lo, hi float64) {
	bits := k.Bits()
	if k.IsSigned() {
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - 1
	}
	return 0, math.Ldexp(1, bits) - 1
}

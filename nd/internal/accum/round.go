package accum

import (
	"math"
	"math/big"
	"math/bits"
)

// Format is a binary floating-point format that float64 holds.
type Format struct {
	Bits  int     // of the mantissa, the hidden one included
	Least int     // the exponent of the least positive number
	Max   float64 // the greatest finite number
}

// The formats of the element types.
var (
	Float64  = Format{53, -1074, math.MaxFloat64}
	Float32  = Format{24, -149, math.MaxFloat32}
	Float16  = Format{11, -24, 65504}
	BFloat16 = Format{8, -133, 0x1.fep127}
)

// Round is the sum rounded to a format, halves to even. It spends the sum,
// which has to be Reset before it is used again.
func (s *Sum) Round(f Format) float64 {
	if v, ok := s.unusual(); ok {
		return v
	}
	negative := s.magnitude()
	top := digits - 1
	for top >= 0 && s.digit[top] == 0 {
		top--
	}
	if top < 0 {
		return 0
	}
	high := 32*top + bits.Len64(uint64(s.digit[top])) - 1
	// Bits from low up are kept.
	low := max(high-f.Bits+1, f.Least+bias)
	m := s.bits(low)
	if s.bit(low-1) && (m&1 == 1 || s.below(low-1)) {
		m++
	}
	return f.Number(m, low-bias, negative)
}

// Number is m 2^e with a sign, or an infinity.
func (f Format) Number(m uint64, e int, negative bool) float64 {
	v := math.Ldexp(float64(m), e)
	if v > f.Max {
		v = math.Inf(1)
	}
	if negative {
		return -v
	}
	return v
}

// bits is the 64 bits from position at on, at least 0.
func (s *Sum) bits(at int) uint64 {
	i, by := at>>5, uint(at&31)
	v := s.at(i)>>by | s.at(i+1)<<(32-by)
	return v&math.MaxUint32 | (s.at(i+1)>>by|s.at(i+2)<<(32-by))<<32
}

// at is digit i; there are zeros above the last.
func (s *Sum) at(i int) uint64 {
	if i >= digits {
		return 0
	}
	return uint64(s.digit[i])
}

func (s *Sum) bit(at int) bool { return at >= 0 && s.at(at>>5)>>(at&31)&1 == 1 }

// below reports a bit set below position at.
func (s *Sum) below(at int) bool {
	for i := range at >> 5 {
		if s.digit[i] != 0 {
			return true
		}
	}
	return s.at(at>>5)&(1<<(at&31)-1) != 0
}

// Root is the square root of the sum, rounded once; NaN if it is negative. It
// spends the sum, as Round does.
func (s *Sum) Root(f Format) float64 {
	if v, ok := s.unusual(); ok {
		return math.Sqrt(v)
	}
	if s.magnitude() {
		return math.NaN()
	}
	m := new(big.Int)
	for i := digits - 1; i >= 0; i-- {
		m.Or(m.Lsh(m, 32), big.NewInt(s.digit[i]))
	}
	if m.Sign() == 0 {
		return 0
	}
	// Two more bits than are kept, and a third that says if something is left.
	shift := uint(max(0, f.Bits+3-m.BitLen()/2))
	m.Lsh(m, 2*shift)
	root := new(big.Int).Sqrt(m)
	rest := new(big.Int).Mul(root, root).Cmp(m) != 0
	exponent := -bias/2 - int(shift)
	drop := max(root.BitLen()-f.Bits, f.Least-exponent, 0)
	whole := new(big.Int).Rsh(root, uint(drop))
	left := new(big.Int).Sub(root, new(big.Int).Lsh(whole, uint(drop)))
	kept := whole.Uint64()
	half := new(big.Int).Lsh(big.NewInt(1), uint(max(drop-1, 0)))
	if c := left.Cmp(half); drop > 0 && (c > 0 || c == 0 && (rest || kept&1 == 1)) {
		kept++
	}
	return f.Number(kept, exponent+drop, false)
}

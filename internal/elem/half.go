package elem

import "math"

// F16 holds an IEEE 754 binary16 number.
type F16 uint16

// BF16 holds a bfloat16 number: the upper half of a float32.
type BF16 uint16

// F16From rounds f to the nearest binary16, ties to even. Values past 65504
// become infinite, NaN stays NaN.
func F16From(f float32) F16 {
	b := math.Float32bits(f)
	sign := uint16(b>>16) & 0x8000
	abs := b & 0x7fffffff
	switch {
	case abs > 0x7f800000: // NaN, kept quiet
		return F16(sign | 0x7e00 | uint16(abs>>13)&0x3ff)
	case abs >= 0x47800000: // 65536 and up, infinity
		return F16(sign | 0x7c00)
	case abs < 0x38800000: // below 2^-14: subnormal or zero
		// Adding 0.5 aligns the binary point so that the float32 addition
		// rounds the value to a multiple of 2^-24, ties to even.
		r := math.Float32frombits(abs) + 0.5
		return F16(sign | uint16(math.Float32bits(r)-math.Float32bits(0.5)))
	}
	// Rebias the exponent (127 -> 15) and round the 13 dropped bits; a carry
	// runs into the exponent, and past 65504 into infinity, as it must.
	abs += 0xc8000fff + (abs>>13)&1
	return F16(sign | uint16(abs>>13))
}

// Float32 is exact.
func (h F16) Float32() float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h & 0x3ff)
	switch exp {
	case 0:
		f := float32(frac) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// BF16From rounds f to the nearest bfloat16, ties to even.
func BF16From(f float32) BF16 {
	b := math.Float32bits(f)
	if b&0x7fffffff > 0x7f800000 {
		return BF16(b>>16 | 0x40) // keep NaN a NaN after the cut
	}
	return BF16((b + 0x7fff + b>>16&1) >> 16)
}

// Float32 is exact.
func (h BF16) Float32() float32 { return math.Float32frombits(uint32(h) << 16) }

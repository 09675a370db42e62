package npy

import "math"

// Half is an IEEE 754 binary16 number: what NumPy calls float16.
type Half uint16

// Float32 is the value of h, exactly.
func (h Half) Float32() float32 {
	sign := uint32(h>>15) << 31
	exponent, mantissa := uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exponent {
	case 0: // zero or subnormal: mantissa * 2^-24
		magnitude := float32(mantissa) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(magnitude))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | mantissa<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | mantissa<<13)
}

// NewHalf is f rounded to the nearest half, ties to even. Numbers of 65520 and
// more become infinite.
func NewHalf(f float32) Half {
	bits := math.Float32bits(f)
	sign := Half(bits >> 16 & 0x8000)
	magnitude := bits & 0x7fffffff
	switch {
	case magnitude > 0x7f800000: // NaN: keep the top of the payload, stay NaN
		return sign | 0x7e00 | Half(magnitude>>13&0x1ff)
	case magnitude >= 0x477ff000: // 65520
		return sign | 0x7c00
	case magnitude < 0x38800000: // below 2^-14: subnormal
		// Adding 0.5 leaves the mantissa in units of 2^-24, rounded by the
		// addition itself.
		f := math.Float32frombits(magnitude) + 0.5
		return sign | Half(math.Float32bits(f)-math.Float32bits(0.5))
	}
	odd := magnitude >> 13 & 1
	rounded := magnitude + 0xfff + odd
	return sign | Half((rounded-(127-15)<<23)>>13)
}

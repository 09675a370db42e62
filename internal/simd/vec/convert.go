package vec

import "math"

func convert[D, S int32 | uint8 | float32 | float64](dst []D, x []S, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, v := range x {
		dst[i] = D(v)
	}
}

func truncate[T Float](dst []int32, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, v := range x {
		switch v := float64(v); {
		case v != v:
			dst[i] = 0
		case v >= math.MaxInt32:
			dst[i] = math.MaxInt32
		case v <= math.MinInt32:
			dst[i] = math.MinInt32
		default:
			dst[i] = int32(v)
		}
	}
}

func f32FromI16(dst []float32, x []int16, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, v := range x {
		dst[i] = float32(v) * (1.0 / (1 << 15))
	}
}

func f32FromF16(dst []float32, x []uint16, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, h := range x {
		sign, exp, frac := uint32(h&0x8000)<<16, uint32(h>>10)&0x1f, uint32(h&0x3ff)
		var b uint32
		switch {
		case exp == 0x1f && frac != 0: // NaN, made quiet
			b = 0x7fc00000 | frac<<13
		case exp == 0x1f:
			b = 0x7f800000
		case exp == 0: // a multiple of 2^-24
			b = math.Float32bits(float32(frac) * (1.0 / (1 << 24)))
		default:
			b = (exp+112)<<23 | frac<<13
		}
		dst[i] = math.Float32frombits(sign | b)
	}
}

func f16FromF32(dst []uint16, x []float32, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, v := range x {
		b := math.Float32bits(v)
		sign, mag := uint16(b>>16)&0x8000, b&0x7fffffff
		switch {
		case mag > 0x7f800000: // NaN, made quiet
			dst[i] = sign | 0x7e00 | uint16(mag>>13)&0x3ff
		case mag >= 0x47800000: // 65536 and up
			dst[i] = sign | 0x7c00
		case mag < 0x38800000: // below 2^-14
			// The sum with 0.5 rounds to a multiple of 2^-24, ties to even.
			r := math.Float32frombits(mag) + 0.5
			dst[i] = sign | uint16(math.Float32bits(r)-math.Float32bits(0.5))
		default:
			// Rebias the exponent and round the 13 bits that go; a carry
			// runs into the exponent, and past 65504 into infinity.
			dst[i] = sign | uint16((mag+0xc8000fff+mag>>13&1)>>13)
		}
	}
}

func f32FromBF16(dst []float32, x []uint16, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, h := range x {
		dst[i] = math.Float32frombits(uint32(h) << 16)
	}
}

func bf16FromF32(dst []uint16, x []float32, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, v := range x {
		b := math.Float32bits(v)
		if v != v {
			dst[i] = uint16(b>>16 | 0x40) // a NaN must not lose its last bit
			continue
		}
		dst[i] = uint16((b + 0x7fff + b>>16&1) >> 16)
	}
}

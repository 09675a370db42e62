package view

import "math"

// Levels are kept and sent as half floats: between -256 and 256 dB they are
// exact to 0.1 dB or better, in half the bytes, and GPUs read them as they are.

// notANumber stands for levels that are none, such as those of segments with a
// NaN: a number, because textures may or may not keep NaN.
const notANumber = -30000

const halfNaN = 0xf753 // notANumber, as a half float

// toHalf rounds a level to a half float.
func toHalf(v float32) uint16 {
	if v != v {
		v = notANumber
	}
	b := math.Float32bits(v)
	sign := uint16(b >> 16 & 0x8000)
	exp := int(b>>23&0xff) - 127 + 15
	switch {
	case exp >= 31:
		return sign | 0x7bff // the greatest there is: levels are finite
	case exp <= 0:
		return sign // below 6e-5 dB
	}
	// Rounded to nearest; a carry goes into the exponent as it should.
	return sign | uint16((uint32(exp)<<10|b>>13&0x3ff)+b>>12&1)
}

// fromHalf is the level of a half float that toHalf made.
func fromHalf(h uint16) float32 {
	exp := uint32(h >> 10 & 31)
	if exp == 0 {
		return 0
	}
	return math.Float32frombits(uint32(h&0x8000)<<16 | (exp-15+127)<<23 | uint32(h&0x3ff)<<13)
}

// louder reports whether a is above b, both half floats; what is no number is
// above everything, so that it is not hidden.
func louder(a, b uint16) bool { return rank(a) > rank(b) }

// rank makes half floats comparable as integers, without a branch. Levels are
// above notANumber, whose rank wraps around from below all of them to the top.
func rank(h uint16) uint16 { return inOrder(h) - lowestRank }

const lowestRank = (halfNaN ^ 0xffff) + 1

// inOrder turns around what is negative, whose magnitudes count downwards.
func inOrder(h uint16) uint16 { return h ^ (uint16(int16(h)>>15) | 0x8000) }

package philox

import "math/bits"

// Multipliers and key increments of the paper.
const (
	mul0, mul1   = 0xD2511F53, 0xCD9E8D57
	weyl0, weyl1 = 0x9E3779B9, 0xBB67AE85
	rounds       = 10
)

// Block is the 128 random bits of a key and a counter: the generator's
// counter words are (low, high, 0, 0), its key words (low, high).
func Block(key, counter uint64) [4]uint32 {
	c0, c1, c2, c3 := uint32(counter), uint32(counter>>32), uint32(0), uint32(0)
	k0, k1 := uint32(key), uint32(key>>32)
	for range rounds {
		p0 := uint64(mul0) * uint64(c0)
		p1 := uint64(mul1) * uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k0, uint32(p1), uint32(p0>>32)^c3^k1, uint32(p0)
		k0 += weyl0
		k1 += weyl1
	}
	return [4]uint32{c0, c1, c2, c3}
}

// Bits is the block's first word.
func Bits(key, counter uint64) uint32 { return Block(key, counter)[0] }

// Word is the block's first two words, the second one above.
func Word(key, counter uint64) uint64 {
	b := Block(key, counter)
	return words(b[0], b[1])
}

// Float32 is uniform in [0, 1): 24 bits.
func Float32(key, counter uint64) float32 {
	return float32(Bits(key, counter)>>8) * 0x1p-24
}

// Float64 is uniform in [0, 1): 53 bits.
func Float64(key, counter uint64) float64 {
	return float64(Word(key, counter)>>11) * 0x1p-53
}

// Int is uniform in [lo, hi), up to a bias of (hi-lo)/2^64; lo if the range
// is empty.
func Int(key, counter uint64, lo, hi int64) int64 { return Between(lo, hi).Of(Word(key, counter)) }

// Range makes integers of words.
type Range struct {
	lo   int64
	span uint64
}

// Between is the range [lo, hi), or lo alone if that is empty.
func Between(lo, hi int64) Range {
	if hi <= lo {
		return Range{lo, 0}
	}
	return Range{lo, uint64(hi) - uint64(lo)}
}

// Of is the integer of a Word.
func (r Range) Of(word uint64) int64 {
	offset, _ := bits.Mul64(word, r.span)
	return r.lo + int64(offset)
}

func words(low, high uint32) uint64 { return uint64(high)<<32 | uint64(low) }

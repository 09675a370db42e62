package accum

import (
	"math"
	"math/bits"
)

// A Sum holds a multiple of 2^-2148, the product of the two least float64, in
// digits of 32 bits: digit i is worth 2^(32 i - 2148). The greatest product ends
// below 2^2048, and the last digits are for sums of many. Digits are int64 and
// may be far from reduced, so that adding does not carry.
const (
	bias   = 2148
	digits = (bias+2048)/32 + 3
)

// carryEvery is how many numbers are added, each less than 2^32 in any digit,
// before digits could overflow.
const carryEvery = 1 << 30

// Sum is an exact sum of float64 numbers and of products of them. The zero
// value is zero.
type Sum struct {
	digit       [digits]int64
	added       int
	nan         bool
	plus, minus bool // infinities seen
}

// Reset makes it zero again.
func (s *Sum) Reset() { *s = Sum{} }

const (
	mantissaBits = 52
	hidden       = 1 << mantissaBits
	exponentMask = 0x7ff
)

// split is x = m 2^(e - 1075) for finite x, without its sign.
func split(b uint64) (m uint64, e int) {
	m, e = b&(hidden-1), int(b>>mantissaBits&exponentMask)
	if e == 0 {
		return m, 1
	}
	return m | hidden, e
}

// Add adds x.
func (s *Sum) Add(x float64) {
	b := math.Float64bits(x)
	if b>>mantissaBits&exponentMask == exponentMask {
		s.special(x)
		return
	}
	m, e := split(b)
	at := e - 1075 + bias
	low, high := m<<(at&31), m>>1>>(63-at&31)
	d := (*[3]int64)(s.digit[at>>5:])
	// All ones turns the sum into its complement, that is -x without a branch.
	sign := int64(b) >> 63
	d[0] += (int64(low&math.MaxUint32) ^ sign) - sign
	d[1] += (int64(low>>32) ^ sign) - sign
	d[2] += (int64(high) ^ sign) - sign
	s.count()
}

// AddProduct adds x*y.
func (s *Sum) AddProduct(x, y float64) {
	a, b := math.Float64bits(x), math.Float64bits(y)
	if a>>mantissaBits&exponentMask == exponentMask || b>>mantissaBits&exponentMask == exponentMask {
		s.special(x * y)
		return
	}
	ma, ea := split(a)
	mb, eb := split(b)
	high, low := bits.Mul64(ma, mb)
	at := ea + eb - 2150 + bias
	by := uint(at & 31)
	top := high >> 1 >> (63 - by)
	high = high<<by | low>>1>>(63-by)
	low <<= by
	d := (*[5]int64)(s.digit[at>>5:])
	sign := int64(a^b) >> 63
	d[0] += (int64(low&math.MaxUint32) ^ sign) - sign
	d[1] += (int64(low>>32) ^ sign) - sign
	d[2] += (int64(high&math.MaxUint32) ^ sign) - sign
	d[3] += (int64(high>>32) ^ sign) - sign
	d[4] += (int64(top) ^ sign) - sign
	s.count()
}

func (s *Sum) count() {
	if s.added++; s.added >= carryEvery {
		s.carry()
	}
}

// special notes a number that is not finite.
func (s *Sum) special(x float64) {
	switch {
	case x > 0:
		s.plus = true
	case x < 0:
		s.minus = true
	default:
		s.nan = true
	}
}

// carry brings every digit but the last into 32 bits; the last has the sign.
func (s *Sum) carry() {
	c := int64(0)
	for i := range digits - 1 {
		v := s.digit[i] + c
		c = v >> 32
		s.digit[i] = v & math.MaxUint32
	}
	s.digit[digits-1] += c
	s.added = 1 // what is left of earlier numbers counts as one
}

// Join adds another sum, which is left with its digits carried.
func (s *Sum) Join(o *Sum) {
	s.carry()
	o.carry()
	for i := range s.digit {
		s.digit[i] += o.digit[i]
	}
	s.added++
	s.nan = s.nan || o.nan
	s.plus = s.plus || o.plus
	s.minus = s.minus || o.minus
}

// magnitude carries, makes the number positive and reports its sign.
func (s *Sum) magnitude() (negative bool) {
	s.carry()
	if s.digit[digits-1] >= 0 {
		return false
	}
	for i := range s.digit {
		s.digit[i] = -s.digit[i]
	}
	s.carry()
	return true
}

// unusual is the value of a sum that had numbers that are not finite.
func (s *Sum) unusual() (float64, bool) {
	switch {
	case s.nan || s.plus && s.minus:
		return math.NaN(), true
	case s.plus:
		return math.Inf(1), true
	case s.minus:
		return math.Inf(-1), true
	}
	return 0, false
}

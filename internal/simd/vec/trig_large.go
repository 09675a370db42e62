package vec

import (
	"math"
	"math/bits"
)

// twoByPiBits is 64 zeros followed by 2/pi to 1280 bits after the point: enough
// for the largest float64.
var twoByPiBits = [...]uint64{
	0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
	0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
	0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
	0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
	0xf0cfbc209af4361d,
}

// reduceLarge is x = quadrant*pi/2 + r + low, up to multiples of 2*pi, for finite
// x of at least 2^20 (Payne and Hanek's method). An integer m times 2/pi matters
// only modulo 4, so 192 bits of 2/pi are enough, taken from where its product
// with m has the weight 2.
func reduceLarge(x float64) (r, low float64, quadrant uint64) {
	b := math.Float64bits(x)
	m := b&fraction | 1<<52
	at := uint(b>>52&0x7ff) - 1075 + 62
	word, shift := at/64, at%64
	var w [3]uint64
	for i := range w {
		// A shift by 64 gives 0, as it should.
		w[i] = twoByPiBits[word+uint(i)]<<shift | twoByPiBits[word+uint(i)+1]>>(64-shift)
	}
	// The product modulo 2^192, in units of 2^-190.
	carry, p2 := bits.Mul64(m, w[2])
	high, p1 := bits.Mul64(m, w[1])
	p1, over := bits.Add64(p1, carry, 0)
	p0 := m*w[0] + high + over

	quadrant = p0 >> 62
	p0 = p0<<2 | p1>>62
	p1 = p1<<2 | p2>>62
	p2 <<= 2
	sign := b >> 63
	if p0>>63 != 0 { // the nearer multiple is the next
		quadrant++
		sign ^= 1
		var borrow uint64
		p2, borrow = bits.Sub64(0, p2, 0)
		p1, borrow = bits.Sub64(0, p1, borrow)
		p0, _ = bits.Sub64(0, p0, borrow)
	}
	// Normalised, the upper 53 bits and the next 53. No float64 is so close
	// to a multiple of pi/2 that the first word is zero and more.
	zeros := uint(bits.LeadingZeros64(p0))
	if zeros == 64 {
		zeros += uint(bits.LeadingZeros64(p1))
		p0, p1, p2 = p1, p2, 0
	}
	s := zeros % 64
	p0, p1 = p0<<s|p1>>(64-s), p1<<s|p2>>(64-s)
	scale := math.Ldexp(1, -53-int(zeros))
	f := float64(p0>>11) * scale
	g := float64(p0<<42&(1<<53-1)|p1>>22) * scale * 0x1p-53

	r = float64(f * piHigh)
	low = math.FMA(f, piHigh, -r)
	low += math.FMA(f, piMid, float64(g*piHigh))
	sum := r + low
	low -= sum - r
	if b>>63 != 0 {
		quadrant = -quadrant
	}
	if sign != 0 {
		sum, low = -sum, -low
	}
	return sum, low, quadrant
}

package wide

import "math/bits"

// Numbers are slices of the same length, which is that of acc less one.

// add sets dst to a + b.
func add(dst, a, b []uint64) {
	var c uint64
	if len(dst) == 3 {
		a, b := (*[3]uint64)(a), (*[3]uint64)(b)
		dst[0], c = bits.Add64(a[0], b[0], 0)
		dst[1], c = bits.Add64(a[1], b[1], c)
		dst[2], _ = bits.Add64(a[2], b[2], c)
		return
	}
	for i := range dst {
		dst[i], c = bits.Add64(a[i], b[i], c)
	}
}

// sub sets dst to a - b.
func sub(dst, a, b []uint64) {
	var c uint64
	if len(dst) == 3 {
		a, b := (*[3]uint64)(a), (*[3]uint64)(b)
		dst[0], c = bits.Sub64(a[0], b[0], 0)
		dst[1], c = bits.Sub64(a[1], b[1], c)
		dst[2], _ = bits.Sub64(a[2], b[2], c)
		return
	}
	for i := range dst {
		dst[i], c = bits.Sub64(a[i], b[i], c)
	}
}

// negate sets dst to -a.
func negate(dst, a []uint64) {
	var c uint64
	for i := range dst {
		dst[i], c = bits.Sub64(0, a[i], c)
	}
}

func negative(a []uint64) bool { return a[len(a)-1]>>63 == 1 }

// high sets dst to a w / 2^(64 limbs), where neither has a sign: w is a
// fraction. Products of low limbs are left out, so it may be less than the true
// one by as much as there are limbs.
func high(dst, a, w, acc []uint64) {
	n := len(a)
	if n == 3 {
		high3((*[3]uint64)(dst), (*[3]uint64)(a), (*[3]uint64)(w))
		return
	}
	acc[0] = 0
	for i, by := range w {
		var carry uint64
		for j := n - 1 - i; j < n; j++ {
			hi, lo := bits.Mul64(a[j], by)
			var c uint64
			at := &acc[i+j-n+1]
			lo, c = bits.Add64(lo, *at, 0)
			hi += c
			lo, c = bits.Add64(lo, carry, 0)
			*at, carry = lo, hi+c
		}
		acc[i+1] = carry
	}
	copy(dst, acc[1:n+1])
}

// high3 is high for three limbs, what most lines take.
func high3(dst, a, w *[3]uint64) {
	h20, l20 := bits.Mul64(a[2], w[0])
	h11, l11 := bits.Mul64(a[1], w[1])
	h02, l02 := bits.Mul64(a[0], w[2])
	low, c := bits.Add64(l20, l11, 0)
	_, d := bits.Add64(low, l02, 0)
	h21, l21 := bits.Mul64(a[2], w[1])
	h12, l12 := bits.Mul64(a[1], w[2])
	h22, l22 := bits.Mul64(a[2], w[2])
	// Column by column, with what is carried into the next.
	x, e := bits.Add64(h20, h11, c)
	x, f := bits.Add64(x, h02, d)
	x, g := bits.Add64(x, l21, 0)
	x, h := bits.Add64(x, l12, 0)
	y, i := bits.Add64(h21, h12, e)
	y, j := bits.Add64(y, l22, f)
	y, k := bits.Add64(y, g+h, 0)
	dst[0], dst[1], dst[2] = x, y, h22+i+j+k
}

// mul is high for a number a with a sign.
func mul(dst, a, w, acc []uint64) {
	minus := negative(a)
	high(dst, a, w, acc)
	if minus { // without its sign, a is larger by 2^(64 limbs)
		sub(dst, dst, w)
	}
}

// length is the number of bits of a, which has no sign.
func length(a []uint64) int {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != 0 {
			return 64*i + bits.Len64(a[i])
		}
	}
	return 0
}

// bit is one bit of a; there are zeros on either side.
func bit(a []uint64, at int) uint64 {
	if at < 0 || at >= 64*len(a) {
		return 0
	}
	return a[at>>6] >> (at & 63) & 1
}

// word is the 64 bits of a from a place on, which may be negative.
func word(a []uint64, from int) uint64 {
	i, by := from>>6, uint(from&63)
	limb := func(i int) uint64 {
		if i < 0 || i >= len(a) {
			return 0
		}
		return a[i]
	}
	return limb(i)>>by | limb(i+1)<<(64-by)
}

// zeroBelow reports that no bit below a place is set.
func zeroBelow(a []uint64, at int) bool {
	for i := range a {
		switch {
		case 64*(i+1) <= at:
			if a[i] != 0 {
				return false
			}
		case 64*i < at:
			return a[i]&(1<<(at-64*i)-1) == 0
		}
	}
	return true
}

// addBit adds 2^at.
func addBit(a []uint64, at int) {
	c := uint64(1) << (at & 63)
	for i := at >> 6; i < len(a) && c != 0; i++ {
		a[i], c = bits.Add64(a[i], c, 0)
	}
}

// clearBelow clears the bits below a place.
func clearBelow(a []uint64, at int) {
	for i := range a {
		switch {
		case 64*(i+1) <= at:
			a[i] = 0
		case 64*i < at:
			a[i] &^= 1<<(at-64*i) - 1
		}
	}
}

package wide

import "math/bits"

// Numbers are slices of the same length, which is that of acc less one.

// add sets dst to a + b.
func add(dst, a, b []uint64) {
	var c uint64
	for i := range dst {
		dst[i], c = bits.Add64(a[i], b[i], c)
	}
}

// sub sets dst to a - b.
func sub(dst, a, b []uint64) {
	var c uint64
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

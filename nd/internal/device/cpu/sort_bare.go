package cpu

import "unsafe"

// bareSort sorts bits by keys without positions, which are half as long or less: the key of
// an integer is its bits with some flipped, and so is that of a float, whose greatest finite
// number is below inf. A line with NaN, of which there are many, or with zeros of either
// sign, which are equal, is refused: its values cannot be made of keys.
func bareSort[K uint32 | uint64](flip, inf K) func(dst unsafe.Pointer, step int, x unsafe.Pointer, n int, s *scratch) bool {
	size := int(unsafe.Sizeof(K(0)))
	top := 8*size - 1
	sign := K(1) << top
	return func(dst unsafe.Pointer, step int, x unsafe.Pointer, n int, s *scratch) bool {
		keys := scratchOf[K](s, n)
		for i, v := range slice[K](x, n) {
			if inf != 0 {
				if v&^sign > inf || v == sign {
					return false
				}
				v ^= -(v >> top) | sign // the bits of negative numbers shrink
			}
			keys[i] = v ^ flip
		}
		sortDigits(keys, 0, s)
		for i, v := range keys {
			v ^= flip
			if inf != 0 {
				v ^= ^-(v >> top) | sign
			}
			*(*K)(unsafe.Add(dst, i*step*size)) = v
		}
		return true
	}
}

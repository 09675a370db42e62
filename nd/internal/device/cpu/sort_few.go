package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// fewFloats finds the positions of the first few floats, in descending order or not, by one
// look at every element: most are dropped by a comparison with the last that is kept. NaN
// comes last in either direction; of equal ones, zeros of either sign among them, the first
// comes first.
func fewFloats[T vec.Float](descending bool) func(places []uint64, x unsafe.Pointer, length int) {
	sign := T(1)
	if descending {
		sign = -1
	}
	return func(places []uint64, x unsafe.Pointer, length int) {
		values, kept := slice[T](x, length), 0
		var first [insertUpTo]T // what is kept; its negative, if descending
		for i := 0; i < length; i++ {
			if kept == len(places) {
				if i = nextBefore(values, i, sign*first[kept-1], descending); i == length {
					return
				}
				kept-- // the last makes room
			}
			v, at := sign*values[i], kept
			for ; at > 0 && (v < first[at-1] || first[at-1] != first[at-1] && v == v); at-- {
				first[at], places[at] = first[at-1], places[at-1]
			}
			first[at], places[at] = v, uint64(i)
			kept++
		}
	}
}

// nextBefore is the first place from i on whose value comes before a, or the length.
func nextBefore[T vec.Float](values []T, i int, a T, descending bool) int {
	switch {
	case a != a:
		for ; i < len(values) && values[i] != values[i]; i++ {
		}
	case descending:
		for ; i < len(values) && !(values[i] > a); i++ {
		}
	default:
		for ; i < len(values) && !(values[i] < a); i++ {
		}
	}
	return i
}

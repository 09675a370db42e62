package median

import (
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Slide gives the median of every window of size elements of x, an odd number:
// len(x)-size+1 of them. NaN is above all numbers, or below them if its sign says
// so.
type Slide func(dst, x []float64, size int)

// For is the kernel of a level.
func For(l simd.Level) Slide {
	if s := assembled(l); s != nil {
		return s
	}
	return slide
}

func slide(dst, x []float64, size int) {
	// Integers of the same order compare without branches.
	keys := make([]int64, len(x))
	for i, v := range x {
		keys[i] = Key(v)
	}
	w := slices.Clone(keys[:size])
	slices.Sort(w)
	for i := range dst[:len(x)-size+1] {
		if i > 0 {
			Replace(w, keys[i-1], keys[i-1+size])
		}
		dst[i] = OfKey(w[size/2])
	}
}

// Key is an integer for every number, in the same order.
func Key(v float64) int64 {
	b := int64(math.Float64bits(v))
	return b ^ int64(uint64(b>>63)>>1)
}

// OfKey is the number of a Key.
func OfKey(k int64) float64 { return math.Float64frombits(uint64(k ^ int64(uint64(k>>63)>>1))) }

// Replace takes a value that is there out of a sorted list and puts another one in.
func Replace(list []int64, old, v int64) {
	i, j := notLess(list, old), notLess(list, v)
	if i < j {
		copy(list[i:j-1], list[i+1:j])
		list[j-1] = v
		return
	}
	copy(list[j+1:i+1], list[j:i])
	list[j] = v
}

// notLess is the place of the first element of a sorted list that is not less than
// v. It does not branch on elements, which no processor could predict.
func notLess(list []int64, v int64) int {
	at, n := 0, len(list)
	for n > 1 {
		half := n / 2
		at += half & -below(list[at+half-1], v)
		n -= half
	}
	return at + below(list[at], v)
}

// below is 1 if a is less than b, else 0.
func below(a, b int64) int {
	if a < b {
		return 1
	}
	return 0
}

// Package order sorts keys, which are unsigned integers, and makes keys of floats.
package order

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

//go:generate go -C ../_gen run ./order

// Key is what is sorted.
type Key interface{ uint32 | uint64 }

// Kernels is those of a level.
type Kernels[K Key] struct {
	// Sort puts the least keep keys, in order, to the front; the others are anywhere behind
	// them. room is as long as keys. It is nil where the level has no kernel.
	Sort func(keys, room []K, keep int)
	// FromFloats makes keys that have the order of floats, from their bits, and flips bits.
	// It reports false if there is a NaN, or a zero with a sign: it equals one without.
	FromFloats func(keys, floats []K, flip K) bool
	// ToFloats is its inverse.
	ToFloats func(floats, keys []K, flip K)
}

// For is the kernels of a level.
func For[K Key](l simd.Level) Kernels[K] {
	if k, ok := assembled(l, K(0)).(Kernels[K]); ok {
		return k
	}
	return Kernels[K]{FromFloats: fromFloats[K], ToFloats: toFloats[K]}
}

// Format says where the bits of floats are.
func Format[K Key]() (sign, infinite K) {
	if unsafe.Sizeof(K(0)) == 4 {
		return 1 << 31, 0xff << 23
	}
	one := uint64(1)
	return K(one << 63), K(0x7ff * one << 52)
}

// KeyOf is the key of the bits of a float that is no NaN: the bits of a positive number grow
// with it, those of a negative one shrink.
func KeyOf[K Key](v K) K {
	sign, _ := Format[K]()
	return v ^ (-(v >> (bits.Len64(uint64(sign)) - 1)) | sign)
}

func fromFloats[K Key](keys, floats []K, flip K) bool {
	sign, infinite := Format[K]()
	for i, v := range floats {
		if v&^sign > infinite || v == sign {
			return false
		}
		keys[i] = KeyOf(v) ^ flip
	}
	return true
}

func toFloats[K Key](floats, keys []K, flip K) {
	sign, _ := Format[K]()
	top := bits.Len64(uint64(sign)) - 1
	for i, k := range keys {
		k ^= flip
		floats[i] = k ^ (^-(k >> top) | sign)
	}
}

// quick is a quicksort that moves keys from one place to another and back.
type quick[K Key] struct {
	// partition moves keys below the pivot to the front of dst and the others to its end.
	partition func(dst, src *K, n int, pivot K, table *K) (below int)
	// sortFew sorts up to few keys, sortTwice twice as many, and sortSome up to some.
	sortFew, sortTwice, sortSome func(dst, src *K, n int)
	few, some                    int
	table                        []K
}

func (q *quick[K]) sort(keys, room []K, keep int) {
	// Pivots halve a part on average; after twice as many halvings as that takes, the keys
	// are of a kind to be sorted by another way.
	q.part(keys, keys, room, keep, 2*bits.Len(uint(len(keys))), make([]K, q.some))
}

// part sorts the least keep keys of src to dst. src is dst or the room, and to is the other.
func (q *quick[K]) part(dst, src, to []K, keep, depth int, sample []K) {
	for {
		n := len(src)
		switch {
		case n == 0 || keep <= 0:
			return
		case n <= q.few:
			q.sortFew(&dst[0], &src[0], n)
			return
		case n <= 2*q.few:
			q.sortTwice(&dst[0], &src[0], n)
			return
		case n <= q.some:
			q.sortSome(&dst[0], &src[0], n)
			return
		case depth == 0:
			copy(dst, src)
			slices.Sort(dst)
			return
		}
		depth--
		pivot := q.pivot(src, sample)
		below := q.partition(&to[0], &src[0], n, pivot, &q.table[0])
		if below == 0 { // the pivot is the least key: all like it are sorted
			if below = n; pivot+1 != 0 {
				below = q.partition(&to[0], &src[0], n, pivot+1, &q.table[0])
			}
			for i := range dst[:below] {
				dst[i] = pivot
			}
		} else {
			q.part(dst[:below], to[:below], src[:below], min(keep, below), depth, sample)
		}
		dst, src, to, keep = dst[below:], to[below:], src[below:], keep-below
	}
}

// pivot is the median of some keys, of more where that is worth their time.
func (q *quick[K]) pivot(keys, sample []K) K {
	sort := q.sortSome
	if len(keys) < 1<<15 {
		sample, sort = sample[:q.few], q.sortFew
	}
	step := len(keys) / len(sample)
	for i := range sample {
		sample[i] = keys[i*step+step/2]
	}
	sort(&sample[0], &sample[0], len(sample))
	return sample[len(sample)/2]
}

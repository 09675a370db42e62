// Package order sorts keys, which are unsigned integers, and makes keys of floats.
package order

import (
	"math/bits"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

//go:generate go -C ../_gen run ./order

// Key is what is sorted.
type Key interface{ uint32 | uint64 }

// Kernels is those of a level.
type Kernels[K Key] struct {
	// Sort puts the least keep keys, in order, to the front; the others are anywhere behind
	// them. It is nil where the level has no kernel.
	Sort func(keys []K, keep int)
	// Flip makes keys of integers, and integers of keys: it flips bits.
	Flip func(dst, src []K, flip K)
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
	return Kernels[K]{Flip: flip[K], FromFloats: fromFloats[K], ToFloats: toFloats[K]}
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

func flip[K Key](dst, src []K, flip K) {
	for i, v := range src {
		dst[i] = v ^ flip
	}
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

package order

import "github.com/twiddle-go/twiddle/internal/simd"

// assembled is the Kernels for keys like one, or nil.
func assembled[K Key](l simd.Level, like K) any {
	if l != simd.AVX512 {
		return nil
	}
	if _, ok := any(like).(uint32); ok {
		return kernels(&quick[uint32]{partition32AVX512, sort32of32AVX512, sort64of32AVX512, sort128of32AVX512, 32, 128, table[uint32](16)}, fromFloats32AVX512, toFloats32AVX512)
	}
	return kernels(&quick[uint64]{partition64AVX512, sort16of64AVX512, sort32of64AVX512, sort64of64AVX512, 16, 64, table[uint64](8)}, fromFloats64AVX512, toFloats64AVX512)
}

func kernels[K Key](q *quick[K], from func(dst, src *K, n int, flip K) int, to func(dst, src *K, n int, flip K)) Kernels[K] {
	return Kernels[K]{
		Sort: q.sort,
		FromFloats: func(keys, floats []K, flip K) bool {
			return len(floats) == 0 || from(&keys[0], &floats[0], len(floats), flip) == 0
		},
		ToFloats: func(floats, keys []K, flip K) {
			if len(keys) > 0 {
				to(&floats[0], &keys[0], len(keys), flip)
			}
		},
	}
}

// table is what moves a vector up by some lanes, for all numbers of them.
func table[K Key](lanes int) []K {
	t := make([]K, 2*lanes)
	for i := range t {
		t[i] = K(i - lanes)
	}
	return t
}

package order

import "github.com/twiddle-go/twiddle/internal/simd"

// assembled is the Kernels for keys like one, or nil.
func assembled[K Key](l simd.Level, like K) any {
	_, word := any(like).(uint32)
	switch {
	case l == simd.AVX512 && word:
		return kernels(16, &quick[uint32]{partition32AVX512, networks(sort32of32AVX512, sort64of32AVX512, sort128of32AVX512, sort256of32AVX512), 32},
			flip32AVX512, fromFloats32AVX512, toFloats32AVX512)
	case l == simd.AVX512:
		return kernels(8, &quick[uint64]{partition64AVX512, networks(sort16of64AVX512, sort32of64AVX512, sort64of64AVX512, sort128of64AVX512), 16},
			flip64AVX512, fromFloats64AVX512, toFloats64AVX512)
	case l == simd.AVX2 && word:
		return kernels(8, &quick[uint32]{partition32AVX2, networks(sort16of32AVX2, sort32of32AVX2, sort64of32AVX2), 16},
			flip32AVX2, fromFloats32AVX2, toFloats32AVX2)
	case l == simd.AVX2:
		return kernels(4, &quick[uint64]{partition64AVX2, networks(sort8of64AVX2, sort16of64AVX2, sort32of64AVX2), 8},
			flip64AVX2, fromFloats64AVX2, toFloats64AVX2)
	}
	return nil
}

func networks[K Key](sorts ...func(keys *K, n int)) []func(keys *K, n int) { return sorts }

// kernels leaves what is behind the last whole vector to Go.
func kernels[K Key](lanes int, q *quick[K], flips func(dst, src *K, n int, flip K), from func(dst, src *K, n int, flip K) int, to func(dst, src *K, n int, flip K)) Kernels[K] {
	return Kernels[K]{
		Sort: q.sort,
		Flip: func(dst, src []K, by K) {
			n := len(src) &^ (lanes - 1)
			if n > 0 {
				flips(&dst[0], &src[0], n, by)
			}
			flip(dst[n:], src[n:], by)
		},
		FromFloats: func(keys, floats []K, flip K) bool {
			n := len(floats) &^ (lanes - 1)
			return (n == 0 || from(&keys[0], &floats[0], n, flip) == 0) && fromFloats(keys[n:], floats[n:], flip)
		},
		ToFloats: func(floats, keys []K, flip K) {
			n := len(keys) &^ (lanes - 1)
			if n > 0 {
				to(&floats[0], &keys[0], n, flip)
			}
			toFloats(floats[n:], keys[n:], flip)
		},
	}
}

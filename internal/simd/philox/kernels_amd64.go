package philox

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(l simd.Level, k *Kernels) {
	switch l {
	case simd.AVX2:
		*k = Kernels{
			byRounds(wordsAVX2), byRounds(uniform32AVX2), byRounds(uniform64AVX2), byRounds(normal32AVX2), byRounds(normal64AVX2),
		}
	case simd.AVX512:
		*k = Kernels{
			byRounds(wordsAVX512), byRounds(uniform32AVX512), byRounds(uniform64AVX512), byRounds(normal32AVX512), byRounds(normal64AVX512),
		}
	}
}

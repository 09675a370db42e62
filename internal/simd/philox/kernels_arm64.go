package philox

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(l simd.Level, k *Kernels) {
	if l == simd.NEON {
		*k = Kernels{
			byRounds(wordsNEON), byRounds(uniform32NEON), byRounds(uniform64NEON), byRounds(normal32NEON), byRounds(normal64NEON),
		}
	}
}

package row

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(l simd.Level, t *Table) {
	if l == simd.NEON {
		*t = assembled(rotateNEON, addScaledNEON, productsNEON, fourNEON, polesNEON,
			exchangeNEON, eliminateNEON, substituteNEON)
	}
}

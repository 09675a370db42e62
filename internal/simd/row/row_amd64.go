package row

import "github.com/twiddle-go/twiddle/internal/simd"

func accelerate(l simd.Level, t *Table) {
	switch l {
	case simd.AVX2:
		*t = assembled(rotateAVX2, addScaledAVX2, productsAVX2, fourAVX2, polesAVX2,
			exchangeAVX2, eliminateAVX2, substituteAVX2)
	case simd.AVX512:
		*t = assembled(rotateAVX512, addScaledAVX512, productsAVX512, fourAVX512, polesAVX512,
			exchangeAVX512, eliminateAVX512, substituteAVX512)
	}
}

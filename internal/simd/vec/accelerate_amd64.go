package vec

import "github.com/twiddle-go/twiddle/internal/simd"

// accelerate replaces the kernels that the table's level has assembly for.
func accelerate(t *Table) {
	switch t.Level {
	case simd.AVX2:
		realF32AVX2(&t.F32)
		realF64AVX2(&t.F64)
		elementaryF32AVX2(&t.F32)
		elementaryF64AVX2(&t.F64)
		t.C64 = complexOf[complex64](&t.F32, pairsF32AVX2())
		t.C128 = complexOf[complex128](&t.F64, pairsF64AVX2())
		t.Convert = convertAVX2()
		integersAVX2(t)
		t.useCasts(32, castAVX2)
		t.useQuotients(32, quotientsAVX2)
		t.Move = Move{
			Copy: streaming(copyBytesAVX2), Fill4: fill4AVX2, Fill8: fill8AVX2,
			Transpose: squares{
				transpose1AVX2, transpose2AVX2,
				byLines(4, transposeLines4AVX2, transpose4AVX2),
				byLines(8, transposeLines8AVX2, transpose8AVX2),
				byLines(16, transposeLines16AVX2, transpose16AVX2),
			}.transpose,
			Gather:  gatherer(pairRealF32AVX2, pairRealF64AVX2),
			Scatter: scatter,
		}
	case simd.AVX512:
		realF32AVX512(&t.F32)
		realF64AVX512(&t.F64)
		elementaryF32AVX512(&t.F32)
		elementaryF64AVX512(&t.F64)
		t.C64 = complexOf[complex64](&t.F32, pairsF32AVX512())
		t.C128 = complexOf[complex128](&t.F64, pairsF64AVX512())
		t.Convert = convertAVX512()
		integersAVX512(t)
		t.useCasts(64, castAVX512)
		t.useQuotients(64, quotientsAVX512)
		t.Move = Move{
			Copy: streaming(copyBytesAVX512), Fill4: fill4AVX512, Fill8: fill8AVX512,
			Transpose: squares{transpose1AVX2, transpose2AVX2, transpose4AVX512, transpose8AVX512, transpose16AVX512}.transpose,
			Gather:    gatherer(pairRealF32AVX512, pairRealF64AVX512),
			Scatter:   scatter,
		}
	}
}

package vec

import "github.com/twiddle-go/twiddle/internal/simd"

// accelerate replaces the kernels that the table's level has assembly for. Copies
// and fills stay Go's: there are no stores that pass by the caches.
func accelerate(t *Table) {
	if t.Level != simd.NEON {
		return
	}
	realF32NEON(&t.F32)
	realF64NEON(&t.F64)
	elementaryF32NEON(&t.F32)
	elementaryF64NEON(&t.F64)
	t.C64 = complexOf[complex64](&t.F32, pairsF32NEON())
	t.C128 = complexOf[complex128](&t.F64, pairsF64NEON())
	t.Convert = convertNEON()
	integersNEON(t)
	t.useCasts(16, castNEON)
	t.useQuotients(16, quotientsNEON)
	t.Move.Fill4, t.Move.Fill8 = fill4NEON, fill8NEON
	t.Move.Transpose = squares{transpose1NEON, transpose2NEON, transpose4NEON, transpose8NEON, transpose16NEON}.transpose
	t.Move.Gather = gatherer(pairRealF32NEON, pairRealF64NEON)
}

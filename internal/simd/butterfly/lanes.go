package butterfly

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lanes is the number of components of the given width (32 or 64 bits) that a
// vector of the level holds, 1 for portable code.
func Lanes(level simd.Level, bits int) int {
	switch level {
	case simd.NEON:
		return 128 / bits
	case simd.AVX2:
		return 256 / bits
	case simd.AVX512:
		return 512 / bits
	}
	return 1
}

// Select returns the fastest kernel of a level for a pass of the given radix
// and number of columns. Columns that do not fill a vector want a masked
// kernel, else a lower level, and at last portable code.
func Select[R Float](level simd.Level, radix int, load, store Form, cols int) Kernel {
	bits := 8 * sizeof[R]()
	for l := level; l > simd.Portable; l-- {
		kernel := vector
		if cols < Lanes(l, bits) {
			kernel = vectorPartial
		}
		if k := kernel(l, bits, radix, load, store); k != nil {
			return k
		}
	}
	return Portable[R](radix, load, store)
}

// Own reports whether a level has a pass kernel of the radix.
func Own[R Float](level simd.Level, radix int) bool {
	return vector(level, 8*sizeof[R](), radix, Split, Split) != nil
}

// Partial reports whether a level has kernels for fewer columns than lanes.
func Partial(level simd.Level, bits int) bool {
	return vectorPartial(level, bits, 2, Split, Split) != nil
}

// Lead returns the lead kernel of a level with vectors, for at least as many columns
// as it has lanes, and the column in each lane of its vectors. It is nil where a level
// has no lead of the radix.
func Lead[R Float](level simd.Level, v LeadKind) (Kernel, []int) {
	bits := 8 * sizeof[R]()
	return vectorLead(level, bits, v), leadLanes(level, bits)
}

// ByColumn says that the twiddles of a lead, including those of result 0, are by columns: for each, in
// order, vectors of the real parts for as many results as there are lanes, in the order of the lanes,
// and of the imaginary ones.
func ByColumn[R Float](level simd.Level, v LeadKind) bool {
	return level == simd.AVX2 && sizeof[R]() == 4 && v.Spread && v.Radix == 16
}

// Mixed returns the kernel of a level for a pass from planes to interleaved elements without
// twiddles, over rows that a lead of interleaved lines left: the elements of each vector are in
// the order of its columns, see [Lead], and the results are in order. Cols is a multiple of the
// lanes.
func Mixed[R Float](level simd.Level, radix int) Kernel {
	bits := 8 * sizeof[R]()
	lanes := leadLanes(level, bits)
	if slices.IsSorted(lanes) {
		return Select[R](level, radix, Split, Interleaved, len(lanes))
	}
	if k := vectorMixed(level, bits, radix); k != nil {
		return k
	}
	return PortableMixed[R](lanes, radix)
}

// Leads reports whether a level has leads of the radix.
func Leads(level simd.Level, bits, radix int) bool {
	return vectorLead(level, bits, LeadKind{Radix: radix}) != nil
}

// Turn returns the turn kernel of a level with vectors, for rectangles of at
// least its lanes on either side.
func Turn[R Float](level simd.Level, product bool) Kernel {
	if k := vectorTurn(level, 8*sizeof[R](), product); k != nil {
		return k
	}
	return PortableTurn[R](Lanes(level, 8*sizeof[R]()), product)
}

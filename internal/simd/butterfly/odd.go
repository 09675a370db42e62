package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Odd returns the widest kernel of a level for passes of any odd radix from 5 to
// MaxRadix, or nil. It is for primes that have no kernel of their own. A pass that it
// runs has the OddTable of its radix as Factors, no twiddles, and the same form on both
// sides.
func Odd[R Float](level simd.Level, load, store Form, cols int) Kernel {
	bits := 8 * sizeof[R]()
	for l := level; l > simd.Portable; l-- {
		if k := vectorOdd(l, bits, load, store); k != nil && cols >= Lanes(l, bits) {
			return k
		}
	}
	return nil
}

// OddTable is half of a radix, rounded down, as an int64, and then the coefficients in
// the order of use: for each two results k and k+1, and for each pair of legs j and
// radix-j, the cosines and sines of j*k and of j*(k+1) parts of a turn. Where the number
// of results is odd, the last two begin with one that was there before.
func OddTable[R Float](radix int) unsafe.Pointer {
	half := radix / 2
	table := roots.Of(radix)
	var w []R
	for k := 1; k <= half; k += 2 {
		k := min(k, half-1)
		for j := 1; j <= half; j++ {
			for _, result := range [2]int{k, k + 1} {
				re, im := table.At(j * result % radix)
				w = append(w, R(re), R(-im))
			}
		}
	}
	words := make([]uint64, 1+len(w)*sizeof[R]()/8)
	words[0] = uint64(half)
	copy(unsafe.Slice((*R)(unsafe.Pointer(&words[1])), len(w)), w)
	return unsafe.Pointer(&words[0])
}

// Prime returns the kernel of a level that transforms lines of an odd number of elements,
// side by side in memory and no fewer than a vector has lanes, or nil. Rows are lines; a
// pass that it runs has the PrimeTable of that length as Factors.
func Prime[R Float](level simd.Level, load, store Form) Kernel {
	return vectorPrime(level, 8*sizeof[R](), load, store)
}

// PrimeTable is half of a length, rounded down, and the number of vectors in a line,
// rounded up, as int64, and then for each vector of results k, and for each pair of
// elements j and n-j, the cosines and the sines of j*k parts of a turn. The last vector
// ends with the line.
func PrimeTable[R Float](level simd.Level, n int) unsafe.Pointer {
	lanes := Lanes(level, 8*sizeof[R]())
	table := roots.Of(n)
	blocks := (n + lanes - 1) / lanes
	var w []R
	for block := range blocks {
		first := min(block*lanes, n-lanes)
		for j := 1; j <= n/2; j++ {
			sines := make([]R, lanes)
			for i := range sines {
				re, im := table.At(j * (first + i) % n)
				w = append(w, R(re))
				sines[i] = R(-im)
			}
			w = append(w, sines...)
		}
	}
	const line = 64 / 8 // words in a cache line: no vector is in two of them
	words := make([]uint64, line+2+len(w)*sizeof[R]()/8)
	for uintptr(unsafe.Pointer(&words[2]))%64 != 0 {
		words = words[1:]
	}
	words[0], words[1] = uint64(n/2), uint64(blocks)
	copy(unsafe.Slice((*R)(unsafe.Pointer(&words[2])), len(w)), w)
	return unsafe.Pointer(&words[0])
}

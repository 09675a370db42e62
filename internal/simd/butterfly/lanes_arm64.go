package butterfly

import "github.com/twiddle-go/twiddle/internal/simd"

// families are by level and width of a component.
var families = map[simd.Level]map[int]*family{
	simd.NEON: {
		32: {
			passes:        &passesNEONF32,
			leads:         leadsNEONF32,
			firsts:        firstsNEONF32[:],
			turns:         [2]Kernel{turnNEONF32, turnProductNEONF32},
			tangle:        untangleNEONF32,
			times:         [2][2]Kernel{{timesSSNEONF32, timesSINEONF32}, {timesISNEONF32, timesIINEONF32}},
			odds:          [2][2]Kernel{{oddSSNEONF32, nil}, {nil, oddIINEONF32}},
			primes:        [2][2]Kernel{{primeSSNEONF32, primeSINEONF32}, {primeISNEONF32, primeIINEONF32}},
			besides:       besides{besideNEONF32, endsNEONF32},
			reals:         realsNEONF32,
			shorts:        shortsNEONF32[:],
			composed:      composedNEONF32,
			composedReals: composedRealsNEONF32[:],
			manies:        maniesNEONF32[:],
			manyReals:     manyRealsNEONF32[:],
			intoLanes:     [2]Kernel{toLanesNEONF32, fromLanesNEONF32},
			shortReals:    shortRealsNEONF32[:],
		},
		64: {
			passes:        &passesNEONF64,
			leads:         leadsNEONF64,
			firsts:        firstsNEONF64[:],
			turns:         [2]Kernel{turnNEONF64, turnProductNEONF64},
			tangle:        untangleNEONF64,
			times:         [2][2]Kernel{{timesSSNEONF64, timesSINEONF64}, {timesISNEONF64, timesIINEONF64}},
			odds:          [2][2]Kernel{{oddSSNEONF64, nil}, {nil, oddIINEONF64}},
			primes:        [2][2]Kernel{{primeSSNEONF64, primeSINEONF64}, {primeISNEONF64, primeIINEONF64}},
			besides:       besides{besideNEONF64, endsNEONF64},
			reals:         realsNEONF64,
			shorts:        shortsNEONF64[:],
			composed:      composedNEONF64,
			composedReals: composedRealsNEONF64[:],
			manies:        maniesNEONF64[:],
			manyReals:     manyRealsNEONF64[:],
			intoLanes:     [2]Kernel{toLanesNEONF64, fromLanesNEONF64},
			shortReals:    shortRealsNEONF64[:],
		},
	},
}

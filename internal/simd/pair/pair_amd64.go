package pair

import "github.com/twiddle-go/twiddle/internal/simd"

func vectors(l simd.Level) (Table, bool) {
	switch l {
	case simd.AVX2:
		return tableAVX2, true
	case simd.AVX512:
		return tableAVX512, true
	}
	return Table{}, false
}

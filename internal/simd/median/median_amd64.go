package median

import "github.com/twiddle-go/twiddle/internal/simd"

// kernels are by level, those for short windows first.
var kernels = map[simd.Level][]sized{
	simd.AVX512: {{16, slide16AVX512}, {32, slide32AVX512}, {48, slide48AVX512}, {64, slide64AVX512}},
}

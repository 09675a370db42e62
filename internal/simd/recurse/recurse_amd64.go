package recurse

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled(l simd.Level) Section {
	switch l {
	case simd.AVX2:
		return orders{section1AVX2, section2AVX2, section3AVX2, section4AVX2, sectionAVX2}.section
	case simd.AVX512:
		return orders{section1AVX512, section2AVX512, section3AVX512, section4AVX512, sectionAVX512}.section
	}
	return nil
}

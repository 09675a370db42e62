package recurse

import "github.com/twiddle-go/twiddle/internal/simd"

func assembled(l simd.Level) Section {
	if l == simd.NEON {
		return orders{section1NEON, section2NEON, section3NEON, section4NEON, sectionNEON}.section
	}
	return nil
}

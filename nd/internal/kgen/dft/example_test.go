package dft_test

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
)

// A transform of two numbers by every thread, as CUDA C++.
func Example() {
	p := kernel(ktree.Float, 32, 2, 2, func(int) bool { return false },
		func(a dft.Arith, x []dft.Number) []dft.Number { return a.DFT(x, false) })
	text := printer.CUDAUnit(p)
	for line := range strings.Lines(text) {
		if strings.Contains(line, "const float v") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// const float v = re + re_2;
	// const float v_2 = im + im_2;
	// const float v_3 = re - re_2;
	// const float v_4 = im - im_2;
}

package line_test

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
)

// Lines of 4096 are transformed by one kernel; lines of 2^20, by passes along two
// axes.
func ExampleGenerate() {
	target := kgen.Target{Processors: 132, SharedBytes: 48 << 10, PoolBytes: 227 << 10, Subgroup: 32, Wide: true, Tensor: true, Arch: 90}
	for _, n := range []int{4096, 1 << 20} {
		o := ir.Contiguous(elem.Complex64, []int{1000, n})
		m, err := line.Generate(&ir.FFT{Outer: []int{1000}, N: n, Scale: 1, InLen: n, In: o, Out: o}, target)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, s := range m.Steps {
			fmt.Println(n, "groups of", s.Threads, "threads,", m.Kernels[s.Kernel].Pool>>10, "KB on chip")
		}
	}
	// Output:
	// 4096 groups of 256 threads, 34 KB on chip
	// 1048576 groups of 256 threads, 33 KB on chip
	// 1048576 groups of 256 threads, 33 KB on chip
}

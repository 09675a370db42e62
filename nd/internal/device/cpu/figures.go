package cpu

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// speeds are what one of four cores does in a nanosecond.
type speeds struct{ ops, fft, longFFT, gemm, bytes float64 }

// speedsOf are between those of Intel Xeons of models 85, at 2.5 GHz, and 207, as
// twiddle tune measures two cores of them; the portable level and AVX2 on the first. Those
// of NEON are half of AVX2's, as its vectors are. Those of AVX-512 lie in the middle of two
// speeds that the second chip was found to run at, 1.4 times apart.
var speedsOf = map[simd.Level]speeds{
	simd.Portable: {ops: 1.2, fft: 1.5, longFFT: 1.5, gemm: 2.8, bytes: 8},
	simd.NEON:     {ops: 8, fft: 17, longFFT: 12, gemm: 30, bytes: 40},
	simd.AVX2:     {ops: 16, fft: 34, longFFT: 24, gemm: 60, bytes: 50},
	simd.AVX512:   {ops: 22, fft: 49, longFFT: 35, gemm: 110, bytes: 72},
}

// busier is how much slower a core is where more of them work: with twice as many each does
// 0.92 of what it did. twiddle tune measures 37, 28 and 22 operations in 1 ns on each of 2, 4
// and 8 cores, and less of a difference where more than operations count.
const busier = 0.125

// figures guesses from the instruction set and the number of cores. Where the chip was
// measured, or the user has tuned, others are in force.
func (d *Device) figures() device.Figures {
	n, core := float64(d.workers), speedsOf[d.level]
	all := n * math.Pow(4/min(n, 8), busier)
	f := device.Figures{
		// Eight cores get all that their share of memory has.
		CopyBytesPerNs:  15 * min(n, 8),
		CacheBytesPerNs: 24 * n,
		CoreBytesPerNs:  core.bytes,
		OpsPerNs:        core.ops * all,
		FunctionOps:     35,
		FFTOpsPerNs:     core.fft * all,
		LongFFTOpsPerNs: core.longFFT * all,
		ShortLineGain:   1.7, // with a line in each lane; bench cost's frame loss
		GemmOpsPerNs:    core.gemm * all,
		SortsPerNs:      0.26 * all,
		LineSortsPerNs:  0.27 * all,
		BareSortGain:    4,
		LaunchNs:        650,
		SyncNs:          850,
		Workers:         d.workers,
		Grain:           inlineUpTo,
	}
	// Results are copied to slices: by one core, or by all, whose pages are cleared and
	// written while elements are read. bench choose, eight cores: 8 to 64 MiB.
	f.Link = device.Link{CoreBytesPerNs: 10, StartNs: 40e3, AloneBytes: copyFrom, BackBytesPerNs: 4 * min(n, 8)}
	if d.level == simd.AVX512 {
		f.BareSortGain = 10 // its networks; bench choose
		f.FunctionOps = 25  // 1 to 1.3 ns on a core
	}
	if d.workers > 1 {
		f.SpreadNs = 8.5e3 * (n - 1) // the others are woken one after the other
	}
	return f
}

package cpu

import (
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// speeds are what one core does in a nanosecond.
type speeds struct{ ops, fft, longFFT, gemm, bytes float64 }

// speedsOf are between those of Intel Xeons of models 85, at 2.5 GHz, and 207, as
// twiddle tune measures two cores of them; the portable level and AVX2 on the first. Those
// of NEON are half of AVX2's, as its vectors are.
var speedsOf = map[simd.Level]speeds{
	simd.Portable: {ops: 1.2, fft: 1.5, longFFT: 1.5, gemm: 2.8, bytes: 8},
	simd.NEON:     {ops: 8, fft: 17, longFFT: 12, gemm: 30, bytes: 40},
	simd.AVX2:     {ops: 16, fft: 34, longFFT: 24, gemm: 60, bytes: 50},
	simd.AVX512:   {ops: 22, fft: 50, longFFT: 36, gemm: 110, bytes: 55},
}

// figures guesses from the instruction set and the number of cores. Where the chip was
// measured, or the user has tuned, others are in force.
func (d *Device) figures() device.Figures {
	n, core := float64(d.workers), speedsOf[d.level]
	f := device.Figures{
		// Eight cores get all that their share of memory has.
		CopyBytesPerNs:  12 * min(n, 8),
		CacheBytesPerNs: 20 * n,
		CoreBytesPerNs:  core.bytes,
		OpsPerNs:        core.ops * n,
		FunctionOps:     35,
		FFTOpsPerNs:     core.fft * n,
		LongFFTOpsPerNs: core.longFFT * n,
		ShortLineGain:   1.5, // with a line in each lane; bench cost's frame loss
		GemmOpsPerNs:    core.gemm * n,
		SortsPerNs:      0.23 * n,
		LineSortsPerNs:  0.22 * n,
		BareSortGain:    4,
		LaunchNs:        750,
		SyncNs:          1000,
		Workers:         d.workers,
		Grain:           inlineUpTo,
	}
	// Results are copied to slices: by one core, or by all, whose pages are cleared and
	// written while elements are read. bench choose, eight cores: 8 to 64 MiB.
	f.Link = device.Link{CoreBytesPerNs: 10, StartNs: 40e3, AloneBytes: copyFrom, BackBytesPerNs: f.CopyBytesPerNs / 3}
	if d.level == simd.AVX512 {
		f.BareSortGain = 10 // its networks; bench choose
	}
	if d.workers > 1 {
		f.SpreadNs = 11.5e3 * (n - 1) // the others are woken one after the other
	}
	return f
}

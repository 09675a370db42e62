// Package fft computes discrete Fourier transforms of any length on slices.
//
// A plan is made once per length and used for any number of transforms, from
// any number of goroutines:
//
//	plan, err := fft.NewPlan[complex64](1024)
//	err = plan.Forward(dst, src)
//
// Transforms allocate nothing once a plan is warm: scratch comes from a pool,
// or from the caller with ForwardScratch and InverseScratch. dst may be src.
// Bad arguments are errors that start with "fft: ", found before anything is
// written.
//
// # What there is
//
//   - [Plan]: complex lines, one or a [Batch] of them with strides.
//   - [RealPlan]: real lines to and from their n/2+1 bins; and the other way
//     around, lines with Hermitian symmetry to and from real bins.
//   - [NDPlan], [RealNDPlan]: arrays, along any of their axes.
//   - [TrigPlan]: discrete cosine and sine transforms I to IV, and Hartley.
//   - [Forward], [Inverse], [RealForward], [RealInverse]: without a plan.
//   - [Freq], [RFreq], [Shift], [IShift], [NextFastLen], [NextFastRealLen].
//
// # Conventions
//
// Forward uses exp(-2*pi*i*j*k/n) and no factor, Inverse exp(+2*pi*i*j*k/n) and
// 1/n; [Options] has the other norms. With N for the length, j for the index of
// a sample x and k for that of a coefficient, the trigonometric transforms are
//
//	DCT-I     x[0] + (-1)^k x[N-1] + 2 sum_{0<j<N-1} x[j] cos(pi j k / (N-1))
//	DCT-II    2 sum x[j] cos(pi (2j+1) k / 2N)
//	DCT-III   x[0] + 2 sum_{j>0} x[j] cos(pi j (2k+1) / 2N)
//	DCT-IV    2 sum x[j] cos(pi (2j+1) (2k+1) / 4N)
//	DST-I     2 sum x[j] sin(pi (j+1) (k+1) / (N+1))
//	DST-II    2 sum x[j] sin(pi (2j+1) (k+1) / 2N)
//	DST-III   (-1)^k x[N-1] + 2 sum_{j<N-1} x[j] sin(pi (j+1) (2k+1) / 2N)
//	DST-IV    2 sum x[j] sin(pi (2j+1) (2k+1) / 4N)
//	Hartley   sum x[j] (cos(2 pi j k / N) + sin(2 pi j k / N))
//
// # Any length
//
// A length is factored by a recipe: butterflies for small primes and powers,
// mixed radix, Rader's method or Bluestein's for large primes, and a split in
// two parts past the caches. `twiddle plan 44100` and [ChooseRecipe] print the
// one for a length. A deterministic cost model chooses; [Measure] tries the best
// few instead. Lengths with large prime factors take three to
// ten times as long per element as the smooth ones that NextFastLen finds.
//
// # Accuracy
//
// The relative L2 error of a transform is about 0.6 sqrt(log2 n) units of roundoff, and
// about twice that through Rader's and Bluestein's methods. `twiddle bench accuracy` prints
// the figures and those of FFTW.
//
// # Threads
//
// One call runs on the calling goroutine unless [Options] allows more. The
// result has the same bits either way. The instruction set is chosen when the
// process starts; TWIDDLE_SIMD=portable, avx2, avx512 or neon overrides it.
package fft

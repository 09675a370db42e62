package outer

import (
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func draw(rng *rand.Rand, n int) []complex64 {
	z := make([]complex64, n)
	for i := range z {
		z[i] = complex(rng.Float32()-0.5, rng.Float32()-0.5)
	}
	return z
}

// Every level gives the sums of products, and writes nothing else.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const mark = 99
	for _, l := range simd.Available() {
		k := For(l)
		for _, windows := range []int{0, 1, 2, 7, 48} {
			for _, channels := range []int{0, 1, 2, 3, 8, 17} {
				const row = Bins + 3
				from := draw(rng, windows*channels*row)
				x := NewSpectra(channels, windows)
				for w := range windows {
					k.Gather(x, w, from[w*channels*row:], row)
				}
				at := func(w, c, i int) complex128 {
					if c >= channels {
						return 0
					}
					return complex128(from[(w*channels+c)*row+i])
				}
				for a := 0; a < channels; a += 2 {
					var got [2][]complex64
					for r := range got {
						got[r] = make([]complex64, (channels-a)*Bins+1)
						for i := range got[r] {
							got[r][i] = mark
						}
					}
					k.Rows(got[0], got[1], x, a)
					for r := range got {
						for place, v := range got[r] {
							b, i := a+place/Bins, place%Bins
							want := complex128(mark)
							if b < channels {
								want = 0
								for w := range windows {
									want += cmplx.Conj(at(w, a+r, i)) * at(w, b, i)
								}
							}
							if cmplx.Abs(complex128(v)-want) > 1e-5 {
								t.Fatalf("%v: %d windows: channel %d of %d with %d, bin %d is %v, want %v", l, windows, a+r, channels, b, i, v, want)
							}
						}
					}
				}
			}
		}
	}
}

func BenchmarkRows(b *testing.B) {
	const channels, windows = 64, 48
	rng := rand.New(rand.NewPCG(1, 2))
	x := NewSpectra(channels, windows)
	from := draw(rng, channels*Bins)
	for w := range windows {
		gather(x, w, from, Bins)
	}
	first, second := make([]complex64, channels*Bins), make([]complex64, channels*Bins)
	for _, l := range simd.Available() {
		k := For(l)
		b.Run(l.String(), func(b *testing.B) {
			for b.Loop() {
				for a := 0; a < channels; a += 2 {
					k.Rows(first, second, x, a)
				}
			}
			// Eight operations for each product and bin.
			b.ReportMetric(float64(b.N)*channels*(channels+2)/2*windows*Bins*8/float64(b.Elapsed().Nanoseconds()), "Gflop/s")
		})
	}
}

package philox

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Every level draws the very bits of the functions, and nothing behind the end.
func TestKernels(t *testing.T) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) {
			k := For(l)
			draws(t, "words", k.Words, Word)
			draws(t, "uniform32", k.Uniform32, Float32)
			draws(t, "uniform64", k.Uniform64, Float64)
			draws(t, "normal32", k.Normal32, func(key, c uint64) float32 { return float32(Normal(key, c)) })
			draws(t, "normal64", k.Normal64, Normal)
		})
	}
}

func draws[T uint64 | float32 | float64](t *testing.T, name string, kernel func(dst []T, key uint64, counters []uint64, stream bool), draw func(key, counter uint64) T) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 50, 30000} {
		for _, stream := range []bool{false, true} {
			key := rng.Uint64()
			counters := make([]uint64, n)
			for i := range counters {
				switch counters[i] = uint64(i); rng.IntN(3) {
				case 0:
					counters[i] = rng.Uint64()
				case 1:
					counters[i] = ^uint64(i)
				}
			}
			want, got := make([]T, n+1), make([]T, n+1)
			for i, c := range counters {
				want[i] = draw(key, c)
			}
			want[n], got[n] = 5, 5
			kernel(got[:n], key, counters, stream)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %d draws of key %#x, stream %v: %v, want %v", name, n, key, stream, got, want)
			}
		}
	}
}

// A key names the same numbers in every version. The hash was made when Normal called
// math.Log and math.Cos, on amd64.
func TestNormalKeepsBits(t *testing.T) {
	const want = 0xe24e1b89166dbbbf
	h := fnv.New64a()
	for i := range uint64(1 << 17) {
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(Normal(7, i))))
	}
	if got := h.Sum64(); got != want {
		t.Errorf("the first 2^17 normal numbers of key 7 hash to %#x, want %#x", got, uint64(want))
	}
}

// The logarithm and the cosine are right where they are used, ends included.
func TestNormalFunctions(t *testing.T) {
	near := func(name string, x, got, want float64) {
		if math.Abs(got-want) > 1e-15*max(1, math.Abs(want)) {
			t.Errorf("%s(%g) = %g, want %g", name, x, got, want)
		}
	}
	for _, u := range []float64{0x1p-53, 0x1p-52, 0.3, 0.5, math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 1), 1 - 0x1p-53, 1} {
		near("unitLog", u, unitLog(u), math.Log(u))
	}
	for i := range 257 {
		x := 2 * math.Pi * min(float64(i)/256, 1-0x1p-53)
		near("turnCos", x, turnCos(x), math.Cos(x))
	}
}

func BenchmarkDraws(b *testing.B) {
	const n = 2048
	counters, singles, doubles := make([]uint64, n), make([]float32, n), make([]float64, n)
	for i := range counters {
		counters[i] = uint64(i)
	}
	for _, l := range simd.Available() {
		k := For(l)
		for _, d := range []struct {
			name string
			run  func()
		}{
			{"uniform32", func() { k.Uniform32(singles, 1, counters, false) }},
			{"uniform64", func() { k.Uniform64(doubles, 1, counters, false) }},
			{"normal64", func() { k.Normal64(doubles, 1, counters, false) }},
		} {
			b.Run(l.String()+"/"+d.name, func(b *testing.B) {
				for b.Loop() {
					d.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/draw")
			})
		}
	}
}

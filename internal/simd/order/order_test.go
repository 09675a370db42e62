package order

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestSort(t *testing.T) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) {
			sorts(t, For[uint32](l))
			sorts(t, For[uint64](l))
		})
	}
}

func sorts[K Key](t *testing.T, k Kernels[K]) {
	if k.Sort == nil {
		t.Skip("no kernel")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	draws := map[string]func(i, n int) K{
		"random":     func(int, int) K { return K(rng.Uint64()) },
		"few values": func(int, int) K { return K(rng.IntN(3)) },
		"equal":      func(int, int) K { return 7 },
		"greatest":   func(int, int) K { return ^K(0) - K(rng.IntN(2)) },
		"ascending":  func(i, _ int) K { return K(i) },
		"descending": func(i, n int) K { return K(n - i) },
		"an organ":   func(i, n int) K { return K(min(i, n-i)) },
	}
	for name, draw := range draws {
		for _, n := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 128, 129, 255, 300, 1000, 5000, 40000} {
			for _, keep := range []int{n, n / 2, min(n, 1)} {
				keys := make([]K, n+1)
				for i := range keys {
					keys[i] = draw(i, n)
				}
				want := slices.Sorted(slices.Values(keys[:n]))
				got := slices.Clone(keys)
				room := make([]K, n+1)
				room[n] = 5
				k.Sort(got[:n], room[:n], keep)
				if !slices.Equal(got[:keep], want[:keep]) {
					t.Fatalf("%s, %d of %d keys of %T: %v, want %v", name, keep, n, K(0), got[:keep], want[:keep])
				}
				if got[n] != keys[n] || room[n] != 5 {
					t.Fatalf("%s, %d of %d keys of %T: wrote behind the end", name, keep, n, K(0))
				}
			}
		}
	}
}

func TestFloats(t *testing.T) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) {
			floats(t, For[uint32](l), func(x float64) uint32 { return math.Float32bits(float32(x)) })
			floats(t, For[uint64](l), math.Float64bits)
		})
	}
}

func floats[K Key](t *testing.T, k Kernels[K], bitsOf func(float64) K) {
	ordered := []float64{math.Inf(-1), -1e30, -2, -1, -1e-40, 0, 1e-40, 1, 2, 3, 4, 5, 6, 1e30, math.Inf(1)}
	for n := range 4 * len(ordered) {
		in, keys, out := make([]K, n), make([]K, n), make([]K, n)
		for i := range in {
			in[i] = bitsOf(ordered[i%len(ordered)])
		}
		for _, flip := range []K{0, ^K(0)} {
			if !k.FromFloats(keys, in, flip) {
				t.Fatalf("%d numbers are refused", n)
			}
			for i := 1; i < min(n, len(ordered)); i++ {
				if (keys[i-1] < keys[i]) != (flip == 0) {
					t.Fatalf("flip %x: keys of %g and %g: %x, %x", flip, ordered[i-1], ordered[i], keys[i-1], keys[i])
				}
			}
			if k.ToFloats(out, keys, flip); !slices.Equal(out, in) {
				t.Fatalf("flip %x: %x, want %x", flip, out, in)
			}
		}
		for i := range in {
			for _, bad := range []float64{math.NaN(), math.Copysign(math.NaN(), -1), math.Copysign(0, -1)} {
				was := in[i]
				in[i] = bitsOf(bad)
				if k.FromFloats(keys, in, 0) {
					t.Fatalf("%g at %d of %d is accepted", bad, i, n)
				}
				in[i] = was
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	for _, l := range simd.Available() {
		if k := For[uint32](l); k.Sort != nil {
			x := make([]uint32, 1<<20)
			for i := range x {
				x[i] = rand.Uint32()
			}
			keys, room := make([]uint32, len(x)), make([]uint32, len(x))
			b.Run(l.String(), func(b *testing.B) {
				for b.Loop() {
					copy(keys, x)
					k.Sort(keys, room, len(x))
				}
			})
		}
	}
}

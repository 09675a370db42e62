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
		t.Skip("no vector kernel at this level")
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
		lengths := []int{1000, 5000, 40000}
		for n := range 600 { // all lengths of the networks, and of partitions of up to three blocks more
			lengths = append(lengths, n)
		}
		for _, n := range lengths {
			for _, keep := range []int{n, n / 2, min(n, 1)} {
				keys := make([]K, n+2)
				for i := range keys {
					keys[i] = draw(i, n)
				}
				want := slices.Sorted(slices.Values(keys[1 : n+1]))
				all := slices.Clone(keys)
				got := all[1 : n+1]
				k.Sort(got, keep)
				if !slices.Equal(got[:keep], want[:keep]) {
					t.Fatalf("%s, %d of %d keys of %T: %v, want %v", name, keep, n, K(0), got[:keep], want[:keep])
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Fatalf("%s, %d of %d keys of %T: the others are not what they were", name, keep, n, K(0))
				}
				if all[0] != keys[0] || all[n+1] != keys[n+1] {
					t.Fatalf("%s, %d of %d keys of %T: wrote outside", name, keep, n, K(0))
				}
			}
		}
	}
}

func TestFlip(t *testing.T) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) {
			flips(t, For[uint32](l))
			flips(t, For[uint64](l))
		})
	}
}

func flips[K Key](t *testing.T, k Kernels[K]) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		in, got, want := make([]K, n), make([]K, n+1), make([]K, n+1)
		by := K(rng.Uint64())
		for i := range in {
			in[i] = K(rng.Uint64())
			want[i] = in[i] ^ by
		}
		if k.Flip(got, in, by); !slices.Equal(got, want) {
			t.Fatalf("%d keys: %x, want %x", n, got, want)
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
			keys := make([]uint32, len(x))
			b.Run(l.String(), func(b *testing.B) {
				for b.Loop() {
					copy(keys, x)
					k.Sort(keys, len(x))
				}
			})
		}
	}
}

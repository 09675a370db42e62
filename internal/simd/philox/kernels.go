package philox

import "github.com/twiddle-go/twiddle/internal/simd"

//go:generate go -C ../_gen run ./vec draws

// Kernels draw one number for each counter, as many as there are in dst. With stream they store
// past the caches, where the level can.
type Kernels struct {
	Words     func(dst []uint64, key uint64, counters []uint64, stream bool) // Word
	Uniform32 func(dst []float32, key uint64, counters []uint64, stream bool)
	Uniform64 func(dst []float64, key uint64, counters []uint64, stream bool)
	Normal32  func(dst []float32, key uint64, counters []uint64, stream bool)
	Normal64  func(dst []float64, key uint64, counters []uint64, stream bool)
}

// For is the kernels of a level.
func For(l simd.Level) Kernels {
	k := Kernels{
		Words:     each(Word),
		Uniform32: each(Float32),
		Uniform64: each(Float64),
		Normal32:  each(func(key, counter uint64) float32 { return float32(Normal(key, counter)) }),
		Normal64:  each(Normal),
	}
	accelerate(l, &k)
	return k
}

func each[T any](draw func(key, counter uint64) T) func(dst []T, key uint64, counters []uint64, stream bool) {
	return func(dst []T, key uint64, counters []uint64, _ bool) {
		for i := range dst {
			dst[i] = draw(key, counters[i])
		}
	}
}

// byRounds adapts a kernel that takes the keys of all rounds.
func byRounds[T any](kernel func(dst []T, counters []uint64, keys *[2 * rounds]uint64, stream bool)) func(dst []T, key uint64, counters []uint64, stream bool) {
	return func(dst []T, key uint64, counters []uint64, stream bool) {
		var keys [2 * rounds]uint64
		k0, k1 := uint32(key), uint32(key>>32)
		for r := range rounds {
			keys[2*r], keys[2*r+1] = uint64(k0), uint64(k1)
			k0 += weyl0
			k1 += weyl1
		}
		kernel(dst, counters[:len(dst)], &keys, stream)
	}
}

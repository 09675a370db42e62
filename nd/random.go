package nd

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/philox"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Key names a sequence of random numbers. There is no hidden state: the same
// key gives the same numbers, on every device and however the work is split,
// so a key is used once and further ones are derived from it.
//
//	keys := nd.Key(42).Split(2)
//	w := nd.Normal(keys[0], nd.Float32, 64, 64)
//	b := nd.Normal(keys[1], nd.Float32, 64)
type Key uint64

// Fold derives the i-th key from k, for loops: k.Fold(step).
func (k Key) Fold(i uint64) Key {
	// Elements of arrays draw from counters below 2^60; derived keys come from
	// the other end.
	b := philox.Block(uint64(k), ^i)
	return Key(uint64(b[1])<<32 | uint64(b[0]))
}

// Split derives n keys; none if n is not positive, or above 2^30: Fold derives
// as many as there are numbers.
func (k Key) Split(n int) []Key {
	if n < 0 || n > 1<<30 {
		return nil
	}
	keys := make([]Key, n)
	for i := range keys {
		keys[i] = k.Fold(uint64(i))
	}
	return keys
}

// Uniform draws from [0, 1). t is a float type. Draws of the half types are
// those of Float32 cut to the bits that the type holds below 1.
func Uniform(k Key, t DType, shape ...int) *Array {
	steps := map[DType]float64{Float16: 1 << 11, BFloat16: 1 << 8}[t]
	if steps == 0 {
		return random("uniform", scalar.RandUniform, k, t, shape)
	}
	// Rounding to the nearest would make the largest draws 1.
	u := random("uniform", scalar.RandUniform, k, Float32, shape)
	return u.MulScalar(steps).Floor().MulScalar(1 / steps).Cast(t)
}

// Normal draws from the normal distribution with mean 0 and variance 1. t is
// a float type.
func Normal(k Key, t DType, shape ...int) *Array {
	return random("normal", scalar.RandNormal, k, t, shape)
}

// Randint draws integers from [low, high). t is an integer type that holds
// them.
func Randint(k Key, low, high int64, t DType, shape ...int) *Array {
	if t.IsInteger() && low < high {
		if lo, hi := t.Range(); low < lo || high-1 > hi {
			return failed("randint", fmt.Errorf("bounds [%d, %d) are not in %s", low, high, t))
		}
	}
	return random("randint", scalar.RandInt, k, t, shape, low, high)
}

// Permutation is the numbers 0 to n-1 in random order, as int64.
func Permutation(k Key, n int) *Array {
	order := Randint(k, math.MinInt64, math.MaxInt64, elem.Int64, n)
	return named("permutation", order.ArgSort(0))
}

// isPermutation reports the order of random integers without a value: every device draws the
// same ones and sorts them into the same order, so it is made where it is to be.
func isPermutation(n *graph.Node) bool {
	s, ok := n.Attr.(graph.SortAttr)
	in := n.In() // none from when another goroutine has evaluated it
	return ok && s.Arg && n.Held() == nil && len(in) == 1 && in[0].Op == graph.Random && in[0].Type.IsInteger()
}

func random(op string, draw scalar.Op, k Key, t DType, dims []int, bounds ...int64) *Array {
	n, err := graph.NewRandom(graph.Place{}, draw, t, uint64(k), clone(dims), bounds...)
	return built(op, n, err)
}

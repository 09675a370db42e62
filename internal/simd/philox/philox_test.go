package philox

import (
	"math"
	"testing"
)

// The known answer of the Random123 distribution (kat_vectors,
// philox4x32-10) for a zero counter and key.
func TestBlockKnownAnswer(t *testing.T) {
	got := Block(0, 0)
	want := [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}
	if got != want {
		t.Errorf("Block(0, 0) = %08x, want %08x", got, want)
	}
}

// The bits of a counter, or of the key, decide about half of the output bits.
func TestBlockAvalanche(t *testing.T) {
	flips := func(a, b [4]uint32) (n int) {
		for i := range a {
			for d := a[i] ^ b[i]; d != 0; d &= d - 1 {
				n++
			}
		}
		return n
	}
	for bit := range 64 {
		const key, counter = 0x0123456789abcdef, 0xfedcba9876543210
		base := Block(key, counter)
		for name, other := range map[string][4]uint32{
			"counter": Block(key, counter^1<<bit),
			"key":     Block(key^1<<bit, counter),
		} {
			if n := flips(base, other); n < 35 || n > 93 { // 64 +- 5 sigma
				t.Errorf("flipping %s bit %d changes %d of 128 bits", name, bit, n)
			}
		}
	}
}

func TestMoments(t *testing.T) {
	const n = 200_000
	for _, c := range []struct {
		name           string
		draw           func(i uint64) float64
		mean, variance float64
		lo, hi         float64
	}{
		{"float32", func(i uint64) float64 { return float64(Float32(7, i)) }, 0.5, 1. / 12, 0, 1},
		{"float64", func(i uint64) float64 { return Float64(7, i) }, 0.5, 1. / 12, 0, 1},
		{"normal", func(i uint64) float64 { return Normal(7, i) }, 0, 1, -9, 9},
		{"int", func(i uint64) float64 { return float64(Int(7, i, -3, 7)) }, 1.5, 8.25, -3, 7},
	} {
		var sum, squares float64
		for i := range uint64(n) {
			v := c.draw(i)
			if !(v >= c.lo && v < c.hi) {
				t.Fatalf("%s: %v outside [%v, %v)", c.name, v, c.lo, c.hi)
			}
			sum += v
			squares += v * v
		}
		mean := sum / n
		variance := squares/n - mean*mean
		if math.Abs(mean-c.mean) > 5*math.Sqrt(c.variance/n) || math.Abs(variance/c.variance-1) > 0.02 {
			t.Errorf("%s: mean %v, variance %v, want %v, %v", c.name, mean, variance, c.mean, c.variance)
		}
	}
}

func TestIntRange(t *testing.T) {
	if got := Int(1, 2, 5, 5); got != 5 {
		t.Errorf("empty range: %d, want 5", got)
	}
	for i := range uint64(1000) {
		if v := Int(9, i, math.MinInt64, math.MaxInt64); v == math.MaxInt64 {
			t.Errorf("counter %d: upper bound drawn", i)
		}
	}
	seen := map[int64]bool{}
	for i := range uint64(200) {
		seen[Int(3, i, 10, 14)] = true
	}
	if len(seen) != 4 {
		t.Errorf("saw %v, want all of 10..13", seen)
	}
}

package transform

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// brings is a Load out of line.
func brings[T any](line []T, t Tile) Load {
	return func(dst unsafe.Pointer, first int) {
		to := unsafe.Slice((*T)(dst), t.Rows*t.Count)
		for r := range t.Rows {
			copy(to[r*t.Count:(r+1)*t.Count], line[first+r*t.Step:first+r*t.Step+t.Count])
		}
	}
}

// A line that comes and goes in tiles has the bits of one that lies in memory.
func TestTiled(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, level := range simd.Available() {
		tiles := 0
		for _, n := range []int{1, 2, 3, 8, 60, 127, 256, 1024, 4096, 6000, 1 << 13, 1 << 14, 3 << 14, 1 << 17} {
			tiles += checkTiled[complex64](t, n, level, rng)
			tiles += checkTiled[complex128](t, n, level, rng)
			tiles += checkRealTiled[float32, complex64](t, n, level, rng)
			tiles += checkRealTiled[float64, complex128](t, n, level, rng)
		}
		if level != simd.Portable && tiles < 20 {
			t.Errorf("%v: only %d lines came in tiles", level, tiles)
		}
	}
}

func checkTiled[C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) (tiled int) {
	t.Helper()
	p, err := New[C](recipe.For(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	x := noise[C](rng, n)
	want, got := make([]C, n), make([]C, n)
	scratch := make([]C, max(p.ScratchLen(), p.TiledScratchLen()))
	for _, inverse := range []bool{false, true} {
		if inverse {
			p.Inverse(want, x, scratch)
		} else {
			p.Forward(want, x, scratch)
		}
		p.Tiled(got, scratch, brings(x, p.LoadTile()), inverse)
		if !slices.Equal(got, want) {
			t.Errorf("%T %v n=%d inverse=%t: other bits in tiles %v", x, level, n, inverse, p.LoadTile())
		}
	}
	if half := p.Halved(); half != nil {
		half.Forward(want, x[:n/2], scratch)
		half.Tiled(got, scratch, brings(x[:n/2], half.LoadTile()), false)
		if !slices.Equal(got, want) {
			t.Errorf("%T %v n=%d: other bits of a half in tiles", x, level, n)
		}
	}
	if p.LoadTile().Rows > 1 {
		return 1
	}
	return 0
}

func checkRealTiled[R Float, C Complex](t *testing.T, n int, level simd.Level, rng *rand.Rand) (tiled int) {
	t.Helper()
	p, err := NewReal[R, C](recipe.ForReal(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]R, n)
	for i := range x {
		x[i] = R(rng.Float64() - .5)
	}
	bins, line, stored := make([]C, p.Bins()), make([]C, p.Bins()), make([]C, p.Bins())
	scratch := make([]C, max(p.ScratchLen(), p.TiledScratchLen()))
	p.Forward(bins, x, scratch)
	count := p.BinsTile().Count
	p.ForwardTiled(line, scratch, brings(x, p.LoadTile()), func(first int) {
		copy(stored[first:first+count], line[first:first+count])
	})
	if !slices.Equal(stored, bins) {
		t.Errorf("%T %v n=%d: other bits forward, tiles of %d bins", x, level, n, count)
	}
	p.ForwardTiled(line, scratch, brings(x, p.LoadTile()), nil)
	if !slices.Equal(line, bins) {
		t.Errorf("%T %v n=%d: other bits forward without a store", x, level, n)
	}
	want, got := make([]R, n), make([]R, n)
	p.Inverse(want, bins, scratch)
	p.InverseTiled(got, scratch, brings(bins, p.BinsTile()))
	if !slices.Equal(got, want) {
		t.Errorf("%T %v n=%d: other bits back, tiles of %d bins", x, level, n, count)
	}
	if count < p.Bins() {
		return 1
	}
	return 0
}

package kgen_test

import (
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// Products with few tiles have enough blocks all the same, on an H200.
func TestThinProductsAreInPieces(t *testing.T) {
	for _, c := range []struct {
		t       elem.Type
		m, n, k int
		blocks  []int // of the product and of what adds up its pieces
	}{
		{elem.Float64, 32, 32, 4096, []int{128, 32}}, // one tile, pieces of two slices
		{elem.Float64, 40, 40, 512, []int{16, 50}},
		{elem.Float64, 40, 40, 64, []int{2, 7}},                  // few pieces, one thread adds them up
		{elem.Float64, 40, 40, 63, []int{1}},                     // one piece
		{elem.Float32, 4096, 40, 512, []int{64 * 5, 640}},        // some tiles
		{elem.Float32, 512, 512, 4096, []int{16 * 16, 1024 * 8}}, // large tiles, long pieces
		{elem.Float32, 512, 500, 4096, []int{64 * 5, 1000}},      // large tiles would not be full
		{elem.Float32, 4096, 4096, 4096, []int{1024}},            // tiles enough
		{elem.Float32, 1024, 1024, 512, []int{256}},
		{elem.Float32, 64, 65536, 576, []int{256}}, // oblong tiles
		{elem.Float32, 100000, 50, 32, []int{391}},
		{elem.Float32, 192, 65536, 64, []int{768}},    // square ones would be a third empty
		{elem.Complex128, 20, 30, 900, []int{38, 19}}, // slices of eight, three for a piece
	} {
		m, err := kgen.Generate(gemmOf(c.t, c.m, c.n, c.k, true, true), h200)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, s := range m.Steps {
			got = append(got, s.Groups)
		}
		if !slices.Equal(got, c.blocks) {
			t.Errorf("%s, %d x %d x %d: blocks %v, want %v", c.t, c.m, c.n, c.k, got, c.blocks)
		}
	}
}

// A tile that was asked for is taken where it can be, and gives the product.
func TestTileIsChosen(t *testing.T) {
	for _, c := range []struct {
		t      elem.Type
		m, n   int
		tile   int
		blocks int
	}{
		{elem.Float32, 100, 120, 0, 4}, {elem.Float32, 100, 120, 64, 4}, {elem.Float32, 100, 120, 128, 1}, {elem.Float64, 100, 120, 128, 4},
		{elem.Float32, 60, 1000, 0, 4}, {elem.Float32, 1000, 63, 0, 4}, {elem.Float32, 60, 1000, 64, 16}, // oblong ones by themselves
	} {
		p, target := gemmOf(c.t, c.m, c.n, 24, true, true), few
		target.Tile = c.tile
		m, err := kgen.Generate(p, target)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Steps[0].Groups; got != c.blocks {
			t.Errorf("%s, %d x %d, tiles of %d: %d blocks, want %d", c.t, c.m, c.n, c.tile, got, c.blocks)
		}
		checkSimulated(t, p, target)
	}
}

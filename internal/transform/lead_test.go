package transform

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Lines whose legs have gaps between them have the bits of lines without.
func TestGapKeepsBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, level := range simd.Available()[1:] {
		for _, radices := range [][]int{{16, 16, 16, 2}, {16, 8, 8, 8}, {8, 16, 4, 16}} {
			checkGap[float32, complex64](t, radices, level, rng)
			checkGap[float64, complex128](t, radices, level, rng)
		}
	}
}

func checkGap[R Float, C Complex](t *testing.T, radices []int, level simd.Level, rng *rand.Rand) {
	t.Helper()
	s := shape{int(unsafe.Sizeof(R(0))), level}
	c := newChain[R](s, radices, 1)
	if !c.leads {
		return // the level has no such lead
	}
	if c.tree.gap == 0 {
		t.Errorf("%v %v: no gap", level, radices)
	}
	flat := *c
	flat.room, flat.spans = c.n, nil
	flat.tree = newTree[R](s, radices[1:], radices[0], radices[0], 0)
	flat.tree.endMixed(butterfly.Mixed[R](level, radices[len(radices)-1]))
	x := interleaved(noise[C](rng, c.n), s.size)
	got, want := make([]C, c.n), make([]C, c.n)
	work := make([]C, c.n+1024)
	c.run(interleaved(got, s.size), x, aligned(unsafe.Pointer(&work[8])), 1)
	flat.run(interleaved(want, s.size), x, aligned(unsafe.Pointer(&work[8])), 1)
	if !slices.Equal(got, want) {
		t.Errorf("%v %v: other bits with gaps", level, radices)
	}
}

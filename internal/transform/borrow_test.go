package transform

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lines whose sweeps go through dst have the bits of lines that cannot: off cache lines,
// and in place where the first sweep would overwrite what it reads. Nothing else is written.
func TestBorrowedDestination(t *testing.T) {
	for _, level := range simd.Available() {
		for _, n := range []int{600, 1000, 1400, 1800, 5000} {
			borrows[complex64](t, level, n)
			borrows[complex128](t, level, n/2)
		}
	}
}

func borrows[C Complex](t *testing.T, level simd.Level, n int) {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	p, err := New[C](recipe.For(n, Target[C](level)), level)
	if err != nil {
		t.Fatal(err)
	}
	src := make([]C, n)
	for i := range src {
		src[i] = C(complex(rng.Float64()-.5, rng.Float64()-.5))
	}
	scratch := make([]C, p.ScratchLen())
	guard := C(77)
	for _, run := range []func(dst, src, scratch []C){p.Forward, p.Inverse} {
		var want []C
		for off := range 3 {
			for _, inPlace := range []bool{false, true} {
				room := make([]C, n+16)
				skip := 0
				for uintptr(unsafe.Pointer(&room[skip]))%cacheLine != 0 {
					skip++
				}
				for i := range room {
					room[i] = guard
				}
				dst, from := room[skip+off:skip+off+n], src
				if inPlace {
					copy(dst, src)
					from = dst
				}
				run(dst, from, scratch)
				if want == nil {
					want = slices.Clone(dst)
				}
				if !slices.Equal(dst, want) {
					t.Errorf("%v %T n=%d off=%d in place %t: other bits", level, C(0), n, off, inPlace)
				}
				for i, v := range room {
					if (i < skip+off || i >= skip+off+n) && v != guard {
						t.Errorf("%v %T n=%d off=%d: element %d beside dst is written", level, C(0), n, off, i-skip-off)
					}
				}
			}
		}
	}
}

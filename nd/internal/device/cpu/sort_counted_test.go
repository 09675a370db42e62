package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

func TestCountedSort(t *testing.T) {
	testCounted(t, func(x uint8) int { return int(x) }, 0)
	testCounted(t, func(x uint8) int { return int(int8(x)) }, 1<<7)
	testCounted(t, func(x uint16) int { return int(int16(x)) }, 1<<15)
}

func testCounted[T uint8 | uint16](t *testing.T, number func(T) int, flip T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{17, 100, 4097, 20000} {
		for _, keep := range []int{n, n/2 + 1, 1} {
			for _, step := range []int{1, 3} {
				for _, descending := range []bool{false, true} {
					line := make([]T, n)
					for i := range line {
						line[i] = T(rng.Uint32() >> rng.IntN(32))
					}
					want := slices.Clone(line)
					slices.SortFunc(want, func(a, b T) int { return number(a) - number(b) })
					f := flip
					if descending {
						slices.Reverse(want)
						f = ^f
					}
					w := &sortWork{length: n, keep: keep, size: int(unsafe.Sizeof(f))}
					sort := countedSort(w, f)
					if sort == nil {
						continue
					}
					got := make([]T, keep*step)
					sort(w, sorted{values: unsafe.Pointer(&got[0]), step: step}, unsafe.Pointer(&line[0]), &scratch{stash: &stash{}})
					for i := range got {
						if expect := want[i/step]; i%step == 0 && got[i] != expect || i%step > 0 && got[i] != 0 {
							t.Fatalf("%d of %d, %d apart: element %d is %d, want %d", keep, n, step, i, got[i], expect)
						}
					}
				}
			}
		}
	}
}

package butterfly

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Elements are collected from their places, and nothing else is written.
func TestCollect(t *testing.T) {
	for _, level := range simd.Available() {
		for _, count := range []int{1, 3, 4, 15, 16, 17, 52, 1008} {
			for _, size := range []int{4, 8, 16} {
				t.Run(fmt.Sprintf("%v/%d/%d", level, count, size), func(t *testing.T) {
					places := make([]int32, count)
					for i := range places {
						places[i] = int32((i*7 + 3) % (count + 1))
					}
					src, dst, want := make([]byte, (count+1)*size), make([]byte, (count+1)*size), make([]byte, (count+1)*size)
					for i := range src {
						src[i], dst[i], want[i] = byte(i*31+i>>8), 0xaa, 0xaa
					}
					for i, k := range places {
						copy(want[i*size:], src[int(k)*size:][:size])
					}
					Collect(level, unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), places, size)
					if !slices.Equal(dst, want) {
						t.Errorf("got %x, want %x", dst, want)
					}
				})
			}
		}
	}
}

//go:build !amd64

package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func collectVector(simd.Level, unsafe.Pointer, unsafe.Pointer, []int32, int) int { return 0 }

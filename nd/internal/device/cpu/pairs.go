package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	pairs "github.com/twiddle-go/twiddle/internal/simd/pair"
)

// pairKernel is the kernel with the longest vectors that lines of n fill.
func (d *Device) pairKernel(t elem.Type, n int) pairs.Kernel {
	for l := d.level; ; l-- {
		if k := pairKernel(pairs.For(l), t); n >= 2*k.Lanes {
			return k
		}
	}
}

func pairKernel(table pairs.Table, t elem.Type) pairs.Kernel {
	return map[elem.Type]pairs.Kernel{elem.Float32: table.F32, elem.Float64: table.F64, elem.Complex64: table.C64, elem.Complex128: table.C128}[t]
}

// spaced is lines some elements apart.
type spaced struct {
	at    unsafe.Pointer
	apart int
}

func (r spaced) line(k, size int) unsafe.Pointer { return unsafe.Add(r.at, k*r.apart*size) }

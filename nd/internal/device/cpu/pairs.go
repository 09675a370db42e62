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
	switch t {
	case elem.Float32:
		return table.F32
	case elem.Float64:
		return table.F64
	case elem.Complex64:
		return table.C64
	}
	return table.C128
}

// spaced is lines some elements apart.
type spaced struct {
	at    unsafe.Pointer
	apart int
}

func (r spaced) line(k, size int) unsafe.Pointer { return unsafe.Add(r.at, k*r.apart*size) }

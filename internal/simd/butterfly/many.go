package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// ManyKernel is a kernel of [Short] for a multiple of so many lines.
type ManyKernel struct {
	Kernel Kernel
	Lines  int
}

// Many returns the kernels of a level and of those below for many lines of n elements, with a line
// in each lane, those of most lines first. They equal [PortableShort].
func Many[R Float](level simd.Level, n int) []ManyKernel {
	return manies(level, 8*sizeof[R](), func(l simd.Level, bits int) Kernel { return vectorMany(l, bits, n) })
}

// ManyReal is Many for real lines: the kernels equal [PortableShortReal].
func ManyReal[R Float](level simd.Level, n int, inverse bool) []ManyKernel {
	direction := 0
	if inverse {
		direction = 1
	}
	return manies(level, 8*sizeof[R](), func(l simd.Level, bits int) Kernel { return vectorManyReal(l, bits, n)[direction] })
}

func manies(level simd.Level, bits int, kernel func(l simd.Level, bits int) Kernel) (all []ManyKernel) {
	for l := level; l > simd.Portable; l-- {
		if k := kernel(l, bits); k != nil {
			all = append(all, ManyKernel{k, Lanes(l, bits)})
		}
	}
	return all
}

// IntoLanes returns the kernels of exactly this level that bring lines side by side, and back: see
// [PortableToLanes] and [PortableFromLanes]. Rows is a multiple of the lanes, and Cols at least as
// many components as there are in 128 bits. They are nil where there are none.
func IntoLanes[R Float](level simd.Level) (there, back Kernel) {
	k := vectorIntoLanes(level, 8*sizeof[R]())
	return k[0], k[1]
}

// HasIntoLanes reports whether a level has kernels that bring lines side by side.
func HasIntoLanes(level simd.Level, bits int) bool { return vectorIntoLanes(level, bits)[0] != nil }

// PortableToLanes is the reference for the kernels that bring Rows lines of Cols components, InRow
// apart, into Cols rows, OutLeg apart, in which component j of line i is the i-th.
func PortableToLanes[R Float]() Kernel {
	return func(p *Pass, dst, _, src, _ unsafe.Pointer, _ float64) {
		for i := range p.Rows {
			for j := range p.Cols {
				*at[R](dst, j*p.OutLeg+i) = *at[R](src, i*p.InRow+j)
			}
		}
	}
}

// PortableFromLanes is the reverse of PortableToLanes: rows are InLeg and lines OutRow apart.
func PortableFromLanes[R Float]() Kernel {
	return func(p *Pass, dst, _, src, _ unsafe.Pointer, _ float64) {
		for i := range p.Rows {
			for j := range p.Cols {
				*at[R](dst, i*p.OutRow+j) = *at[R](src, j*p.InLeg+i)
			}
		}
	}
}

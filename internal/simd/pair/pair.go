package pair

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Factor mixes the elements of the line x that are h apart, over blocks of 2h
// elements. The block of pair p is w[p], w[pitch+p], w[2*pitch+p] and
// w[3*pitch+p], row by row. h is a multiple of the kernel's lanes.
//
//	for p := range blocks * h {
//		i := p/h*2*h + p%h
//		x[i], x[i+h] = w[p]*x[i] + w[pitch+p]*x[i+h], w[2*pitch+p]*x[i] + w[3*pitch+p]*x[i+h]
//	}
//
// All levels give the same bits: products and sums are rounded one by one.
type Factor func(x, w *byte, pitch, h, blocks int)

// Kernel is a Factor for one element type.
type Kernel struct {
	Factor Factor
	Lanes  int // h must be a multiple of it
}

// Table is the kernels of a level.
type Table struct{ F32, F64, C64, C128 Kernel }

// For is the kernels of a level.
func For(l simd.Level) Table {
	t := Table{
		F32: Kernel{portableReal[float32], 1}, F64: Kernel{portableReal[float64], 1},
		C64: Kernel{portableComplex[float32], 1}, C128: Kernel{portableComplex[float64], 1},
	}
	accelerate(l, &t)
	return t
}

func portableReal[R float32 | float64](px, pw *byte, pitch, h, blocks int) {
	n := blocks * h
	x := unsafe.Slice((*R)(unsafe.Pointer(px)), 2*n)
	w := unsafe.Slice((*R)(unsafe.Pointer(pw)), 3*pitch+n)
	for b := range blocks {
		at := b * h
		lo, hi := x[2*at:][:h], x[2*at+h:][:h]
		w00, w01, w10, w11 := w[at:][:h], w[pitch+at:][:h], w[2*pitch+at:][:h], w[3*pitch+at:][:h]
		for i, u := range lo {
			v := hi[i]
			lo[i] = R(w00[i]*u) + R(w01[i]*v)
			hi[i] = R(w10[i]*u) + R(w11[i]*v)
		}
	}
}

// portableComplex works on numbers as pairs of parts: Go's complex product may
// be fused on some machines, and then the bits would differ.
func portableComplex[R float32 | float64](px, pw *byte, pitch, h, blocks int) {
	n := blocks * h
	x := unsafe.Slice((*[2]R)(unsafe.Pointer(px)), 2*n)
	w := unsafe.Slice((*[2]R)(unsafe.Pointer(pw)), 3*pitch+n)
	for b := range blocks {
		at := b * h
		lo, hi := x[2*at:][:h], x[2*at+h:][:h]
		w00, w01, w10, w11 := w[at:][:h], w[pitch+at:][:h], w[2*pitch+at:][:h], w[3*pitch+at:][:h]
		for i, u := range lo {
			v := hi[i]
			lo[i] = row(w00[i], w01[i], u, v)
			hi[i] = row(w10[i], w11[i], u, v)
		}
	}
}

// row is a*u + b*v, the products with real parts added first.
func row[R float32 | float64](a, b, u, v [2]R) [2]R {
	return [2]R{
		R(R(a[0]*u[0])+R(b[0]*v[0])) - R(R(a[1]*u[1])+R(b[1]*v[1])),
		R(R(a[0]*u[1])+R(b[0]*v[1])) + R(R(a[1]*u[0])+R(b[1]*v[0])),
	}
}

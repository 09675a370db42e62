package pair

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// direct is the loop of Factor's comment, in complex128.
func direct(x, w []complex128, pitch, h, blocks int) {
	for p := range blocks * h {
		i := p/h*2*h + p%h
		x[i], x[i+h] = w[p]*x[i]+w[pitch+p]*x[i+h], w[2*pitch+p]*x[i]+w[3*pitch+p]*x[i+h]
	}
}

// element is a type of elements that the test can make of numbers.
type element[T any] struct {
	name   string
	kernel func(Table) Kernel
	of     func(complex128) T
	to     func(T) complex128
	eps    float64
}

func check[T comparable](t *testing.T, e element[T]) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []T {
		list := make([]T, n)
		for i := range list {
			list[i] = e.of(complex(rng.Float64()-0.5, rng.Float64()-0.5))
		}
		return list
	}
	wide := func(list []T) []complex128 {
		out := make([]complex128, len(list))
		for i, v := range list {
			out[i] = e.to(v)
		}
		return out
	}
	bytes := func(list []T) *byte { return (*byte)(unsafe.Pointer(&list[0])) }
	for _, c := range []struct{ h, blocks, more int }{{8, 1, 0}, {8, 5, 3}, {16, 2, 0}, {64, 3, 7}, {8, 0, 0}} {
		n := c.h * c.blocks
		pitch := n + c.more
		x, w := draw(2*n+1), draw(4*pitch+1)
		want := wide(x)
		direct(want, wide(w), pitch, c.h, c.blocks)
		var first []T
		for _, l := range simd.Available() {
			got := append([]T(nil), x...)
			e.kernel(For(l)).Factor(bytes(got), bytes(w), pitch, c.h, c.blocks)
			if first == nil {
				first = got
			}
			for i, v := range got {
				if v != first[i] {
					t.Fatalf("%s, h %d: %s gives %v at %d, portable %v", e.name, c.h, l, v, i, first[i])
				}
				if d := e.to(v) - want[i]; real(d)*real(d)+imag(d)*imag(d) > e.eps*e.eps {
					t.Fatalf("%s, h %d, %s: %v at %d, want %v", e.name, c.h, l, v, i, want[i])
				}
			}
		}
	}
}

func TestFactor(t *testing.T) {
	check(t, element[float32]{"float32", func(t Table) Kernel { return t.F32 },
		func(z complex128) float32 { return float32(real(z)) }, func(v float32) complex128 { return complex(float64(v), 0) }, 1e-6})
	check(t, element[float64]{"float64", func(t Table) Kernel { return t.F64 },
		func(z complex128) float64 { return real(z) }, func(v float64) complex128 { return complex(v, 0) }, 1e-15})
	check(t, element[complex64]{"complex64", func(t Table) Kernel { return t.C64 },
		func(z complex128) complex64 { return complex64(z) }, func(v complex64) complex128 { return complex128(v) }, 1e-6})
	check(t, element[complex128]{"complex128", func(t Table) Kernel { return t.C128 },
		func(z complex128) complex128 { return z }, func(v complex128) complex128 { return v }, 1e-15})
}

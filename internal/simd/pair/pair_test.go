package pair

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// direct is the loop of Factor's comment, in complex128.
func direct(dst, src, w []complex128, p Pairs) {
	for l := range p.Lines {
		x, y := src[l*p.SrcApart:], dst[l*p.DstApart:]
		h := p.Span
		for at := range p.Blocks * h {
			i := at/h*2*h + at%h
			y[i], y[i+h] = w[at]*x[i]+w[p.Col+at]*x[i+h], w[p.Row+at]*x[i]+w[p.Row+p.Col+at]*x[i+h]
		}
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

func (e element[T]) draw(rng *rand.Rand, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = e.of(complex(rng.Float64()-0.5, rng.Float64()-0.5))
	}
	return list
}

func (e element[T]) wide(list []T) []complex128 {
	out := make([]complex128, len(list))
	for i, v := range list {
		out[i] = e.to(v)
	}
	return out
}

func bytesOf[T any](list []T) *byte { return (*byte)(unsafe.Pointer(&list[0])) }

// check runs every level over pairs of every kind: near and far, few and many
// lines, rows and columns of blocks exchanged, into other lines and in place.
func check[T comparable](t *testing.T, e element[T]) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 4, 8, 16, 32, 64, 256} {
		for h := 1; h < n; h *= 2 {
			half := n/2 + rng.IntN(4)
			p := Pairs{Row: 2 * half, Col: half, Span: h, Blocks: n / (2 * h), Lines: 1 + rng.IntN(5), SrcApart: n + rng.IntN(9), DstApart: n + rng.IntN(9)}
			if rng.IntN(2) == 0 {
				p.Row, p.Col = p.Col, p.Row
			}
			inPlace := rng.IntN(2) == 0
			if inPlace {
				p.DstApart = p.SrcApart
			}
			src, old, w := e.draw(rng, p.Lines*p.SrcApart), e.draw(rng, p.Lines*p.DstApart), e.draw(rng, 4*half)
			if inPlace {
				copy(old, src)
			}
			want := e.wide(old)
			direct(want, e.wide(src), e.wide(w), p)
			var vector []T
			for _, l := range simd.Available() {
				k := e.kernel(For(l))
				if k.Lanes > 1 && n < 2*k.Lanes {
					continue
				}
				got, from := slices.Clone(old), src
				if inPlace {
					from = got
				}
				k.Factor(h)(bytesOf(got), bytesOf(from), bytesOf(w), &p)
				name := fmt.Sprintf("%s %s of %d, %+v", l, e.name, n, p)
				for i, v := range got {
					if cmplx.Abs(e.to(v)-want[i]) > e.eps {
						t.Fatalf("%s: %v at %d, want %v", name, v, i, want[i])
					}
				}
				if l == simd.Portable {
					continue
				}
				if vector == nil {
					vector = got
				}
				if !slices.Equal(got, vector) {
					t.Fatalf("%s: %v, but %v with shorter vectors", name, got, vector)
				}
			}
		}
	}
}

var (
	float32s = element[float32]{"float32", func(t Table) Kernel { return t.F32 },
		func(z complex128) float32 { return float32(real(z)) }, func(v float32) complex128 { return complex(float64(v), 0) }, 1e-6}
	float64s = element[float64]{"float64", func(t Table) Kernel { return t.F64 },
		func(z complex128) float64 { return real(z) }, func(v float64) complex128 { return complex(v, 0) }, 1e-15}
	complex64s = element[complex64]{"complex64", func(t Table) Kernel { return t.C64 },
		func(z complex128) complex64 { return complex64(z) }, func(v complex64) complex128 { return complex128(v) }, 1e-6}
	complex128s = element[complex128]{"complex128", func(t Table) Kernel { return t.C128 },
		func(z complex128) complex128 { return z }, func(v complex128) complex128 { return v }, 1e-15}
)

func TestFactor(t *testing.T) {
	check(t, float32s)
	check(t, float64s)
	check(t, complex64s)
	check(t, complex128s)
}

package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Loops in vectors, on 64 bits or by an inverse give what Go's operators do.
func TestIntegerLoops(t *testing.T) {
	for _, l := range simd.Available() {
		k := vec.For(l)
		testIntegerLoops(t, k, &k.U8)
		testIntegerLoops(t, k, &k.I8)
		testIntegerLoops(t, k, &k.I16)
		testIntegerLoops(t, k, &k.I32)
		testIntegerLoops(t, k, &k.U32)
		testIntegerLoops(t, k, &k.I64)
	}
}

func testIntegerLoops[T integer](t *testing.T, table *vec.Table, k *vec.Integer[T]) {
	rng := rand.New(rand.NewPCG(1, 1))
	top := T(1) << (8*unsafe.Sizeof(T(0)) - 1)
	edges := []T{0, 1, 2, 3, 5, 7, 10, ^T(0), ^T(1), ^T(2), ^T(6), top, top - 1, top + 1, top/2 + 1}
	draw := func() T {
		if rng.IntN(3) == 0 {
			return edges[rng.IntN(len(edges))]
		}
		return T(rng.Uint64() >> rng.IntN(64))
	}
	or0 := func(y T, f func() T) T {
		if y == 0 {
			return 0
		}
		return f()
	}
	for _, c := range []struct {
		op   scalar.Op
		want func(x, y T) T
	}{
		{scalar.Add, func(x, y T) T { return x + y }},
		{scalar.Sub, func(x, y T) T { return x - y }},
		{scalar.Maximum, func(x, y T) T { return max(x, y) }},
		{scalar.Minimum, func(x, y T) T { return min(x, y) }},
		{scalar.Div, func(x, y T) T { return or0(y, func() T { return x / y }) }},
		{scalar.Rem, func(x, y T) T { return or0(y, func() T { return x % y }) }},
		{scalar.Neg, func(x, _ T) T { return -x }},
		{scalar.Abs, func(x, _ T) T {
			if x < 0 {
				return -x
			}
			return x
		}},
		{scalar.Sign, func(x, _ T) T {
			if x < 0 {
				return ^T(0)
			}
			return min(x, 1)
		}},
	} {
		f := integerForms(table, k, c.op)
		for round := range 300 {
			n := rng.IntN(140) + 1
			if round%30 == 0 {
				n += rng.IntN(1100) // some runs of divisions
			}
			x, y, got := make([]T, n), make([]T, n), make([]T, n)
			for i := range x {
				x[i], y[i] = draw(), draw()
			}
			check := func(form string, other func(i int) T) {
				for i := range x {
					if want := c.want(x[i], other(i)); got[i] != want {
						t.Fatalf("%s %v of %v and %v: %v, want %v", form, c.op, x[i], other(i), got[i], want)
					}
				}
			}
			f.vv(unsafe.Pointer(&got[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), nil, n)
			check(fmt.Sprintf("%T", x), func(i int) T { return y[i] })
			if f.vs != nil {
				by := y[0]
				if round < len(edges) {
					by = edges[round]
				}
				f.vs(unsafe.Pointer(&got[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&by), nil, n)
				check(fmt.Sprintf("%T by one", x), func(int) T { return by })
				copy(got, x)
				f.vs(unsafe.Pointer(&got[0]), unsafe.Pointer(&got[0]), unsafe.Pointer(&by), nil, n)
				check(fmt.Sprintf("%T by one, in place", x), func(int) T { return by })
			}
			copy(got, x)
			f.vv(unsafe.Pointer(&got[0]), unsafe.Pointer(&got[0]), unsafe.Pointer(&y[0]), nil, n)
			check(fmt.Sprintf("%T in place of the first", x), func(i int) T { return y[i] })
			copy(got, y)
			f.vv(unsafe.Pointer(&got[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&got[0]), nil, n)
			check(fmt.Sprintf("%T in place of the second", x), func(i int) T { return y[i] })
		}
	}
}

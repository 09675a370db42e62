package pair

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// checkRows mixes lines side by side, in any order of rows, and compares the
// bits with those of lines by themselves.
func checkRows[T comparable](t *testing.T, e element[T]) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, l := range simd.Available() {
		k := e.kernel(For(l))
		for _, n := range []int{32, 64} {
			if k.Beside == 0 {
				continue
			}
			var zero T
			size, apart := int(unsafe.Sizeof(zero)), n+rng.IntN(5)
			lines, w := e.draw(rng, k.Beside*apart), e.draw(rng, 4*n)
			order := rng.Perm(n)
			places := make([]int32, n)
			for i, at := range order {
				places[i] = int32(at * k.Beside * size)
			}
			for h := 1; h < n; h *= 2 {
				for g := 1; g < n; g *= 2 {
					if g == h {
						continue
					}
					want := slices.Clone(lines)
					for line := range k.Beside {
						x := make([]T, n)
						for i, at := range order {
							x[at] = want[line*apart+i]
						}
						for f, span := range []int{h, g} {
							k.Factor(span)(bytesOf(x), bytesOf(x), bytesOf(w[2*f*n:]), &Pairs{Row: n, Col: n / 2, Span: span, Blocks: n / (2 * span), Lines: 1})
						}
						for i, at := range order {
							want[line*apart+i] = x[at]
						}
					}
					for _, together := range []bool{true, false} {
						got := slices.Clone(lines)
						rows := make([]T, k.Beside*n)
						k.In(bytesOf(rows), bytesOf(got), apart*size, &places[0], n/k.Lanes)
						if together {
							mixRows(k, rows, w, n, h, g)
						} else {
							mixRows(k, rows, w, n, h)
							mixRows(k, rows, w[2*n:], n, g)
						}
						k.Out(bytesOf(got), bytesOf(rows), apart*size, &places[0], n/k.Lanes)
						if !slices.Equal(got, want) {
							t.Fatalf("%s %s, n %d, spans %d and %d, together %t: not the bits of lines by themselves", l, e.name, n, h, g, together)
						}
					}
				}
			}
		}
	}
}

// mixRows applies one factor to all rows, or two at once.
func mixRows[T any](k Kernel, rows, w []T, n int, spans ...int) {
	r := Rows{Row: n, Col: n / 2}
	blocks := func(i int) (at [2]int) {
		for f, h := range spans {
			at[f] = i/(2*h)*h + i%h
		}
		return at
	}
	copy(r.Spans[:], spans)
	low, high := slices.Min(spans), slices.Max(spans)
	if len(spans) == 2 {
		r.Cross = [2]int{blocks(spans[1])[0], blocks(spans[0])[1]}
	}
	// All rows but for the bits of the spans: those below both, between them, and
	// above.
	loop := func(count, rows int) Loop { return Loop{Count: count, Rows: rows, Blocks: blocks(rows)} }
	r.Inner, r.Outer = loop(low, 1), loop(n/(2*high), 2*high)
	between := Loop{Count: 1}
	if high > low {
		between = loop(high/(2*low), 2*low)
	}
	perRow := len(rows) / n
	for m := range between.Count {
		at := [2]int{m * between.Blocks[0], m * between.Blocks[1]}
		r.Next = 2*n + at[1] - at[0]
		k.Rows[len(spans)-1](bytesOf(rows[m*between.Rows*perRow:]), bytesOf(w[at[0]:]), &r)
	}
}

func TestRows(t *testing.T) {
	checkRows(t, float32s)
	checkRows(t, float64s)
	checkRows(t, complex64s)
	checkRows(t, complex128s)
}

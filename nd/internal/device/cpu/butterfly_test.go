package cpu_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// rising is the spans of a radix-2 transform in time.
func rising(n int) (list []int) {
	for h := 1; h < n; h *= 2 {
		list = append(list, h)
	}
	return list
}

func falling(n int) []int {
	list := rising(n)
	slices.Reverse(list)
	return list
}

// Lines that are mixed together, side by side or one behind the other, have the
// bits that each has by itself.
func TestButterflyLinesDoNotMeet(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const lines = 19 // whole vectors of them, and a few
	for _, level := range simd.Available() {
		dev := cpu.Open(cpu.Options{Level: level, PortableOnly: level == simd.Portable, Workers: 2})
		for _, typ := range []elem.Type{elem.Float32, elem.Float64, elem.Complex64, elem.Complex128} {
			for _, n := range []int{16, 64, 512} {
				for i, spans := range [][]int{rising(n), falling(n), append(falling(n), rising(n)...), {n / 2}, {1, n / 2, n / 2, 4, 1, 2, 8, n / 2}} {
					b := &ir.Butterfly{N: n, Spans: spans}
					b.W = ir.Contiguous(typ, b.WDims())
					if i%2 == 1 {
						b.From, b.To = rng.Perm(n), rng.Perm(n)
					}
					if f := len(spans); i == 2 { // pairs first, factors last
						b.W.Offset, b.W.Strides = 3, []int{1, f, 2 * f, 4 * f}
					}
					over := func(outer ...int) *ir.Butterfly {
						c := *b
						c.Outer = outer
						c.In = ir.Contiguous(typ, append(outer, n))
						c.Out = c.In
						return &c
					}
					perLine, part := n*typ.Size(), typ.Real()
					if !typ.IsComplex() {
						part = typ
					}
					x := noise(rng, part, lines*perLine/part.Size())
					w := noise(rng, part, (ir.Count(b.WDims())+3)*typ.Size()/part.Size())
					var want []byte
					for at := 0; at < len(x); at += perLine {
						want = append(want, runOn(t, dev, over(), [][]byte{x[at : at+perLine], w}, [][]byte{make([]byte, perLine)}, nil, -1)[0]...)
					}
					for _, read := range []int{-1, 0} { // into memory of its own, and in place
						got := runOn(t, dev, over(lines), [][]byte{x, w}, [][]byte{make([]byte, len(x))}, nil, read)[0]
						if !bytes.Equal(got, want) {
							t.Errorf("%s %s: %d lines of %d, spans %v, over %d: not the bits of single lines", level, typ, lines, n, spans, read)
						}
					}
				}
			}
		}
		dev.Close()
	}
}

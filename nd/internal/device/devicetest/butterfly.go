package devicetest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// rising is the spans of a radix-2 transform in time; falling, in frequency.
func rising(n int) []int {
	var list []int
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

func testButterfly(s *suite) {
	for _, t := range s.having(elem.Float32, elem.Float64, elem.Complex64, elem.Complex128) {
		s.sub(t.String(), func(s *suite) {
			for _, n := range []int{2, 4, 8, 16, 32, 64, 256, 1024} {
				some := []int{n / 2, 1, n / 2}
				for i, spans := range [][]int{rising(n), falling(n), {1}, {n / 2}, some} {
					b := &ir.Butterfly{Outer: []int{3}, N: n, Spans: spans}
					if i < 2 {
						b.From, b.To = s.rng.Perm(n), s.rng.Perm(n)
					}
					s.sub(fmt.Sprintf("%d %v", n, spans), func(s *suite) { s.checkButterfly(b, t, nil, nil, false) })
				}
			}
			// So many lines that a device may take several at once.
			b := &ir.Butterfly{Outer: []int{2117}, N: 128, Spans: rising(128), From: s.rng.Perm(128)}
			s.sub("many lines", func(s *suite) { s.checkButterfly(b, t, nil, nil, false) })
			// Lines and blocks anywhere in memory.
			for _, n := range []int{8, 64} {
				for _, outer := range [][]int{{}, {0}, {1}, {19}, {3, 7}} {
					dims := append(append([]int(nil), outer...), n)
					for i, l := range layouts(dims) {
						to := layouts(dims)[(3*i+2)%len(layouts(dims))]
						b := &ir.Butterfly{Outer: outer, N: n, Spans: rising(n)}
						if i%2 == 0 {
							b.From = s.rng.Perm(n)
						}
						if i%3 == 0 {
							b.To = s.rng.Perm(n)
						}
						s.sub(fmt.Sprintf("%d x %v/%s to %s", n, outer, l.name, to.name), func(s *suite) {
							s.checkButterfly(b, t, &l, &to, i%2 == 1)
						})
					}
				}
			}
		})
	}
}

// checkButterfly mixes lines of a type; nil layouts are contiguous, and so are
// the blocks unless spread.
func (s *suite) checkButterfly(b *ir.Butterfly, t elem.Type, in, out *layout, spread bool) {
	s.Helper()
	dims := append(append([]int(nil), b.Outer...), b.N)
	b.In, b.W, b.Out = ir.Contiguous(t, dims), ir.Contiguous(t, b.WDims()), ir.Contiguous(t, dims)
	if spread { // pairs first, factors last, and nothing at the beginning
		f := len(b.Spans)
		b.W.Offset, b.W.Strides = 5, []int{1, f, 2 * f, 4 * f}
	}
	if in != nil {
		b.In = in.operand(t)
	}
	if out != nil {
		b.Out = out.operand(t)
	}
	reads := s.reads(b)
	s.check(b, reads, nil, nil, s.butterflyTolerance(b, reads))
}

// butterflyTolerance allows a few roundings per factor of what the same sums
// come to with the moduli of all numbers, so without any cancellation.
func (s *suite) butterflyTolerance(b *ir.Butterfly, reads [][]byte) tolerance {
	moduli := *b
	moduli.In.Type, moduli.W.Type, moduli.Out.Type = elem.Float64, elem.Float64, elem.Float64
	total := sync.OnceValue(func() []byte {
		in := lists.Map(reads, func(buf []byte) []byte { return magnitudes(b.In.Type, elem.Float64, buf) })
		out := blank(&moduli)
		s.reference(&moduli, in, out)
		return out[0]
	})
	roundings := 4 * unit(b.Out.Type) * float64(len(b.Spans))
	return tolerance{anyZero: true, slack: func(_, i int) float64 {
		return roundings * real(reference.Load(elem.Float64, total(), i).Num)
	}}
}

package line

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Lines of which threads take several at once, as they do where there are many:
// here on a card with one multiprocessor.
func TestMixedTogether(t *testing.T) {
	small := h200
	small.Processors = 1
	for _, c := range []struct {
		n, lines, skip int
		typ            elem.Type
		falls          bool
	}{
		{1024, 21, 0, elem.Complex64, false}, {1024, 18, 1, elem.Complex64, true}, {256, 70, 0, elem.Float32, false},
		{64, 67, 0, elem.Complex64, true}, {32, 99, 3, elem.Float64, false}, {512, 17, 0, elem.Complex128, false}, {4096, 16, 0, elem.Complex64, false},
	} {
		t.Run(fmt.Sprintf("%s/%dx%d", c.typ, c.lines, c.n), func(t *testing.T) {
			t.Parallel()
			b := &ir.Butterfly{Outer: []int{c.lines}, N: c.n}
			for h := 1; h < c.n; h *= 2 {
				if c.falls {
					b.Spans = append(b.Spans, c.n/2/h)
				} else {
					b.Spans = append(b.Spans, h)
				}
			}
			rng := rand.New(rand.NewPCG(uint64(c.n), 3))
			b.From, b.To = rng.Perm(c.n), rng.Perm(c.n)
			b.In, b.Out, b.W = ir.Contiguous(c.typ, []int{c.lines, c.n}), ir.Contiguous(c.typ, []int{c.lines, c.n}), ir.Contiguous(c.typ, b.WDims())
			b.W.Offset = c.skip
			m, err := Generate(b, small)
			if err != nil {
				t.Fatal(err)
			}
			off := compareModule(t, m, b, [][]byte{random(c.typ, c.lines*c.n), random(c.typ, c.skip+2*c.n*len(b.Spans))}, [][]byte{make([]byte, c.lines*c.n*c.typ.Size())})
			if !(off <= 2*float64(len(b.Spans))) {
				t.Errorf("off by %.3g units", off)
			}
		})
	}
}

package line

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Rows of a group are stored as one where they follow each other from a sector on, and
// one by one elsewhere; the last group may have fewer.
func TestRowsTogether(t *testing.T) {
	target := h200
	target.Processors = 1
	for _, c := range []struct {
		n, outer, lines, offset, apart, together int // apart: from one row to the next, beyond its length
	}{
		{64, 1, 37, 0, 0, 1}, {64, 1, 64, 0, 0, 1}, {64, 1, 37, 1, 0, 0}, {64, 1, 37, 4, 0, 1}, {64, 1, 37, 0, 1, 0},
		{64, 3, 21, 0, 0, 1}, {128, 1, 33, 0, 0, 1}, {1024, 1, 19, 0, 0, 1}, {4096, 1, 5, 0, 0, 0},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			bins := c.n/2 + 1
			f := transformOf(c.n, c.outer*c.lines, ir.FFTRealForward, false, elem.Complex64)
			row := bins + c.apart
			plane := (c.lines*row + 3) / 4 * 4 // which begins with a sector
			f.Outer = []int{c.outer, c.lines}
			f.In.Strides = []int{c.lines * c.n, c.n, 1}
			f.Out.Offset, f.Out.Strides = c.offset, []int{plane, row, 1}
			p := f.Alone()
			k := newUnit(target).kernel(p)
			if err := k.plan(); err != nil {
				t.Fatal(err)
			}
			if err := k.share(); err != nil || k.together != (c.together == 1) {
				t.Errorf("%v, together: %v", err, k.together)
			}
			m, err := Generate(f, target)
			if err != nil {
				t.Fatal(err)
			}
			out := make([]byte, 8*(c.offset+c.outer*plane))
			off := compareModule(t, m, f, [][]byte{random(elem.Float32, c.outer*c.lines*c.n)}, [][]byte{out})
			if limit := 6 * math.Sqrt(1+math.Log2(float64(c.n))); !(off <= limit) {
				t.Errorf("off by %.3g units, allowed %.3g", off, limit)
			}
		})
	}
}

package line

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Groups that stay take every line once, the last ones too, and none overtakes another in
// shared memory. Where there are few lines, nobody stays.
func TestStay(t *testing.T) {
	target := h200
	target.Processors = 2
	for lines, groups := range map[int]int{3: 3, 4: 2, 5: 2, 7: 2} {
		for _, inverse := range []bool{false, true} {
			f := transformOf(16384, lines, ir.FFTComplex, inverse, elem.Complex64)
			m, err := Generate(f, target)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.Steps[0].Groups; got != groups {
				t.Errorf("%d lines: %d groups, want %d", lines, got, groups)
			}
			off := compareModule(t, m, f, [][]byte{random(f.In.Type, lines*f.InLen)}, [][]byte{make([]byte, lines*f.OutLen()*f.Out.Type.Size())})
			if !(off <= 24) {
				t.Errorf("%d lines, inverse %v: off by %.3g units", lines, inverse, off)
			}
		}
	}
}

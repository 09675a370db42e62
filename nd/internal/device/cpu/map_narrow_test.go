package cpu

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A few lines that are stored side by side follow the operand: rows of a tile
// would be as short as there are lines. 50 times the time, once.
func TestNarrowMapsFollowTheirOperand(t *testing.T) {
	d := Open(Options{})
	defer d.Close()
	for _, c := range []struct {
		lines  int
		tiled  bool
		reason string
	}{{4, false, "4 lines"}, {16, false, "16 lines"}, {256, true, "a matrix"}} {
		const n = 1025
		m := &ir.Map{Dims: []int{c.lines, n},
			Code: ir.Code{
				In:     []ir.Operand{{Type: elem.Complex64, Strides: []int{n, 1}}},
				Instrs: []ir.Instr{{Kind: ir.Load, Type: elem.Complex64}, {Kind: ir.Apply, Type: elem.Float32, Op: scalar.Abs}}},
			Value: []ir.ValueID{1},
			Out:   []ir.Operand{{Type: elem.Float32, Strides: []int{1, 862}}},
		}
		w, err := d.compileMap(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, tiled := w.(*tileMap); tiled != c.tiled {
			t.Errorf("%s: %T", c.reason, w)
		}
	}
}

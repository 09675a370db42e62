package line

import (
	"bytes"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// The first few of a line whose elements are often equal, with NaN and both
// zeros, by threads of a part of a warp, of one and of several; also of a map
// that is computed where it is read, and of which both the elements and their
// places are kept.
func TestSelection(t *testing.T) {
	const lines, keep = 3, 6
	r := elem.Float32
	for _, n := range []int{128, 1024, 4096} {
		long := n - 3
		x := make([]float32, lines*n)
		for i := range x {
			x[i] = float32((i*i*7+i/5)%23 - 11)
			switch {
			case i%29 == 0:
				x[i] = float32(math.NaN())
			case x[i] == 0 && i%2 == 0:
				x[i] = float32(math.Copysign(0, -1))
			}
		}
		// The last line has fewer numbers than are kept.
		for i := 2*n + 4; i < 3*n; i++ {
			x[i] = float32(math.NaN())
		}
		p := &ir.Line{Outer: []int{lines}, Segments: 1, Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{n}}, {Kind: ir.OutSlot, Type: elem.Complex64, Len: n/2 + 1, Strides: []int{n/2 + 1}},
			{Kind: ir.LocalSlot, Type: r, Len: long}, {Kind: ir.LocalSlot, Type: r, Len: long},
		}}
		p.Stages = []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: over(r, 0, 1), Out: over(elem.Complex64, 0, 1)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: mapOf(long, r, []ir.Operand{over(r, 0, 1)}, load(r, 0), apply(scalar.Neg, r, 0, 0)), Reads: []ir.SlotID{0}, Writes: []ir.SlotID{2}},
			{Program: mapOf(long, r, []ir.Operand{over(r, 1, 1), over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Maximum, r, 0, 1)), Reads: []ir.SlotID{0, 0}, Writes: []ir.SlotID{3}},
		}
		writes := [][]byte{make([]byte, lines*(n/2+1)*8)}
		for _, c := range []struct {
			slot                       ir.SlotID
			n, offset                  int
			values, places, descending bool
		}{{0, n, 0, false, true, true}, {0, n - 1, 1, false, true, false}, {2, long, 0, false, true, true}, {3, long, 0, true, true, false}, {0, n, 0, true, false, true}, {0, n, 0, true, true, true}} {
			sort := &ir.Sort{Dims: []int{c.n}, Descending: c.descending, Keep: keep, In: over(r, c.offset, 1)}
			if c.values {
				sort.Values = new(over(r, 0, 1))
			}
			if c.places {
				sort.Places = new(over(elem.Int64, 0, 1))
			}
			stage := ir.Stage{Program: sort, Reads: []ir.SlotID{c.slot}}
			for _, o := range ir.Writes(sort) {
				stage.Writes = append(stage.Writes, p.AddSlot(ir.Slot{Kind: ir.OutSlot, Type: o.Type, Len: keep, Strides: []int{keep}}))
				writes = append(writes, make([]byte, lines*keep*o.Type.Size()))
			}
			p.Stages = append(p.Stages, stage)
		}
		m, err := Generate(p, h200)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]byte, len(writes))
		for i := range writes {
			want[i] = bytes.Clone(writes[i])
		}
		if err := reference.Run(p, [][]byte{elem.Bytes(x)}, want, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := simulate.Run(m, [][]byte{elem.Bytes(x)}, writes, nil, true); err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(writes); i++ { // the transform has NaN
			if !bytes.Equal(writes[i], want[i]) {
				t.Errorf("sort %d of %d: %v, want %v", i, n, writes[i], want[i])
			}
		}
	}
}

package cpu

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Large results are written past the caches, but not over what has just been read: it is in them. Twice the time, once.
func TestLargeMapsOverAnOperand(t *testing.T) {
	d := Open(Options{})
	defer d.Close()
	const n = streamFrom/4 + 1000
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%1000), float32(i%77)
	}
	m := &ir.Map{Dims: []int{n},
		Code: ir.Code{
			In: []ir.Operand{{Type: elem.Float32, Strides: []int{1}}, {Type: elem.Float32, Strides: []int{1}}},
			Instrs: []ir.Instr{{Kind: ir.Load, Type: elem.Float32}, {Kind: ir.Load, Type: elem.Float32, Slot: 1},
				{Kind: ir.Apply, Type: elem.Float32, Op: scalar.Sub, A: 0, B: 1}}},
		Value: []ir.ValueID{2},
		Out:   []ir.Operand{{Type: elem.Float32, Strides: []int{1}}},
	}
	compiled, err := d.compileMap(m)
	if err != nil {
		t.Fatal(err)
	}
	w := compiled.(*mapWork)
	want := slices.Clone(x)
	for i := range want {
		want[i] -= y[i]
	}
	for _, to := range [][]float32{z, y} {
		l := &launch{team: d.team, s: d.team.take(), mem: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&to[0])}}
		if over := &to[0] == &y[0]; w.over == nil || w.overwrites(l) != over {
			t.Errorf("over an operand: %v", over)
		}
		if err := w.run(l); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(to, want) {
			t.Error("another result")
		}
	}
}

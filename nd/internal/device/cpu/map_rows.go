package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// rowProduct is a product over rows that are too short to be blocks of their
// own in mapWork, and whose operands lie in order along a row but not from row
// to row: frames times a window. Gathering rows into a block would cost more
// than the product, so a kernel goes from row to row.
type rowProduct struct {
	rows, cols int
	to         [3]layout // result and factors
	mem        [3]int    // their operands of the launch
	mul        func(dst, x, y unsafe.Pointer, rows, n, dstStep, xStep, yStep int)
}

// compileRowProduct is nil if the map is something else. Operands are the
// output, then the inputs.
func (d *Device) compileRowProduct(m *ir.Map, dims []int, operands []layout) *rowProduct {
	if len(dims) != 2 || dims[1] >= rowsFrom || len(m.Out) != 1 || len(m.Instrs) != 3 || m.Value[0] != 2 {
		return nil
	}
	a, b, mul := m.Instrs[0], m.Instrs[1], m.Instrs[2]
	if a.Kind != ir.Load || b.Kind != ir.Load || mul.Kind != ir.Apply || mul.Op != scalar.Mul || mul.A == mul.B {
		return nil
	}
	w := &rowProduct{rows: dims[0], cols: dims[1]}
	switch mul.Type {
	case elem.Float32:
		w.mul = rowKernel(d.vec.F32.MulRows)
	case elem.Float64:
		w.mul = rowKernel(d.vec.F64.MulRows)
	default:
		return nil
	}
	w.mem = [3]int{len(m.In), m.Instrs[mul.A].Slot, m.Instrs[mul.B].Slot}
	w.to = [3]layout{operands[0], operands[1+w.mem[1]], operands[1+w.mem[2]]}
	for _, o := range w.to {
		if o.strides[1] != 1 {
			return nil
		}
	}
	return w
}

func rowKernel[T float32 | float64](k func(dst, x, y *T, rows, n, dstStep, xStep, yStep int)) func(dst, x, y unsafe.Pointer, rows, n, dstStep, xStep, yStep int) {
	return func(dst, x, y unsafe.Pointer, rows, n, dstStep, xStep, yStep int) {
		k((*T)(dst), (*T)(x), (*T)(y), rows, n, dstStep, xStep, yStep)
	}
}

func (w *rowProduct) run(l *launch) error {
	return l.share(w, w.rows, max(1, partPoints(w.rows*w.cols, l.team.size)/w.cols))
}

// part computes the rows from..end.
func (w *rowProduct) part(l *launch, _ *scratch, from, end int) error {
	var p [3]unsafe.Pointer
	for i, o := range w.to {
		p[i] = unsafe.Add(l.mem[w.mem[i]], (o.offset+from*o.strides[0])*o.size)
	}
	step := func(i int) int { return w.to[i].strides[0] * w.to[i].size }
	w.mul(p[0], p[1], p[2], end-from, w.cols, step(0), step(1), step(2))
	return nil
}

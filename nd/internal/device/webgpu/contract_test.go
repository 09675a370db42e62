package webgpu

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Products and sums are rounded twice, whether the adapter's compiler joins them or not:
// products that are kept apart from sums change nothing where it does not.
func TestProductsAreKeptApart(t *testing.T) {
	const n = 1000
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = 1+float32(i)/4096, -1-float32(i)/2048
	}
	o := ir.Contiguous(elem.Float32, []int{n})
	p := &ir.Map{Dims: []int{n}, Out: []ir.Operand{o}, Value: []ir.ValueID{3}, Code: ir.Code{In: []ir.Operand{o, o}, Instrs: []ir.Instr{
		{Kind: ir.Load, Type: elem.Float32},
		{Kind: ir.Load, Type: elem.Float32, Slot: 1},
		{Kind: ir.Apply, Op: scalar.Mul, Type: elem.Float32, A: 0, B: 0},
		{Kind: ir.Apply, Op: scalar.Add, Type: elem.Float32, A: 2, B: 1},
	}}}
	d := openSome(t, nil)
	t.Logf("the compiler joins products and sums: %t", d.contracts)
	for _, kept := range []bool{d.contracts, true} {
		d.contracts = kept
		out, err := newBench(t, d).all(p, [][]byte{elem.Bytes(x), elem.Bytes(y)}, []int{4 * n})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range elem.Slice[float32](out[0]) {
			if want := float32(x[i]*x[i]) + y[i]; v != want {
				t.Fatalf("kept apart %t: %v*%v + %v is %v, want %v", kept, x[i], x[i], y[i], v, want)
			}
		}
	}
}

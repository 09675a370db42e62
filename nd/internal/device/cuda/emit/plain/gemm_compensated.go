package plain

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// generateCompensated writes a product as a reduction of K for each element, in
// double, that also adds up what each product and each addition rounds away.
func generateCompensated(g *ir.Gemm) (*emit.Module, error) {
	n, t, c := len(g.Batch), g.Out.Type, elem.Float64
	if t.IsComplex() {
		c = elem.Complex128
	}
	a := append(slices.Clone(g.A.Strides[:n]), g.A.Strides[n], 0, g.A.Strides[n+1])
	b := append(slices.Clone(g.B.Strides[:n]), 0, g.B.Strides[n+1], g.B.Strides[n])
	r := &ir.Reduce{Dims: append(slices.Clone(g.Batch), g.M, g.N, g.K), Inner: 1, Op: ir.Sum, Value: 2, Out: g.Out}
	r.In = []ir.Operand{{Type: t, Offset: g.A.Offset, Strides: a}, {Type: t, Offset: g.B.Offset, Strides: b}}
	r.Instrs = []ir.Instr{
		{Kind: ir.Load, Type: t}, {Kind: ir.Load, Type: t, Slot: 1},
		{Kind: ir.Apply, Op: scalar.Cast, Type: c, A: 0}, {Kind: ir.Apply, Op: scalar.Cast, Type: c, A: 1},
	}
	r.Post.Instrs = []ir.Instr{{Kind: ir.Acc, Type: c}, {Kind: ir.Apply, Op: scalar.Cast, Type: t, A: 0}}
	return reduceTo(&reduction{r: r, fold: fold{op: ir.Sum, t: c, twice: true}, factors: []int{2, 3}})
}

// twiceText is an accumulator of twice the digits: a total, and what its
// additions rounded away (Knuth's sum of two, exact in either order).
const twiceText = `struct alignas(16) twice { double total, lost; };
TW twice plus(twice a, double x, double lost) {
  const double s = a.total + x, b = s - a.total;
  return {s, a.lost + lost + ((a.total - (s - b)) + (x - b))};
}
TW twice plus_product(twice a, double x, double y) { const double p = x * y; return plus(a, p, fma(x, y, -p)); }
TW double value(twice a) { const double v = a.total + a.lost; return v - v == 0 ? v : a.total; }
`

const twiceReal = `typedef twice acc;
TW acc none() { return {0, 0}; }
TW acc join(acc a, acc b) { return plus(a, b.total, b.lost); }
TW void take(acc& a, double x, double y) { a = plus_product(a, x, y); }
`

const twiceComplex = `struct alignas(16) acc { twice re, im; };
TW acc none() { return {{0, 0}, {0, 0}}; }
TW acc join(acc a, acc b) { return {plus(a.re, b.re.total, b.re.lost), plus(a.im, b.im.total, b.im.lost)}; }
TW void take(acc& a, c128 x, c128 y) {
  a.re = plus_product(plus_product(a.re, x.re, y.re), -x.im, y.im);
  a.im = plus_product(plus_product(a.im, x.re, y.im), x.im, y.re);
}
`

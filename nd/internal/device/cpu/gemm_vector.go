package cpu

import "github.com/twiddle-go/twiddle/nd/internal/ir"

// isVector reports a product with a vector, which has as many operations as it
// reads numbers: rearranging those, as products of matrices do, would be most of
// the work. Products of half numbers have to be kept in float32, which only the
// other way does.
func isVector(p *ir.Gemm) bool {
	t := p.Out.Type
	return p.AxesA.Plain() && p.AxesB.Plain() && (p.M == 1 || p.N == 1) && p.K > 0 && (t.IsFloat() && !t.IsHalf() || t.IsComplex())
}

package reference

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

func runGemm(g *ir.Gemm, a, b, write []byte) {
	points(g.Batch, func(at []int) {
		rows, columns := make([][]Value, g.M), make([][]Value, g.N)
		for i := range rows {
			rows[i] = loadLine(g.A, a, along(at, i), g.K)
		}
		for j := range columns {
			columns[j] = lists.Make(g.K, func(k int) Value { return load(g.B, b, along(along(at, k), j)) })
		}
		for i := range rows {
			for j := range columns {
				store(dotAs(g.Out.Type, rows[i], columns[j], g.Mode, g.Root), g.Out, write, along(along(at, i), j))
			}
		}
	})
}

// dot is the sum of products, rounded once.
func dot(t elem.Type, x, y []Value) Value {
	switch {
	case t.IsComplex():
		var s complexTotal
		for i := range x {
			s.addProduct(x[i].Num, y[i].Num)
		}
		return Complex(t, s.value())
	case t.IsFloat():
		var s total
		for i := range x {
			s.addProduct(x[i].Float64(), y[i].Float64())
		}
		return Float(t, s.value())
	}
	s := int64(0)
	for i := range x {
		s += x[i].Int * y[i].Int
	}
	return Integer(t, s)
}

package reference

import (
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

func runGemm(g *kern.Gemm, a, b, write []byte) {
	points(g.Batch, func(at []int) {
		for i := range g.M {
			for j := range g.N {
				var x, y []Value
				for k := range g.K {
					x = append(x, load(g.A, a, line(line(at, i), k)))
					y = append(y, load(g.B, b, line(line(at, k), j)))
				}
				store(dot(g.Out.Type, x, y), g.Out, write, line(line(at, i), j))
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

package reference

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

func runGemm(g *ir.Gemm, a, b, write []byte) {
	points(g.Batch, func(at []int) {
		rowsA, depthA := g.AxesA.Split(g.M, g.K)
		depthB, columnsB := g.AxesB.Split(g.K, g.N)
		rows := lists.Make(g.M, func(i int) []Value {
			return lists.Make(g.K, func(k int) Value { return load(g.A, a, slices.Concat(at, place(rowsA, i), place(depthA, k))) })
		})
		columns := lists.Make(g.N, func(j int) []Value {
			return lists.Make(g.K, func(k int) Value { return load(g.B, b, slices.Concat(at, place(depthB, k), place(columnsB, j))) })
		})
		for i := range rows {
			for j := range columns {
				store(dotAs(g.Out.Type, rows[i], columns[j], g.Mode, g.Root), g.Out, write, along(along(at, i), j))
			}
		}
	})
}

// place is the index of element i in row-major order.
func place(dims []int, i int) []int {
	index := make([]int, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		index[d] = i % dims[d]
		i /= dims[d]
	}
	return index
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

package nd_test

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleArray_Sum() {
	x := nd.Arange(0.0, 6, 1).Reshape(2, 3)
	show[float64](x.Sum())
	show[float64](x.Sum(0))
	show[float64](x.Mean(-1))
	show[float64](x.Max(1).ExpandDims(1))
	// Output:
	// [] [15]
	// [3] [3 5 7]
	// [2] [1 4]
	// [2 1] [2 5]
}

func ExampleArray_Var() {
	x := nd.From([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	show[float64](x.Var())
	show[float64](x.Std())
	show[float64](x.Slice(nd.Range{Stop: 2}).VarDDof(1))
	// Output:
	// [] [4]
	// [] [2]
	// [] [2]
}

func ExampleArray_LogSumExp() {
	x := nd.From([]float64{1000, 1000}) // exp(1000) would overflow
	v, err := nd.Item[float64](context.Background(), x.LogSumExp())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", v)
	// Output:
	// 1000.6931
}

func ExampleArray_ArgMax() {
	x := nd.From([]int32{3, 9, 9, 1, 0, 4}, 2, 3)
	show[int64](x.ArgMax(1))
	show[int64](x.ArgMin())
	show[bool](x.GreaterScalar(0).All(1))
	// Output:
	// [2] [1 2]
	// [] [4]
	// [2] [true false]
}

func ExampleArray_CumSum() {
	x := nd.From([]int32{1, 2, 3, 4}, 2, 2)
	show[int32](x.CumSum(1))
	show[int32](x.CumProd(0))
	// Output:
	// [2 2] [1 3 3 7]
	// [2 2] [1 2 3 8]
}

func ExampleArray_Sort() {
	x := nd.From([]int32{3, 1, 2})
	show[int32](x.Sort(0))
	show[int32](x.SortDescending(0))
	show[int64](x.ArgSort(0))
	// Output:
	// [3] [1 2 3]
	// [3] [3 2 1]
	// [3] [1 2 0]
}

func ExampleArray_TopK() {
	power := nd.From([]float64{0.1, 7, 0.3, 9, 2})
	values, bins := power.TopK(2, 0)
	show[float64](values)
	show[int64](bins)
	// Output:
	// [2] [9 7]
	// [2] [3 1]
}

func ExampleArray_MatMul() {
	a := nd.From([]float64{1, 2, 3, 4}, 2, 2)
	show[float64](a.MatMul(a))
	show[float64](a.MatMul(nd.From([]float64{1, 10})))
	// Output:
	// [2 2] [7 10 15 22]
	// [2] [21 43]
}

func ExampleArray_Norm() {
	show[float64](nd.From([]complex128{3, 4i}).Norm())
	// Output:
	// [] [5]
}

package nd_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"path/filepath"
	"strings"

	"github.com/twiddle-go/twiddle/nd"
)

// show prints the shape and the elements of an Array.
func show[T nd.Element](a *nd.Array) {
	v, err := nd.Slice[T](context.Background(), a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Shape(), v)
}

// A low-pass filter: nothing runs until Slice asks for elements.
func Example() {
	samples := []float64{1, 2, 3, 4, 3, 2, 1, 0}
	x := nd.From(samples)
	pass := nd.Arange[int64](0, 5, 1).LessScalar(2) // of 5 bins keep the first two
	y := nd.Where(pass, x.RFFT(), nd.Zeros(nd.Complex128)).IRFFT()

	out, err := nd.Slice[float64](context.Background(), y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", out)
	// Output:
	// [0.79 2.00 3.21 3.71 3.21 2.00 0.79 0.29]
}

func ExampleFrom() {
	show[float32](nd.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	show[bool](nd.From([]bool{true, false}))
	show[int32](nd.From([]int32{1, 2, 3, 4}, 2, -1))
	// Output:
	// [2 3] [1 2 3 4 5 6]
	// [2] [true false]
	// [2 2] [1 2 3 4]
}

func ExampleFull() {
	show[complex64](nd.Full(2i, nd.Complex64, 2))
	show[int32](nd.Zeros(nd.Int32, 2, 2))
	show[float64](nd.Eye(nd.Float64, 2))
	fmt.Println(nd.Full(0.5, nd.Int32, 2).Err() != nil) // no fraction is an int32
	// Output:
	// [2] [(0+2i) (0+2i)]
	// [2 2] [0 0 0 0]
	// [2 2] [1 0 0 1]
	// true
}

func ExampleArange() {
	show[int64](nd.Arange[int64](10, 0, -3))
	show[float32](nd.Arange[float32](0, 1, 0.25))
	show[float64](nd.Linspace(0.0, 1, 5))
	// Output:
	// [4] [10 7 4 1]
	// [4] [0 0.25 0.5 0.75]
	// [5] [0 0.25 0.5 0.75 1]
}

func ExampleScalar() {
	v, err := nd.Item[float64](context.Background(), nd.Scalar(2.0).Sqrt())
	fmt.Printf("%.4f %v\n", v, err)
	// Output:
	// 1.4142 <nil>
}

func ExampleArray_Add() {
	rows := nd.From([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	show[float64](rows.Add(nd.From([]float64{10, 20, 30})))
	show[float64](rows.MulScalar(2).SubScalar(1))
	show[float64](rows.Add(nd.From([]float64{100, 200}, 2, 1)))
	// Output:
	// [2 3] [11 22 33 14 25 36]
	// [2 3] [1 3 5 7 9 11]
	// [2 3] [101 102 103 204 205 206]
}

func ExampleWhere() {
	x := nd.From([]float64{-2, -1, 0, 1, 2})
	show[float64](nd.Where(x.LessScalar(0), x.Neg(), x.MulScalar(10)))
	show[float64](x.Clip(-1, 1.5))
	// Output:
	// [5] [2 1 0 10 20]
	// [5] [-1 -1 0 1 1.5]
}

func ExampleComplex() {
	z := nd.Complex(nd.From([]float64{3, 0}), nd.From([]float64{4, -2}))
	show[complex128](z.Conj())
	show[float64](z.Abs())
	show[float64](z.AbsSquared())
	// Output:
	// [2] [(3-4i) (0+2i)]
	// [2] [5 2]
	// [2] [25 4]
}

func ExampleArray_Cast() {
	x := nd.From([]float64{-1.7, 2.5, 300})
	show[int32](x.Cast(nd.Int32))
	show[uint8](x.Cast(nd.Uint8))
	show[float64](x.Round())
	show[uint32](nd.From([]float32{1}).BitCast(nd.Uint32))
	// Output:
	// [3] [-1 2 300]
	// [3] [0 2 255]
	// [3] [-2 2 300]
	// [1] [1065353216]
}

func ExampleArray_Err() {
	x := nd.Zeros(nd.Float32, 8, 64)
	y := x.Add(nd.Zeros(nd.Float32, 3)).Exp().Sum() // the mistake is in Add

	_, err := nd.Item[float32](context.Background(), y)
	var op *nd.OpError
	if errors.As(err, &op) {
		file, _, _ := strings.Cut(filepath.Base(op.Site), ":")
		fmt.Println(op.Op, op.Shapes, op.Err)
		fmt.Println(file)
	}
	// Output:
	// add [[8 64] [3]] shapes [8 64] and [3] do not broadcast
	// example_test.go
}

func ExampleKey() {
	keys := nd.Key(42).Split(2)
	a := nd.Uniform(keys[0], nd.Float32, 3)
	b := nd.Uniform(keys[0], nd.Float32, 3)
	c := nd.Uniform(keys[1], nd.Float32, 3)
	show[bool](a.Equal(b))
	show[bool](a.Equal(c).Any())
	show[int64](nd.Permutation(keys[1], 5).Sort(0))
	// Output:
	// [3] [true true true]
	// [] [false]
	// [5] [0 1 2 3 4]
}

package nd_test

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleArray_Slice() {
	x := nd.Arange[int64](0, 12, 1).Reshape(3, 4)
	show[int64](x.Slice(nd.Range{Start: 1, Stop: nd.End}, nd.Range{Stop: -1}))
	show[int64](x.Slice(nd.All, nd.Range{Start: -1, Stop: nd.End, Step: -2}))
	show[int64](x.SliceAxis(1, nd.Range{Start: 1, Stop: 3}))
	// Output:
	// [2 3] [4 5 6 8 9 10]
	// [3 2] [3 1 7 5 11 9]
	// [3 2] [1 2 5 6 9 10]
}

func ExampleArray_At() {
	x := nd.Arange[int64](0, 6, 1).Reshape(2, 3)
	show[int64](x.At(-1))
	show[int64](x.At(0, 2))
	// Output:
	// [3] [3 4 5]
	// [] [2]
}

func ExampleArray_Reshape() {
	x := nd.Arange[int64](0, 6, 1)
	show[int64](x.Reshape(2, -1).Transpose())
	show[int64](x.Reshape(2, 3).Transpose().Flatten())
	// Output:
	// [3 2] [0 3 1 4 2 5]
	// [6] [0 3 1 4 2 5]
}

func ExampleArray_ExpandDims() {
	x := nd.From([]float64{1, 2, 3, 6}, 2, 2)
	centred := x.Sub(x.Mean(1).ExpandDims(1))
	show[float64](centred)
	fmt.Println(x.ExpandDims(0, -1).Shape(), x.ExpandDims(0, -1).Squeeze().Shape())
	// Output:
	// [2 2] [-0.5 0.5 -1.5 1.5]
	// [1 2 2 1] [2 2]
}

func ExampleArray_BroadcastTo() {
	show[int64](nd.Arange[int64](0, 3, 1).BroadcastTo(2, 3))
	// Output:
	// [2 3] [0 1 2 0 1 2]
}

func ExampleArray_Frames() {
	x := nd.Arange[int64](0, 8, 1)
	show[int64](x.Frames(4, 2))
	show[int64](x.Frames(4, 2).Sum(1)) // a moving sum, without a copy
	// Output:
	// [3 4] [0 1 2 3 2 3 4 5 4 5 6 7]
	// [3] [6 14 22]
}

func ExampleArray_Flip() {
	x := nd.Arange[int64](0, 6, 1).Reshape(2, 3)
	show[int64](x.Flip(1))
	show[int64](x.Roll(1, 1))
	// Output:
	// [2 3] [2 1 0 5 4 3]
	// [2 3] [2 0 1 5 3 4]
}

func ExampleArray_Pad() {
	x := nd.From([]int32{1, 2, 3})
	two := nd.Margin{Before: 2, After: 2}
	show[int32](x.Pad(nd.Pad{Value: 9}, two))
	show[int32](x.Pad(nd.Pad{Mode: nd.PadReflect}, two))
	show[int32](x.Pad(nd.Pad{Mode: nd.PadEdge}, two))
	show[int32](x.PadAxis(-1, two, nd.Pad{Mode: nd.PadWrap}))
	// Output:
	// [7] [9 9 1 2 3 9 9]
	// [7] [3 2 1 2 3 2 1]
	// [7] [1 1 1 2 3 3 3]
	// [7] [2 3 1 2 3 1 2]
}

func ExampleConcat() {
	a, b := nd.From([]int32{1, 2}), nd.From([]int32{3, 4})
	show[int32](nd.Concat(0, a, b))
	show[int32](nd.Stack(1, a, b))
	for _, part := range nd.Split(nd.Arange[int64](0, 5, 1), 2, 0) {
		show[int64](part)
	}
	// Output:
	// [4] [1 2 3 4]
	// [2 2] [1 3 2 4]
	// [3] [0 1 2]
	// [2] [3 4]
}

func ExampleArray_Tile() {
	x := nd.From([]int32{1, 2, 3})
	show[int32](x.Tile(2, 2))
	show[int32](x.Repeat(2, 0))
	// Output:
	// [2 6] [1 2 3 1 2 3 1 2 3 1 2 3]
	// [6] [1 1 2 2 3 3]
}

func ExampleArray_Take() {
	x := nd.From([]float64{10, 11, 20, 21, 30, 31}, 3, 2)
	show[float64](x.Take(nd.From([]int64{2, 0, -1}), 0))
	show[float64](x.Gather(nd.From([]int64{1, 0, 1}, 3, 1), 1))
	show[float64](nd.Zeros(nd.Float64, 3).ScatterAdd(nd.From([]int64{0, 2, 0}), nd.From([]float64{1, 5, 2}), 0))
	// Output:
	// [3 2] [30 31 10 11 30 31]
	// [3 1] [11 20 31]
	// [3] [3 0 5]
}

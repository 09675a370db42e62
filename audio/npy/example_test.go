package npy_test

import (
	"bytes"
	"fmt"

	"github.com/twiddle-go/twiddle/audio/npy"
)

func Example() {
	a, err := npy.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := npy.Write(&file, a); err != nil {
		fmt.Println(err)
		return
	}
	b, err := npy.Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := npy.As[float64](b)
	fmt.Println(b.DType, b.Shape, values, err)
	// Output: float32 [2 3] [1 2 3 4 5 6] <nil>
}

func ExampleArray_WithFortran() {
	a, err := npy.From([]uint8{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := a.WithFortran(true)
	fmt.Println(f.Data, err)
	// Output: [1 4 2 5 3 6] <nil>
}

func ExampleNewHalf() {
	h := npy.NewHalf(3.14159)
	fmt.Println(h.Float32())
	// Output: 3.140625
}

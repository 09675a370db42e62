package gemm_test

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
)

// The product of a 2x3 matrix and the transpose of another one: strides say
// how a matrix lies in memory.
func ExampleMul() {
	a := gemm.Matrix[float32]{Data: []float32{1, 2, 3, 4, 5, 6}, Row: 3, Col: 1}
	b := gemm.Matrix[float32]{Data: []float32{1, 0, 1, 0, 1, 0}, Row: 1, Col: 3}
	c := gemm.Matrix[float32]{Data: make([]float32, 4), Row: 2, Col: 1}
	gemm.Mul(2, 2, 3, c, a, b, nil)
	fmt.Println(c.Data)
	// Output: [4 2 10 5]
}

package kernels

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// RowSum adds the elements of each row of x.
func RowSum(x *nd.Array) *nd.Array {
	const op = "row_sum"
	if bad := first(op, []*nd.Array{x}, wants("x", x, nd.Float32, 2)); bad != nil {
		return bad
	}
	rows := x.Dim(0)
	if rows == 0 {
		return nd.Zeros(nd.Float32, 0)
	}
	group := min(256, max(32, roundUp(x.Dim(1), 32)))
	return rowSum.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{rows}}, Grid: [3]int{rows * group}, Threadgroup: [3]int{group}})[0]
}

// ExactDot is the float32 nearest to the exact product of x and y: the sum is
// kept in integers wide enough for every bit, and rounded once. NaN and
// infinities come out as IEEE 754 would have them.
func ExactDot(x, y *nd.Array) *nd.Array {
	const op = "exact_dot"
	if bad := first(op, []*nd.Array{x, y}, wants("x", x, nd.Float32, 1), wants("y", y, nd.Float32, 1)); bad != nil {
		return bad
	}
	if x.Len() != y.Len() {
		return nd.Fail("kernels", op, fmt.Errorf("%d and %d elements", x.Len(), y.Len()), x, y)
	}
	// A limb of a thread overflows after 2^15 products, and the shared limbs
	// after as many threads.
	const most = 1 << 14
	if x.Len() > most*most {
		return nd.Fail("kernels", op, fmt.Errorf("%d elements: at most 2^28 are possible", x.Len()), x, y)
	}
	threads := min(most, max(x.Len(), 1))
	limbs := exactDot.Call(nd.Launch{Inputs: []*nd.Array{x, y}, Shapes: [][]int{{43}}, DTypes: []nd.DType{nd.Int32},
		Grid: [3]int{threads}, Threadgroup: [3]int{min(64, threads)}, Atomic: true})[0]
	return exactRound.Call(nd.Launch{Inputs: []*nd.Array{limbs}, Shapes: [][]int{{}}, DTypes: []nd.DType{nd.Float32}, Grid: [3]int{1}})[0]
}

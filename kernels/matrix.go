package kernels

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// Tile is the part of a product that one threadgroup computes.
type Tile struct{ Rows, Columns int }

// Tiles that suit most shapes: square, and for tall and for wide products.
var (
	Square = Tile{16, 16}
	Tall   = Tile{32, 8}
	Wide   = Tile{8, 32}
)

// MatMul multiplies float32 matrices by tiles in threadgroup memory.
func MatMul(a, b *nd.Array, t Tile) *nd.Array {
	const op = "matmul"
	if bad := first(op, []*nd.Array{a, b}, wants("a", a, nd.Float32, 2), wants("b", b, nd.Float32, 2)); bad != nil {
		return bad
	}
	m, n := a.Dim(0), b.Dim(1)
	switch {
	case a.Dim(1) != b.Dim(0):
		return nd.Fail("kernels", op, fmt.Errorf("inner lengths %d and %d differ", a.Dim(1), b.Dim(0)), a, b)
	case t.Rows < 1 || t.Columns < 1 || t.Rows*t.Columns > 1024:
		return nd.Fail("kernels", op, fmt.Errorf("tile of %dx%d threads: want 1 to 1024", t.Rows, t.Columns), a, b)
	case m == 0 || n == 0:
		return nd.Zeros(nd.Float32, m, n)
	}
	return gemm.Call(nd.Launch{Inputs: []*nd.Array{a, b}, Shapes: [][]int{{m, n}},
		Grid: [3]int{roundUp(n, t.Columns), roundUp(m, t.Rows)}, Threadgroup: [3]int{t.Columns, t.Rows},
		Template: map[string]any{"ROWS": t.Rows, "COLUMNS": t.Columns, "DEPTH": min(t.Rows, t.Columns)}})[0]
}

// ColumnDot is the product of every column of q with v: transpose(q) v.
func ColumnDot(q, v *nd.Array) *nd.Array {
	return columns("column_dot", q, v, func(k int) []*nd.Array {
		return columnDot.Call(nd.Launch{Inputs: []*nd.Array{q, v}, Shapes: [][]int{{k}}, Grid: [3]int{k}})
	})
}

// ColumnDotLanes is ColumnDot with 32 lanes on each column, which pays for
// columns of 512 elements and more.
func ColumnDotLanes(q, v *nd.Array) *nd.Array {
	return columns("column_dot_lanes", q, v, func(k int) []*nd.Array {
		return columnDotLanes.Call(nd.Launch{Inputs: []*nd.Array{q, v}, Shapes: [][]int{{k}}, Grid: [3]int{32 * k}, Threadgroup: [3]int{32}})
	})
}

func columns(op string, q, v *nd.Array, call func(k int) []*nd.Array) *nd.Array {
	if bad := first(op, []*nd.Array{q, v}, wants("q", q, nd.Float32, 2), wants("v", v, nd.Float32, 1)); bad != nil {
		return bad
	}
	if q.Dim(0) != v.Dim(0) {
		return nd.Fail("kernels", op, fmt.Errorf("columns of %d elements and a vector of %d", q.Dim(0), v.Dim(0)), q, v)
	}
	if q.Dim(1) == 0 {
		return nd.Zeros(nd.Float32, 0)
	}
	return call(q.Dim(1))[0]
}

// SubtractProduct is v - q c, each product subtracted with one rounding.
func SubtractProduct(v, q, c *nd.Array) *nd.Array {
	const op = "subtract_product"
	if bad := first(op, []*nd.Array{v, q, c}, wants("v", v, nd.Float32, 1), wants("q", q, nd.Float32, 2), wants("c", c, nd.Float32, 1)); bad != nil {
		return bad
	}
	if q.Dim(0) != v.Dim(0) || q.Dim(1) != c.Dim(0) {
		return nd.Fail("kernels", op, fmt.Errorf("matrix of shape %v: want [%d %d]", q.Shape(), v.Dim(0), c.Dim(0)), v, q, c)
	}
	if v.Len() == 0 {
		return v
	}
	return subtractProduct.Call(nd.Launch{Inputs: []*nd.Array{v, q, c}, Shapes: [][]int{v.Shape()}, Grid: [3]int{v.Len()}})[0]
}

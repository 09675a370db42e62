package gemm

import (
	"fmt"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Matrix is a strided view: element (i, j) is Data[Offset + i*Row + j*Col].
// Strides may be zero or negative.
//
// The rows of a factor of real numbers, or its columns, may be several axes: if Rows is not nil, row i is at the
// places that i has along them in row-major order, the last one fastest, and Row is of no use; Cols likewise.
// A matrix of overlapping windows is an example.
type Matrix[T any] struct {
	Data             []T
	Offset, Row, Col int
	Rows, Cols       []Axis
}

// axes are those of the rows and of the columns, nil where strides say it all.
func (m Matrix[T]) axes(rows, cols int) [2][]Axis {
	if m.Rows == nil && m.Cols == nil {
		return [2][]Axis{}
	}
	a := [2][]Axis{m.Rows, m.Cols}
	for i, one := range [2]Axis{{rows, m.Row}, {cols, m.Col}} {
		if a[i] == nil {
			a[i] = []Axis{one}
		}
	}
	return a
}

// check panics unless a matrix of this size lies within Data: past here it is
// only pointers.
func (m Matrix[T]) check(name string, rows, cols int) {
	first, last := m.Offset, m.Offset
	if a := m.axes(rows, cols); a[0] == nil {
		first, last = span([]Axis{{rows, m.Row}, {cols, m.Col}}, first, last)
	} else {
		for i, want := range [2]int{rows, cols} {
			first, last = span(a[i], first, last)
			if n := count(a[i]); n != want {
				panic(fmt.Sprintf("gemm: mul: %s is %dx%d with axes of %d places", name, rows, cols, n))
			}
		}
		switch any(*new(T)).(type) {
		case complex64, complex128:
			panic(fmt.Sprintf("gemm: mul: %s has axes and complex numbers", name))
		}
		if name == "c" {
			panic("gemm: mul: c has axes")
		}
	}
	if first < 0 || last >= len(m.Data) {
		panic(fmt.Sprintf("gemm: mul: %s is %dx%d with offset %d and strides %d, %d: outside its %d elements",
			name, rows, cols, m.Offset, m.Row, m.Col, len(m.Data)))
	}
}

func (m Matrix[T]) transposed() Matrix[T] {
	m.Row, m.Col, m.Rows, m.Cols = m.Col, m.Row, m.Cols, m.Rows
	return m
}

// Parallel runs run(task) for every task below tasks, in any order and
// possibly at once, and returns when all are done. A nil Parallel runs them
// one after the other.
type Parallel func(tasks int, run func(task int))

// Element is the set of types that can be multiplied.
type Element interface {
	float32 | float64 | complex64 | complex128
}

// Mul computes c = a*b, where a is m x k, b is k x n and c is m x n. c must not
// overlap a or b. It is fastest when c's rows or columns are contiguous.
// Products of fewer than about a million multiplications run on the caller's
// goroutine alone. A matrix that does not lie within its Data is a panic.
func Mul[T Element](m, n, k int, c, a, b Matrix[T], p Parallel) {
	MulAt(simd.Active(), m, n, k, c, a, b, p)
}

// AddMul computes c += a*b as Mul does c = a*b; the columns of c must be contiguous.
func AddMul[T Element](m, n, k int, c, a, b Matrix[T], p Parallel) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	if c.Col != 1 {
		panic(fmt.Sprintf("gemm: add mul: columns of c are %d apart: want 1", c.Col))
	}
	c.check("c", m, n)
	a.check("a", m, k)
	b.check("b", k, n)
	product(simd.Active(), true, m, n, k, c, a, b, p)
}

// MulAt is Mul on a given level.
func MulAt[T Element](level simd.Level, m, n, k int, c, a, b Matrix[T], p Parallel) {
	if m <= 0 || n <= 0 {
		return
	}
	c.check("c", m, n)
	if k <= 0 {
		var zero T
		for i := range m {
			for j := range n {
				c.Data[c.Offset+i*c.Row+j*c.Col] = zero
			}
		}
		return
	}
	a.check("a", m, k)
	b.check("b", k, n)
	switch {
	case c.Col == 1 || n == 1 && c.Row != 1:
		product(level, false, m, n, k, c, a, b, p)
	case c.Row == 1:
		product(level, false, n, m, k, c.transposed(), b.transposed(), a.transposed(), p)
	default:
		rows := Matrix[T]{Data: make([]T, m*n), Row: n, Col: 1}
		product(level, false, m, n, k, rows, a, b, p)
		for i := range m {
			for j, v := range rows.Data[i*n : (i+1)*n] {
				c.Data[c.Offset+i*c.Row+j*c.Col] = v
			}
		}
	}
}

// product dispatches by type; c's rows are contiguous. It adds to c or overwrites it.
func product[T Element](level simd.Level, add bool, m, n, k int, c, a, b Matrix[T], p Parallel) {
	switch any(*new(T)).(type) {
	case float32:
		run(&blocks32[level], level, &pool32, shape{m, n, k, false, add}, c, a, b, p)
	case float64:
		run(&blocks64[level], level, &pool64, shape{m, n, k, false, add}, c, a, b, p)
	case complex64:
		run(&blocks32[level], level, &pool32, shape{m, 2 * n, 2 * k, true, add}, c, a, b, p)
	case complex128:
		run(&blocks64[level], level, &pool64, shape{m, 2 * n, 2 * k, true, add}, c, a, b, p)
	}
}

// source is a matrix as a pointer to its element (0, 0) and strides in
// numbers of type R; a complex element is two of them.
type source[R any] struct {
	base     unsafe.Pointer
	row, col int
}

func (s source[R]) at(i, j int) *R {
	var zero R
	return (*R)(unsafe.Add(s.base, (i*s.row+j*s.col)*int(unsafe.Sizeof(zero))))
}

func from[R, T any](m Matrix[T]) source[R] {
	var zero R
	units := int(unsafe.Sizeof(*new(T)) / unsafe.Sizeof(zero))
	return source[R]{unsafe.Pointer(&m.Data[m.Offset]), m.Row * units, m.Col * units}
}

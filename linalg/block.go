package linalg

import "github.com/twiddle-go/twiddle/nd"

// What follows is about batches of matrices: (batch, rows, columns).

func transposed(a *nd.Array) *nd.Array { return a.SwapAxes(1, 2) }

// rows and columns are those from the first up to the last, which is left out.
func rows(a *nd.Array, from, to int) *nd.Array {
	return a.SliceAxis(1, nd.Range{Start: from, Stop: to})
}

func columns(a *nd.Array, from, to int) *nd.Array {
	return a.SliceAxis(2, nd.Range{Start: from, Stop: to})
}

// block is rows and columns.
func block(a *nd.Array, row, rowEnd, column, columnEnd int) *nd.Array {
	return columns(rows(a, row, rowEnd), column, columnEnd)
}

// part is a condition on the row and the column of an element.
type part func(row, column *nd.Array) *nd.Array

func onOrAbove(row, column *nd.Array) *nd.Array     { return row.LessEqual(column) }
func onOrBelow(row, column *nd.Array) *nd.Array     { return row.GreaterEqual(column) }
func above(row, column *nd.Array) *nd.Array         { return row.Less(column) }
func belowDiagonal(row, column *nd.Array) *nd.Array { return row.Greater(column) }
func onDiagonal(row, column *nd.Array) *nd.Array    { return row.Equal(column) }

// where is true in a part of m by n matrices, on the device of a.
func where(a *nd.Array, m, n int, p part) *nd.Array {
	i := nd.Arange[int64](0, int64(max(m, n)), 1).Beside(a)
	return p(i.Slice(nd.Range{Stop: m}).Reshape(m, 1), i.Slice(nd.Range{Stop: n}).Reshape(1, n))
}

// keep is a with zeros outside a part.
func keep(a *nd.Array, p part) *nd.Array {
	return nd.Where(where(a, a.Dim(1), a.Dim(2), p), a, nd.FullLike(a, 0))
}

// eye is ones on the diagonal, of the type and on the device of a.
func eye(a *nd.Array, m, n int) *nd.Array { return where(a, m, n, onDiagonal).Cast(a.DType()) }

// diagonal is the diagonal of matrices: (batch, least of rows and columns).
func diagonal(a *nd.Array) *nd.Array {
	m, n := a.Dim(1), a.Dim(2)
	k := min(m, n)
	flat := a.Slice(nd.All, nd.Range{Stop: k}).Reshape(a.Dim(0), k*n)
	return flat.SliceAxis(1, nd.Range{Stop: nd.End, Step: n + 1})
}

package vec

import "unsafe"

// addDiagonals is for r := rows-1; r >= 0; r-- { for i := range n { dst[r+i] += x[r][i] } },
// with rows that lie step bytes apart.
func addDiagonals[T Float](dst, x *T, rows, n, step int) {
	sum := unsafe.Slice(dst, rows+n)
	for r := rows - 1; r >= 0; r-- {
		for i, v := range unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(x), r*step)), n) {
			sum[r+i] += v
		}
	}
}

// mulRows is for r := range rows { for i := range n { dst[r][i] = x[r][i] * y[r][i] } },
// with rows that lie steps of so many bytes apart.
func mulRows[T Float](dst, x, y *T, rows, n, dstStep, xStep, yStep int) {
	for r := range rows {
		d := unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(dst), r*dstStep)), n)
		a := unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(x), r*xStep)), n)
		b := unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(y), r*yStep)), n)
		for i := range d {
			d[i] = a[i] * b[i]
		}
	}
}

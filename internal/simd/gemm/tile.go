package gemm

import "unsafe"

// portableLanes is the width of the "vectors" of the portable tile.
const portableLanes = 4

// portableTile is the tile of rows x vectors*portableLanes in plain Go. It
// keeps two rows of four sums in registers at a time.
func portableTile[R float32 | float64](rows, vectors int) tile[R] {
	width := vectors * portableLanes
	return func(k int, a, b, c *R, step, stride, cols int, add bool) {
		x, y := unsafe.Slice(a, k*rows), unsafe.Slice(b, (k-1)*step+width)
		for i := 0; i < rows; i += 2 {
			last := min(i+1, rows-1) // an odd last row is computed twice
			for j := 0; j < cols; j += portableLanes {
				var s0, s1, s2, s3, t0, t1, t2, t3 R
				for p := range k {
					u, v := x[p*rows+i], x[p*rows+last]
					w := (*[portableLanes]R)(y[p*step+j:])
					s0 += u * w[0]
					s1 += u * w[1]
					s2 += u * w[2]
					s3 += u * w[3]
					t0 += v * w[0]
					t1 += v * w[1]
					t2 += v * w[2]
					t3 += v * w[3]
				}
				n := min(portableLanes, cols-j)
				put(c, i*stride+j, []R{s0, s1, s2, s3}[:n], add)
				if last > i {
					put(c, last*stride+j, []R{t0, t1, t2, t3}[:n], add)
				}
			}
		}
	}
}

// put stores sums at an offset from c.
func put[R float32 | float64](c *R, offset int, sums []R, add bool) {
	row := unsafe.Slice((*R)(unsafe.Add(unsafe.Pointer(c), offset*int(unsafe.Sizeof(*c)))), len(sums))
	for i, s := range sums {
		if add {
			s += row[i]
		}
		row[i] = s
	}
}

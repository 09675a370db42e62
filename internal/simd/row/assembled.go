//go:build amd64 || arm64

package row

import "math"

// whole is what assembly takes of a row: multiples of it. The rest is Go's.
const whole = 16

func assembled(turn func(x, y *float64, n int, c, s float64), add func(dst, x *float64, n int, a float64),
	sums func(x, y *float64, n int) (xx, xy, yy float64), rows func(a *float64, stride int, x, y *float64, n int, by0, by1, by2, by3 float64) (dot0, dot1, dot2, dot3 float64),
	shares func(weights, poles *float64, n int, at, one float64) (sum, size, slope float64),
	swap func(x, y *float64, n int),
	column func(rows *float64, stride, n, column int, keep *[Block]uint64, line *[Block]float64, by float64, found *[4][Block]int64, magnitude, one int64),
	triangle func(rows *float64, stride, n int, by *[Block * Block]float64)) Table {
	return Table{
		Rotate: func(x, y []float64, c, s float64) {
			n := len(x) &^ (whole - 1)
			if y = y[:len(x)]; n > 0 {
				turn(&x[0], &y[0], n, c, s)
			}
			rotate(x[n:], y[n:], c, s)
		},
		AddScaled: func(dst, x []float64, a float64) {
			n := len(dst) &^ (whole - 1)
			if x = x[:len(dst)]; n > 0 {
				add(&dst[0], &x[0], n, a)
			}
			addScaled(dst[n:], x[n:], a)
		},
		AddFused: func(dst, x []float64, a float64) {
			n := len(dst) &^ (whole - 1)
			if x = x[:len(dst)]; n > 0 {
				add(&dst[0], &x[0], n, a)
			}
			for i := n; i < len(dst); i++ {
				dst[i] = math.FMA(a, x[i], dst[i])
			}
		},
		Products: func(x, y []float64) (xx, xy, yy float64) {
			n := len(x) &^ (whole - 1)
			xx, xy, yy = products(x[n:], y[n:len(x)])
			if n > 0 {
				a, b, c := sums(&x[0], &y[0], n)
				xx, xy, yy = xx+a, xy+b, yy+c
			}
			return xx, xy, yy
		},
		Four: func(a []float64, stride int, x, y []float64, by [4]float64) (dots [4]float64) {
			n := len(x) &^ (whole - 1)
			if n < len(x) {
				dots = four(a[n:], stride, x[n:], y[n:], by)
			}
			if n > 0 {
				_, _ = a[3*stride+n-1], y[n-1]
				d0, d1, d2, d3 := rows(&a[0], stride, &x[0], &y[0], n, by[0], by[1], by[2], by[3])
				dots = [4]float64{dots[0] + d0, dots[1] + d1, dots[2] + d2, dots[3] + d3}
			}
			return dots
		},
		Poles: func(weights, at []float64, place float64) (sum, size, slope float64) {
			n := len(weights) &^ (whole - 1)
			sum, size, slope = poles(weights[n:], at[n:len(weights)], place)
			if n > 0 {
				a, b, c := shares(&weights[0], &at[0], n, place, 1)
				sum, size, slope = sum+a, size+b, slope+c
			}
			return sum, size, slope
		},
		Exchange: func(x, y []float64) {
			n := len(x) &^ (whole - 1)
			if y = y[:len(x)]; n > 0 {
				swap(&x[0], &y[0], n)
			}
			exchange(x[n:], y[n:])
		},
		Eliminate: func(p *Panel, rows []float64, stride, n, at int, up, by float64) (place int) {
			if up != 1 || n == 0 {
				return eliminate(p, rows, stride, n, at, up, by)
			}
			_ = rows[(n-1)*stride+Block-1]
			clear(p.Pivot[:at])
			p.Pivot[at] = 1
			found := &p.found
			column(&rows[0], stride, n, at, &others[at], &p.Pivot, -by, found, math.MaxInt64, 1)
			if at+1 == Block {
				return 0
			}
			even, odd := 2*int(found[1][at+1]), 2*int(found[3][at+1])+1
			if e, o := found[0][at+1], found[2][at+1]; o > e || o == e && odd < even {
				return odd
			}
			return even
		},
		Substitute: func(p *Panel, rows []float64, first, stride, n int) {
			if n = n &^ (Block - 1); n > 0 {
				_, _ = rows[first:][:n], rows[first+(Block-1)*stride:][:n]
				triangle(&rows[first], stride, n, &p.By)
			}
		},
	}
}

// others is ones, but for one column.
var others = func() (keep [Block][Block]uint64) {
	for c := range keep {
		for k := range keep[c] {
			if k != c {
				keep[c][k] = math.MaxUint64
			}
		}
	}
	return keep
}()

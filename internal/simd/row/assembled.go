//go:build amd64 || arm64

package row

import "math"

// whole is what assembly takes of a row: multiples of it. The rest is Go's.
const whole = 16

func assembled(turn func(x, y *float64, n int, c, s float64), add func(dst, x *float64, n int, a float64),
	sums func(x, y *float64, n int) (xx, xy, yy float64), rows func(a *float64, stride int, x, y *float64, n int, by0, by1, by2, by3 float64) (dot0, dot1, dot2, dot3 float64),
	shares func(weights, poles *float64, n int, at float64) (sum, size, slope float64)) Table {
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
				a, b, c := shares(&weights[0], &at[0], n, place)
				sum, size, slope = sum+a, size+b, slope+c
			}
			return sum, size, slope
		},
	}
}

//go:build amd64 || arm64

package row

// whole is what assembly takes of a row: multiples of it. The rest is Go's.
const whole = 16

func assembled(turn func(x, y *float64, n int, c, s float64), add func(dst, x *float64, n int, a float64),
	sums func(x, y *float64, n int) (xx, xy, yy float64)) Table {
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
		Products: func(x, y []float64) (xx, xy, yy float64) {
			n := len(x) &^ (whole - 1)
			xx, xy, yy = products(x[n:], y[n:len(x)])
			if n > 0 {
				a, b, c := sums(&x[0], &y[0], n)
				xx, xy, yy = xx+a, xy+b, yy+c
			}
			return xx, xy, yy
		},
	}
}

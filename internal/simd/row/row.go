package row

import "github.com/twiddle-go/twiddle/internal/simd"

// Table is the kernels of a level. Rows that go together are equally long.
// Levels differ in rounding: sums are in another order, and products and sums
// may be rounded together.
type Table struct {
	// Rotate turns two rows: x[i], y[i] = c*x[i] + s*y[i], c*y[i] - s*x[i].
	Rotate func(x, y []float64, c, s float64)
	// AddScaled does dst[i] += a * x[i].
	AddScaled func(dst, x []float64, a float64)
	// Products is the sums of x[i]*x[i], x[i]*y[i] and y[i]*y[i].
	Products func(x, y []float64) (xx, xy, yy float64)
}

// For is the kernels of a level.
func For(l simd.Level) Table {
	t := Table{Rotate: rotate, AddScaled: addScaled, Products: products}
	accelerate(l, &t)
	return t
}

func rotate(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for i, v := range x {
		w := y[i]
		x[i], y[i] = c*v+s*w, c*w-s*v
	}
}

func addScaled(dst, x []float64, a float64) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += a * x[i]
	}
}

func products(x, y []float64) (xx, xy, yy float64) {
	y = y[:len(x)]
	for i, v := range x {
		w := y[i]
		xx += v * v
		xy += v * w
		yy += w * w
	}
	return xx, xy, yy
}

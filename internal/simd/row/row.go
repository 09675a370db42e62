package row

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Table is the kernels of a level. Rows that go together are equally long.
// Levels differ in rounding: sums are in another order, and products and sums
// may be rounded together.
type Table struct {
	// Rotate turns two rows: x[i], y[i] = c*x[i] + s*y[i], c*y[i] - s*x[i].
	Rotate func(x, y []float64, c, s float64)
	// AddScaled does dst[i] += a * x[i].
	AddScaled func(dst, x []float64, a float64)
	// AddFused is AddScaled with every element rounded alike, wherever it is in the row: those of
	// a row in two parts are those of the whole.
	AddFused func(dst, x []float64, a float64)
	// Products is the sums of x[i]*x[i], x[i]*y[i] and y[i]*y[i].
	Products func(x, y []float64) (xx, xy, yy float64)
	// Four takes four rows of len(x) numbers, stride apart in a, both ways: dots is
	// their products with x, and by[k] times row k is added to y.
	Four func(a []float64, stride int, x, y []float64, by [4]float64) (dots [4]float64)
	// Poles is the sum of weights[i] / (poles[i] - at), that of the moduli of these numbers,
	// and the sum of weights[i] / (poles[i] - at)^2.
	Poles func(weights, poles []float64, at float64) (sum, size, slope float64)
	// Exchange swaps two rows.
	Exchange func(x, y []float64)
	// Eliminate takes the pivot's row out of n rows, stride apart, in a panel of Block columns: the
	// element of each in a column becomes -l, that times up times by, and l times the elements of
	// p.Pivot behind the column are taken from those of the row. It destroys p.Pivot. place is the
	// first row with the largest modulus in the next column; NaN is larger than all numbers.
	Eliminate func(p *Panel, rows []float64, stride, n, column int, up, by float64) (place int)
	// Substitute solves with a triangle for n columns, a multiple of Block, of Block rows that are
	// stride apart from rows[first] on: row r, plus p.By[r*Block+k] times row k for every k below r,
	// is multiplied with p.By[r*Block+r].
	Substitute func(p *Panel, rows []float64, first, stride, n int)
}

// For is the kernels of a level.
func For(l simd.Level) Table {
	t := Table{Rotate: rotate, AddScaled: addScaled, AddFused: addScaled, Products: products, Four: four, Poles: poles,
		Exchange: exchange, Eliminate: eliminate, Substitute: substitute}
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

// products has four running sums of each, as accurate as those of vectors.
func products(x, y []float64) (xx, xy, yy float64) {
	y = y[:len(x)]
	var a, b, c [4]float64
	for len(x) >= 4 {
		for k := range 4 {
			v, w := x[k], y[k]
			a[k] += v * v
			b[k] += v * w
			c[k] += w * w
		}
		x, y = x[4:], y[4:]
	}
	for k, v := range x {
		w := y[k]
		a[k] += v * v
		b[k] += v * w
		c[k] += w * w
	}
	return (a[0] + a[1]) + (a[2] + a[3]), (b[0] + b[1]) + (b[2] + b[3]), (c[0] + c[1]) + (c[2] + c[3])
}

func four(a []float64, stride int, x, y []float64, by [4]float64) (dots [4]float64) {
	y = y[:len(x)]
	for k := range dots {
		row, b, sum := a[k*stride:][:len(x)], by[k], 0.0
		for i, v := range row {
			sum += v * x[i]
			y[i] += b * v
		}
		dots[k] = sum
	}
	return dots
}

func poles(weights, poles []float64, at float64) (sum, size, slope float64) {
	poles = poles[:len(weights)]
	for i, w := range weights {
		d := poles[i] - at
		q := w / d
		sum += q
		size += math.Abs(q)
		slope += q / d
	}
	return sum, size, slope
}

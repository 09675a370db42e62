package linalg

import "github.com/twiddle-go/twiddle/internal/simd/gemm"

// reflectionPanel is how many reflections are made before a product applies them to the rest of
// a matrix. It is a multiple of 16.
const reflectionPanel = 32

// reflections is a product H1 H2 ... of up to reflectionPanel reflections I - scale axis axis':
// I - Y' T Y, where the rows of Y are the axes and T is an upper triangle.
type reflections struct {
	axes   gemm.Matrix[float64]
	scales []float64
	width  int       // of axes
	room   []float64 // of reflectionRoom
}

// reflectionRoom is how many numbers turn keeps beside m rows.
func reflectionRoom(m int) int { return 2 * reflectionPanel * (m + reflectionPanel) }

// reversed does x = x (... H2 H1), on m rows.
func (r reflections) reversed(m int, x gemm.Matrix[float64]) { r.turn(m, x, true) }

// turn does x = x (H1 H2 ...), on m rows, or reversed.
func (r reflections) turn(m int, x gemm.Matrix[float64], reverse bool) {
	w, unused := len(r.scales), r.room
	full := func(rows, columns int) gemm.Matrix[float64] {
		list := unused[:rows*columns]
		unused = unused[rows*columns:]
		return gemm.Matrix[float64]{Data: list, Row: columns, Col: 1}
	}
	products, t := full(w, w), full(w, w)
	clear(t.Data)
	gemm.Mul(w, w, r.width, products, r.axes, transposedOf(r.axes), nil)
	for j, scale := range r.scales {
		// t is -T; column j of T is -scale times what T makes of the products with axis j.
		t.Data[j*w+j] = -scale
		for i := range j {
			sum := 0.0
			beside := products.Data[j*w+i:][:j-i]
			for k, v := range t.Data[i*w+i:][:j-i] {
				sum += v * beside[k]
			}
			t.Data[i*w+j] = -scale * sum
		}
	}
	along, turned := full(m, w), full(m, w)
	gemm.Mul(m, w, r.width, along, x, transposedOf(r.axes), nil)
	if reverse {
		t = transposedOf(t)
	}
	gemm.Mul(m, w, w, turned, along, t, nil)
	gemm.AddMul(m, r.width, w, x, turned, r.axes, nil)
}

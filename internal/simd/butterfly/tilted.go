package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
)

// tilts builds the table of a tilted kernel. Its rows are multiplied by 1 + it, t being the tangent of
// a root, and lack its cosine; the factors behind those of the rows are what sums multiply by instead,
// for every lane, in the order of use. Rows that meet a cosine of zero, row rows/2 among them, are multiplied
// by their roots, and lack nothing.
type tilts[R Float] struct {
	re, im      []float64 // the roots of the order of the line
	rows, lanes int
	rooted      []bool // rows that are multiplied by their roots
	joint       bool   // complex numbers stay interleaved
	layout      Layout
	order       *roots.Table // of twice the order, for bins of real lines
	w           []R
}

// TiltedTable is the table of a kernel for whole lines of n elements whose layout is tilted.
func TiltedTable[R Float](n int, l Layout) unsafe.Pointer {
	t := &tilts[R]{re: make([]float64, n), im: make([]float64, n), rows: l.Rows, lanes: l.Width(), joint: l.Lanes[0] == l.Lanes[1], rooted: rooted(l.Rows, n/l.Rows), layout: l}
	if l.ToBins || l.FromBins {
		t.order = roots.Of(2 * n)
	}
	walk := roots.Of(n).Walk(0, 1)
	for i := range n {
		t.re[i], t.im[i] = walk.Next()
	}
	columns := n / l.Rows
	for first := 0; first < columns; first += t.lanes {
		if l.JointFirst {
			t.jointFirst(first)
			continue
		}
		for j := 1; j < l.Rows; j++ {
			if t.rooted[j] {
				t.vector(false, func(i int) float64 { return t.re[j*(first+i)] })
				t.vector(false, func(i int) float64 { return t.im[j*(first+i)] })
				continue
			}
			t.vector(true, func(i int) float64 { return t.im[j*(first+i)] / t.re[j*(first+i)] })
		}
	}
	switch {
	case l.Along != nil:
		t.along(l.Along[0], l.Along[1])
	case t.joint:
		for g := 0; g < l.Rows; g += t.lanes {
			t.columns(g, columns)
		}
	default:
		for g := 0; g < l.Rows; g += 4 {
			t.group(g)
		}
	}
	return unsafe.Pointer(unsafe.SliceData(t.w))
}

// jointFirst adds what a first stage of interleaved numbers multiplies as many columns by as there are
// rows, half of them at a time: the roots of some rows, each for both components, and the tangents of
// the others where its shuffles leave the rows: eight rows of two columns in a vector.
func (t *tilts[R]) jointFirst(first int) {
	half := t.lanes / 2
	for start := first; start < first+t.lanes; start += half {
		for j := range t.rows {
			if t.rooted[j] {
				t.vector(false, func(i int) float64 { return t.re[j*(start+i/2)] })
				t.vector(false, func(i int) float64 { return t.im[j*(start+i/2)] })
			}
		}
		for v := range half {
			rows, column := v/4*half, start+v%2*4+v/2%2
			t.vector(false, func(i int) float64 {
				j := rows + i%half
				if t.rooted[j] {
					return 0
				}
				c := column + i/half*2
				return t.im[j*c] / t.re[j*c]
			})
		}
		if !t.layout.FromBins {
			continue
		}
		for j := range t.rows {
			t.vector(false, func(i int) float64 {
				re, im := t.order.At(j*(len(t.re)/t.rows) + start + i/2)
				return [2]float64{re, -im}[i%2]
			})
		}
	}
}

// vector adds a vector of factors. Those of crossed numbers have the other sign in even lanes.
func (t *tilts[R]) vector(crossed bool, f func(i int) float64) {
	for i := range t.lanes {
		x := R(f(i))
		switch {
		case t.joint && crossed:
			t.w = append(t.w, -x, x)
		case t.joint:
			t.w = append(t.w, x, x)
		default:
			t.w = append(t.w, x)
		}
	}
}

// lacks is the factor that column c of row j lacks.
func (t *tilts[R]) lacks(j, c int) float64 {
	if t.rooted[j] {
		return 1
	}
	return t.re[j*c]
}

// rooted says which rows have a product with a column by a root without a cosine.
func rooted(rows, columns int) []bool {
	all := make([]bool, rows)
	for j := range all {
		for c := range columns {
			all[j] = all[j] || 4*j*c%(2*rows*columns) == rows*columns
		}
	}
	return all
}

// columns adds the factors of a transform of n columns, of which a vector has the rows from g on.
func (t *tilts[R]) columns(g, n int) {
	ratio := func(c, d int) {
		t.vector(false, func(i int) float64 { return t.lacks(g+i, c) / t.lacks(g+i, d) })
	}
	turned := func(c int) { t.vector(true, func(i int) float64 { return -t.lacks(g+i, c) }) }
	step := n / 4
	ratio(2*step, 0)
	ratio(3*step, step)
	ratio(step, 0)
	turned(step)
	if n == 4 {
		return
	}
	ratio(5, 1)
	ratio(7, 3)
	ratio(3, 1)
	ratio(1, 0)
	turned(1)
	eighth := t.re[len(t.re)/8]
	t.vector(false, func(i int) float64 { return eighth * t.lacks(g+i, 1) })
}

// group adds the factors of the transforms of lanes, as two digits, of four rows.
func (t *tilts[R]) group(g int) {
	inner, turn := t.lanes/4, len(t.re)/t.lanes
	ratio := func(a, b int) {
		t.vector(false, func(i int) float64 {
			row, d := g+i/inner, i%inner
			return t.lacks(row, a*inner+d) / t.lacks(row, b*inner+d)
		})
	}
	ratio(2, 0)
	ratio(3, 1)
	ratio(1, 0)
	// Result k of the first digit is multiplied by root k*d, number 2 by all of it.
	second := func(row, k, d int) float64 {
		if k == 2 {
			return t.lacks(row, d)
		}
		return t.lacks(row, d) * t.re[k*d*turn]
	}
	if inner == 2 {
		for first := 0; first < 4; first += 2 {
			t.vector(false, func(i int) float64 { return second(g+i/2, first+i%2, 1) })
		}
		return
	}
	for _, d := range [][2]int{{2, 0}, {3, 1}, {1, 0}} {
		t.vector(false, func(i int) float64 { return second(g+i/4, i%4, d[0]) / second(g+i/4, i%4, d[1]) })
	}
}

// along adds the factors of the two stages along the rows, which are lanes: those of the first, over
// columns that are second apart, with the tangents of its products, and those of the second.
func (t *tilts[R]) along(first, second int) {
	whole := rooted(first, second)
	for c := range second {
		t.transform(first, func(j, lane int) float64 { return t.lacks(lane, c+j*second) })
		at := len(t.w)
		for k := 1; k < first; k++ {
			re, im := t.re[k*c*t.rows], t.im[k*c*t.rows]
			if whole[k] {
				t.w = append(t.w, R(re), R(im))
			} else {
				t.w = append(t.w, R(im/re))
			}
		}
		t.w = append(t.w, make([]R, at+t.lanes-len(t.w))...)
	}
	last := func(k int) {
		t.transform(second, func(c, lane int) float64 {
			if whole[k] {
				return t.lacks(lane, c)
			}
			return t.lacks(lane, c) * t.re[k*c*t.rows]
		})
	}
	if !t.layout.ToBins {
		for k := range first {
			last(k)
		}
		return
	}
	for k := range first / 2 {
		last(k)
		last(first - 1 - k)
		for j := range second {
			t.bins((j*first + k) * t.lanes)
		}
	}
	for j := range second / 2 {
		t.bins((j*first + first/2) * t.lanes)
	}
}

// bins adds the factors that untangle a vector of bins, see [Packed].
func (t *tilts[R]) bins(first int) {
	t.vector(false, func(i int) float64 { re, _ := t.order.At(first + i); return re / 2 })
	t.vector(false, func(i int) float64 { _, im := t.order.At(first + i); return im / 2 })
}

// transform adds the factors of a transform of n inputs: of its odd half, of its even half, and of
// their sums, or of its three transforms of four, and of those of three.
func (t *tilts[R]) transform(n int, lacks func(j, lane int) float64) {
	switch n {
	case 1:
		return
	case 12:
		for j := range 3 {
			t.transform(4, func(i, lane int) float64 { return lacks((3*i+4*j)%12, lane) })
		}
		t.vector(false, func(lane int) float64 { return lacks(8, lane) / lacks(4, lane) })
		for _, f := range []float64{1, -half, sqrt3_4} {
			t.vector(false, func(lane int) float64 { return f * lacks(4, lane) / lacks(0, lane) })
		}
		return
	}
	for _, first := range []int{1, 0} {
		t.transform(n/2, func(j, lane int) float64 { return lacks(2*j+first, lane) })
	}
	t.vector(false, func(lane int) float64 { return lacks(1, lane) / lacks(0, lane) })
	for m := 8; m <= n; m *= 2 {
		t.vector(false, func(lane int) float64 { return t.re[len(t.re)/m] * lacks(1, lane) / lacks(0, lane) })
	}
}

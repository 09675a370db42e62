package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// within runs a line by itself behind a lead in its destination, without scratch. The lead
// spreads its rows so that the digits of their number are reversed, the passes in place put them
// in order, and the last one interleaves what lies there as vectors of one plane and the other in
// turns. Each result has the operations that the tree has, and so the same bits.
type within struct {
	shape
	lead   step
	first  [][]step // the passes but the last, by parts of the line
	part   int      // components of a part
	last   step
	planes step // the last pass if it leaves vectors of planes
}

// Lines, in bytes, that run in their destination: with the table of the lead and scratch they
// outgrow the first cache. Shorter ones have room, and of longer ones the legs of the last pass fall
// on few sets, where those of radix 8 find room with vectors of 256 bits: powers of two behind a lead
// of 8 take 0.78 to 0.97 of the time. The rows of float64 lines from askRowsFrom on are
// asked for by the lead, with vectors of 256 bits from less on: that takes 0.95 of the time, 1.0 to
// 1.04 for others.
const (
	withinFrom      = 8 << 10
	withinTo        = 32 << 10
	eightsTo        = 1 << 20   // float64
	eightsHalfTo    = 128 << 10 // float32: longer ones take 1.3
	askRowsFrom     = 32 << 10
	askHalfRowsFrom = 20 << 10
)

// asksRows says that a lead asks for the rows of a line of the given bytes.
func (s shape) asksRows(bytes int) bool {
	return bytes > withinTo || s.size == 8 && (bytes >= askRowsFrom || s.level == simd.AVX2 && bytes >= askHalfRowsFrom)
}

// inPlace says that a line of n elements runs in its destination.
func (s shape) inPlace(n, lead, last int) bool {
	bytes := 2 * n * s.size
	if bytes <= withinTo {
		return bytes >= withinFrom && last%butterfly.Lanes(s.level, 8*s.size) == 0
	}
	to := eightsTo
	if s.size == 4 {
		to = eightsHalfTo
	}
	return bytes <= to && s.level == simd.AVX2 && lead == 8 && last == 8 && n&(n-1) == 0
}

// newWithin is nil for lines that run in scratch.
func newWithin[R butterfly.Float](c *chain, radix int, radices []int) *within {
	lanes, last := butterfly.Lanes(c.level, 8*c.size), len(radices)-1
	bytes := 2 * c.n * c.size
	kind := butterfly.LeadKind{Radix: radix, Load: butterfly.Interleaved, Product: c.steps[0].pass.Factors != nil, Spread: true}
	kernel, order := butterfly.Lead[R](c.level, kind)
	if kernel == nil || !c.inPlace(c.n, radix, radices[last]) {
		return nil
	}
	parts := radices[last]
	if last < 2 {
		parts = 1
	}
	w := &within{shape: c.shape, part: 2 * c.n / parts, first: make([][]step, parts)}
	lead := *c.steps[0].pass
	lead.Places, lead.OutLeg = reversedPlaces(radix, radices, lanes, 2*c.size), 2*c.n/radices[last]
	if butterfly.ByColumn[R](c.level, kind) {
		lead.Twiddle = columnTwiddles[R](radix, c.n/radix, order)
	}
	if c.asksRows(bytes) {
		lead.AheadOut = lead.OutLeg
	}
	w.lead.pass = &lead
	w.lead.kernel[butterfly.Interleaved][butterfly.Split] = kernel
	row, rest := radix, c.n/radix
	for i, r := range radices {
		rest /= r
		p := butterfly.Pass{Rows: rest / parts, Cols: row, InRow: 2 * row * r, InLeg: 2 * row, OutRow: 2 * row * r, OutLeg: 2 * row, Woven: lanes}
		if i == last {
			p.Rows = 1
			in := p
			w.planes = passStep[R](c.shape, r, &in)
			p.OutLeg = row
			w.last.pass = &p
			w.last.kernel[butterfly.Split][butterfly.Interleaved] = butterfly.Mixed[R](c.level, r)
			break
		}
		table := reversedTwiddles[R](r, radices[i+1:])
		for part := range parts {
			q := p
			q.Twiddle = unsafe.Add(table, part*p.Rows*2*(r-1)*c.size)
			w.first[part] = append(w.first[part], passStep[R](c.shape, r, &q))
		}
		row *= r
	}
	return w
}

// reversed is a number below the product of the radices with its digits, the first of which
// counts most, in reverse.
func reversed(i int, radices []int) int {
	at, step, rest := 0, 1, product(radices)
	for _, r := range radices {
		rest /= r
		at += i / rest % r * step
		step *= r
	}
	return at
}

// reversedPlaces is where the first column of each vector goes as a row of a radix, in bytes, of
// which an element has the given number.
func reversedPlaces(radix int, radices []int, lanes, size int) unsafe.Pointer {
	var places []uint32
	for col := 0; col < product(radices); col += lanes {
		places = append(places, uint32(reversed(col, radices)*radix*size))
	}
	places = append(places, 0)
	return unsafe.Pointer(unsafe.SliceData(places))
}

// reversedTwiddles is rowTwiddles for rows in the reversed order of the radices behind theirs.
func reversedTwiddles[R butterfly.Float](r int, radices []int) unsafe.Pointer {
	rows := product(radices)
	table := roots.Of(r * rows)
	w := make([]R, 2*(r-1)*rows)
	for p := range rows {
		walk, at := table.Walk(p, p), 2*(r-1)*reversed(p, radices)
		for j := range r - 1 {
			re, im := walk.Next()
			w[at+2*j], w[at+2*j+1] = R(re), R(im)
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

// columnTwiddles is the table of a lead whose twiddles are by columns.
func columnTwiddles[R butterfly.Float](radix, cols int, lanes []int) unsafe.Pointer {
	table := roots.Of(radix * cols)
	var w []R
	for col := range cols {
		for j := 0; j < radix; j += len(lanes) {
			w = appendMixed(w, table, col*j, col, lanes)
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

// fits says that a line can run in dst: it is interleaved and begins with a cache line, and is
// not the source.
func (w *within) fits(dst, src view) bool {
	return w != nil && dst.form == butterfly.Interleaved && src.form == butterfly.Interleaved &&
		dst.lower() != src.lower() && uintptr(dst.lower())%cacheLine == 0
}

// fitsScratch says that a long line that does not fit runs so in scratch, before the last pass: 8192
// complex64 in place take 0.85 of the time that the tree takes, lines between cache lines 0.75 to
// 0.97. Float64 in place take up to 1.08.
func (w *within) fitsScratch(dst, src view) bool {
	return w != nil && dst.form == butterfly.Interleaved && src.form == butterfly.Interleaved &&
		w.part*len(w.first)*w.size > withinTo && (w.size == 4 || dst.lower() != src.lower())
}

// rows is a line at base as woven planes.
func (w *within) rows(base unsafe.Pointer) view {
	return view{base, unsafe.Add(base, butterfly.Lanes(w.level, 8*w.size)*w.size), butterfly.Split}
}

// runFirst is all but the last pass.
func (w *within) runFirst(rows, src view) {
	w.lead.run(rows, src, 1)
	for i, steps := range w.first {
		part := rows.add(i*w.part, w.size)
		for j := range steps {
			steps[j].run(part, part, 1)
		}
	}
}

// run is all passes, the first of which leave their rows at base.
func (w *within) run(dst, src view, base unsafe.Pointer, scale float64) {
	rows := w.rows(base)
	w.runFirst(rows, src)
	w.last.run(dst, rows, scale)
}

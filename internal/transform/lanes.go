package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// inLanes runs a batch of short lines side by side: lines are brought into lanes, go through the
// passes that one of them would by itself, so that its bits are the same, and are brought back.
// By itself a line has too few columns for vectors.
type inLanes struct {
	shape
	n           int
	there, back butterfly.Kernel
	bundles     []*bundle // widest first
}

// lanesTo bounds the lines, in bytes, that go in lanes: longer ones are vectors by themselves. On
// Sapphire Rapids 64 lines of 18 complex64 take 0.12 of the time of lines one by one, of 72 0.35, of
// 120 0.6, of 144 0.7, of 180 0.9, of 18 complex128 0.25, of 80 0.9, of 100 1.4.
const lanesTo = 1280

// lanesBytes is the room for lines side by side, from which several vectors of them go at a time,
// which takes fewer calls.
const lanesBytes = 16 << 10

// newInLanes is nil where a line has kernels of its own or no passes.
func newInLanes[R butterfly.Float](s shape, r *recipe.Recipe) *inLanes {
	there, back := butterfly.IntoLanes[R](s.level)
	radices := radicesOf(r)
	if there == nil || len(radices) == 0 || 2*r.N*s.size > lanesTo || !s.alike(r) {
		return nil
	}
	l := &inLanes{shape: s, n: r.N, there: there, back: back}
	for _, width := range s.widths(2 * r.N) {
		b := layBundle[R](s, radices, width, 2*width, 2*width)
		b.stay()
		l.bundles = append(l.bundles, b)
	}
	return l
}

// alike says that a line has the same bits by itself and beside others: what it goes through are
// vectors, and in the order of its radices.
func (s shape) alike(r *recipe.Recipe) bool {
	if s.lonely(r) {
		return true
	}
	lanes := butterfly.Lanes(s.level, 8*s.size)
	if r.Kind != recipe.MixedRadix || r.Turn > 1 {
		return false // a kernel does other operations, and two passes before a turn are in another order
	}
	if butterfly.Partial(s.level, 8*s.size) {
		return true
	}
	a := product(r.Radices[:r.Turn])
	return r.Turn == 1 && (min(a, r.N/a) >= lanes || narrowLead(s, a, r.N/a))
}

// widths are how many lines of so many components go side by side, the most first.
func (s shape) widths(components int) []int {
	lanes := butterfly.Lanes(s.level, 8*s.size)
	if most := min(4, lanesBytes/(components*lanes*s.size)); most > 1 {
		return []int{most * lanes, lanes}
	}
	return []int{lanes}
}

// stay says that rows are in the nearest cache, where there is nothing to ask for.
func (b *bundle) stay() {
	for _, st := range b.steps {
		st.pass.AheadIn, st.pass.AheadOut = 0, 0
	}
}

// workBytes is the scratch for the widest bundle.
func (l *inLanes) workBytes() int { return l.bytes(l.bundles[0]) }

// bytes is the scratch for a bundle and its lines side by side.
func (l *inLanes) bytes(b *bundle) int { return b.workBytes() + 2*l.n*b.width*l.size }

// ends are where lines lie side by side, and their planes as b writes and reads them for dst and src.
func (l *inLanes) ends(b *bundle, work unsafe.Pointer, dst, src view) (rows unsafe.Pointer, to, from view) {
	rows = unsafe.Add(work, b.workBytes())
	from = view{rows, unsafe.Add(rows, b.width*l.size), butterfly.Split}
	to = from
	if src.form == butterfly.Interleaved && src.exchanged() {
		from = from.swapped()
	}
	if dst.form == butterfly.Interleaved && dst.exchanged() {
		to = to.swapped()
	}
	return rows, to, from
}

// run transforms as many of the first lines as fill vectors, and returns their number.
func (l *inLanes) run(dst, src view, work unsafe.Pointer, scale float64, count, dstDist, srcDist int) int {
	done := 0
	for _, b := range l.bundles {
		rows, to, from := l.ends(b, work, dst, src)
		in := butterfly.Pass{Rows: b.width, Cols: 2 * l.n, InRow: 2 * srcDist, OutLeg: b.width}
		out := butterfly.Pass{Rows: b.width, Cols: 2 * l.n, InLeg: b.width, OutRow: 2 * dstDist}
		for ; count-done >= b.width; done += b.width {
			source, result := src.add(done*srcDist, l.size).lower(), dst.add(done*dstDist, l.size).lower()
			l.there(unseen(&in), rows, rows, source, source, 1)
			b.run(to, from, work, scale)
			l.back(unseen(&out), result, result, rows, rows, 1)
		}
	}
	return done
}

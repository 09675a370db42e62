package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// loneLine is a short line whose passes have fewer columns than vectors have lanes, at a level
// whose kernels cannot leave lanes out. Every lane holds the line: that is the work of a vector of
// lines, but portable code takes three to six times as long.
type loneLine struct {
	lanes *inLanes
	one   *bundle // of a vector of lines
}

// lonely says that a recipe runs as a loneLine.
func (s shape) lonely(r *recipe.Recipe) bool {
	bits := 8 * s.size
	if r.Kind != recipe.MixedRadix || butterfly.Partial(s.level, bits) || !butterfly.HasIntoLanes(s.level, bits) ||
		2*r.N*s.size > lanesTo || r.N*s.size < leastBytes {
		return false
	}
	a := product(r.Radices[:r.Turn])
	b := r.N / a
	return min(a, b) < butterfly.Lanes(s.level, bits) && !(r.Turn == 1 && narrowLead(s, a, b))
}

// leastBytes is the shortest row of components that kernels bring into lanes.
const leastBytes = 16

func newLoneLine[R butterfly.Float](s shape, r *recipe.Recipe) *loneLine {
	l := newInLanes[R](s, r)
	return &loneLine{l, l.bundles[len(l.bundles)-1]}
}

func (l *loneLine) workBytes() int { return l.lanes.bytes(l.one) }

// run gives every lane the same line, and stores the line of every lane in the same place.
func (l *loneLine) run(dst, src view, work unsafe.Pointer, scale float64) {
	n, width := l.lanes.n, l.one.width
	rows, to, from := l.lanes.ends(l.one, work, dst, src)
	if src.form == butterfly.Interleaved {
		in := butterfly.Pass{Rows: width, Cols: 2 * n, OutLeg: width}
		l.lanes.there(unseen(&in), rows, rows, src.lower(), src.lower(), 1)
	} else {
		in := butterfly.Pass{Rows: width, Cols: n, OutLeg: 2 * width}
		l.lanes.there(unseen(&in), from.re, from.re, src.re, src.re, 1)
		l.lanes.there(unseen(&in), from.im, from.im, src.im, src.im, 1)
	}
	l.one.run(to, from, work, scale)
	if dst.form == butterfly.Interleaved {
		out := butterfly.Pass{Rows: width, Cols: 2 * n, InLeg: width}
		l.lanes.back(unseen(&out), dst.lower(), dst.lower(), rows, rows, 1)
	} else {
		out := butterfly.Pass{Rows: width, Cols: n, InLeg: 2 * width}
		l.lanes.back(unseen(&out), dst.re, dst.re, to.re, to.re, 1)
		l.lanes.back(unseen(&out), dst.im, dst.im, to.im, to.im, 1)
	}
}

// runBatch runs lines that do not fill a vector together: copies of them do.
func (l *loneLine) runBatch(dst, src view, work unsafe.Pointer, scale float64, count, dstDist, srcDist int) {
	n, size, width := l.lanes.n, l.lanes.size, l.one.width
	if count == 1 || src.form != butterfly.Interleaved || dst.form != butterfly.Interleaved {
		runEach(l, size, dst, src, work, scale, count, dstDist, srcDist)
		return
	}
	bytes := 2 * n * size
	line := func(v view, i, dist int) []byte { return unsafe.Slice((*byte)(v.add(i*dist, size).lower()), bytes) }
	copies := src.moved(work, size) // where the passes begin to write later, and end to read before
	in := butterfly.Pass{Rows: width, Cols: 2 * n, InRow: 2 * n, OutLeg: width}
	out := butterfly.Pass{Rows: width, Cols: 2 * n, InLeg: width, OutRow: 2 * n}
	for done := 0; done < count; done += width {
		some := min(width, count-done)
		for i := range width {
			copy(line(copies, i, n), line(src, done+min(i, some-1), srcDist))
		}
		rows, to, from := l.lanes.ends(l.one, work, dst, src)
		l.lanes.there(unseen(&in), rows, rows, work, work, 1)
		l.one.run(to, from, work, scale)
		l.lanes.back(unseen(&out), work, work, rows, rows, 1)
		for i := range some {
			copy(line(dst, done+i, dstDist), line(copies, i, n))
		}
	}
}

package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// realInLanes is [inLanes] for real lines of even length.
type realInLanes[R butterfly.Float] struct {
	shape
	n           int
	there, back butterfly.Kernel
	besides     [2][]*RealBeside[R] // there and back, widest first
}

// newRealInLanes is nil where lines are too long or too short; r is of half the length.
func newRealInLanes[R butterfly.Float](s shape, n int, r *recipe.Recipe) *realInLanes[R] {
	there, back := butterfly.IntoLanes[R](s.level)
	if there == nil || n%2 == 1 || n*s.size > lanesTo || n*s.size < leastBytes {
		return nil
	}
	l := &realInLanes[R]{shape: s, n: n, there: there, back: back}
	for _, width := range s.widths(n) {
		for i := range l.besides {
			b := newRealBeside[R](n, width, 2*width, r, s.level, i == 1, 1)
			if b == nil || b.whole != nil {
				return nil
			}
			l.besides[i] = append(l.besides[i], b)
		}
	}
	return l
}

// workBytes is the scratch for the widest lines.
func (l *realInLanes[R]) workBytes() int {
	b := l.besides[0][0]
	return max(b.WorkBytes(), l.besides[1][0].WorkBytes()) + (2*l.n+2)*b.width*l.size
}

// run transforms as many of the first lines as fill vectors, between samples and bins that lie so
// many components apart, and returns their number.
func (l *realInLanes[R]) run(samples, bins, work unsafe.Pointer, scale float64, count, sampleDist, binDist int, inverse bool) int {
	done := 0
	for _, b := range l.besides[bit(inverse)] {
		rows := unsafe.Add(work, b.WorkBytes())
		binRows := unsafe.Add(rows, l.n*b.width*l.size)
		im := unsafe.Add(binRows, b.width*l.size)
		in := butterfly.Pass{Rows: b.width, Cols: l.n, InRow: sampleDist, OutLeg: b.width}
		out := butterfly.Pass{Rows: b.width, Cols: l.n + 2, InLeg: b.width, OutRow: binDist}
		if inverse {
			in.Cols, in.InRow, out.Cols, out.OutRow = l.n+2, binDist, l.n, sampleDist
		}
		for ; count-done >= b.width; done += b.width {
			x, y := unsafe.Add(samples, done*sampleDist*l.size), unsafe.Add(bins, done*binDist*l.size)
			if inverse {
				l.there(unseen(&in), binRows, binRows, y, y, 1)
				b.run(rows, binRows, im, work, scale)
				l.back(unseen(&out), x, x, rows, rows, 1)
				continue
			}
			l.there(unseen(&in), rows, rows, x, x, 1)
			b.run(rows, binRows, im, work, scale)
			l.back(unseen(&out), y, y, binRows, binRows, 1)
		}
	}
	return done
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

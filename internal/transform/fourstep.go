package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// fourStep transforms a line that outgrows the near caches as a rectangle of a
// rows and b columns: columns in bundles that fit, twiddles and a transpose on
// the way to the scratch, and bundles of columns again, whose output is the
// spectrum in order. Nothing else touches memory.
type fourStep struct {
	shape
	a, b    int
	columns *bundle // of length a, from the line into a bundle buffer
	rows    *bundle // of length b, from the scratch into the line
	turns   []*butterfly.Pass
	turn    butterfly.Kernel
	lanes   int   // of the turn
	parts   []int // first column of each turn within a bundle
	pitch   int   // elements from row to row of the scratch
}

// bundle runs one length down a number of adjacent columns.
type bundle struct {
	shape
	width int   // columns of a bundle
	tiles []int // first column of each bundle
	steps []step
	n     int
}

// bundleColumns is how many columns a bundle has, in cache lines of one plane.
// A multiple of one makes every visit to a row at least two lines.
const bundleColumns = 2

func newFourStep[R butterfly.Float](s shape, columns, rows []int) *fourStep {
	f := &fourStep{shape: s, a: product(columns), b: product(rows)}
	// An odd number of cache lines from row to row, so that the rows of a
	// tile do not share cache sets.
	f.pitch = s.planeBytes(f.a) / s.size
	f.columns = newBundle[R](s, columns, f.b, f.b, 0)
	f.rows = newBundle[R](s, rows, f.a, f.pitch, f.a)
	f.lanes, f.turn = turnKernel[R](s, min(f.a, f.b, f.columns.width), true)
	n := f.lanes
	f.parts = butterfly.Tiles(f.columns.width, n)
	table := roots.Of(f.a * f.b)
	var base []R
	rowTiles := butterfly.Tiles(f.a, n)
	for _, row := range rowTiles {
		for k := row; k < row+n; k++ {
			base = appendLanes(base, table, 0, k, n)
		}
	}
	for _, tile := range f.columns.tiles {
		for _, col := range f.parts {
			factors := make([]R, 0, 2*n*len(rowTiles))
			for _, row := range rowTiles {
				walk := table.Walk(row*(tile+col), tile+col)
				for range n {
					re, im := walk.Next()
					factors = append(factors, R(re), R(im))
				}
			}
			f.turns = append(f.turns, &butterfly.Pass{
				Rows: f.a, Cols: n, InLeg: f.columns.width, OutLeg: f.pitch,
				Twiddle: unsafe.Pointer(unsafe.SliceData(base)), Factors: unsafe.Pointer(unsafe.SliceData(factors)),
			})
		}
	}
	return f
}

// newBundle lays out the passes down the columns of a rectangle with the given
// pitch. The last pass writes rows outPitch apart, or width apart for 0.
func newBundle[R butterfly.Float](s shape, radices []int, columns, pitch, outPitch int) *bundle {
	width := min(columns, bundleColumns*cacheLine/s.size)
	if outPitch == 0 {
		outPitch = width
	}
	b := layBundle[R](s, radices, width, pitch, outPitch)
	b.tiles = butterfly.Tiles(columns, width)
	return b
}

// layBundle is the passes down width columns.
func layBundle[R butterfly.Float](s shape, radices []int, width, pitch, outPitch int) *bundle {
	b := &bundle{shape: s, width: width, n: product(radices)}
	rest, done := b.n, 1
	for i, r := range radices {
		rest /= r
		p := &butterfly.Pass{Rows: rest, Cols: b.width * done}
		p.InRow, p.InLeg = p.Cols, p.Cols*rest
		p.OutRow, p.OutLeg = p.Cols*r, p.Cols
		if rest > 1 {
			p.Twiddle = rowTwiddles[R](r, rest, r)
		}
		if i == 0 {
			p.InRow, p.InLeg = pitch, pitch*rest
			p.AheadIn = b.width
		}
		if i == len(radices)-1 {
			// One butterfly per output row of a leg, instead of one long row.
			p.Rows, p.Cols = done, b.width
			if i > 0 {
				p.InRow = b.width
			}
			p.OutRow, p.OutLeg = outPitch, outPitch*done
			if outPitch != b.width {
				p.AheadOut = b.width
			}
		}
		b.steps = append(b.steps, passStep[R](s, r, p))
		done *= r
	}
	return b
}

// workBytes of a bundle are two buffers to pass between.
func (b *bundle) workBytes() int { return 2 * b.pairBytes(b.n*b.width) }

// run transforms one bundle from src, which starts at its first column, to
// dst.
func (b *bundle) run(dst, src view, work unsafe.Pointer, scale float64) {
	size := b.n * b.width
	buffers := [2]view{b.splitAt(work, size), b.splitAt(unsafe.Add(work, b.pairBytes(size)), size)}
	last := len(b.steps) - 1
	for i := range last {
		to := buffers[i&1]
		b.steps[i].run(to, src, 1)
		src = to
	}
	b.steps[last].run(dst, src, scale)
}

// laneBytes is the scratch of one worker: the passes' buffers, and the bundle
// before the turn.
func (f *fourStep) laneBytes() int {
	return max(f.columns.workBytes()+f.pairBytes(f.a*f.columns.width), f.rows.workBytes())
}

func (f *fourStep) bigBytes() int { return f.pairBytes(f.b * f.pitch) }

func (f *fourStep) workBytes() int { return f.bigBytes() + f.laneBytes() }

func (f *fourStep) run(dst, src view, work unsafe.Pointer, scale float64) {
	big, lane := f.splitAt(work, f.b*f.pitch), unsafe.Add(work, f.bigBytes())
	f.first(big, src, lane, 0, len(f.columns.tiles))
	f.second(dst, big, lane, 0, len(f.rows.tiles), scale)
}

// first does bundles lo..hi-1 of the columns, from src to big.
func (f *fourStep) first(big, src view, lane unsafe.Pointer, lo, hi int) {
	out := f.splitAt(unsafe.Add(lane, f.columns.workBytes()), f.a*f.columns.width)
	for t := lo; t < hi; t++ {
		at := f.columns.tiles[t]
		f.columns.run(out, src.add(at, f.size), lane, 1)
		for i, col := range f.parts {
			from, to := out.add(col, f.size), big.add((at+col)*f.pitch, f.size)
			f.turn(f.turns[t*len(f.parts)+i], to.re, to.im, from.re, from.im, 1)
		}
	}
}

// second does bundles lo..hi-1 of the rows, from big to dst.
func (f *fourStep) second(dst, big view, lane unsafe.Pointer, lo, hi int, scale float64) {
	for t := lo; t < hi; t++ {
		at := f.rows.tiles[t]
		f.rows.run(dst.add(at, f.size), big.add(at, f.size), lane, scale)
	}
}

package transform

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// tree runs radix passes down the columns of a buffer in place, depth first:
// after a pass, each of its outputs is a smaller problem of its own, and is
// finished before the next is begun, so all but the first passes stay in the
// near caches. The passes leave the digits of the index reversed, and the last
// one puts every row where it belongs.
type tree struct {
	shape
	radices []int
	steps   []step
	block   []int // elements of the problem below output k of pass i
	out     []int // elements between the results of outputs k and k+1 of pass i
	gap     int   // elements between the problems below the first pass
	ahead   *tree // the same with a second pass that prefetches the next problem, or nil
}

// problemTo bounds the problems, in bytes, that are prefetched while another is computed. Two
// threads take 0.9 of the time for 65536 complex64, whose problems are this large, and 1.0 to 1.1
// for larger ones.
const problemTo = 32 << 10

func (t *tree) withAhead() *tree {
	if len(t.steps) < 3 || 2*t.block[0]*t.size > problemTo+2*cacheLine {
		return nil
	}
	q := *t
	q.steps = append([]step(nil), t.steps...)
	second := *t.steps[1].pass
	second.AheadIn = t.block[0]
	q.steps[1].pass = &second
	return &q
}

// farBytes is the line from which the last pass prefetches its output lines,
// which lie scattered: below it the caches have them, above it the transform
// gains up to a quarter (measured from 2^17 to 2^20 elements).
const farBytes = 512 << 10

// claims says that the last pass over a line of the given bytes prefetches its output, of
// which a row has the given bytes. With vectors of 256 bits that pays earlier, where there
// are few lines to ask for: 4096 to 16384 complex128 by 8|...8 take 0.91 to 0.95 of the
// time, 8192 complex64 by 16|8.8.8 0.95. With 16 legs it pays for shorter lines only (4096
// complex64 by 16|16.16 0.90 to 1.0); longer ones, rows of four cache lines and passes of radix 25
// lose 1 to 8%, vectors of 512 bits up to 10%.
func (s shape) claims(bytes, row, legs int) bool {
	few := s.level == simd.AVX2 && row <= 2*cacheLine && (legs <= 8 || legs <= 16 && bytes < 2*claimFrom)
	return bytes >= farBytes || few && bytes >= claimFrom
}

// claimFrom is a line, in bytes, that with its source outgrows the first cache.
const claimFrom = 32 << 10

// newTree lays out the passes of the radices over cols columns in rows pitch
// apart. The passes in place do the padding too: it has no meaning, and a pass
// in place must not do an element twice. There is a gap between the rows of two legs of the
// first pass, of which there are several if it is not zero.
func newTree[R butterfly.Float](s shape, radices []int, cols, pitch, gap int) *tree {
	t := &tree{shape: s, radices: radices, gap: gap}
	rest, done := product(radices), 1
	last := len(radices) - 1
	for i, r := range radices {
		rest /= r
		block := rest * pitch
		if i == 0 {
			block += gap
		}
		p := &butterfly.Pass{Rows: rest, Cols: pitch, InRow: pitch, InLeg: block, OutRow: pitch, OutLeg: block}
		if i < last {
			p.Twiddle = rowTwiddles[R](r, rest, r)
		} else {
			p.Cols, p.OutLeg = cols, done*cols
			if i > 0 {
				p.InRow = t.block[i-1]
				p.Rows, p.OutRow = radices[i-1], done/radices[i-1]*cols
			}
		}
		if i == last && s.claims(product(radices)*cols*2*s.size, cols*2*s.size, r) {
			p.AheadOut = p.OutRow
		}
		t.block = append(t.block, block)
		t.out = append(t.out, done*cols)
		t.steps = append(t.steps, passStep[R](s, r, p))
		done *= r
	}
	t.ahead = t.withAhead()
	return t
}

// endMixed makes the last pass to interleaved results one over rows that a lead of interleaved
// lines leaves. Other lines begin and end with planes, and their rows are in order.
func (t *tree) endMixed(kernel butterfly.Kernel) {
	t.steps[len(t.steps)-1].kernel[butterfly.Split][butterfly.Interleaved] = kernel
	t.ahead = t.withAhead()
}

// inPlace is the tree whose last pass leaves rows where it finds them.
func (t *tree) inPlace() *tree {
	q := *t
	q.steps, q.out = append([]step(nil), t.steps...), t.block
	end := &q.steps[len(q.steps)-1]
	last := *end.pass
	last.OutRow, last.OutLeg, last.AheadOut = last.InRow, last.InLeg, 0
	end.pass = &last
	q.ahead = q.withAhead()
	return &q
}

// place is where a lead leaves a column as a row, in elements; nextGap is the first column
// behind the gap that follows it.
func (t *tree) place(col int) int {
	rows := t.steps[0].pass.Rows
	return col/rows*t.block[0] + col%rows*t.steps[0].pass.Cols
}

func (t *tree) nextGap(col int) int {
	rows := t.steps[0].pass.Rows
	if t.gap == 0 {
		rows *= t.radices[0]
	}
	return (col/rows + 1) * rows
}

// places is where a tree that runs in place leaves the rows of a line, in elements.
func (t *tree) places() []int {
	all := []int{0}
	for i, r := range t.radices {
		before := all
		for k := 1; k < r; k++ {
			for _, at := range before {
				all = append(all, at+k*t.block[i])
			}
		}
	}
	return all
}

// part is rows lo..hi-1 of the first pass, for one of several workers.
func (t *tree) part(lo, hi int) step {
	p := *t.steps[0].pass
	r, size := t.radices[0], t.size
	if p.Twiddle != nil {
		p.Twiddle = unsafe.Add(p.Twiddle, lo*2*(r-1)*size)
	}
	p.Rows = hi - lo
	return step{&p, t.steps[0].kernel}
}

// run transforms buffer, which it overwrites, into dst.
func (t *tree) run(dst, buffer view, scale float64) { t.level(0, dst, buffer, scale) }

func (t *tree) level(i int, dst, buffer view, scale float64) {
	last := len(t.steps) - 1
	if i < last {
		t.steps[i].run(buffer, buffer, 1)
	}
	t.below(i, dst, buffer, scale)
}

// runClaiming is run with a first pass that asks for dst. The pass, which is not the only one, is
// copied to raw memory.
func (t *tree) runClaiming(dst, buffer view, raw unsafe.Pointer, scale float64) {
	first := t.steps[0].claiming(dst, buffer, raw, t.size)
	first.run(buffer, buffer, 1)
	t.below(0, dst, buffer, scale)
	runtime.KeepAlive(t)
}

// below is what follows pass i, if there is one.
func (t *tree) below(i int, dst, buffer view, scale float64) {
	last := len(t.steps) - 1
	if i >= last-1 {
		t.steps[last].run(dst, buffer, scale)
		return
	}
	for k := range t.radices[i] {
		t.level(i+1, dst.add(k*t.out[i], t.size), buffer.add(k*t.block[i], t.size), scale)
	}
}

package cpu

import (
	"math/bits"
	"unsafe"
)

// runColumns keeps a row of accumulators per block of columns.
func (w *reduceWork) runColumns(l *launch) error {
	wide := min(w.width, w.code.block) // columns side by side
	blocks := (w.width + wide - 1) / wide
	rest := w.outer / w.width
	chunk := chunkRows(wide)
	chunks := (w.inner + chunk - 1) / chunk
	// Few chunks are cut further, for all workers: sums of chunks are put together as those of leafRows are.
	for rest*blocks*chunks < 2*l.team.size && l.team.size > 1 && chunk > leafRows && wide*chunk >= 2*sharedPoints {
		chunk /= 2
		chunks = (w.inner + chunk - 1) / chunk
	}
	tasks := rest * blocks * chunks

	// A part is a run of tasks: together at least sharedPoints points.
	per := max(1, sharedPoints/(wide*min(chunk, w.inner)))
	parts := (tasks + per - 1) / per
	var partials unsafe.Pointer
	if chunks > 1 {
		hold := l.team.take() // parts empty the launch's own scratch
		defer l.team.put(hold)
		hold.reset()
		partials = hold.pointer(tasks * wide * w.fold.size)
	}
	part := func(part int, s *scratch) {
		f, post := w.code.begin(l, s), w.post.begin(l, s)
		leaf := s.pointer(wide * w.fold.size)
		t := tally{fold: &w.fold, n: wide, room: wide, s: s}
		for task := part * per; task < min((part+1)*per, tasks); task++ {
			// All blocks of some rows come before the next rows, which another worker may have.
			a, b, c := task/blocks/chunks, task%blocks, task/blocks%chunks
			from, n := b*wide, min(wide, w.width-b*wide)
			t.n = n
			w.rows(f, &t, leaf, a, from, n, c*chunk, min((c+1)*chunk, w.inner))
			acc := t.sum()
			if chunks == 1 {
				w.finish(post, s, acc, a*w.width+from, n)
				continue
			}
			size := n * w.fold.size
			copy(slice[byte](unsafe.Add(partials, ((a*blocks+b)*chunks+c)*wide*w.fold.size), size), slice[byte](acc, size))
		}
	}
	if parts == 1 {
		part(0, l.s)
		return nil
	}
	err := l.team.do(parts, l.s, func(p int, s *scratch) error { part(p, s); return nil })
	if err != nil || chunks == 1 {
		return err
	}
	return l.team.do(rest*blocks, l.s, func(p int, s *scratch) error {
		post := w.post.begin(l, s)
		a, from := p/blocks, p%blocks*wide
		t := tally{fold: &w.fold, n: min(wide, w.width-from), room: wide, s: s}
		for c := range chunks {
			t.put(unsafe.Add(partials, (p*chunks+c)*wide*w.fold.size))
		}
		w.finish(post, s, t.sum(), a*w.width+from, t.n)
		return nil
	})
}

// sharedPoints is how many points of rows are worth another worker, which often has half of them
// in its cache.
const sharedPoints = inlineUpTo / 2

// chunkRows is where a reduction of many rows of wide columns is cut: at
// leafRows times a power of two. Within chunks and from chunk to chunk sums are combined pairwise,
// so they are the same whichever power it is, and however wide the columns are that stand side by side.
func chunkRows(wide int) int {
	return max(leafRows, 1<<(bits.Len(uint(chunkPoints/wide))-1))
}

// rows puts the rows from..end of n columns into t, leafRows at a time.
func (w *reduceWork) rows(f *frame, t *tally, leaf unsafe.Pointer, a, column, n, from, end int) {
	group := 1 // rows computed at once: as many as fit a block, if they are whole
	if n == w.width {
		group = max(1, w.code.block/n)
		if w.code.rows {
			group = 1
		}
	}
	held := 0
	for r := from; r < end; r += group {
		m := min(group, end-r)
		w.code.compute(f, (a*w.inner+r)*w.width+column, m*n)
		x := f.ptr[w.value]
		for k := range m {
			if held == 0 {
				w.fold.start(leaf, x, n, r+k)
			} else {
				w.fold.add(leaf, x, n, r+k)
			}
			// Of random rows the later ones seldom have a new extreme, so that branches are
			// guessed, unless every leaf starts again.
			if held++; held == leafRows && !w.fold.places {
				t.put(leaf)
				held = 0
			}
			x = unsafe.Add(x, n*w.valueBytes)
		}
	}
	if held > 0 {
		t.put(leaf)
	}
}

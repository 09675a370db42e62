package cpu

import "unsafe"

// runLines reduces outer points one by one, or a few short ones per block.
func (w *reduceWork) runLines(l *launch) error {
	chunks := (w.inner + chunkPoints - 1) / chunkPoints
	if chunks == 1 {
		per := w.outer // outer points per part
		if w.outer*w.inner > inlineUpTo {
			per = max(1, inlineUpTo/w.inner)
		}
		return l.share(w, w.outer, per)
	}

	partials := make([]byte, w.outer*chunks*w.fold.size+alignment)
	base := unsafe.Pointer(unsafe.SliceData(partials))
	err := l.team.do(w.outer*chunks, l.s, func(part int, s *scratch) error {
		f := w.code.begin(l, s)
		o, from := part/chunks, part%chunks*chunkPoints
		t := tally{fold: &w.fold, n: 1, room: 1, s: s}
		w.line(f, &t, unsafe.Add(base, part*w.fold.size), o, from, min(from+chunkPoints, w.inner))
		return nil
	})
	if err != nil {
		return err
	}
	l.s.reset()
	f := w.post.begin(l, l.s)
	t := tally{fold: &w.fold, n: 1, room: 1, s: l.s}
	for o := range w.outer {
		for c := range chunks {
			t.put(unsafe.Add(base, (o*chunks+c)*w.fold.size))
		}
		w.finish(f, l.s, t.sum(), o, 1)
	}
	return nil
}

// line reduces the points from..end of outer point o: by pieces whose ends do
// not depend on what is computed, so that neither do the sums.
func (w *reduceWork) line(f *frame, t *tally, acc unsafe.Pointer, o, from, end int) {
	p, stop := o*w.inner+from, o*w.inner+end
	for p < stop {
		n := min(w.piece, stop-p)
		mark := t.s.level()
		w.reduce(f, acc, w.values(f, t.s, p, n), 0, n, p-o*w.inner)
		t.s.back(mark)
		p += n
		if p == stop && t.count == 0 {
			return // one piece: nothing to combine
		}
		t.put(acc)
	}
	copy(slice[byte](acc, w.fold.size), slice[byte](t.sum(), w.fold.size))
}

// reduce reduces the n elements from x[from] on to one accumulator; the first is at position at.
func (w *reduceWork) reduce(f *frame, acc, x unsafe.Pointer, from, n, at int) {
	x = unsafe.Add(x, from*w.valueBytes)
	if w.dot != nil {
		w.dot(acc, x, unsafe.Add(f.ptr[w.other], from*w.valueBytes), n)
		return
	}
	w.fold.line(acc, x, n, at)
}

// values computes n points side by side.
func (w *reduceWork) values(f *frame, s *scratch, p, n int) unsafe.Pointer {
	if w.direct || w.code.blockAt(p, p+n) == n {
		w.code.compute(f, p, n)
		return f.ptr[w.value]
	}
	room := s.pointer(n * w.valueBytes)
	for done := 0; done < n; {
		m := w.code.blockAt(p+done, p+n)
		w.code.compute(f, p+done, m)
		copy(slice[byte](unsafe.Add(room, done*w.valueBytes), m*w.valueBytes), slice[byte](f.ptr[w.value], m*w.valueBytes))
		done += m
	}
	return room
}

// part reduces and stores the outer points from..end, a line each.
func (w *reduceWork) part(l *launch, s *scratch, from, end int) error {
	f, post := w.code.begin(l, s), w.post.begin(l, s)
	if w.window {
		w.windows(f, post, s, from, end)
		return nil
	}
	group := 1
	if !w.code.rows {
		group = max(1, w.code.block/w.inner)
	}
	batch := max(group, min(end-from, w.post.block))
	acc := s.pointer(batch * w.fold.size)
	t := tally{fold: &w.fold, n: 1, room: 1, s: s}
	var room unsafe.Pointer
	if w.short {
		room = s.pointer(group * w.inner * w.valueBytes)
	}
	for o := from; o < end; o += batch {
		n := min(batch, end-o)
		for i := 0; i < n; i += group {
			m := min(group, n-i)
			at := unsafe.Add(acc, i*w.fold.size)
			if m == 1 {
				w.line(f, &t, at, o+i, 0, w.inner)
				continue
			}
			w.code.compute(f, (o+i)*w.inner, m*w.inner)
			x := f.ptr[w.value]
			if w.short {
				w.foldShort(at, x, room, m)
				continue
			}
			for k := range m {
				w.reduce(f, unsafe.Add(at, k*w.fold.size), x, k*w.inner, w.inner, 0)
			}
		}
		w.finish(post, s, acc, o, n)
	}
	return nil
}

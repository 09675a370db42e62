package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/order"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// together sorts many short lines at once. The elements that have one position in their lines
// are a vector, and every exchange of a sorting network is two operations on vectors: a call
// for each line would take longer than its sort.
type together struct {
	size            int // bytes of a key
	lesser, greater vec.Lanes
	steps           []exchange
	lines           int // as many at once
	// enter makes keys of n elements, in place, and reports whether it could; leave is its
	// inverse. They are nil where elements are their own keys.
	enter func(x unsafe.Pointer, n int) bool
	leave func(x unsafe.Pointer, n int)
	// keys makes keys with places of floats, by vectors, and reports whether it could; it is nil
	// for other types.
	keys func(keys []uint64, x unsafe.Pointer, s *scratch) bool
}

// togetherBytes bounds the vectors of a network. A million float32 in lines of 32 take 4.0 ms with
// 24 KB, 2.5 with 96, 2.6 with 192; float64 in lines of 16 take 4.8, 4.1 and 4.4.
const togetherBytes = 96 << 10

// togetherUpTo is the longest line that is sorted so, by the bytes of a key: a network of 64 has
// 543 exchanges, and package order sorts one such line in as long. Without AVX-512 a vector has
// half the lanes, and the extremes of 64 bits are two instructions.
func togetherUpTo(bytes int, l simd.Level) int {
	switch {
	case bytes < 8:
		return 40
	case l == simd.AVX512:
		return 32
	}
	return 20
}

// togetherFrom is the least number of neighbouring lines.
const togetherFrom = 8

// sortTogether is for the lines of w, nil if they are better sorted one by one.
func sortTogether(d *Device, w *sortWork, t elem.Type, descending bool) *together {
	k := d.vec
	near := func(operand int) bool { return w.step[operand] == 1 || w.apart(operand) == 1 }
	if k.Level == simd.Portable || w.length < 2 || w.row() < togetherFrom || !near(0) {
		return nil
	}
	b := &together{size: w.size}
	switch {
	case w.places > 0:
		if w.keys64 != nil && w.keep < w.length {
			return nil // what is dropped may have half a key in common with what is kept
		}
		b.size, b.lesser, b.greater = 8, k.I64.Min, k.I64.Max
		switch t {
		case elem.Float32:
			b.keys = placedKeys[uint32](d.level, descending)
		case elem.Float64:
			b.keys = placedKeys[uint64](d.level, descending)
		}
		descending = false
	case !near(w.values):
		return nil
	case t == elem.Uint8:
		b.lesser, b.greater = k.U8.Min, k.U8.Max
	case t == elem.Int8:
		b.lesser, b.greater = k.I8.Min, k.I8.Max
	case t == elem.Int16:
		b.lesser, b.greater = k.I16.Min, k.I16.Max
	case t == elem.Int32:
		b.lesser, b.greater = k.I32.Min, k.I32.Max
	case t == elem.Uint32:
		b.lesser, b.greater = k.U32.Min, k.U32.Max
	case t == elem.Int64:
		b.lesser, b.greater = k.I64.Min, k.I64.Max
	case t == elem.Float32:
		b.lesser, b.greater = k.I32.Min, k.I32.Max
		floatsTogether[uint32](b, d.level)
	case t == elem.Float64:
		b.lesser, b.greater = k.I64.Min, k.I64.Max
		floatsTogether[uint64](b, d.level)
	default:
		return nil
	}
	if descending {
		b.lesser, b.greater = b.greater, b.lesser
	}
	if w.length > togetherUpTo(b.size, k.Level) {
		return nil
	}
	b.steps = exchanges(w.length, w.keep)
	b.lines = min(max(togetherBytes/((2*w.length+1)*b.size)&^63, 64), 512)
	return b
}

// floatsTogether has keys of floats that are in order as signed integers.
func floatsTogether[K order.Key](b *together, l simd.Level) {
	kernels := order.For[K](l)
	sign, _ := order.Format[K]()
	b.enter = func(x unsafe.Pointer, n int) bool {
		keys := slice[K](x, n)
		return kernels.FromFloats(keys, keys, sign)
	}
	b.leave = func(x unsafe.Pointer, n int) {
		keys := slice[K](x, n)
		kernels.ToFloats(keys, keys, sign)
	}
}

// placedKeys has the upper 32 bits of keys of floats, as they are in order as signed integers,
// and the places of floats.
func placedKeys[K order.Key](l simd.Level, descending bool) func(keys []uint64, x unsafe.Pointer, s *scratch) bool {
	kernels := order.For[K](l)
	sign, _ := order.Format[K]()
	flip := sign
	if descending {
		flip = ^flip
	}
	lower := 8 * (unsafe.Sizeof(sign) - 4)
	return func(keys []uint64, x unsafe.Pointer, s *scratch) bool {
		mark := s.level()
		defer s.back(mark)
		bits := scratchOf[K](s, len(keys))
		if !kernels.FromFloats(bits, slice[K](x, len(keys)), flip) {
			return false
		}
		for i, k := range bits {
			keys[i] = uint64(k>>lower)<<32 | uint64(i)
		}
		return true
	}
}

// exchange writes the lesser or the greater elements of two vectors of a network to a third.
// A network of n vectors has them first, n more for its results, and one to spare.
type exchange struct {
	greater  bool
	to, x, y int
}

// exchanges is Batcher's merge exchange (Knuth, "The Art of Computer Programming" 3, algorithm
// 5.2.2M) of n vectors, without what the first keep results do not need.
func exchanges(n, keep int) []exchange {
	type pair struct {
		x, y            int
		lesser, greater bool // which are needed
		lastX, lastY    bool // they are results
	}
	var pairs []pair
	for p := 1; p < n; p *= 2 {
		for k := p; k >= 1; k /= 2 {
			for j := k % p; j+k < n; j += 2 * k {
				for i := j; i < min(j+k, n-k); i++ {
					if i/(2*p) == (i+k)/(2*p) {
						pairs = append(pairs, pair{x: i, y: i + k})
					}
				}
			}
		}
	}
	needed, later := make([]bool, n), make([]bool, n) // and exchanged by a later pair that is needed
	for i := range keep {
		needed[i] = true
	}
	for i := len(pairs) - 1; i >= 0; i-- {
		p := &pairs[i]
		p.lesser, p.greater = needed[p.x], needed[p.y]
		if p.lesser || p.greater {
			p.lastX, p.lastY = !later[p.x], !later[p.y]
			needed[p.x], needed[p.y], later[p.x], later[p.y] = true, true, true, true
		}
	}
	at, spare := make([]int, n), 2*n
	for i := range at {
		at[i] = i
	}
	var steps []exchange
	for _, p := range pairs {
		x, y := at[p.x], at[p.y]
		lesser, greater := exchange{false, x, x, y}, exchange{true, y, x, y}
		if p.lastX {
			lesser.to = n + p.x
		}
		if p.lastY {
			greater.to = n + p.y
		}
		switch {
		case p.lesser && p.greater && p.lastX:
			steps = append(steps, lesser, greater)
		case p.lesser && p.greater && p.lastY:
			steps = append(steps, greater, lesser)
		case p.lesser && p.greater:
			lesser.to, at[p.x], spare = spare, spare, x
			steps = append(steps, lesser, greater)
		case p.lesser:
			steps = append(steps, lesser)
		case p.greater:
			steps = append(steps, greater)
		}
	}
	return steps
}

// sort is the network on vectors of n keys, one behind the other.
func (b *together) sort(vectors unsafe.Pointer, n int) {
	bytes := n * b.size
	for _, e := range b.steps {
		f := b.lesser
		if e.greater {
			f = b.greater
		}
		f(unsafe.Add(vectors, e.to*bytes), unsafe.Add(vectors, e.x*bytes), unsafe.Add(vectors, e.y*bytes), n)
	}
}

// runTogether sorts as many lines at once as the vectors of the network have elements.
func (w *sortWork) runTogether(l *launch) error {
	return w.bundles(l, sortedPoints*w.length, w.together.lines, func(index []int, n int, s *scratch) error {
		switch {
		case w.places > 0 && w.keys64 != nil:
			w.placesOfHalves(l, index, n, s)
		case w.places > 0:
			w.placesTogether(l, index, n, s)
		case !w.valuesTogether(l, index, n, s):
			w.lineByLine(l, index, n, s)
		}
		return nil
	})
}

// lineByLine sorts n neighbouring lines.
func (w *sortWork) lineByLine(l *launch, index []int, n int, s *scratch) {
	last := len(w.dims) - 1
	if w.step[0] != 1 {
		w.beside(l, index, n, s)
		return
	}
	for range n {
		mark := s.level()
		w.line(w.results(l, index), w.start(0, l.mem[0], index), s)
		s.back(mark)
		index[last]++
	}
	index[last] -= n
}

// valuesTogether sorts values alone. It reports false, with nothing done, if their keys would
// not make them again: of NaN, and of zeros with a sign.
func (w *sortWork) valuesTogether(l *launch, index []int, n int, s *scratch) bool {
	b := w.together
	mark := s.level()
	defer s.back(mark)
	vectors := s.pointer((2*w.length + 1) * n * b.size)
	src := w.start(0, l.mem[0], index)
	if w.step[0] == 1 {
		w.move.Transpose(w.size, vectors, src, n, w.apart(0), n, w.length, false)
	} else {
		moveRows(vectors, src, n*w.size, w.step[0]*w.size, w.length, n*w.size)
	}
	if b.enter != nil && !b.enter(vectors, w.length*n) {
		return false
	}
	b.sort(vectors, n)
	results := unsafe.Add(vectors, w.length*n*w.size)
	if b.leave != nil {
		b.leave(results, w.keep*n)
	}
	dst := w.start(w.values, l.mem[w.values], index)
	if w.step[w.values] == 1 {
		w.move.Transpose(w.size, dst, results, w.apart(w.values), n, w.keep, n, false)
	} else {
		moveRows(dst, results, w.step[w.values]*w.size, n*w.size, w.keep, n*w.size)
	}
	return true
}

// moveRows copies rows of so many bytes, whose beginnings are to and from bytes apart.
func moveRows(dst, src unsafe.Pointer, to, from, rows, bytes int) {
	for i := range rows {
		copy(slice[byte](unsafe.Add(dst, i*to), bytes), slice[byte](unsafe.Add(src, i*from), bytes))
	}
}

// contiguous is n neighbouring lines one behind the other.
func (w *sortWork) contiguous(l *launch, index []int, n int, s *scratch) unsafe.Pointer {
	src := w.start(0, l.mem[0], index)
	switch {
	case w.step[0] == 1 && w.apart(0) == w.length:
		return src
	case w.step[0] == 1:
		out := s.pointer(n * w.length * w.size)
		moveRows(out, src, w.length*w.size, w.apart(0)*w.size, n, w.length*w.size)
		return out
	}
	out := s.pointer(n * w.length * w.size)
	w.move.Transpose(w.size, out, src, w.length, w.step[0], w.length, n, false)
	return out
}

// placesTogether sorts keys that have the place among all elements of n lines in their lower
// half: in a line it grows with the position.
func (w *sortWork) placesTogether(l *launch, index []int, n int, s *scratch) {
	src := w.contiguous(l, index, n, s)
	keys := scratchOf[uint64](s, n*w.length)
	if fast := w.together.keys; fast == nil || !fast(keys, src, s) {
		w.keys32(keys, src)
		for i, k := range keys {
			keys[i] = k ^ 1<<63 // to signed integers
		}
	}
	places := w.sortedKeys(keys, n, s)
	w.putTogether(l, index, src, places, n)
}

// placesOfHalves sorts by the upper halves of keys, and the lines that have two alike one by one.
func (w *sortWork) placesOfHalves(l *launch, index []int, n int, s *scratch) {
	src := w.contiguous(l, index, n, s)
	keys := scratchOf[uint64](s, n*w.length)
	if fast := w.together.keys; fast == nil || !fast(keys, src, s) {
		w.keys64(keys, src)
		for i, k := range keys {
			keys[i] = (k^1<<63)>>32<<32 | uint64(i)
		}
	}
	places := w.sortedKeys(keys, n, s)
	w.putTogether(l, index, src, places, n)
	last := len(w.dims) - 1
	first := index[last]
	for i := range n {
		line, alike := places[i*w.keep:][:w.keep], false
		for j, k := range line[1:] {
			alike = alike || (k^line[j])>>32 == 0
		}
		if !alike {
			continue
		}
		index[last] = first + i
		mark := s.level()
		w.line64(w.results(l, index), unsafe.Add(src, i*w.length*w.size), s)
		s.back(mark)
	}
	index[last] = first
}

// sortedKeys is the keys of n lines, signed integers, in order, one line behind the other.
func (w *sortWork) sortedKeys(keys []uint64, n int, s *scratch) []uint64 {
	vectors := s.pointer((2*w.length + 1) * n * 8)
	w.move.Transpose(8, vectors, unsafe.Pointer(&keys[0]), n, w.length, n, w.length, false)
	w.together.sort(vectors, n)
	out := keys[:n*w.keep]
	w.move.Transpose(8, unsafe.Pointer(&out[0]), unsafe.Add(vectors, 8*w.length*n), w.keep, n, w.keep, n, false)
	return out
}

// putTogether stores the results of n lines.
func (w *sortWork) putTogether(l *launch, index []int, src unsafe.Pointer, places []uint64, n int) {
	to := w.results(l, index)
	if to.places != nil {
		step, apart := w.step[w.places], w.apart(w.places)
		for i := range n {
			line, base := places[i*w.keep:][:w.keep], int64(i*w.length)
			row := unsafe.Add(to.places, i*8*apart)
			if step == 1 {
				dst := slice[int64](row, len(line))
				for j, p := range line {
					dst[j] = int64(uint32(p)) - base
				}
				continue
			}
			for j, p := range line {
				*(*int64)(unsafe.Add(row, j*8*step)) = int64(uint32(p)) - base
			}
		}
	}
	if to.values == nil {
		return
	}
	for i := range n {
		row := sorted{values: unsafe.Add(to.values, i*w.size*w.apart(w.values)), step: to.step}
		w.put(row, src, places[i*w.keep:][:w.keep])
	}
}

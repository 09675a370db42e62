package cpu

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/order"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// sortWork sorts lines by keys: unsigned integers in the order that is wanted,
// with NaN as the greatest. Keys remember their position, which makes equal
// ones come out in the order they came in.
type sortWork struct {
	lines
	move   *vec.Move
	length int
	keep   int
	values int // the operand that values go to, 0 if they are not wanted
	places int // likewise
	size   int // bytes of an input element

	// few finds the positions of a few kept floats of a contiguous line; nil for other types.
	few func(places []uint64, x unsafe.Pointer, length int)
	// keys32 and keys64 make keys from a contiguous line; the other is nil.
	keys32 func(dst []uint64, x unsafe.Pointer) // key<<32 | position
	keys64 func(dst []uint64, x unsafe.Pointer)
	order  order.Kernels[uint64]
	// bare sorts lines by values alone; nil if positions are wanted, or are faster.
	bare func(w *sortWork, to sorted, x unsafe.Pointer, s *scratch)
	// together sorts many lines at once; nil if they are long, or few.
	together *together
}

func (d *Device) compileSort(p *ir.Sort) (work, error) {
	last := len(p.Dims) - 1
	w := &sortWork{
		lines:  linesOf(p.Dims[:last], append(ir.Reads(p), ir.Writes(p)...)...),
		move:   &d.vec.Move,
		order:  order.For[uint64](d.level),
		length: p.Dims[last],
		keep:   p.Keep,
		size:   p.In.Type.Size(),
	}
	if p.Values != nil {
		w.values = 1
	}
	if p.Places != nil {
		w.places = w.values + 1
	}
	var flip32 uint32
	var flip64 uint64
	if p.Descending {
		flip32, flip64 = ^flip32, ^flip64
	}
	switch p.In.Type {
	case elem.Bool:
		w.keys32 = keys32(flip32, func(x uint8) uint32 { return uint32(min(x, 1)) })
	case elem.Uint8:
		w.keys32, w.bare = keys32(flip32, func(x uint8) uint32 { return uint32(x) }), countedSort(w, uint8(flip32))
	case elem.Int8:
		w.keys32, w.bare = keys32(flip32, func(x int8) uint32 { return uint32(x) ^ 1<<31 }), countedSort(w, uint8(flip32)^1<<7)
	case elem.Int16:
		w.keys32, w.bare = keys32(flip32, func(x int16) uint32 { return uint32(x) ^ 1<<31 }), countedSort(w, uint16(flip32)^1<<15)
	case elem.Uint32:
		w.keys32, w.bare = keys32(flip32, func(x uint32) uint32 { return x }), bareSort(d, w, false, flip32)
	case elem.Int32:
		w.keys32, w.bare = keys32(flip32, func(x uint32) uint32 { return x ^ 1<<31 }), bareSort(d, w, false, flip32^1<<31)
	case elem.Int64:
		w.keys64, w.bare = keys64(flip64, func(x uint64) uint64 { return x ^ 1<<63 }), bareSort(d, w, false, flip64^1<<63)
	case elem.Float16:
		w.keys32 = floatKeys(flip32, elem.F16.Float32)
	case elem.BFloat16:
		w.keys32 = floatKeys(flip32, elem.BF16.Float32)
	case elem.Float32:
		w.keys32, w.bare = floatKeys(flip32, func(x float32) float32 { return x }), bareSort(d, w, true, flip32)
		w.few = fewFloats[float32](p.Descending)
	case elem.Float64:
		w.keys64, w.bare = doubleKeys(flip64), bareSort(d, w, true, flip64)
		w.few = fewFloats[float64](p.Descending)
	default:
		return nil, unsupported(p, p.In.Type.String())
	}
	if p.Places != nil {
		w.bare = nil
	}
	if uint64(w.length) > 1<<32 {
		return nil, unsupported(p, "a line of more than 2^32 elements")
	}
	w.together = sortTogether(d, w, p.In.Type, p.Descending)
	return w, nil
}

// sortedPoints is how many points of a map take as long as an element that is sorted.
const sortedPoints = 16

// sortedBeside is how many lines are taken at once that lie side by side: as many elements as
// a cache line has, or twice as many.
const sortedBeside = 16

func (w *sortWork) run(l *launch) error {
	if w.together != nil {
		return w.runTogether(l)
	}
	if w.step[0] != 1 && w.apart(0) == 1 && w.row() > 1 {
		return w.bundles(l, sortedPoints*w.length, sortedBeside, func(index []int, n int, s *scratch) error {
			w.beside(l, index, n, s)
			return nil
		})
	}
	return w.each(l, sortedPoints*w.length, func(index []int, s *scratch) error {
		src := w.start(0, l.mem[0], index)
		if w.step[0] != 1 {
			line := s.pointer(w.length * w.size)
			gatherLine(w.move, w.size, line, src, w.step[0], w.length)
			src = line
		}
		w.line(w.results(l, index), src, s)
		return nil
	})
}

// beside sorts n lines that lie side by side. They are brought into order together, and values
// back as well: one line alone would use one element of every cache line it touches.
func (w *sortWork) beside(l *launch, index []int, n int, s *scratch) {
	src := s.pointer(n * w.length * w.size)
	w.move.Transpose(w.size, src, w.start(0, l.mem[0], index), w.length, w.step[0], w.length, n, false)
	whole := w.values > 0 && w.apart(w.values) == 1 && w.step[w.values] != 1
	var found unsafe.Pointer
	if whole {
		found = s.pointer(n * w.keep * w.size)
	}
	last := len(w.dims) - 1
	for i := range n {
		mark := s.level()
		to := w.results(l, index)
		if whole {
			to.values, to.step = unsafe.Add(found, i*w.keep*w.size), 1
		}
		w.line(to, unsafe.Add(src, i*w.length*w.size), s)
		s.back(mark)
		index[last]++
	}
	index[last] -= n
	if whole {
		w.move.Transpose(w.size, w.start(w.values, l.mem[w.values], index), found, w.step[w.values], w.keep, n, w.keep, false)
	}
}

// line sorts a contiguous line.
func (w *sortWork) line(to sorted, src unsafe.Pointer, s *scratch) {
	switch {
	case w.bare != nil:
		w.bare(w, to, src, s)
	case w.few != nil && w.keep > 0 && w.keep <= insertUpTo && w.keep < w.length/2:
		places := scratchOf[uint64](s, w.keep)
		w.few(places, src, w.length)
		w.put(to, src, places)
	case w.keys32 != nil:
		w.line32(to, src, s)
	default:
		w.line64(to, src, s)
	}
}

// sorted is where the results of a line go; nil is nowhere. Values are step elements apart.
type sorted struct {
	values, places unsafe.Pointer
	step           int
}

// results is where those of a line go.
func (w *sortWork) results(l *launch, index []int) (to sorted) {
	if w.values > 0 {
		to.values, to.step = w.start(w.values, l.mem[w.values], index), w.step[w.values]
	}
	if w.places > 0 {
		to.places = w.start(w.places, l.mem[w.places], index)
	}
	return to
}

// selectUpTo is the fraction of a line below which the kept elements are
// selected and the rest not sorted.
const selectUpTo = 8

// insertUpTo is how many kept elements are found by insertion: most elements of
// a line are then dropped by one comparison with the last of them.
const insertUpTo = 32

// insertLeast moves the least n keys, in order, to the front.
func insertLeast(keys []uint64, n int) []uint64 {
	least := keys[:n]
	slices.Sort(least)
	last := least[n-1]
	for _, k := range keys[n:] {
		if k >= last {
			continue
		}
		at := n - 1
		for ; at > 0 && least[at-1] > k; at-- {
			least[at] = least[at-1]
		}
		least[at] = k
		last = least[n-1]
	}
	return least
}

func (w *sortWork) line32(to sorted, src unsafe.Pointer, s *scratch) {
	keys := scratchOf[uint64](s, w.length)
	w.keys32(keys, src)
	switch {
	case w.keep <= insertUpTo && w.keep < w.length/2:
		keys = insertLeast(keys, w.keep)
	case w.keep < w.length/selectUpTo && w.order.Sort == nil:
		keys = selectLeast(keys, w.keep, func(a, b uint64) bool { return a < b })
		slices.Sort(keys)
	default:
		w.sortPlaced(keys, w.keep, s)
	}
	w.put(to, src, keys[:w.keep])
}

// sortPlaced puts the least keep keys, which have positions in their lower half, to the front.
func (w *sortWork) sortPlaced(keys []uint64, keep int, s *scratch) {
	if w.order.Sort != nil {
		w.order.Sort(keys, keep)
		return
	}
	before := s.level()
	sortDigits(keys, 32, s)
	s.back(before)
}

func (w *sortWork) line64(to sorted, src unsafe.Pointer, s *scratch) {
	keys, places := scratchOf[uint64](s, w.length), scratchOf[uint64](s, w.length)
	w.keys64(keys, src)
	if w.keep < w.length/selectUpTo {
		for i := range places {
			places[i] = uint64(i)
		}
		places = selectLeast(places, w.keep, func(a, b uint64) bool { return keys[a] < keys[b] || keys[a] == keys[b] && a < b })
		slices.SortFunc(places, func(a, b uint64) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b)) })
	} else {
		w.sortHalves(places, keys, s)
	}
	w.put(to, src, places[:w.keep])
}

// fewAlike is how many entries are sorted by insertion.
const fewAlike = 16

// sortHalves makes places the positions of keys in order, in the lower halves of its elements.
// They are sorted by the upper half of the key first: in most lines few are alike in it, and
// those are sorted by the other half.
func (w *sortWork) sortHalves(places, keys []uint64, s *scratch) {
	differ := uint64(0)
	for i, k := range keys {
		places[i] = k>>32<<32 | uint64(i)
		differ |= k ^ keys[0]
	}
	if differ>>32 != 0 {
		w.sortPlaced(places, len(places), s)
	}
	if uint32(differ) == 0 {
		return
	}
	for i := 0; i < len(places); {
		end, half := i+1, places[i]>>32
		for end < len(places) && places[end]>>32 == half {
			end++
		}
		alike := places[i:end]
		if i = end; len(alike) == 1 {
			continue
		}
		for j, p := range alike {
			alike[j] = keys[uint32(p)]<<32 | uint64(uint32(p))
		}
		if len(alike) > fewAlike {
			w.sortPlaced(alike, len(alike), s)
			continue
		}
		for j, p := range alike {
			for ; j > 0 && alike[j-1] > p; j-- {
				alike[j] = alike[j-1]
			}
			alike[j] = p
		}
	}
}

// put stores results that come from the positions in the lower halves of places.
func (w *sortWork) put(to sorted, src unsafe.Pointer, places []uint64) {
	if to.places != nil {
		step := 8 * w.step[w.places]
		for i, p := range places {
			*(*int64)(unsafe.Add(to.places, i*step)) = int64(uint32(p))
		}
	}
	if to.values == nil {
		return
	}
	switch w.size {
	case 4:
		putValues[uint32](to.values, src, to.step, places)
	case 8:
		putValues[uint64](to.values, src, to.step, places)
	case 2:
		putValues[uint16](to.values, src, to.step, places)
	default:
		putValues[uint8](to.values, src, to.step, places)
	}
}

func putValues[T any](dst, src unsafe.Pointer, step int, places []uint64) {
	size := int(unsafe.Sizeof(*new(T)))
	for i, p := range places {
		*(*T)(unsafe.Add(dst, i*step*size)) = *(*T)(unsafe.Add(src, int(uint32(p))*size))
	}
}

func keys32[T any](flip uint32, key func(T) uint32) func([]uint64, unsafe.Pointer) {
	return func(dst []uint64, p unsafe.Pointer) {
		for i, x := range slice[T](p, len(dst)) {
			dst[i] = uint64(key(x)^flip)<<32 | uint64(i)
		}
	}
}

func keys64[T any](flip uint64, key func(T) uint64) func([]uint64, unsafe.Pointer) {
	return func(dst []uint64, p unsafe.Pointer) {
		for i, x := range slice[T](p, len(dst)) {
			dst[i] = key(x) ^ flip
		}
	}
}

// floatKeys orders floats: the bits of a positive number grow with it, those
// of a negative one shrink. Zeros of either sign are equal.
func floatKeys[T any](flip uint32, value func(T) float32) func([]uint64, unsafe.Pointer) {
	return func(dst []uint64, p unsafe.Pointer) {
		for i, x := range slice[T](p, len(dst)) {
			v := value(x)
			if v == 0 {
				v = 0 // of either sign
			}
			b := *(*uint32)(unsafe.Pointer(&v))
			b ^= uint32(int32(b)>>31) | 1<<31
			b ^= flip
			if v != v {
				b = ^uint32(0)
			}
			dst[i] = uint64(b)<<32 | uint64(i)
		}
	}
}

func doubleKeys(flip uint64) func([]uint64, unsafe.Pointer) {
	return func(dst []uint64, p unsafe.Pointer) {
		for i, x := range slice[float64](p, len(dst)) {
			v := x
			if v == 0 {
				v = 0
			}
			b := *(*uint64)(unsafe.Pointer(&v))
			b ^= uint64(int64(b)>>63) | 1<<63
			b ^= flip
			if v != v {
				b = ^uint64(0)
			}
			dst[i] = b
		}
	}
}

package cpu

import (
	"unsafe"

	pairs "github.com/twiddle-go/twiddle/internal/simd/pair"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// butterflyWork mixes lines factor by factor, a bundle of neighbours at a
// time, so that the blocks of a factor are read once for all of them.
type butterflyWork struct {
	lines
	p       *ir.Butterfly
	move    *vec.Move
	factors []pairs.Factor
	n       int
	size    int // bytes of an element
	// from and to are the orders of loading and storing; nil is in order.
	from, to []int32
	bundle   int
	beside   *besideButterfly // nil: no lines lie side by side
}

// butterflyBundle is how many bytes of lines are done together: with the
// blocks of one factor they should stay in the first-level cache.
const butterflyBundle = 32 << 10

func (d *Device) compileButterfly(p *ir.Butterfly) (work, error) {
	w := &butterflyWork{lines: linesOf(p.Outer, p.In, p.Out), p: p, move: &d.vec.Move, n: p.N, size: p.In.Type.Size(), from: places(p.From), to: places(p.To)}
	k := d.pairKernel(p.In.Type, p.N)
	w.factors = lists.Map(p.Spans, k.Factor)
	w.bundle = min(max(butterflyBundle/(w.n*w.size), 1), w.row())
	w.beside = newBesideButterfly(p, &w.lines, k)
	return w, nil
}

// places is an order in the form that the loops below read fastest.
func places(order []int) []int32 {
	if order == nil {
		return nil
	}
	return lists.Map(order, func(at int) int32 { return int32(at) })
}

func (w *butterflyWork) run(l *launch) error {
	// Parts empty the scratch they are given, so what they share is elsewhere.
	shared := l.team.take()
	defer l.team.put(shared)
	shared.reset()
	blocks := w.blocks(l, shared)
	together := w.bundle
	if w.beside != nil {
		together = w.beside.Beside
	}
	per := w.per(l, w.n, together)
	if w.count <= per {
		w.part(l, l.s, blocks, 0, w.count)
		return nil
	}
	return l.team.do((w.count+per-1)/per, l.s, func(p int, s *scratch) error {
		w.part(l, s, blocks, p*per, min((p+1)*per, w.count))
		return nil
	})
}

// pairBlocks is where the blocks of the first factor lie, and how far factors,
// rows and columns are apart; blocks of neighbouring pairs are neighbours.
type pairBlocks struct {
	at               unsafe.Pointer
	factor, row, col int
}

// blocks is the operand as it is, or put in order once per launch: all lines
// share it.
func (w *butterflyWork) blocks(l *launch, s *scratch) pairBlocks {
	base := unsafe.Add(l.mem[1], w.p.W.Offset*w.size)
	strides := w.p.W.Strides
	if strides[3] == 1 || w.n == 2 {
		return pairBlocks{base, strides[0], strides[1], strides[2]}
	}
	half := w.n / 2
	b := pairBlocks{s.pointer(len(w.factors) * 4 * half * w.size), 4 * half, 2 * half, half}
	for i := range 4 * len(w.factors) {
		src := unsafe.Add(base, (i/4*strides[0]+i/2%2*strides[1]+i%2*strides[2])*w.size)
		gatherLine(w.move, w.size, unsafe.Add(b.at, i*half*w.size), src, strides[3], half)
	}
	return b
}

// part mixes the lines from i to end. Lines that are in order and without gaps
// are read by the first factor and written by the last; others go through
// memory of their own.
func (w *butterflyWork) part(l *launch, s *scratch, blocks pairBlocks, i, end int) {
	index := scratchOf[int](s, len(w.dims))
	arg := scratchOf[pairs.Pairs](s, 1)
	// Lines whose length is a power of two would share a few sets of the cache.
	apart := w.n + alignment/w.size
	own := s.pointer(w.bundle * apart * w.size)
	last := len(w.factors) - 1
	for i < end {
		if w.beside != nil && w.next(index, i, end, w.beside.Beside) == w.beside.Beside {
			in, out := w.bound(l, index)
			w.beside.run(out, in, l.mem[1], w.size, s)
			i += w.beside.Beside
			continue
		}
		count := w.next(index, i, end, w.bundle)
		in, out := w.bound(l, index)
		now := spaced{own, apart}
		if w.from != nil || w.step[0] != 1 {
			w.load(now, in, count)
			in = now
		}
		stored := w.to != nil || w.step[1] != 1
		for f, h := range w.p.Spans {
			to := now
			if f == last && !stored {
				to = out
			}
			arg[0] = pairs.Pairs{Row: blocks.row, Col: blocks.col, Span: h, Blocks: w.n / (2 * h), Lines: count, DstApart: to.apart, SrcApart: in.apart}
			w.factors[f]((*byte)(to.at), (*byte)(in.at), (*byte)(unsafe.Add(blocks.at, f*blocks.factor*w.size)), &arg[0])
			in = to
		}
		if stored {
			w.store(out, in, count)
		}
		i += count
	}
}

// bound is the lines from index on, in memory.
func (w *butterflyWork) bound(l *launch, index []int) (in, out spaced) {
	return spaced{w.start(0, l.mem[0], index), w.apart(0)}, spaced{w.start(1, l.mem[2], index), w.apart(1)}
}

func (w *butterflyWork) load(dst, src spaced, count int) {
	for k := range count {
		to, from := dst.line(k, w.size), src.line(k, w.size)
		if w.from != nil {
			takeOrdered[w.size/8](to, from, w.step[0], w.from)
		} else {
			gatherLine(w.move, w.size, to, from, w.step[0], w.n)
		}
	}
}

func (w *butterflyWork) store(dst, src spaced, count int) {
	for k := range count {
		to, from := dst.line(k, w.size), src.line(k, w.size)
		if w.to != nil {
			putOrdered[w.size/8](to, from, w.step[1], w.to)
		} else {
			scatterLine(w.move, w.size, to, from, w.step[1], w.n)
		}
	}
}

// takeOrdered is dst[i] = src[order[i]*step], for elements of 4, 8 and 16 bytes.
var takeOrdered = [...]func(dst, src unsafe.Pointer, step int, order []int32){takeOf[uint32], takeOf[uint64], takeOf[[2]uint64]}

func takeOf[T any](dst, src unsafe.Pointer, step int, order []int32) {
	to := slice[T](dst, len(order))
	size := int(unsafe.Sizeof(to[0]))
	if step == 1 { // addresses need no product
		for i, at := range order {
			to[i] = *(*T)(unsafe.Add(src, int(at)*size))
		}
		return
	}
	for i, at := range order {
		to[i] = *(*T)(unsafe.Add(src, int(at)*step*size))
	}
}

// putOrdered is dst[order[i]*step] = src[i], for elements of 4, 8 and 16 bytes.
var putOrdered = [...]func(dst, src unsafe.Pointer, step int, order []int32){putOf[uint32], putOf[uint64], putOf[[2]uint64]}

func putOf[T any](dst, src unsafe.Pointer, step int, order []int32) {
	from := slice[T](src, len(order))
	size := int(unsafe.Sizeof(from[0]))
	if step == 1 {
		for i, at := range order {
			*(*T)(unsafe.Add(dst, int(at)*size)) = from[i]
		}
		return
	}
	for i, at := range order {
		*(*T)(unsafe.Add(dst, int(at)*step*size)) = from[i]
	}
}

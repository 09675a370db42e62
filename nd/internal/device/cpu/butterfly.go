package cpu

import (
	"unsafe"

	pairs "github.com/twiddle-go/twiddle/internal/simd/pair"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// butterflyWork mixes lines factor by factor, a bundle of neighbours at a
// time, so that the blocks of a factor are read once for all of them.
//
// A vector kernel mixes runs of pairs, so it wants the elements of a pair at
// least a vector apart. For closer pairs the line is turned: seen as a matrix
// whose rows are vectors, and transposed, its pairs that were h apart are
// h*n/lanes apart. The blocks of such a factor are turned alike.
type butterflyWork struct {
	lines
	p      *kern.Butterfly
	move   *vec.Move
	factor pairs.Factor
	n      int
	size   int  // bytes of an element
	lanes  int  // columns of the matrix, 1 if no factor is turned
	packed bool // the blocks lie as the kernel wants them
	turned []bool
	// from and to are the orders of loading and storing as positions in the
	// line as it then lies; nil is in order.
	from, to []int32
	bundle   int
}

// butterflyBundle is how many bytes of lines are done together: with the
// blocks of one factor they should stay in the first-level cache.
const butterflyBundle = 32 << 10

func (d *Device) compileButterfly(p *kern.Butterfly) (work, error) {
	w := &butterflyWork{lines: linesOf(p.Outer, p.In, p.Out), p: p, move: &d.vec.Move, n: p.N, size: p.In.Type.Size()}
	if w.count == 0 {
		return nothing{}, nil
	}
	k := d.pairKernel(p.In.Type)
	if p.N < k.Lanes*k.Lanes { // a turned line has rows of n/lanes
		k = portablePairs(p.In.Type)
	}
	w.factor, w.lanes = k.Factor, k.Lanes
	w.packed = kern.Operand{Strides: p.W.Strides}.IsPacked(p.WDims())
	w.turned = make([]bool, len(p.Spans))
	for f, h := range p.Spans {
		w.turned[f] = h < w.lanes
	}
	first, last := w.turned[0], w.turned[len(w.turned)-1]
	if p.From != nil {
		w.from = make([]int32, p.N)
		for i, at := range p.From {
			w.from[w.place(i, first)] = int32(at)
		}
	}
	if p.To != nil {
		w.to = make([]int32, p.N)
		for i, at := range p.To {
			w.to[w.place(i, last)] = int32(at)
		}
	}
	w.bundle = min(max(butterflyBundle/(w.n*w.size), 1), w.row())
	return w, nil
}

func (d *Device) pairKernel(t elem.Type) pairs.Kernel { return pairKernel(pairs.For(d.level), t) }

func portablePairs(t elem.Type) pairs.Kernel { return pairKernel(pairs.For(0), t) }

func pairKernel(table pairs.Table, t elem.Type) pairs.Kernel {
	switch t {
	case elem.Float32:
		return table.F32
	case elem.Float64:
		return table.F64
	case elem.Complex64:
		return table.C64
	}
	return table.C128
}

// place is where element i of a line lies.
func (w *butterflyWork) place(i int, turned bool) int {
	if !turned {
		return i
	}
	return i%w.lanes*(w.n/w.lanes) + i/w.lanes
}

func (w *butterflyWork) run(l *launch) error {
	// Parts empty the scratch they are given, so what they share is elsewhere.
	shared := l.team.take()
	defer l.team.put(shared)
	shared.reset()
	blocks := w.blocks(l, shared)
	parts, per := w.parts(l, w.n, w.bundle)
	if parts == 1 {
		w.part(l, l.s, blocks, 0, w.count)
		return nil
	}
	return l.team.do(parts, l.s, func(p int, s *scratch) error {
		w.part(l, s, blocks, p*per, min((p+1)*per, w.count))
		return nil
	})
}

// blocks is where each factor's blocks lie, in order for the kernel. They are
// the same for all lines, so they are put in order once per launch.
func (w *butterflyWork) blocks(l *launch, s *scratch) []unsafe.Pointer {
	base := unsafe.Add(l.mem[1], w.p.W.Offset*w.size)
	half := w.n / 2
	s.blocks = resized(s.blocks, len(w.turned))
	list := s.blocks
	strides := w.p.W.Strides
	for f, turned := range w.turned {
		src := unsafe.Add(base, f*strides[0]*w.size)
		if w.packed && !turned {
			list[f] = src
			continue
		}
		dst := s.pointer(4 * half * w.size)
		list[f] = dst
		for k := range 4 {
			to := unsafe.Add(dst, k*half*w.size)
			from := unsafe.Add(src, (k/2*strides[1]+k%2*strides[2])*w.size)
			w.order(to, from, strides[3], turned)
		}
	}
	return list
}

// order brings the n/2 numbers that lie a stride apart in the order of pairs.
func (w *butterflyWork) order(dst, src unsafe.Pointer, stride int, turned bool) {
	half := w.n / 2
	if !turned {
		gatherLine(w.move, w.size, dst, src, stride, half)
		return
	}
	across, rows := w.lanes/2, w.n/w.lanes
	if stride == 1 {
		w.move.Transpose(w.size, dst, src, rows, across, rows, across, false)
		return
	}
	for q := range across {
		gatherLine(w.move, w.size, unsafe.Add(dst, q*rows*w.size), unsafe.Add(src, q*stride*w.size), across*stride, rows)
	}
}

// part mixes the lines from i to end.
func (w *butterflyWork) part(l *launch, s *scratch, blocks []unsafe.Pointer, i, end int) {
	index := scratchOf[int](s, len(w.dims))
	bytes := w.n * w.size
	now, other := s.pointer(w.bundle*bytes), s.pointer(w.bundle*bytes)
	for i < end {
		count := w.next(index, i, end, w.bundle)
		src, dst := w.start(0, l.mem[0], index), w.start(1, l.mem[2], index)
		for k := range count {
			w.load(unsafe.Add(now, k*bytes), unsafe.Add(src, k*w.apart(0)*w.size), unsafe.Add(other, k*bytes))
		}
		turned := w.turned[0]
		for f, h := range w.p.Spans {
			if w.turned[f] != turned {
				turned = !turned
				for k := range count {
					w.turn(unsafe.Add(other, k*bytes), unsafe.Add(now, k*bytes), turned)
				}
				now, other = other, now
			}
			if turned {
				h *= w.n / w.lanes
			}
			for k := range count {
				w.factor((*byte)(unsafe.Add(now, k*bytes)), (*byte)(blocks[f]), w.n/2, h, w.n/(2*h))
			}
		}
		for k := range count {
			w.store(unsafe.Add(dst, k*w.apart(1)*w.size), unsafe.Add(now, k*bytes), unsafe.Add(other, k*bytes))
		}
		i += count
	}
}

// turn transposes a line, or brings it back.
func (w *butterflyWork) turn(dst, src unsafe.Pointer, turned bool) {
	rows, cols := w.n/w.lanes, w.lanes
	if !turned {
		rows, cols = cols, rows
	}
	w.move.Transpose(w.size, dst, src, rows, cols, rows, cols, false)
}

// load brings a line as the first factor wants it; spare is room for one.
func (w *butterflyWork) load(dst, src, spare unsafe.Pointer) {
	step := w.step[0]
	switch {
	case w.from != nil:
		takeOrdered(w.size, dst, src, step, w.from)
	case !w.turned[0]:
		gatherLine(w.move, w.size, dst, src, step, w.n)
	case step == 1:
		w.turn(dst, src, true)
	default:
		gatherLine(w.move, w.size, spare, src, step, w.n)
		w.turn(dst, spare, true)
	}
}

// store puts a line where it belongs; spare is room for one.
func (w *butterflyWork) store(dst, src, spare unsafe.Pointer) {
	step, turned := w.step[1], w.turned[len(w.turned)-1]
	switch {
	case w.to != nil:
		putOrdered(w.size, dst, src, step, w.to)
	case !turned:
		scatterLine(w.move, w.size, dst, src, step, w.n)
	case step == 1:
		w.turn(dst, src, false)
	default:
		w.turn(spare, src, false)
		scatterLine(w.move, w.size, dst, spare, step, w.n)
	}
}

// takeOrdered is dst[i] = src[order[i]*step].
func takeOrdered(size int, dst, src unsafe.Pointer, step int, order []int32) {
	switch size {
	case 4:
		takeOf[uint32](dst, src, step, order)
	case 8:
		takeOf[uint64](dst, src, step, order)
	default:
		takeOf[[2]uint64](dst, src, step, order)
	}
}

func takeOf[T any](dst, src unsafe.Pointer, step int, order []int32) {
	var zero T
	step *= int(unsafe.Sizeof(zero))
	to := slice[T](dst, len(order))
	for i, at := range order {
		to[i] = *(*T)(unsafe.Add(src, int(at)*step))
	}
}

// putOrdered is dst[order[i]*step] = src[i].
func putOrdered(size int, dst, src unsafe.Pointer, step int, order []int32) {
	switch size {
	case 4:
		putOf[uint32](dst, src, step, order)
	case 8:
		putOf[uint64](dst, src, step, order)
	default:
		putOf[[2]uint64](dst, src, step, order)
	}
}

func putOf[T any](dst, src unsafe.Pointer, step int, order []int32) {
	var zero T
	step *= int(unsafe.Sizeof(zero))
	from := slice[T](src, len(order))
	for i, at := range order {
		*(*T)(unsafe.Add(dst, int(at)*step)) = from[i]
	}
}

package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// fftWork transforms lines, a bundle of neighbours at a time. Lines that lie as
// the transform wants them are read and written where they are; others go
// through scratch.
type fftWork struct {
	lines
	move            *vec.Move
	plan            linePlan
	n               int
	given, needed   int // elements of an input line: there, and read by the transform
	result          int // elements of an output line
	inSize, outSize int
	bundle          int // lines done together
}

// fftBundle is how many bytes of lines are done together: they should stay in
// the second-level cache with their result. Strided lines are done by as many
// as share a cache line, whatever that takes.
const fftBundle = 256 << 10

func (d *Device) compileFFT(p *ir.FFT) (work, error) {
	w := &fftWork{
		lines:   linesOf(p.Outer, p.In, p.Out),
		move:    &d.vec.Move,
		n:       p.N,
		given:   min(p.InLen, p.InNeeded()),
		result:  p.OutLen(),
		inSize:  p.In.Type.Size(),
		outSize: p.Out.Type.Size(),
	}
	w.bundle = max(fftBundle/(w.n*max(w.inSize, w.outSize)), 1)
	if w.step[0] != 1 || w.step[1] != 1 {
		w.bundle = max(w.bundle, alignment/min(w.inSize, w.outSize))
	}
	w.bundle = min(w.bundle, w.row())
	if w.plan = d.newBesideLines(p); w.plan == nil {
		plan, err := d.newTiledPlan(p, p.InLen)
		if err != nil {
			return nil, err
		}
		w.plan = plan
	}
	w.needed = w.plan.reads()
	if !p.Plain() {
		w.plan = d.newWidePlan(p, w.plan)
	}
	return w, nil
}

func (w *fftWork) run(l *launch) error {
	if w.count == 1 && w.n > inlineUpTo && l.team.size > 1 {
		return w.runShared(l)
	}
	return l.share(w, w.count, w.per(l, w.n, w.bundle))
}

// part transforms the lines from i to end.
func (w *fftWork) part(l *launch, s *scratch, i, end int) error {
	index := scratchOf[int](s, len(w.dims))
	for i < end {
		n := w.next(index, i, end, w.bundle)
		mark := s.level()
		work := s.numbers(w.plan.scratchBytes(n))
		b := w.bring(l, index, n, s)
		w.plan.batch(b.to, b.src, work, n, b.toDist, b.srcDist)
		w.take(b, n)
		s.back(mark)
		i += n
	}
	return nil
}

// runShared lets the workers share the one line there is.
func (w *fftWork) runShared(l *launch) error {
	var failed error
	index := scratchOf[int](l.s, len(w.dims))
	clear(index)
	work := l.s.numbers(w.plan.scratchBytes(1))
	b := w.bring(l, index, 1, l.s)
	if !w.plan.shared(b.to, b.src, work, transform.Parallel{Threads: l.team.size, Run: l.parallel(&failed)}) {
		w.plan.batch(b.to, b.src, work, 1, w.result, w.needed)
	}
	w.take(b, 1)
	return failed
}

// brought is lines where a transform can use them.
type brought struct {
	src, to         unsafe.Pointer
	srcDist, toDist int
	dst             unsafe.Pointer // where the results belong, if not at to
}

// bring gets n lines ready, through scratch where they do not lie as the
// transform wants them.
func (w *fftWork) bring(l *launch, index []int, n int, s *scratch) brought {
	b := brought{src: w.start(0, l.mem[0], index), dst: w.start(1, l.mem[1], index), srcDist: w.apart(0), toDist: w.apart(1)}
	b.to = b.dst
	if w.given < w.needed || w.step[0] != 1 || b.srcDist < 0 {
		packed := s.pointer(n * w.needed * w.inSize)
		w.pack(packed, b.src, n)
		b.src, b.srcDist = packed, w.needed
	}
	if w.step[1] != 1 || b.toDist < 0 {
		b.to, b.toDist = s.pointer(n*w.result*w.outSize), w.result
	}
	return b
}

// take brings the results where they belong.
func (w *fftWork) take(b brought, n int) {
	if b.to != b.dst {
		w.unpack(b.dst, b.to, n)
	}
}

// overColumns reports columns, which go through scratch both ways: written where they were read,
// they find their cache lines near.
func overColumns(p *ir.FFT) bool {
	return p.Kind == ir.FFTComplex && p.InLen == p.N && p.In.Strides[len(p.Outer)] != 1
}

// pack puts n lines behind each other, followed by zeros where the transform
// wants more than there is.
func (w *fftWork) pack(dst, src unsafe.Pointer, n int) {
	step, apart := w.step[0], w.apart(0)
	if apart == 1 && step > 0 {
		w.move.Transpose(w.inSize, dst, src, w.needed, step, w.given, n, false)
	} else {
		for i := range n {
			gatherLine(w.move, w.inSize, unsafe.Add(dst, i*w.needed*w.inSize), unsafe.Add(src, i*apart*w.inSize), step, w.given)
		}
	}
	if w.given < w.needed {
		for i := range n {
			clear(slice[byte](unsafe.Add(dst, (i*w.needed+w.given)*w.inSize), (w.needed-w.given)*w.inSize))
		}
	}
}

// unpack is the reverse, for results.
func (w *fftWork) unpack(dst, src unsafe.Pointer, n int) {
	step, apart := w.step[1], w.apart(1)
	if apart == 1 && step > 0 {
		w.move.Transpose(w.outSize, dst, src, step, w.result, n, w.result, false)
		return
	}
	for i := range n {
		scatterLine(w.move, w.outSize, unsafe.Add(dst, i*apart*w.outSize), unsafe.Add(src, i*w.result*w.outSize), step, w.result)
	}
}

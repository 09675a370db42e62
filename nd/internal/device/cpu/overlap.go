package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// overlapWork adds frames in their order, each to the stretch of the result
// that it meets. Workers have stretches of their own.
type overlapWork struct {
	p       *ir.Overlap
	in, out layout
	move    *vec.Move
	add     fold
	stretch int // elements of the result that a worker does at a time
}

// overlapStretch keeps a stretch in the first-level cache while its frames are
// added.
const overlapStretch = 16 << 10

func (d *Device) compileOverlap(p *ir.Overlap) (work, error) {
	add, ok := foldOf(d.vec, ir.Sum, p.In.Type)
	if !ok || p.Count > p.Turns*p.Phases {
		return nil, unsupported(p, p.In.Type.String())
	}
	w := &overlapWork{p: p, in: layoutOf(p.In), out: layoutOf(p.Out), move: &d.vec.Move, add: add}
	w.stretch = max(overlapStretch/w.out.size, 4*p.Size)
	return w, nil
}

func (w *overlapWork) run(l *launch) error {
	per := (w.p.Length + w.stretch - 1) / w.stretch
	return l.team.do(per*ir.Count(w.p.Outer), l.s, func(part int, s *scratch) error {
		index := scratchOf[int](s, len(w.p.Outer)+3)
		locate(index[:len(w.p.Outer)], w.p.Outer, part/per)
		from := part % per * w.stretch
		w.part(l, s, index, from, min(from+w.stretch, w.p.Length))
		return nil
	})
}

// part does the elements from..end of the result at the index.
func (w *overlapWork) part(l *launch, s *scratch, index []int, from, end int) {
	p, k := w.p, len(w.p.Outer)
	size, n := w.out.size, end-from
	index[k] = from
	to := w.out.address(l.mem[1], index[:k+1])
	sum, step := to, w.out.strides[k]
	if step != 1 {
		sum = s.pointer(n * size)
	}
	clear(slice[byte](sum, n*size))
	line := s.pointer(p.Size * size)
	first, _ := p.Frames(from)
	_, last := p.Frames(end - 1)
	for t := first; t < last; t++ {
		at := t*p.Hop - p.Skip // where the frame begins
		lo, hi := max(from, at), min(end, at+p.Size)
		if lo >= hi {
			continue
		}
		index[k], index[k+1], index[k+2] = t/p.Phases, t%p.Phases, lo-at
		x := w.in.address(l.mem[0], index)
		if along := w.in.strides[k+2]; along != 1 {
			gatherLine(w.move, size, line, x, along, hi-lo)
			x = line
		}
		w.add.add(unsafe.Add(sum, (lo-from)*size), x, hi-lo, 0)
	}
	if step != 1 {
		scatterLine(w.move, size, to, sum, step, n)
	}
}

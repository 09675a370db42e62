package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// fftWork transforms lines. A line that lies as the transform wants it is
// read and written where it is; others go through scratch.
type fftWork struct {
	lines
	move            *vec.Move
	plan            linePlan
	n               int // for sizing parts
	given, needed   int // elements of an input line: there, and of the transform
	result          int // elements of an output line
	inSize, outSize int
}

// linePlan is a transform of one kind and precision. dst and src are whole
// contiguous lines, and different memory.
type linePlan interface {
	scratchBytes() int
	run(dst, src, scratch unsafe.Pointer)
	// shared runs one long line with several workers; false if it cannot.
	shared(dst, src, scratch unsafe.Pointer, p transform.Parallel) bool
}

func (d *Device) compileFFT(p *kern.FFT) (work, error) {
	w := &fftWork{
		lines:   linesOf(p.Outer, p.In, p.Out),
		move:    &d.vec.Move,
		n:       p.N,
		given:   min(p.InLen, p.InNeeded()),
		needed:  p.InNeeded(),
		result:  p.OutLen(),
		inSize:  p.In.Type.Size(),
		outSize: p.Out.Type.Size(),
	}
	if w.count == 0 {
		return nothing{}, nil
	}
	var err error
	switch wide := p.In.Type == elem.Float64 || p.In.Type == elem.Complex128; {
	case p.Kind == kern.FFTComplex && wide:
		w.plan, err = newComplexPlan[complex128](p, d.level)
	case p.Kind == kern.FFTComplex:
		w.plan, err = newComplexPlan[complex64](p, d.level)
	case wide:
		w.plan, err = newRealPlan[float64, complex128](p, d.level)
	default:
		w.plan, err = newRealPlan[float32, complex64](p, d.level)
	}
	return w, err
}

func (w *fftWork) run(l *launch) error {
	if w.count == 1 && w.n > inlineUpTo {
		return w.runShared(l)
	}
	return w.each(l, w.n, func(index []int, s *scratch) error {
		w.line(l, index, s, func(dst, src unsafe.Pointer) {
			w.plan.run(dst, src, s.pointer(w.plan.scratchBytes()))
		})
		return nil
	})
}

// runShared lets the workers share the one line there is.
func (w *fftWork) runShared(l *launch) error {
	var failed error
	parallel := func(tasks int, run func(task int)) {
		s := l.team.take()
		defer l.team.put(s)
		err := l.team.do(tasks, s, func(task int, _ *scratch) error { run(task); return nil })
		if failed == nil {
			failed = err
		}
	}
	w.line(l, scratchOf[int](l.s, len(w.dims)), l.s, func(dst, src unsafe.Pointer) {
		work := l.s.pointer(w.plan.scratchBytes())
		if !w.plan.shared(dst, src, work, parallel) {
			w.plan.run(dst, src, work)
		}
	})
	return failed
}

// line brings one line to transform and its result back.
func (w *fftWork) line(l *launch, index []int, s *scratch, transform func(dst, src unsafe.Pointer)) {
	src, dst := w.start(0, l.mem[0], index), w.start(1, l.mem[1], index)
	to := dst
	if w.given < w.needed || w.step[0] != 1 {
		line := s.pointer(w.needed * w.inSize)
		w.move.Gather(w.inSize, line, src, w.step[0], w.given)
		clear(slice[byte](unsafe.Add(line, w.given*w.inSize), (w.needed-w.given)*w.inSize))
		src = line
	}
	if w.step[1] != 1 {
		to = s.pointer(w.result * w.outSize)
	}
	transform(to, src)
	if to != dst {
		w.move.Scatter(w.outSize, dst, to, w.step[1], w.result)
	}
}

type complexPlan[C transform.Complex] struct {
	*transform.Plan[C]
	inverse bool
}

func newComplexPlan[C transform.Complex](p *kern.FFT, level simd.Level) (linePlan, error) {
	plan, err := transform.New[C](recipe.For(p.N, transform.Target[C](level)), level)
	if err != nil {
		return nil, err
	}
	return complexPlan[C]{plan.Scaled(p.Scale), p.Inverse}, nil
}

func (p complexPlan[C]) scratchBytes() int {
	var c C
	return max(p.ScratchLen(), p.ParallelScratchLen()) * int(unsafe.Sizeof(c))
}

func (p complexPlan[C]) run(dst, src, scratch unsafe.Pointer) {
	d, s, work := slice[C](dst, p.Len()), slice[C](src, p.Len()), slice[C](scratch, p.ScratchLen())
	if p.inverse {
		p.Inverse(d, s, work)
	} else {
		p.Forward(d, s, work)
	}
}

func (p complexPlan[C]) shared(dst, src, scratch unsafe.Pointer, parallel transform.Parallel) bool {
	d, s, work := slice[C](dst, p.Len()), slice[C](src, p.Len()), slice[C](scratch, p.ParallelScratchLen())
	if p.inverse {
		p.InverseParallel(d, s, work, parallel)
	} else {
		p.ForwardParallel(d, s, work, parallel)
	}
	return true
}

type realPlan[R transform.Float, C transform.Complex] struct {
	*transform.Real[R, C]
	inverse bool
}

func newRealPlan[R transform.Float, C transform.Complex](p *kern.FFT, level simd.Level) (linePlan, error) {
	plan, err := transform.NewReal[R, C](p.N, recipe.For(transform.RealLen(p.N), transform.Target[C](level)), level)
	if err != nil {
		return nil, err
	}
	return realPlan[R, C]{plan.Scaled(p.Scale), p.Kind == kern.FFTRealInverse}, nil
}

func (p realPlan[R, C]) scratchBytes() int {
	var c C
	return p.ScratchLen() * int(unsafe.Sizeof(c))
}

func (p realPlan[R, C]) run(dst, src, scratch unsafe.Pointer) {
	work := slice[C](scratch, p.ScratchLen())
	if p.inverse {
		p.Inverse(slice[R](dst, p.Len()), slice[C](src, p.Bins()), work)
	} else {
		p.Forward(slice[C](dst, p.Bins()), slice[R](src, p.Len()), work)
	}
}

func (p realPlan[R, C]) shared(_, _, _ unsafe.Pointer, _ transform.Parallel) bool { return false }

package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// linePlan is a transform of one kind and precision. Lines are contiguous, and
// dst is other memory than src.
type linePlan interface {
	scratchBytes(count int) int
	reads() int // elements of a line that are read
	batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int)
	// shared runs one long line with several workers; false if it cannot.
	shared(dst, src, scratch unsafe.Pointer, p transform.Parallel) bool
}

type complexPlan[C transform.Complex] struct {
	*transform.Plan[C]
	inverse bool
}

func newComplexPlan[C transform.Complex](p *ir.FFT, level simd.Level) (linePlan, error) {
	plan, err := transform.New[C](recipe.For(p.N, transform.Target[C](level)), level)
	if err != nil {
		return nil, err
	}
	if half := plan.Halved(); half != nil && p.InLen <= half.Given() {
		plan = half
	}
	return complexPlan[C]{plan.Scaled(p.Scale), p.Inverse}, nil
}

func (p complexPlan[C]) reads() int { return p.Given() }

func (p complexPlan[C]) scratchBytes(count int) int {
	var c C
	return max(p.BatchScratchLen(count), p.ParallelScratchLen()) * int(unsafe.Sizeof(c))
}

func (p complexPlan[C]) batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int) {
	n := p.Len()
	p.Batch(slice[C](dst, (count-1)*dstDist+n), slice[C](src, (count-1)*srcDist+p.Given()),
		slice[C](scratch, p.BatchScratchLen(count)), count, dstDist, srcDist, p.inverse)
}

func (p complexPlan[C]) shared(dst, src, scratch unsafe.Pointer, parallel transform.Parallel) bool {
	d, s, work := slice[C](dst, p.Len()), slice[C](src, p.Given()), slice[C](scratch, p.ParallelScratchLen())
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

func newRealPlan[R transform.Float, C transform.Complex](p *ir.FFT, level simd.Level) (linePlan, error) {
	plan, err := transform.NewReal[R, C](recipe.ForReal(p.N, transform.Target[C](level)), level)
	if err != nil {
		return nil, err
	}
	inverse := p.Kind == ir.FFTRealInverse
	if half := plan.Halved(); half != nil && !inverse && p.InLen <= half.Given() {
		plan = half
	}
	return realPlan[R, C]{plan.Scaled(p.Scale), inverse}, nil
}

func (p realPlan[R, C]) reads() int {
	if p.inverse {
		return p.Bins()
	}
	return p.Given()
}

func (p realPlan[R, C]) scratchBytes(count int) int {
	var c C
	return p.BatchScratchLen(count) * int(unsafe.Sizeof(c))
}

func (p realPlan[R, C]) batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int) {
	work := slice[C](scratch, p.BatchScratchLen(count))
	if p.inverse {
		p.InverseBatch(slice[R](dst, (count-1)*dstDist+p.Len()), slice[C](src, (count-1)*srcDist+p.Bins()), work, count, dstDist, srcDist)
	} else {
		p.ForwardBatch(slice[C](dst, (count-1)*dstDist+p.Bins()), slice[R](src, (count-1)*srcDist+p.Given()), work, count, dstDist, srcDist)
	}
}

func (p realPlan[R, C]) shared(_, _, _ unsafe.Pointer, _ transform.Parallel) bool { return false }

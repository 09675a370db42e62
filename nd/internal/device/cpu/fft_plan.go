package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// linePlan is a transform of one kind and precision. Lines are contiguous, and
// dst is other memory than src. What implements it has its plan in a
// field: embedded, each of the plan's methods would be compiled once more for every type
// of elements.
type linePlan interface {
	scratchBytes(count int) int
	reads() int // elements of a line that are read
	batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int)
	// shared runs one long line with several workers; false if it cannot.
	shared(dst, src, scratch unsafe.Pointer, p transform.Parallel) bool
}

// tiledPlan is a linePlan whose lines may also come and go in tiles.
type tiledPlan interface {
	linePlan
	loadTile() transform.Tile
	storeTile() transform.Tile
	tiledBytes() int // of scratch
	tiled(dst, scratch unsafe.Pointer, load transform.Load, store transform.Store)
}

// newTiledPlan plans the transform of lines of which given elements are there.
func (d *Device) newTiledPlan(p *ir.FFT, given int) (tiledPlan, error) {
	switch wide := p.In.Type.Real() == elem.Float64; {
	case p.Kind == ir.FFTComplex && wide:
		return newComplexPlan[complex128](p, given, d.level)
	case p.Kind == ir.FFTComplex:
		return newComplexPlan[complex64](p, given, d.level)
	case p.Kind == ir.FFTRealWhole && wide:
		return newWholePlan(p, given, d.level, &d.vec.C128)
	case p.Kind == ir.FFTRealWhole:
		return newWholePlan(p, given, d.level, &d.vec.C64)
	case wide:
		return newRealPlan[float64, complex128](p, given, d.level)
	}
	return newRealPlan[float32, complex64](p, given, d.level)
}

// whole is the tile of results that are complete only when the last sweep ends.
func whole(n int) transform.Tile { return transform.Tile{Rows: 1, Count: n} }

type complexPlan[C transform.Complex] struct {
	plan    *transform.Plan[C]
	inverse bool
}

func newComplexPlan[C transform.Complex](p *ir.FFT, given int, level simd.Level) (tiledPlan, error) {
	plan, err := transform.New[C](recipe.For(p.N, transform.Target[C](level)), level)
	if err != nil {
		return nil, err
	}
	if half := plan.Halved(); half != nil && given <= half.Given() {
		plan = half
	}
	return complexPlan[C]{plan.Scaled(p.Scale), p.Inverse}, nil
}

func (p complexPlan[C]) reads() int { return p.plan.Given() }

func (p complexPlan[C]) scratchBytes(count int) int {
	var c C
	return max(p.plan.BatchScratchLen(count), p.plan.ParallelScratchLen()) * int(unsafe.Sizeof(c))
}

func (p complexPlan[C]) batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int) {
	n := p.plan.Len()
	p.plan.Batch(slice[C](dst, (count-1)*dstDist+n), slice[C](src, (count-1)*srcDist+p.plan.Given()),
		slice[C](scratch, p.plan.BatchScratchLen(count)), count, dstDist, srcDist, p.inverse)
}

func (p complexPlan[C]) shared(dst, src, scratch unsafe.Pointer, parallel transform.Parallel) bool {
	d, s, work := slice[C](dst, p.plan.Len()), slice[C](src, p.plan.Given()), slice[C](scratch, p.plan.ParallelScratchLen())
	if p.inverse {
		p.plan.InverseParallel(d, s, work, parallel)
	} else {
		p.plan.ForwardParallel(d, s, work, parallel)
	}
	return true
}

func (p complexPlan[C]) loadTile() transform.Tile  { return p.plan.LoadTile() }
func (p complexPlan[C]) storeTile() transform.Tile { return whole(p.plan.Len()) }

func (p complexPlan[C]) tiledBytes() int {
	var c C
	return p.plan.TiledScratchLen() * int(unsafe.Sizeof(c))
}

func (p complexPlan[C]) tiled(dst, scratch unsafe.Pointer, load transform.Load, store transform.Store) {
	p.plan.Tiled(slice[C](dst, p.plan.Len()), slice[C](scratch, p.plan.TiledScratchLen()), load, p.inverse)
	if store != nil {
		store(0)
	}
}

type realPlan[R transform.Float, C transform.Complex] struct {
	plan    *transform.Real[R, C]
	inverse bool
}

func newRealPlan[R transform.Float, C transform.Complex](p *ir.FFT, given int, level simd.Level) (realPlan[R, C], error) {
	plan, err := transform.NewReal[R, C](recipe.ForReal(p.N, transform.Target[C](level)), level)
	if err != nil {
		return realPlan[R, C]{}, err
	}
	inverse := p.Kind == ir.FFTRealInverse
	if half := plan.Halved(); half != nil && !inverse && given <= half.Given() {
		plan = half
	}
	return realPlan[R, C]{plan.Scaled(p.Scale), inverse}, nil
}

func (p realPlan[R, C]) reads() int {
	if p.inverse {
		return p.plan.Bins()
	}
	return p.plan.Given()
}

func (p realPlan[R, C]) scratchBytes(count int) int {
	var c C
	return max(p.plan.BatchScratchLen(count), p.plan.ParallelScratchLen()) * int(unsafe.Sizeof(c))
}

func (p realPlan[R, C]) batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int) {
	work := slice[C](scratch, p.plan.BatchScratchLen(count))
	if p.inverse {
		p.plan.InverseBatch(slice[R](dst, (count-1)*dstDist+p.plan.Len()), slice[C](src, (count-1)*srcDist+p.plan.Bins()), work, count, dstDist, srcDist)
	} else {
		p.plan.ForwardBatch(slice[C](dst, (count-1)*dstDist+p.plan.Bins()), slice[R](src, (count-1)*srcDist+p.plan.Given()), work, count, dstDist, srcDist)
	}
}

func (p realPlan[R, C]) shared(dst, src, scratch unsafe.Pointer, parallel transform.Parallel) bool {
	work := slice[C](scratch, p.plan.ParallelScratchLen())
	if p.inverse {
		p.plan.InverseParallel(slice[R](dst, p.plan.Len()), slice[C](src, p.plan.Bins()), work, parallel)
	} else {
		p.plan.ForwardParallel(slice[C](dst, p.plan.Bins()), slice[R](src, p.plan.Given()), work, parallel)
	}
	return true
}

func (p realPlan[R, C]) loadTile() transform.Tile {
	if p.inverse {
		return p.plan.BinsTile()
	}
	return p.plan.LoadTile()
}

func (p realPlan[R, C]) storeTile() transform.Tile {
	if p.inverse {
		return whole(p.plan.Len())
	}
	return p.plan.BinsTile()
}

func (p realPlan[R, C]) tiledBytes() int {
	var c C
	return p.plan.TiledScratchLen() * int(unsafe.Sizeof(c))
}

func (p realPlan[R, C]) tiled(dst, scratch unsafe.Pointer, load transform.Load, store transform.Store) {
	work := slice[C](scratch, p.plan.TiledScratchLen())
	if !p.inverse {
		p.plan.ForwardTiled(slice[C](dst, p.plan.Bins()), work, load, store)
		return
	}
	p.plan.InverseTiled(slice[R](dst, p.plan.Len()), work, load)
	if store != nil {
		store(0)
	}
}

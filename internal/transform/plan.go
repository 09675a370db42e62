package transform

import (
	"fmt"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Float is a component type.
type Float interface{ float32 | float64 }

// Complex is an element type.
type Complex interface{ complex64 | complex128 }

// Plan transforms lines of one length.
type Plan[C Complex] struct {
	n      int
	given  int // elements of an input line that are read; the rest is zero
	recipe *recipe.Recipe
	shape  shape
	line   line
	batch  line    // how batches run: mostly as line does, see [recipe.Batched]
	whole  *direct // the line, if it is one, which then needs no scratch
	scale  float64
	across *across
	lanes  *inLanes // how many lines run, or nil
}

// Target is what the cost model should know about level for elements of type C.
func Target[C Complex](level simd.Level) recipe.Target {
	bits := 32
	if componentSize[C]() == 8 {
		bits = 64
	}
	return recipe.Target{Bits: bits, Lanes: butterfly.Lanes(level, bits)}
}

// New builds the plan of a recipe for an instruction-set level.
func New[C Complex](r *recipe.Recipe, level simd.Level) (*Plan[C], error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("transform: new: %w", err)
	}
	if r.Kind == recipe.Packed || r.OnGPU() {
		return nil, fmt.Errorf("transform: new: %v is no recipe for complex lines on a CPU", r)
	}
	p := &Plan[C]{n: r.N, given: r.N, recipe: r, shape: shape{componentSize[C](), level}, scale: 1, across: &across{}}
	p.line = p.shape.build(r)
	p.batch = p.line
	if q := recipe.Batched(r, Target[C](level)); q != r {
		p.batch = p.shape.build(q)
	}
	p.whole, _ = p.line.(*direct)
	if p.whole == nil || !p.shape.oneByOne() {
		p.lanes = p.shape.lanes(r)
	}
	return p, nil
}

func (s shape) build(r *recipe.Recipe) line {
	if s.size == 4 {
		return build[float32](s, r)
	}
	return build[float64](s, r)
}

func (s shape) lanes(r *recipe.Recipe) *inLanes {
	if s.size == 4 {
		return newInLanes[float32](s, r)
	}
	return newInLanes[float64](s, r)
}

// build makes the executable for a valid recipe.
func build[R butterfly.Float](s shape, r *recipe.Recipe) line {
	switch r.Kind {
	case recipe.Direct:
		return newDirect[R](s, r.N)
	case recipe.MixedRadix:
		if s.lonely(r) {
			return newComposed[R](s, r, newLoneLine[R](s, r))
		}
		return newComposed[R](s, r, newChain[R](s, r.Radices, r.Turn))
	case recipe.FourStep:
		return newFourStep[R](s, passes(r.Columns), passes(r.Rows))
	case recipe.Rader:
		return newRader[R](s, r.N, build[R](s, r.Inner))
	default:
		return newBluestein[R](s, r.N, r.Inner.N, build[R](s, r.Inner))
	}
}

// passes are the radices of a recipe that runs across lines.
func passes(r *recipe.Recipe) []int {
	if r.Kind == recipe.Direct && r.N > 1 {
		radices, _ := directRadices(r.N, 1)
		return radices
	}
	return r.Radices
}

func componentSize[C Complex]() int {
	var c C
	return int(unsafe.Sizeof(c)) / 2
}

// Len is the length of a line.
func (p *Plan[C]) Len() int { return p.n }

// Recipe is what the plan was built from.
func (p *Plan[C]) Recipe() *recipe.Recipe { return p.recipe }

// Scaled is the same plan with every output multiplied by factor, at no cost.
func (p *Plan[C]) Scaled(factor float64) *Plan[C] {
	q := *p
	q.scale *= factor
	return &q
}

// ScratchLen is the number of scratch elements Forward and Inverse need.
func (p *Plan[C]) ScratchLen() int { return p.elements(p.lineBytes()) }

// lineBytes is the scratch of an interleaved line.
func (p *Plan[C]) lineBytes() int {
	if p.whole != nil {
		return 0
	}
	return p.line.workBytes()
}

// elements is the scratch that holds the given bytes after alignment.
func (p *Plan[C]) elements(bytes int) int {
	if bytes == 0 {
		return 0
	}
	size := 2 * p.shape.size
	return (bytes + cacheLine + size - 1) / size
}

// Forward transforms src into dst with exp(-2*pi*i*j*k/n).
func (p *Plan[C]) Forward(dst, src, scratch []C) {
	if p.whole != nil {
		w, d, s := p.Kernel(), p.view(dst), p.view(src)
		w.Run(d.re, d.im, s.re, s.im)
		return
	}
	p.line.run(p.view(dst), p.source(src), p.work(scratch, p.line.workBytes()), p.scale)
}

// Inverse transforms src into dst with exp(+2*pi*i*j*k/n).
func (p *Plan[C]) Inverse(dst, src, scratch []C) {
	if p.whole != nil {
		w, d, s := p.Kernel(), p.view(dst), p.view(src)
		w.Run(d.im, d.re, s.im, s.re)
		return
	}
	p.line.run(p.view(dst).swapped(), p.source(src).swapped(), p.work(scratch, p.line.workBytes()), p.scale)
}

// Whole says that lines are transformed by one kernel.
func (p *Plan[C]) Whole() bool { return p.whole != nil }

// Whole transforms a line by one kernel, without any check.
type Whole struct {
	kernel butterfly.Kernel
	pass   *butterfly.Pass
	scale  float64
}

// Run is short enough to become part of its callers. For a plan it takes the parts of the line's first
// element, or to transform back its imaginary and real part.
func (w *Whole) Run(dst0, dst1, src0, src1 unsafe.Pointer) {
	w.kernel(w.pass, dst0, dst1, src0, src1, w.scale)
}

// Kernel transforms a line that one kernel does.
func (p *Plan[C]) Kernel() Whole { return Whole{p.whole.kernel, p.whole.pass, p.scale} }

// view is the first line of x.
func (p *Plan[C]) view(x []C) view { return interleaved(x[:p.n], p.shape.size) }

// source is the first input line of x.
func (p *Plan[C]) source(x []C) view { return interleaved(x[:p.given], p.shape.size) }

// interleaved is the planes of x, which has components of the given size.
func interleaved[C Complex](x []C, size int) view {
	base := unsafe.Pointer(unsafe.SliceData(x))
	return view{base, unsafe.Add(base, size), butterfly.Interleaved}
}

func (p *Plan[C]) work(scratch []C, bytes int) unsafe.Pointer {
	if bytes == 0 {
		return nil // aligning an empty slice could point past its memory
	}
	return aligned(unsafe.Pointer(unsafe.SliceData(scratch[:p.elements(bytes)])))
}

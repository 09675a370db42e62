package fft

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/transform"
)

// MaxLen is the longest transform. It bounds what a mistaken length can make
// a plan allocate.
const MaxLen = 1 << 30

// Plan transforms complex lines of one length. It is immutable: any number of
// goroutines may use it at once.
type Plan[C Complex] struct {
	n         int
	need      int  // elements of scratch
	whole     bool // one kernel transforms a line: there and back
	kernels   [2]transform.Whole
	threads   int
	transform *transform.Plan[C] // unscaled
	forward   *transform.Plan[C] // with the norm's factor
	inverse   *transform.Plan[C]
	parallel  transform.Parallel // runs on up to threads goroutines
	scratch   pool[C]
	jobs      sync.Pool // of *lineJob[C]
}

// NewPlan prepares transforms of n elements, n >= 1. It takes at most one
// Options.
func NewPlan[C Complex](n int, o ...Options) (*Plan[C], error) {
	options, err := one("plan", o)
	if err != nil {
		return nil, err
	}
	t, err := build[C]("plan", n, options)
	if err != nil {
		return nil, err
	}
	return newPlan(n, t, options), nil
}

func newPlan[C Complex](n int, t *transform.Plan[C], o Options) *Plan[C] {
	p := &Plan[C]{n: n, need: t.ScratchLen(), whole: t.Whole(), threads: o.Threads, transform: t}
	p.parallel = onThreads(o.Threads)
	forward, inverse := o.Norm.factors(float64(n))
	p.forward, p.inverse = t.Scaled(forward), t.Scaled(inverse)
	if p.whole {
		p.kernels = [2]transform.Whole{p.forward.Kernel(), p.inverse.Kernel()}
	}
	return p
}

// build makes the unscaled transform of n elements.
func build[C Complex](op string, n int, o Options) (*transform.Plan[C], error) {
	if err := checkLen(op, n); err != nil {
		return nil, err
	}
	r, err := recipeFor[C](n, o, recipe.Alone)
	if err != nil {
		return nil, fmt.Errorf("fft: %s: %w", op, err)
	}
	t, err := transform.New[C](r, o.simdLevel())
	if err != nil {
		return nil, fmt.Errorf("fft: %s: %w", op, err)
	}
	return t, nil
}

func checkLen(op string, n int) error {
	switch {
	case n <= 0:
		return fmt.Errorf("fft: %s: length %d, want at least 1", op, n)
	case n > MaxLen:
		return fmt.Errorf("fft: %s: length %d, want at most %d", op, n, MaxLen)
	}
	return nil
}

// recipeFor is the recipe asked for, else the one Measure found, else the one
// that choose picks by the cost model.
func recipeFor[C Complex](n int, o Options, choose func(int, recipe.Target) *recipe.Recipe) (*recipe.Recipe, error) {
	if o.Recipe != "" {
		r, err := recipe.Parse(o.Recipe)
		if err != nil {
			return nil, err
		}
		if r.N != n {
			return nil, fmt.Errorf("recipe %s is for length %d, not %d", o.Recipe, r.N, n)
		}
		return r, nil
	}
	if r := remembered.find(wisdomKeyOf[C](n, o.simdLevel())); r != nil {
		return r, nil
	}
	return choose(n, transform.Target[C](o.simdLevel())), nil
}

// ChooseRecipe is the recipe that NewPlan would use for n elements, without
// building the plan. A real plan of even n uses one for n/2, but not always the same.
func ChooseRecipe[C Complex](n int, o ...Options) (string, error) {
	options, err := one("choose recipe", o)
	if err != nil {
		return "", err
	}
	if err := checkLen("choose recipe", n); err != nil {
		return "", err
	}
	r, err := recipeFor[C](n, options, recipe.Alone)
	if err != nil {
		return "", fmt.Errorf("fft: choose recipe: %w", err)
	}
	return r.String(), nil
}

// RecipeTree is a recipe for people, one part per line.
func RecipeTree(line string) (string, error) {
	r, err := recipe.Parse(line)
	if err != nil {
		return "", fmt.Errorf("fft: recipe tree: %w", err)
	}
	return r.Tree(), nil
}

// factors are what Forward and Inverse multiply by so that together they
// divide by total.
func (m Norm) factors(total float64) (forward, inverse float64) {
	switch m {
	case NormOrtho:
		return 1 / math.Sqrt(total), 1 / math.Sqrt(total)
	case NormForward:
		return 1 / total, 1
	}
	return 1, 1 / total
}

// Len is the number of elements of a line.
func (p *Plan[C]) Len() int { return p.n }

// Recipe is how the length is factored, in the form Options.Recipe takes.
func (p *Plan[C]) Recipe() string {
	if p.transform == nil { // the zero value
		return ""
	}
	return p.transform.Recipe().String()
}

// ScratchLen is how many elements of scratch ForwardScratch and
// InverseScratch need.
func (p *Plan[C]) ScratchLen() int { return p.need }

// Forward computes dst[k] = sum over j of src[j] * exp(-2*pi*i*j*k/n). Both
// slices have n elements; they are the same slice or do not overlap.
func (p *Plan[C]) Forward(dst, src []C) error {
	if p != nil && p.whole && len(dst) == p.n && len(src) == p.n {
		if d, s := unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]); d == s || !spanOf(dst).overlaps(spanOf(src)) {
			size := unsafe.Sizeof(dst[0]) / 2
			p.kernels[0].Run(d, unsafe.Add(d, size), s, unsafe.Add(s, size))
			return nil
		}
	}
	return p.run("forward", dst, src, false)
}

// Inverse computes dst[j] = 1/n * sum over k of src[k] * exp(+2*pi*i*j*k/n),
// or another factor if Options.Norm says so. Both slices have n elements; they
// are the same slice or do not overlap.
func (p *Plan[C]) Inverse(dst, src []C) error {
	if p != nil && p.whole && len(dst) == p.n && len(src) == p.n {
		if d, s := unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]); d == s || !spanOf(dst).overlaps(spanOf(src)) {
			size := unsafe.Sizeof(dst[0]) / 2
			p.kernels[1].Run(unsafe.Add(d, size), d, unsafe.Add(s, size), s)
			return nil
		}
	}
	return p.run("inverse", dst, src, true)
}

// ForwardScratch is Forward with scratch from the caller: at least ScratchLen
// elements of any content, apart from dst and src. It runs on the calling
// goroutine alone.
func (p *Plan[C]) ForwardScratch(dst, src, scratch []C) error {
	if err := p.checkAll("forward", dst, src, scratch); err != nil {
		return err
	}
	p.forward.Forward(dst, src, scratch)
	return nil
}

// InverseScratch is to Inverse what ForwardScratch is to Forward.
func (p *Plan[C]) InverseScratch(dst, src, scratch []C) error {
	if err := p.checkAll("inverse", dst, src, scratch); err != nil {
		return err
	}
	p.inverse.Inverse(dst, src, scratch)
	return nil
}

// checkAll is check and checkScratch.
func (p *Plan[C]) checkAll(op string, dst, src, scratch []C) error {
	if err := p.check(op, dst, src); err != nil {
		return err
	}
	return checkScratch(op, spanOf(scratch), len(scratch), p.need, spanOf(dst), spanOf(src))
}

func (p *Plan[C]) run(op string, dst, src []C, inverse bool) error {
	if err := p.check(op, dst, src); err != nil {
		return err
	}
	p.single(dst, src, inverse)
	return nil
}

var errNoPlan = errors.New("fft: the plan was not made by a New function")

func (p *Plan[C]) check(op string, dst, src []C) error {
	if p == nil || p.transform == nil {
		return errNoPlan
	}
	return checkLines(op, p.n, dst, src)
}

// checkLines is what a transform from n elements to n elements asks of its
// arguments.
func checkLines[T any](op string, n int, dst, src []T) error {
	switch {
	case len(dst) != n:
		return fmt.Errorf("fft: %s: dst has %d elements, want %d", op, len(dst), n)
	case len(src) != n:
		return fmt.Errorf("fft: %s: src has %d elements, want %d", op, len(src), n)
	case spanOf(dst).partly(spanOf(src)):
		return overlapError(op)
	}
	return nil
}

func overlapError(op string) error {
	return fmt.Errorf("fft: %s: dst and src overlap without being the same slice", op)
}

func checkScratch(op string, scratch span, have, need int, dst, src span) error {
	if have < need {
		return fmt.Errorf("fft: %s: scratch has %d elements, want at least %d", op, have, need)
	}
	if scratch.overlaps(dst) || scratch.overlaps(src) {
		return fmt.Errorf("fft: %s: scratch overlaps dst or src", op)
	}
	return nil
}

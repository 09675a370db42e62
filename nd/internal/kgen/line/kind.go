package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// transform is how an FFT stage is done on chip.
type transform struct {
	f *ir.FFT
	*precision
	kind     recipe.Kind
	split    *recipe.Recipe // of the complex lines inside, if they fit on chip
	exchange int            // bytes of shared memory
	wide     *wideSplit     // for a trip there and back; nil if it is as others
	wrapped  int            // products of a convolution that wrap around
}

// packed reports a real line that travels as a complex one of half its length.
func (x *transform) packed() bool { return x.kind == recipe.Packed }

// exchanged is the type of what threads exchange between passes.
func (p *precision) exchanged(r *recipe.Recipe) ktree.Type {
	if r.Turns {
		return p.real()
	}
	return p.pair()
}

// direct reports a line that is no convolution.
func (x *transform) direct() bool { return x.kind != recipe.Rader && x.kind != recipe.Bluestein }

// isReal reports a transform of or to real lines that has half of the bins.
func isReal(f *ir.FFT) bool { return f.Kind == ir.FFTRealForward || f.Kind == ir.FFTRealInverse }

func precisionOf(f *ir.FFT) *precision {
	if f.In.Type == elem.Float64 || f.In.Type == elem.Complex128 {
		return double
	}
	return single
}

// recipes is a target as recipes know it, for numbers of a precision.
func (p *precision) recipes(target kgen.Target) recipe.GPU {
	return recipe.GPU{Arch: target.Arch, Bits: p.bits, SharedBytes: target.PoolBytes, Threads: target.GroupThreads(), Cluster: target.Cluster}
}

// newTransform is the transform of a stage, which may be all there is of a program, and of two
// lines at a time.
func newTransform(f *ir.FFT, target kgen.Target, alone, paired bool) (*transform, error) {
	p := precisionOf(f)
	gpu := p.recipes(target)
	gpu.Halves = paired
	if alone {
		gpu.Way = wayOf(f)
	}
	if f.Kind == ir.FFTRealWhole {
		return nil, fmt.Errorf("kgen: fft: real numbers to all of their bins: %w", device.ErrUnsupported)
	}
	if f.Rows > 0 {
		return nil, fmt.Errorf("kgen: fft: bins in %d rows on chip: %w", f.Rows, device.ErrUnsupported)
	}
	r, err := gpu.OnChip(f.N, isReal(f))
	if f.Quarter() {
		r, err = gpu.Quarter(f.N)
	}
	if powers := gpu.Powers(f.N); f.Powers && powers != nil {
		r, err = powers, nil
	}
	if err != nil {
		return nil, fmt.Errorf("kgen: fft: %w: %w", err, device.ErrUnsupported)
	}
	x := &transform{f: f, precision: p, kind: r.Kind, split: r, exchange: gpu.Exchange(r), wrapped: r.Wrapped()}
	if r.Inner != nil {
		x.split = r.Inner
	}
	if x.split.Wide {
		if target.Wide && p == single && !x.split.Turns {
			x.wide = &wideSplit{x.split, x.exchange}
		}
		x.split, x.exchange = x.split.Narrow(), gpu.Exchange(r.Narrow())
	}
	return x, nil
}

// wideSplit is how a line is split whose threads store two numbers at once: measured to be
// faster where it goes there and back, which has no other use for shared memory.
type wideSplit struct {
	split    *recipe.Recipe
	exchange int
}

// inverse reports the direction.
func (x *transform) inverse() bool {
	return x.f.Inverse || x.f.Kind == ir.FFTRealInverse || x.f.Kind == ir.FFTQuarterInverse
}

// wanted is a place that counts only where the transform has results.
func (x *transform) wanted(p place) place {
	if p.hi() >= x.f.OutLen() {
		p.ok = both(p.ok, p.at.Lt(x.f.OutLen()))
	}
	return p
}

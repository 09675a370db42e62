package line

import (
	"errors"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// Generate makes the kernels of any program: of transforms and line programs here, of
// others by package kgen. It fails with device.ErrUnsupported for lines that do not
// fit on chip.
func Generate(p ir.Program, target kgen.Target) (*kgen.Module, error) {
	switch p := p.(type) {
	case *ir.FFT:
		if !p.Plain() {
			return nil, fmt.Errorf("kgen: lines: %s fft: %w", p.Mode, device.ErrUnsupported)
		}
		m, err := generate(p.Alone(), target)
		if errors.Is(err, device.ErrUnsupported) && p.Kind != ir.FFTRealWhole {
			return generateLong(p, target, 0)
		}
		return m, err
	case *ir.Butterfly:
		return generate(mixing(p), target)
	case *ir.Line:
		m, err := generate(p, target)
		if ffts := transformsOf(p); errors.Is(err, device.ErrUnsupported) && len(ffts) == 2 {
			if long, err := generateTrip(p, target, 0); err == nil {
				return long, nil
			}
		}
		return m, err
	}
	return kgen.Generate(p, target)
}

// mixing is a butterfly as a line program of one stage.
func mixing(b *ir.Butterfly) *ir.Line {
	n := len(b.Outer)
	g := *b
	g.Outer = nil
	g.In = ir.Operand{Type: b.In.Type, Strides: b.In.Strides[n:]}
	g.Out = ir.Operand{Type: b.Out.Type, Strides: b.Out.Strides[n:]}
	_, hi := b.W.Span(b.WDims())
	slot := func(kind ir.SlotKind, o ir.Operand) ir.Slot {
		return ir.Slot{Kind: kind, Type: o.Type, Len: b.N, Offset: o.Offset, Strides: o.Strides[:n]}
	}
	return &ir.Line{
		Outer: b.Outer, Segments: 1,
		Slots:  []ir.Slot{slot(ir.InSlot, b.In), {Kind: ir.InSlot, Type: b.W.Type, Len: hi, Strides: make([]int, n)}, slot(ir.OutSlot, b.Out)},
		Stages: []ir.Stage{{Program: &g, Reads: []ir.SlotID{0, 1}, Writes: []ir.SlotID{2}}},
	}
}

func generate(p *ir.Line, target kgen.Target) (*kgen.Module, error) {
	if p.Lines() == 0 {
		return &kgen.Module{}, nil
	}
	if p.Lines() > math.MaxInt32 {
		return nil, fmt.Errorf("kgen: lines: %d lines: %w", p.Lines(), device.ErrUnsupported)
	}
	if m := generatePaired(p, target); m != nil {
		return m, nil
	}
	if len(p.Shared) > 0 {
		return nil, fmt.Errorf("kgen: lines: stages that lines share: %w", device.ErrUnsupported)
	}
	p = filterFirst(p)
	u := newUnit(target)
	k := u.kernel(p)
	k.bind(p)
	alone := u.kernel(p)
	alone.bound = k.bound
	if s := soloOf(alone); s != nil {
		s.function()
		return &u.Module, nil
	}
	if len(p.Sums()) == 0 {
		k.outer.gather(p)
	}
	if r := rowsOf(k); r != nil {
		return &u.Module, r.function()
	}
	if err := k.plan(); err != nil {
		return nil, err
	}
	if err := k.share(); err != nil {
		return nil, err
	}
	var err error
	k.ahead = k.lookAhead
	body := k.body
	if k.hasNear() || k.hasMargins() {
		body = func() { err = k.ways() }
	}
	if n := k.stays(); n > 0 {
		k.staying(n)
		return &u.Module, nil
	}
	if len(p.Sums()) == 0 {
		k.function(body)
		return &u.Module, err
	}
	if err := k.findFrames(); err != nil {
		return nil, err
	}
	k.overlapped(body)
	return &u.Module, err
}

// bind says which parameters slots in buffers of a program are.
func (k *kernel) bind(p *ir.Line) {
	reads, writes := 0, 0
	for i, s := range p.EachSlot() {
		switch s.Kind {
		case ir.InSlot:
			k.bound[i] = kgen.Param{Kind: kgen.ReadPointer, Index: reads}
			reads++
		case ir.OutSlot:
			k.bound[i] = kgen.Param{Kind: kgen.WritePointer, Index: writes}
			writes++
		}
	}
}

// generateLong makes a transform as several steps along axes of a length up to
// most, or the usual.
func generateLong(f *ir.FFT, target kgen.Target, most int) (*kgen.Module, error) {
	if f.Quarter() {
		return generateTrip(f.Alone(), target, most)
	}
	g := newLong(f, target, most)
	f = g.f
	if g.batch.Lines() > math.MaxInt32 {
		return nil, fmt.Errorf("kgen: fft: %d lines: %w", g.batch.Lines(), device.ErrUnsupported)
	}
	var err error
	if g.recipe, err = g.gpu.InPasses(f.N, isReal(f)); err != nil {
		return nil, fmt.Errorf("kgen: fft: %w: %w", err, device.ErrUnsupported)
	}
	inside := g.recipe
	if inside.Inner != nil {
		inside = inside.Inner
	}
	g.n, g.axes = inside.N, inside.Axes()
	if g.recipe.Kind == recipe.Cluster {
		g.inCluster()
		return &g.Module, nil
	}
	g.reserve()
	x := &transform{f: f, precision: g.precision, kind: g.recipe.Kind}
	if x.packed() {
		if m, err := generateTrip(g.batch, target, most); err == nil {
			return m, nil
		}
	}
	switch {
	case x.kind == recipe.Bluestein:
		g.chirped(x, g.n*g.bytes() >= manyBytes)
	case x.packed() && f.Kind == ir.FFTRealForward:
		g.reserve()
		g.passes(x.inverse(), g.input(x), g.intoScratch(1))
		g.untangle()
	case x.packed():
		g.reserve()
		g.tangle(x)
		g.passes(true, g.fromScratch(1), g.output(x))
	default:
		g.passes(x.inverse(), g.input(x), g.output(x))
	}
	return &g.Module, nil
}

// wayOf is the way of a transform by itself.
func wayOf(f *ir.FFT) recipe.Way {
	if f.Kind == ir.FFTRealInverse {
		return recipe.Back
	}
	return recipe.There
}

func newLong(f *ir.FFT, target kgen.Target, most int) *long {
	batch := f.Alone()
	f = batch.Stages[0].Program.(*ir.FFT) // slots know where lines begin
	g := &long{unit: newUnit(target), f: f, precision: precisionOf(f), batch: batch}
	g.gpu = g.precision.recipes(target)
	g.gpu.LongestAxis, g.gpu.Way = most, wayOf(f)
	return g
}

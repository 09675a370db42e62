package jobs

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// engineStack stacks cross-spectra with arrays, on any device.
type engineStack struct {
	*correlator
	stream  *nd.Stream
	batch   []float32 // windows, channels, frames: those that wait
	waiting int
	stacks  []*nd.Array // of each channel with those behind it
}

// engineWindows is how many windows are multiplied at a time: enough that
// stacks go through memory once for all of them, few enough that their spectra
// are small beside the stacks.
const engineWindows = 8

func (e *engineStack) add(ctx context.Context, lines [][]float32) error {
	if e.batch == nil {
		e.batch = make([]float32, engineWindows*e.channels*e.frames)
		e.stacks = make([]*nd.Array, e.channels)
	}
	for c, line := range lines {
		dst := e.batch[(e.waiting*e.channels+c)*e.frames:][:e.frames]
		if line == nil {
			clear(dst)
		} else {
			e.center(dst, c, line)
		}
	}
	if e.waiting++; e.waiting < engineWindows {
		return nil
	}
	return e.multiply(ctx)
}

// multiply adds the cross-spectra of the windows that wait.
func (e *engineStack) multiply(ctx context.Context) error {
	if e.waiting == 0 {
		return nil
	}
	z := e.spectra(nd.From(e.batch[:e.waiting*e.channels*e.frames], e.waiting, e.channels, e.frames).On(e.stream))
	if err := nd.Eval(ctx, z); err != nil {
		return err
	}
	defer z.Release()
	conj := z.Conj()
	for a := range e.stacks {
		b := e.first(a)
		if b == e.channels {
			continue
		}
		// conj(A) B has the phase of a delay of B.
		cross := conj.SliceAxis(1, nd.Range{Start: a, Stop: a + 1}).Mul(z.SliceAxis(1, nd.Range{Start: b, Stop: e.channels})).Sum(0)
		old := e.stacks[a]
		if old != nil {
			cross = cross.Add(old)
		}
		if err := nd.Eval(ctx, cross); err != nil {
			return err
		}
		if old != nil {
			old.Release()
		}
		e.stacks[a] = cross
	}
	e.waiting = 0
	return nil
}

// spectra are those of windows and channels.
func (e *engineStack) spectra(x *nd.Array) *nd.Array {
	z := x.RFFT(nd.FFT{N: e.nfft})
	used := make([]float32, e.nfft/2+1)
	for i := e.low; i < e.high; i++ {
		used[i] = 1
	}
	pass := nd.From(used, len(used)).Beside(x)
	switch e.method {
	case "phat":
		return z.Mul(unit(z.Abs()).Mul(pass).Cast(nd.Complex64))
	case "whiten":
		return z.Mul(unit(e.running(z.Abs())).Mul(pass).Cast(nd.Complex64))
	}
	return z.Mul(pass.Cast(nd.Complex64))
}

// unit is 1/a, and 0 where a is 0.
func unit(a *nd.Array) *nd.Array {
	one := nd.Ones(a.DType()).Beside(a)
	return nd.Where(a.EqualScalar(0), nd.Zeros(a.DType()).Beside(a), one.Div(a))
}

// running is the mean of amplitudes over neighbouring bins.
func (e *engineStack) running(a *nd.Array) *nd.Array {
	n := 2*e.smooth + 1
	return a.PadAxis(-1, nd.Margin{Before: e.smooth, After: e.smooth}, nd.Pad{Mode: nd.PadEdge}).Frames(n, 1).Mean(-1)
}

func (e *engineStack) inverse(ctx context.Context, each func(a, b int, line []float32)) error {
	if err := e.multiply(ctx); err != nil {
		return err
	}
	for a, s := range e.stacks {
		if s == nil {
			continue
		}
		lines, err := nd.Slice[float32](ctx, s.IRFFT(nd.FFT{N: e.nfft}))
		if err != nil {
			return err
		}
		for b := e.first(a); b < e.channels; b++ {
			each(a, b, lines[(b-e.first(a))*e.nfft:][:e.nfft])
		}
	}
	return nil
}

func (e *engineStack) reset() {
	for i, s := range e.stacks {
		if s != nil {
			s.Release()
			e.stacks[i] = nil
		}
	}
	e.waiting = 0
}

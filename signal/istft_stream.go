package signal

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/twiddle-go/twiddle/nd"
)

// StreamInverse is Inverse for spectra that arrive a few frames at a time,
// each of shape (..., bins, frames) as Stream gives them: the samples that
// each completes, and after the last those of the end. Put together along the
// last axis they are the samples of one call.
//
// The first error ends the sequence.
func (s STFT) StreamInverse(ctx context.Context, spectra iter.Seq2[*nd.Array, error], opt ...Inverse) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		if spectra == nil {
			yield(nil, errors.New("signal: istft: no spectra"))
			return
		}
		t := istftStream{stft: s, opt: first(opt)}
		for z, err := range spectra {
			var y *nd.Array
			if err == nil {
				y, err = t.push(ctx, z)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if y != nil && !yield(y, nil) {
				return
			}
		}
		y, err := t.finish(ctx)
		if y != nil || err != nil {
			yield(y, err)
		}
	}
}

// istftStream is a signal under way.
type istftStream struct {
	stft   STFT
	opt    Inverse
	frames frames
	sum    *nd.Array // windowed frames added up, from the first sample not given; nil at first
	cover  []float64 // squared windows added up, for the same samples
	behind int       // samples of the border at the start still to be left out
	open   int       // samples at the end of sum that later frames add to
	given  int       // samples so far
}

const istftStreamOp = "istft stream"

func (t *istftStream) push(ctx context.Context, z *nd.Array) (*nd.Array, error) {
	if bad := unusable(istftStreamOp, z); bad != nil {
		return nil, bad.Err()
	}
	if t.sum == nil {
		f, err := t.stft.frames(t.opt.Complex)
		if err == nil && t.opt.Length < 0 {
			err = fact("Length %d: want 0 or more", t.opt.Length)
		}
		if err != nil {
			return nil, nd.Fail("signal", istftStreamOp, err, z).Err()
		}
		t.frames, t.behind = f, f.border
	}
	f := t.frames
	if !z.DType().IsComplex() || z.NDim() < 2 || z.Len() == 0 || z.Dim(-2) != f.bins() {
		return nil, fail(istftStreamOp, "z is %s of shape %v: want %d complex bins, and frames", z.DType(), z.Shape(), f.bins())(z).Err()
	}
	count := z.Dim(-1)
	if err := checkSize("frames", count, f.hop); err != nil {
		return nil, nd.Fail("signal", istftStreamOp, err, z).Err()
	}
	y := f.overlapAdd(f.windowed(z.SwapAxes(-1, -2), t.opt.Complex))
	cover := f.envelope(count)
	if gap := count*f.hop - len(cover); gap > 0 {
		// Frames that do not touch: nothing covers what is between them.
		y = y.PadAxis(-1, nd.Margin{After: gap}, nd.Pad{})
		cover = append(cover, make([]float64, gap)...)
	}
	if t.sum != nil {
		// The new frames begin where the open samples do.
		settled := len(t.cover) - t.open
		longer := settled + len(cover)
		y = t.sum.PadAxis(-1, nd.Margin{After: longer - len(t.cover)}, nd.Pad{}).Add(y.PadAxis(-1, nd.Margin{Before: settled}, nd.Pad{}))
		both := make([]float64, longer)
		copy(both, t.cover)
		for i, v := range cover {
			both[settled+i] += v
		}
		cover = both
	}
	t.sum, t.cover, t.open = y, cover, max(0, f.size-f.hop)
	if y.Err() != nil {
		return nil, y.Err()
	}
	return t.give(ctx, len(cover)-max(t.open, t.after()))
}

// after is the samples at the end of the sum that are not given if no more
// frames come: what is behind the last frame, and the border unless a Length
// says otherwise.
func (t *istftStream) after() int {
	gap := max(0, t.frames.hop-t.frames.size)
	if t.opt.Length == 0 {
		return gap + t.frames.border
	}
	return gap
}

// give gives the first samples of the sum, as far as they are wanted; nil if
// there are none.
func (t *istftStream) give(ctx context.Context, ready int) (*nd.Array, error) {
	skip := min(t.behind, max(0, ready))
	count := max(0, ready-skip)
	if t.opt.Length > 0 {
		count = min(count, t.opt.Length-t.given)
	}
	cover := append([]float64{}, t.cover[skip:skip+count]...)
	for i, v := range cover {
		if v < faint {
			if !t.opt.Masked {
				return nil, fmt.Errorf("signal: %s: no window covers sample %d: it cannot be had back", istftStreamOp, t.given+i)
			}
			cover[i] = 1
		}
	}
	var y *nd.Array
	if count > 0 {
		y = t.sum.SliceAxis(-1, nd.Range{Start: skip, Stop: skip + count})
		y = y.Div(constant(cover, y))
	}
	drop := max(0, ready)
	t.behind -= skip
	t.given += count
	t.cover = t.cover[drop:]
	t.sum = t.sum.SliceAxis(-1, nd.Range{Start: drop, Stop: nd.End})
	if y == nil {
		return nil, nd.Eval(ctx, t.sum)
	}
	return y, nd.Eval(ctx, y, t.sum)
}

// finish gives the samples at the end.
func (t *istftStream) finish(ctx context.Context) (*nd.Array, error) {
	if t.sum == nil {
		return nil, nil
	}
	shape, kind := t.sum.Shape(), t.sum.DType()
	y, err := t.give(ctx, len(t.cover)-t.after())
	if missing := t.opt.Length - t.given; err == nil && missing > 0 {
		shape[len(shape)-1] = missing
		zeros := nd.Zeros(kind, shape...)
		if y == nil {
			return zeros, nil
		}
		return nd.Concat(-1, y, zeros.Beside(y)), nil
	}
	return y, err
}

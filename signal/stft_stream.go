package signal

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Stream is Apply for a signal that arrives in chunks of any lengths along the last axis.
// For each chunk it yields the frames that the chunk completes, of shape (..., bins,
// frames), and after the last chunk those of the end. Concatenated along the last axis
// they are the frames of one call of Apply. Only the samples that later frames need are
// kept.
//
// A border that wraps needs the end of the signal first, so it is an error. The first
// error, of a chunk or of evaluating, ends the sequence.
func (s STFT) Stream(ctx context.Context, chunks iter.Seq2[*nd.Array, error]) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		if chunks == nil {
			yield(nil, errors.New("signal: stft: no chunks"))
			return
		}
		t := stftStream{stft: s}
		for x, err := range chunks {
			var z *nd.Array
			if err == nil {
				z, err = t.push(ctx, x)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if z != nil && !yield(z, nil) {
				return
			}
		}
		z, err := t.finish(ctx)
		if z != nil || err != nil {
			yield(z, err)
		}
	}
}

// stftStream is a signal under way.
type stftStream struct {
	stft    STFT
	frames  frames
	buffer  *nd.Array // the samples from here on, border included; nil at first
	skip    int       // samples of the buffer before the next frame
	started bool      // the border at the start is there
	given   int       // frames so far
}

const stftStreamOp = "stft stream"

// push adds a chunk and gives the frames it completes; nil if there are none.
func (t *stftStream) push(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	if bad := unusable(stftStreamOp, x); bad != nil {
		return nil, bad.Err()
	}
	if x.NDim() > 0 && x.Dim(-1) == 0 {
		return nil, nil
	}
	if _, bad := along(stftStreamOp, x, nd.AxisChoice{}, true); bad != nil {
		return nil, bad.Err()
	}
	if t.buffer == nil {
		f, err := t.stft.frames(x.DType().IsComplex())
		switch at, axisErr := t.stft.Axis.Of(x); {
		case err != nil:
		case axisErr != nil:
			err = axisErr
		case at != x.NDim()-1:
			err = fact("Axis %d: chunks follow one another along the last axis", at)
		case t.stft.Border == BorderWrap:
			err = fmt.Errorf("border wrap needs the end of the signal before its start")
		}
		if err != nil {
			return nil, nd.Fail("signal", stftStreamOp, err, x).Err()
		}
		t.frames, t.buffer = f, x
	} else {
		t.buffer = nd.Concat(-1, t.buffer, x)
	}
	if t.buffer.Err() != nil {
		return nil, t.buffer.Err()
	}
	if !t.started {
		if t.stft.Border == BorderReflect && t.buffer.Dim(-1) <= t.frames.border {
			return nil, nd.Eval(ctx, t.buffer) // too few to reflect, so far
		}
		t.buffer = t.bordered(nd.Margin{Before: t.frames.border})
		t.started = true
	}
	return t.take(ctx)
}

// bordered is the buffer with a border at one end.
func (t *stftStream) bordered(m nd.Margin) *nd.Array {
	mode := [...]nd.PadMode{nd.PadReflect, nd.PadConstant, nd.PadEdge, nd.PadWrap, nd.PadConstant}[t.stft.Border]
	return t.buffer.PadAxis(-1, m, nd.Pad{Mode: mode})
}

// take gives the frames that are whole and forgets what is not needed again.
func (t *stftStream) take(ctx context.Context) (*nd.Array, error) {
	length := t.buffer.Dim(-1)
	var z *nd.Array
	next := t.skip
	if rest := length - t.skip; rest >= t.frames.size {
		count := (rest-t.frames.size)/t.frames.hop + 1
		z = t.frames.spectra(t.buffer.SliceAxis(-1, nd.Range{Start: t.skip, Stop: nd.End})).SwapAxes(-1, -2)
		next += count * t.frames.hop
		t.given += count
	}
	// The border at the end looks back by its own length.
	drop := min(next, max(0, length-t.frames.border-1))
	t.skip = next - drop
	t.buffer = t.buffer.SliceAxis(-1, nd.Range{Start: drop, Stop: nd.End})
	if z == nil {
		return nil, nd.Eval(ctx, t.buffer)
	}
	return z, nd.Eval(ctx, z, t.buffer)
}

// finish gives the frames at the end.
func (t *stftStream) finish(ctx context.Context) (*nd.Array, error) {
	if t.buffer == nil {
		return nil, nil
	}
	f := t.frames
	if !t.started {
		return nil, fmt.Errorf("signal: %s: %w", stftStreamOp, f.tooFew(t.buffer.Dim(-1)))
	}
	t.buffer = t.bordered(nd.Margin{After: f.border})
	rest := t.buffer.Dim(-1) - t.skip
	if t.stft.Fill && (t.given == 0 || rest > f.size-f.hop) {
		want := f.size
		if rest > f.size {
			want += (rest - f.size + f.hop - 1) / f.hop * f.hop
		}
		t.buffer = t.buffer.PadAxis(-1, nd.Margin{After: want - rest}, nd.Pad{})
	}
	z, err := t.take(ctx)
	if err == nil && t.given == 0 {
		err = fmt.Errorf("signal: %s: %s not fill a frame of %d", stftStreamOp, counted.Of(t.buffer.Dim(-1), "sample does", "samples do"), f.size)
	}
	return z, err
}

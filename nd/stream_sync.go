package nd

import (
	"context"
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Sync waits until all work submitted to the stream so far is done, whether it failed or
// not; errors are returned where results are read. If ctx is done first, the work continues.
// Reading a result needs no Sync, because it waits for the result. Sync is for measurements,
// and for work whose results are not read.
func (s *Stream) Sync(ctx context.Context) error {
	if ctx == nil {
		return evalError("stream sync", sched.ErrNilContext)
	}
	if err := s.dev.Sync(ctx, s.index); err != nil {
		return fmt.Errorf("nd: stream sync: %w", err)
	}
	return nil
}

// Scope returns a function that runs the operations of f on the stream. Its inputs are
// moved to the stream, and its results to the stream of the first input. Arrays that f
// makes from no input run on the stream of the operand that they meet.
//
//	filtered := background.Scope(func(in ...*nd.Array) []*nd.Array {
//		return []*nd.Array{in[0].RFFT().Mul(in[1]).IRFFT()}
//	})(x, h)[0]
func (s *Stream) Scope(f func(in ...*Array) []*Array) func(in ...*Array) []*Array {
	const op = "stream scope"
	return func(in ...*Array) []*Array {
		if f == nil {
			return []*Array{failed(op, errors.New("no function"), in...)}
		}
		in = checkedInputs(op, in)
		inside := make([]*Array, len(in))
		for i, a := range in {
			inside[i] = a.On(s)
		}
		out := f(inside...)
		if len(in) == 0 || in[0].Err() != nil {
			return out
		}
		home, err := in[0].Device()
		if err != nil {
			return fillArrays(out, failed(op, err, in...))
		}
		for i, a := range out {
			out[i] = a.On(&Stream{home.d, in[0].node.Place().Stream})
		}
		return out
	}
}

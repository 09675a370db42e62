package nd

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// Sync is over once what the stream was given is; a closed stream and a context
// that is nil or done are errors.
func TestStreamSync(t *testing.T) {
	s, err := CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	x := Normal(1, Float32, 1<<20).On(s).Exp().Sum()
	p := Async(x)
	if err := s.Sync(soon(t)); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.Done():
	case <-time.After(time.Minute): // the evaluation itself has only to notice
		t.Error("the stream is done, what it computed is not")
	}
	var none context.Context
	if err := s.Sync(none); err == nil {
		t.Error("no error for a nil context")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(soon(t)); !errors.Is(err, ErrStreamClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// The operations of a scope run on its stream, and its results come back.
func TestStreamScope(t *testing.T) {
	testdevice.NeedsFloat64(t)
	s := newStreams(t, 1)[0]
	x := Arange(0.0, 8, 1)
	y := s.Scope(func(in ...*Array) []*Array {
		if in[0].node.Place().Stream != s.index {
			t.Error("the input is not seen from the stream")
		}
		return []*Array{in[0].MulScalar(2), nil}
	})(x)
	if y[0].node.Place() != x.node.Place() {
		t.Errorf("the result is at %v, the input at %v", y[0].node.Place(), x.node.Place())
	}
	if y[1].Err() == nil {
		t.Error("no error for a result that is nil")
	}
	got, err := Item[float64](context.Background(), y[0].Sum())
	if err != nil || got != 56 {
		t.Errorf("%v, %v", got, err)
	}
	if err := s.Scope(nil)(x)[0].Err(); err == nil {
		t.Error("no error for no function")
	}
}

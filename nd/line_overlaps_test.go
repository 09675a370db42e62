package nd_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Frames share elements, so what writes those elements is no stage of the frames'
// line program, even where it has as many elements as there are frames.
func TestFramesOfWhatIsMadeInParts(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := t.Context()
	x := nd.From([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 4)
	there := func(y *nd.Array) *nd.Array {
		return y.Frames(3, 1).RFFT().IRFFT(nd.FFT{N: 3}).OverlapAdd(nd.Overlap{Hop: 1})
	}
	back := func(y *nd.Array) *nd.Array { return y.Frames(4, 3).OverlapAdd(nd.Overlap{Hop: 3}) }
	for name, c := range map[string]struct {
		made func() *nd.Array
		then func(*nd.Array) *nd.Array
	}{
		"halves swapped":   {func() *nd.Array { return x.Roll(2, -1) }, there},
		"rows swapped":     {func() *nd.Array { return x.Roll(1, 0) }, there},
		"both":             {func() *nd.Array { return x.IFFTShift() }, there},
		"a line backwards": {func() *nd.Array { return x.RFFT().IRFFT(nd.FFT{N: 6}).Flip(-1) }, back},
		"a single line":    {func() *nd.Array { return x.Reshape(8).RFFT().IRFFT(nd.FFT{N: 6}).Flip(-1) }, back},
		"every second element": {func() *nd.Array {
			return x.Reshape(8).RFFT().IRFFT(nd.FFT{N: 12}).SliceAxis(-1, nd.Range{Stop: nd.End, Step: 2})
		}, back},
		"spectra of overlapping": {func() *nd.Array { return x.Roll(2, -1) }, func(y *nd.Array) *nd.Array { return y.Frames(3, 1).RFFT().AbsSquared() }},
	} {
		apart := c.made()
		if err := nd.Eval(ctx, apart); err != nil {
			t.Fatal(err)
		}
		if err := (nd.Close{Rel: 1e-5, Abs: 1e-5}).Check(ctx, c.then(c.made()), c.then(apart)); err != nil {
			t.Errorf("%s: fused and apart differ: %v", name, err)
		}
	}
}

// A line that is stored across a buffer may be read from there by the same program.
func TestStoredAcrossAndRead(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := t.Context()
	values := make([]float32, 65*3*4)
	for i := range values {
		values[i] = float32(i % 7)
	}
	x := nd.From(values, 65, 3, 4)
	along := nd.FFT{N: 2, Axis: nd.Axis(1)}
	made := func() *nd.Array {
		return x.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}).Sub(x.SliceAxis(-1, nd.Range{Stop: 3}))
	}
	apart := made()
	if err := nd.Eval(ctx, apart); err != nil {
		t.Fatal(err)
	}
	want := apart.RFFT(along)
	stored := made()
	got := stored.RFFT(along)
	if err := nd.Eval(ctx, stored, got); err != nil {
		t.Fatal(err)
	}
	if err := (nd.Close{Rel: 1e-5}).Check(ctx, got, want); err != nil {
		t.Error(err)
	}
}

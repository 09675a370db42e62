package nd

import (
	"context"
	"slices"
	"testing"
)

// A spectrum that leaves its line on two ways which meet again: the power of
// every frame, and frames that are added up. What joins the ways needs all of
// both, so it cannot run beside the line that makes them.
func TestWaysOfALineThatMeetAgain(t *testing.T) {
	x := From([]float32{1, -2, 3})
	frames := x.Frames(1, 1).Mul(From([]float32{2}))
	power := frames.RFFT().AbsSquared()
	back := frames.RFFT().IRFFT(FFT{N: 1}).OverlapAdd(Overlap{Hop: 1})
	sum := power.Add(back) // of [3 1] and [3]
	if err := Eval(context.Background(), sum, back); err != nil {
		t.Fatal(err)
	}
	got, err := Slice[float32](context.Background(), sum)
	if want := []float32{6, 0, 10, 18, 12, 22, 38, 32, 42}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

// The blocks of a butterfly are all needed for its first element, so what makes
// both them and its line is no part of its line program.
func TestBlocksFromTheLineTheyMix(t *testing.T) {
	mixed := func(z *Array) *Array {
		return z.SliceAxis(0, Range{Stop: 4}).Neg().Butterfly(z.MulScalar(2).Reshape(1, 2, 2, 2), Butterfly{Spans: []int{1}})
	}
	x := From([]complex64{1, 2i, 3, 4i, 5})
	apart := x.IRFFT(FFT{N: 8})
	if err := Eval(context.Background(), apart); err != nil {
		t.Fatal(err)
	}
	want, err := Slice[float32](context.Background(), mixed(apart))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Slice[float32](context.Background(), mixed(x.IRFFT(FFT{N: 8})))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

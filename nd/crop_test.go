package nd_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// TestCropThatNoStridesExpress shows a part of a transform in a shape that is no
// view of it.
func TestCropThatNoStridesExpress(t *testing.T) {
	samples := make([]float32, 3*5)
	for i := range samples {
		samples[i] = float32(i)
	}
	// Lines of one sample, of which all bins are that sample.
	z := nd.From(samples, 1, 3, 5).FFT(nd.FFT{N: 7, Axis: nd.Axis(0)})
	part := z.Slice(nd.Range{Start: -1, Stop: nd.End, Step: -2}, nd.Range{Stop: 1}, nd.Range{Start: -1, Stop: nd.End, Step: -1})
	got, err := nd.Slice[complex64](t.Context(), part.Frames(2, 3, 0).Reshape(10))
	if err != nil || len(got) != 10 {
		t.Fatal(got, err)
	}
	for i, v := range got {
		if want := complex(float32(4-i%5), 0); v != want {
			t.Errorf("element %d is %v, want %v", i, v, want)
		}
	}
}

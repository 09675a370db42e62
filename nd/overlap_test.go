package nd_test

import (
	"context"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleArray_OverlapAdd() {
	x := nd.Arange[float64](0, 8, 1).Frames(4, 2)
	show[float64](x.OverlapAdd(nd.Overlap{Hop: 2})) // each as often as it was in a frame
	show[float64](x.OverlapAdd(nd.Overlap{Hop: 2, Skip: 3, Length: 6}))
	// Output:
	// [8] [0 1 4 6 8 10 6 7]
	// [6] [6 8 10 6 7 0]
}

func TestOverlapAddRefuses(t *testing.T) {
	x := nd.From(make([]float32, 24), 2, 3, 4)
	for _, c := range []struct {
		want string
		y    *nd.Array
	}{
		{"hop -1: want 1 or more", x.OverlapAdd(nd.Overlap{Hop: -1})},
		{"want 2 axes or more", x.Reshape(24).OverlapAdd(nd.Overlap{})},
		{"want 3 axes or more", x.Reshape(6, 4).OverlapAdd(nd.Overlap{Turns: true})},
		{"length -5 after 0", x.OverlapAdd(nd.Overlap{Length: -5})},
		{"length 3 after -1", x.OverlapAdd(nd.Overlap{Length: 3, Skip: -1})},
		{"4 frames of shape", x.OverlapAdd(nd.Overlap{Count: 4})},
		{"want a float of 32 bits or more", x.Cast(nd.Int32).OverlapAdd(nd.Overlap{})},
		{"want a float of 32 bits or more", x.Cast(nd.Float16).OverlapAdd(nd.Overlap{})},
	} {
		if err := c.y.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// Frames that come out of transforms are added as any others: one or many to a
// signal, and at the end of a line program or on their own.
func TestOverlapAddBehindTransforms(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, c := range []struct{ signals, frames, size, hop int }{
		{5, 1, 64, 1}, {1, 1, 64, 1}, {3, 2, 64, 7}, {1, 300, 64, 1}, {2, 77, 60, 1}, {40, 40, 16, 3}, {2, 33, 600, 128}, {1, 50, 15, 20},
	} {
		n := c.signals * c.frames * c.size
		data := make([]float64, n)
		for i := range data {
			data[i] = float64(i*i%31) - 15
		}
		x := nd.From(data, c.signals, c.frames, c.size)
		got, err := nd.Slice[float64](context.Background(), x.RFFT().IRFFT(nd.FFT{N: c.size}).OverlapAdd(nd.Overlap{Hop: c.hop}))
		if err != nil {
			t.Fatal(err)
		}
		length := (c.frames-1)*c.hop + c.size
		want := make([]float64, c.signals*length)
		for i, v := range data {
			signal, frame, e := i/(c.frames*c.size), i/c.size%c.frames, i%c.size
			want[signal*length+frame*c.hop+e] += v
		}
		for i := range want {
			if d := got[i] - want[i]; !(d < 1e-9 && d > -1e-9) {
				t.Fatalf("%+v: element %d is %v, not %v", c, i, got[i], want[i])
			}
		}
	}
}

package nd_test

import (
	"strings"
	"testing"

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

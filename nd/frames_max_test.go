package nd_test

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// Frames that overlap are reduced side by side if they are short, else one by one.
func TestMaxOfOverlappingFrames(t *testing.T) {
	x := make([]float32, 2000)
	for i := range x {
		x[i] = float32((i*7919)%1009) - 500
	}
	x[700], x[1500] = float32(math.NaN()), float32(math.Inf(-1))
	for _, size := range []int{1, 2, 3, 8, 255, 256, 257, 1000} {
		for _, hop := range []int{1, 2} {
			frames := nd.From(x).Frames(size, hop, -1)
			most, err := nd.Slice[float32](context.Background(), frames.Max(-1))
			if err != nil {
				t.Fatal(err)
			}
			least, err := nd.Slice[float32](context.Background(), frames.Min(-1))
			if err != nil {
				t.Fatal(err)
			}
			for i := range most {
				a, b := float32(math.Inf(-1)), float32(math.Inf(1))
				for _, v := range x[i*hop : i*hop+size] {
					a, b = max(a, v), min(b, v)
				}
				if math.Float32bits(a) != math.Float32bits(most[i]) || math.Float32bits(b) != math.Float32bits(least[i]) {
					if a == a || most[i] == most[i] || least[i] == least[i] {
						t.Fatalf("size %d, hop %d, frame %d: %v and %v, want %v and %v", size, hop, i, most[i], least[i], a, b)
					}
				}
			}
		}
	}
}

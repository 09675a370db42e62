package jobs

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
)

// BenchmarkStack is the parts of a correlation of 64 channels: windows are
// added, 24 of them multiplied, and all pairs transformed back.
func BenchmarkStack(b *testing.B) {
	s := &fleet.Series{Rate: 20, Period: 24 * time.Hour}
	for range 64 {
		s.Channels = append(s.Channels, fleet.Channel{})
	}
	k, err := (&Correlate{}).fit(s)
	if err != nil {
		b.Fatal(err)
	}
	h, err := newHostStack(k)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	lines := make([][]float32, k.channels)
	for i := range lines {
		lines[i] = make([]float32, k.frames)
		for j := range lines[i] {
			lines[i][j] = float32(r.NormFloat64())
		}
	}
	ctx := context.Background()
	for h.waiting < h.most-1 { // the last would multiply
		if err := h.add(ctx, lines); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			h.waiting = 3
			if err := h.add(ctx, lines); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, stacked := range []bool{false, true} {
		b.Run(map[bool]string{false: "multiply", true: "multiply and add"}[stacked], func(b *testing.B) {
			for b.Loop() {
				h.waiting, h.stacked = h.most, stacked
				if err := h.multiply(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("inverse", func(b *testing.B) {
		for b.Loop() {
			if err := h.inverse(ctx, func(a, b int, line []float32) {}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package fleet_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/fleet/zarr"
)

// Crossings is a job of one's own: how often samples change sign.
type Crossings struct{}

// Prepare says what a row holds, and how it is computed.
func (Crossings) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	l := &fleet.Layout{Variables: []fleet.Variable{{Name: "crossings", Unit: "Hz", Long: "zero crossings per second"}}}
	return l, func(_ context.Context, w *fleet.Window, row fleet.Row) error {
		for c := range s.Channels {
			n, frames := 0, 0
			for _, x := range w.Stretches() {
				line := x.Samples[c*x.Frames : (c+1)*x.Frames]
				for i := 1; i < len(line); i++ {
					if math.Signbit(float64(line[i])) != math.Signbit(float64(line[i-1])) {
						n++
					}
				}
				frames += x.Frames
			}
			row[0][c] = float32(math.Round(float64(n) / float64(frames) * s.Rate))
		}
		return nil
	}, nil
}

// A job of one's own is a type with one method. A program that registers it
// and calls command.Main is a twiddle-fleet that has it, on every runner.
func Example() {
	fleet.Register("crossings", func() fleet.Job { return Crossings{} })

	folder, err := os.MkdirTemp("", "fleet")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	tone := make([]float32, 120*1000) // two minutes at 1000 Hz
	for i := range tone {
		tone[i] = float32(math.Cos(2*math.Pi*50*float64(i)/1000 + 0.1))
	}
	if err := wav.WriteFile(filepath.Join(folder, "pier_20240301T120000.wav"), pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 1000}, tone); err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	out := filepath.Join(folder, "out")
	run, err := fleet.Open(ctx, fleet.Config{In: []string{folder}, Out: out, Job: "crossings", Pattern: "{station}_%Y%m%dT%H%M%S"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := run.Local(ctx); err != nil {
		fmt.Println(err)
		return
	}
	s, err := zarr.Open(filepath.Join(out, "pier.zarr"))
	if err != nil {
		fmt.Println(err)
		return
	}
	day, err := zarr.Chunk[float32](s, "crossings", 0, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	noon := int(12 * time.Hour / time.Minute)
	fmt.Println(day[noon-1], day[noon], day[noon+1])
	// Output: NaN 100 100
}

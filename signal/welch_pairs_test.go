package signal_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Where there are many lines, a GPU may take segments two at a time. Spectra are those of
// float64 up to rounding: of even and odd numbers of segments, at bins 0 and n/2, with a line
// that is no number, one that is silent, and one whose squares are nothing.
func TestWelchOfManyLines(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(31, 32))
	const lines, n = 4300, 256
	for _, c := range []struct {
		segments int
		opt      signal.Spectral
	}{
		{8, signal.Spectral{NPerSeg: n}},
		{15, signal.Spectral{NPerSeg: n}},
		{4, signal.Spectral{NPerSeg: n, Detrend: signal.TrendLinear, Scaling: signal.Power}},
	} {
		t.Run(fmt.Sprint(c.segments, " segments"), func(t *testing.T) {
			l := n + (c.segments-1)*n/2
			samples := as[float32](noise(r, lines*l, 1))
			const spoilt, silent, faint = 3, 5, 8
			samples[spoilt*l+77] = float32(math.NaN())
			for i := range l {
				samples[silent*l+i] = 0
				samples[faint*l+i] *= 1e-30
			}
			x := nd.From(samples, lines, l)
			got, err := nd.Slice[float32](ctx, signal.Welch(x, c.opt).Array)
			if err != nil {
				t.Fatal(err)
			}
			const bins = n/2 + 1
			want, err := nd.Slice[float64](ctx, signal.Welch(x.Cast(nd.Float64), c.opt).Array)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				w, line := want[i], i/bins
				switch {
				case line == spoilt:
					if !math.IsNaN(float64(v)) {
						t.Fatalf("bin %d of the line that is no number is %v", i%bins, v)
					}
				case line == silent || line == faint:
					if v != 0 {
						t.Fatalf("bin %d of line %d is %v", i%bins, line, v)
					}
				case !(math.Abs(float64(v)-w) <= 2e-5*w+1e-9):
					t.Fatalf("bin %d of line %d is %v, want %v", i%bins, line, v, w)
				}
			}
			again, err := nd.Slice[float32](ctx, signal.Welch(nd.From(samples, lines, l), c.opt).Array)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if math.Float32bits(got[i]) != math.Float32bits(again[i]) {
					t.Fatalf("bin %d of line %d is %v, and %v the second time", i%bins, i/bins, got[i], again[i])
				}
			}
		})
	}
}

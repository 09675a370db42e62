package plan

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Frames are added on chip where a device does that, unless its workers would
// compute too many of them twice.
func TestFramesAreAddedOnChip(t *testing.T) {
	m := maker{t}
	const size, hop, halo = 64, 16, 4
	for _, c := range []struct {
		name                     string
		overlaps                 bool
		frames, workers, perHalo int
		steps                    int
	}{
		{"where the device does not", false, 1000, 1, 0, 2},
		{"where it does", true, 1000, 100, 0, 1},
		{"with enough frames", true, 3 * halo * 20, 20, 3, 1},
		{"with too few", true, 3*halo*20 - 1, 20, 3, 2},
	} {
		info := chip
		info.Overlaps, info.Workers, info.LinesPerHalo = c.overlaps, c.workers, c.perHalo
		frames := m.irfft(m.data(elem.Complex64, c.frames, 1, size/2+1), size)
		sum := m.node(graph.NewOverlap(frames, graph.OverlapAttr{Hop: hop, Count: c.frames, Length: c.frames * hop}))
		p, err := Make(graphOf(sum), info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Steps) != c.steps {
			t.Errorf("%s: %d steps, want %d", c.name, len(p.Steps), c.steps)
		}
	}
}

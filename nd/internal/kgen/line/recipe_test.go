package line

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Kernels are launched as the recipe says: its launches are what is shown of a
// transform where there is no GPU.
func TestLaunchesAreTheRecipes(t *testing.T) {
	const batch = 1 << 17 // so many that all processors are busy
	for _, n := range []int{1, 7, 16, 17, 60, 64, 100, 127, 384, 510, 512, 1000, 1009, 1019, 1024, 2048, 4096, 4099, 5000, 8192, 10007, 11200, 16384, 16385,
		32768, 44100, 65536, 65537, 88200, 100003, 1 << 17, 1 << 20, 1 << 22, 1 << 23} {
		for _, c := range []elem.Type{elem.Complex64, elem.Complex128} {
			for _, f := range []*ir.FFT{
				{Kind: ir.FFTComplex, InLen: n, In: ir.Contiguous(c, []int{batch, n}), Out: ir.Contiguous(c, []int{batch, n})},
				{Kind: ir.FFTRealForward, InLen: n, In: ir.Contiguous(c.Real(), []int{batch, n}), Out: ir.Contiguous(c, []int{batch, n/2 + 1})},
			} {
				f.N, f.Outer, f.Scale = n, []int{batch}, 1
				m, err := Generate(f, h200)
				if err != nil {
					t.Fatal(err)
				}
				g := precisionOf(f).recipes(h200)
				g.Way = wayOf(f)
				r, err := g.For(n, isReal(f))
				if err != nil {
					t.Fatal(err)
				}
				launches := g.Launches(r)
				if len(launches) != len(m.Steps) {
					t.Errorf("%v: %d launches, %d steps", r, len(launches), len(m.Steps))
					continue
				}
				k := newUnit(h200).kernel(f.Alone())
				carried := k.plan() == nil && k.share() == nil && len(k.carried) > 0 // these have room for lines, too
				for i, l := range launches {
					if s := m.Steps[i]; s.Threads != l.BlockThreads() || !carried && m.Kernels[s.Kernel].Pool != l.SharedBytes() {
						t.Errorf("%v: step %d has %d threads and %d bytes of shared memory, the recipe says %d and %d", r, i, s.Threads, m.Kernels[s.Kernel].Pool, l.BlockThreads(), l.SharedBytes())
					}
				}
				scratch := 0
				for _, bytes := range m.Scratch {
					scratch += bytes
				}
				if scratch != batch*g.ScratchBytes(r) {
					t.Errorf("%v: %d bytes of scratch, the recipe says %d a line", r, scratch, g.ScratchBytes(r))
				}
			}
		}
	}
}

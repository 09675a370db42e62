package line

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// inQuarterHalves is inHalves, causal, with bins a quarter lower.
func inQuarterHalves(t elem.Type, batch, channels, l int, gate bool) *ir.Line {
	p := inHalves(t, batch, channels, l, 2*l, gate)
	inQuarterBins(p, l)
	return p
}

// Pairs of lines with quarter bins err as packed ones do.
func TestQuarterPairs(t *testing.T) {
	const batch, channels = 4, 3
	for half, bar := range map[elem.Type]float64{elem.Float16: 2e-3, elem.BFloat16: 3.5e-3} {
		for _, c := range []struct {
			l    int
			gate bool
			e    float64
		}{{30, false, 0}, {64, false, 0}, {64, true, -3}, {256, false, 4}, {1024, false, 0}, {1024, true, 3}, {2048, false, -8}, {4096, false, 0}} {
			t.Run(fmt.Sprintf("%s/%d", half, c.l), func(t *testing.T) {
				t.Parallel()
				reads := operandsOf(half, batch, channels, c.l, 2*c.l-2, c.gate, c.e)
				got, want := pairedRun(t, inQuarterHalves(half, batch, channels, c.l, c.gate), half, reads, batch*channels*c.l)
				off := apartBy(got, want)
				t.Logf("off by %.2g", off)
				if !(off < bar) {
					t.Errorf("off by %.2g", off)
				}
			})
		}
	}
}

// Fast convolutions have quarter bins where pairs were measured to be faster with them.
func TestWherePairsHaveQuarterBins(t *testing.T) {
	const many = 1 << 14
	for n, want := range map[int]bool{256: true, 1024: true, 4096: true, 8192: false, 16384: true, 1000: false} {
		if got := QuarterBins(n, many, true, h200); got != want {
			t.Errorf("%d samples: %v", n, got)
		}
	}
	if !QuarterBins(8192, many, false, h200) || QuarterBins(1024, 100, true, h200) {
		t.Error("float32, or few lines, differ")
	}
	if old := (kgen.Target{Processors: 132, PoolBytes: 227 << 10, Subgroup: 32, Wide: true, Arch: 90}); !QuarterBins(8192, many, true, old) {
		t.Error("a GPU that computes no pairs computes in float32")
	}
}

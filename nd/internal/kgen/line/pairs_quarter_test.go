package line

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
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

// byTaps is a convolution whose filters are taps of a type, of lines of l: what lines share
// transforms them.
func byTaps(p *ir.Line, t elem.Type, l int) *ir.Line {
	bins, taps := p.Slots[1], ir.SlotID(1)
	f := *p.Stages[transformsOf(p)[0]].Program.(*ir.FFT)
	shared := p.AddSlot(ir.Slot{Kind: ir.SharedSlot, Type: bins.Type, Len: bins.Len})
	p.Slots[1] = ir.Slot{Kind: ir.InSlot, Type: t, Len: l, Strides: lists.Map(bins.Strides, func(n int) int { return n / bins.Len * l })}
	if t != elem.Float32 {
		taps = p.AddSlot(ir.Slot{Kind: ir.SharedSlot, Type: elem.Float32, Len: l})
		widen := mapOf(l, elem.Float32, []ir.Operand{over(t, 0, 1)}, load(t, 0), ir.Instr{Kind: ir.Apply, Op: scalar.Cast, Type: elem.Float32})
		p.Shared = append(p.Shared, ir.Stage{Program: widen, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{taps}})
	}
	p.Shared = append(p.Shared, ir.Stage{Program: &f, Reads: []ir.SlotID{taps}, Writes: []ir.SlotID{shared}})
	for _, s := range p.Stages {
		if i := slices.Index(s.Reads, 1); i >= 0 {
			s.Reads[i] = shared
		}
	}
	return p
}

// Filters in taps are transformed and scaled by one step.
func TestQuarterPairsByTaps(t *testing.T) {
	const batch, channels = 4, 3
	for _, taps := range []elem.Type{elem.Float32, elem.Float16} {
		for _, l := range []int{64, 256, 512, 1024, 2048, 4096} {
			t.Run(fmt.Sprintf("%s/%d", taps, l), func(t *testing.T) {
				t.Parallel()
				reads := operandsOf(elem.Float16, batch, channels, l, 2*l-2, false, 2)
				reads[1] = random(taps, channels*l)
				got, want := pairedRun(t, byTaps(inQuarterHalves(elem.Float16, batch, channels, l, false), taps, l), elem.Float16, reads, batch*channels*l)
				if off := apartBy(got, want); !(off < 2e-3) {
					t.Errorf("off by %.2g", off)
				}
			})
		}
	}
}

// A filter's bins are loaded four at a time, by lines of a warp and of more.
func TestBinsInFours(t *testing.T) {
	for _, l := range []int{256, 512, 1024, 2048, 4096} {
		m, err := Generate(byTaps(inQuarterHalves(elem.BFloat16, 4, 3, l, false), elem.BFloat16, l), h200)
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(m)
		samples, bins := strings.Count(text, "bfloat, 2> word"), strings.Count(text, "half, 8> bins")
		if bins == 0 || samples%bins != 0 || samples/bins%4 != 0 {
			t.Errorf("%d samples: %d loads of bins, %d of samples", l, bins, samples)
		}
	}
}

// Roots are in tables once, four in a load, where pairs were measured to be faster with that.
func TestRootsOfPairs(t *testing.T) {
	for l, want := range map[int]bool{256: false, 1024: false, 2048: true, 4096: true, 16384: false} {
		m, err := Generate(inQuarterHalves(elem.BFloat16, 4, 3, l, false), h200)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(m.Tables, func(table kgen.Table) bool { return strings.Contains(table.Key, "4 in a load") })
		if got != want {
			t.Errorf("%d samples: %v", l, got)
		}
	}
}

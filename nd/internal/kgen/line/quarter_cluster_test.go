package line

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// ringed makes a program by clusters of a given shape.
func ringed(t *testing.T, p ir.Program, r *recipe.Recipe) *kgen.Module {
	t.Helper()
	if f, ok := p.(*ir.FFT); ok {
		p = f.Alone()
	}
	g, err := boundTrip(p.(*ir.Line), h200, 0)
	if err == nil {
		g.recipe = r
		err = g.planRing()
	}
	if err != nil {
		t.Fatal(err)
	}
	g.quarterCluster()
	return &g.Module
}

// inRows are bins in the order of so many rows.
func inRows(p *ir.Line, rows int) *ir.Line {
	for _, i := range transformsOf(p) {
		p.Stages[i].Program.(*ir.FFT).Rows = rows
	}
	return p
}

func TestQuarterClusters(t *testing.T) {
	r, c := elem.Float32, elem.Complex64
	for _, shape := range []string{
		"cluster 2 (mixed 2@1x4) (mixed 4.4@4x1)", "cluster 4 (mixed 4@1x8) (mixed 8.8@8x1)", "cluster 8 (mixed 8@1x32/512) (mixed 8.4.8@32x1)", "cluster 8 (mixed 8@1x64+1) (mixed 32.4.16@64x1)", "cluster 4 (mixed 4@1x16) (mixed 8.4.8@16x1=)",
	} {
		s, err := recipe.Parse(shape)
		if err == nil {
			err = s.Validate()
		}
		if err != nil {
			t.Fatal(err)
		}
		n, rows := s.N, s.Blocks
		forward := &ir.FFT{Outer: []int{3}, Kind: ir.FFTQuarterForward, N: n, Scale: 0.5, InLen: n - 3, Rows: rows, In: ir.Contiguous(r, []int{3, n - 3}), Out: ir.Contiguous(c, []int{3, n})}
		more := inRows(quarterConvolution(2, 3, n), rows)
		m := more.Stages[1].Program.(*ir.Map)
		m.Instrs = append(m.Instrs, apply(scalar.Add, c, 2, 1))
		m.Value[0] = 3
		reads := [][]byte{random(r, 6*n), random(c, 3*n), random(r, 3)}
		for _, w := range []struct {
			name  string
			p     ir.Program
			reads [][]byte
			bytes int
		}{
			{"forward", forward, [][]byte{random(r, 3*(n-3))}, 3 * n * 8},
			{"causal", inRows(quarterConvolution(2, 3, n), rows), reads, 6 * n * 4},
			{"and more", more, reads, 6 * n * 4},
		} {
			t.Run(fmt.Sprintf("%s/%s", w.name, shape), func(t *testing.T) {
				t.Parallel()
				m := ringed(t, w.p, s)
				if len(m.Steps) != 1 || len(m.Scratch) != 0 {
					t.Errorf("%d steps, %d arrays of scratch", len(m.Steps), len(m.Scratch))
				}
				if off := compareModule(t, m, w.p, w.reads, [][]byte{make([]byte, w.bytes)}); !(off < 16) {
					t.Errorf("off by %g units", off)
				}
			})
		}
	}
}

// Lines that do not fit on chip are made by the clusters that were measured, which other
// targets do not have.
func TestLongQuarterConvolutions(t *testing.T) {
	const l = 32768
	target := h200
	target.Cluster = 16
	rows := QuarterRows(l, target)
	if rows == 0 || QuarterRows(l, h200) != 0 || QuarterRows(1024, target) != 0 || !QuarterBins(l, 3072, false, target) || !QuarterBins(l, 3072, true, target) || QuarterBins(l, 8, false, target) || QuarterBins(l, 3072, false, h200) {
		t.Fatalf("%d rows", rows)
	}
	p := inRows(quarterConvolution(2, 1, l), rows)
	if !RoundTrips(p, target) || RoundTrips(p, h200) || RoundTrips(inRows(quarterConvolution(2, 1, l), 0), target) || RoundTrips(inRows(quarterConvolution(2, 1, 1024), 4), target) {
		t.Error("other round trips")
	}
	m, err := Generate(p, target)
	if err != nil || len(m.Steps) != 1 || m.Kernels[0].Cluster != rows {
		t.Fatal(len(m.Steps), err)
	}
	reads := [][]byte{random(elem.Float32, 2*l), random(elem.Complex64, l), random(elem.Float32, 1)}
	if off := compareModule(t, m, p, reads, [][]byte{make([]byte, 2*l*4)}); !(off < 16) {
		t.Errorf("off by %g units", off)
	}
}

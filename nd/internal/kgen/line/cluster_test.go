package line

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
)

// Clusters of any shape transform lines.
func TestClusters(t *testing.T) {
	for _, c := range []struct {
		recipe  string
		inverse bool
		typ     elem.Type
	}{
		{"cluster 2 (mixed 4.4@4x8) (mixed 4.4@4x8)", false, elem.Complex64},
		{"cluster 4 (mixed 8.8@8x32!) (mixed 8.4.4@16x16)", true, elem.Complex64},
		{"cluster 8 (mixed 4.4.4@8x4) (mixed 8.4@4x8)", false, elem.Complex128},
		{"cluster 3 (mixed 4.3@4x5) (mixed 5.3@5x4!)", false, elem.Complex64},
	} {
		t.Run(c.recipe, func(t *testing.T) {
			r, err := recipe.Parse(c.recipe)
			if err != nil {
				t.Fatal(err)
			}
			f := transformOf(r.N, 3, ir.FFTComplex, c.inverse, c.typ)
			f.In.Offset, f.In.Strides[0] = 6, f.InLen+4
			f.Out.Offset, f.Out.Strides[0] = 3, f.OutLen()+1
			target := h200
			target.Cluster = 16
			g := newLong(f, target, 0)
			g.recipe, g.n = r, r.N
			g.inCluster()
			off := compareModule(t, &g.Module, f, [][]byte{random(f.In.Type, 3*f.InLen+14)}, [][]byte{make([]byte, (3*f.OutLen()+6)*f.Out.Type.Size())})
			if limit := 4 * math.Sqrt(1+math.Log2(float64(r.N))); !(off <= limit) {
				t.Errorf("off by %.3g units, allowed %.3g", off, limit)
			}
		})
	}
}

// Lines by clusters have the bits of lines in two passes.
func TestClustersKeepBits(t *testing.T) {
	for i, n := range []int{32768, 65536, 44100, 131072} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			f := transformOf(n, 2, ir.FFTComplex, i == 1, elem.Complex64)
			in := random(f.In.Type, 2*n)
			var out [2][]byte
			for j, cluster := range []int{0, 16} {
				target := h200
				target.Cluster = cluster
				m, err := Generate(f, target)
				if err != nil {
					t.Fatal(err)
				}
				if want := 2 - j; len(m.Steps) != want || m.Kernels[0].Cluster > 1 != (j == 1) {
					t.Fatalf("%d steps, clusters of %d", len(m.Steps), m.Kernels[0].Cluster)
				}
				out[j] = make([]byte, 2*n*8)
				if _, err := simulate.Run(m, [][]byte{in}, [][]byte{out[j]}, nil, true); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(out[0], out[1]) {
				t.Error("other bits")
			}
		})
	}
}

// clusteredTrip makes a program by clusters of a given shape.
func clusteredTrip(t *testing.T, p ir.Program, shape string) *kgen.Module {
	t.Helper()
	r, err := recipe.Parse(shape)
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := p.(*ir.FFT); ok {
		p = f.Alone()
	}
	g, err := newTrip(p.(*ir.Line), h200, 0)
	if err != nil {
		t.Fatal(err)
	}
	g.recipe, g.n = recipe.Pack(2*r.N, r), r.N
	g.Trip = g.gpu.Trip(g.recipe)
	g.inCluster()
	return &g.Module
}

// Real lines and convolutions by clusters are right, and so are maps that ride along.
func TestClusteredTrips(t *testing.T) {
	r, c := elem.Float32, elem.Complex64
	for _, shape := range []string{
		"cluster 2 (mixed 4.4@2x8!) (mixed 4.4@4x4)", "cluster 4 (mixed 8.8@8x8) (mixed 8.4@8x8)", "cluster 8 (mixed 16.8.4@32x8!) (mixed 8.8@8x32)",
	} {
		parsed, err := recipe.Parse(shape)
		if err != nil {
			t.Fatal(err)
		}
		n := 2 * parsed.N
		bins := n/2 + 1
		x := random(r, 2*n)
		for _, w := range []struct {
			name   string
			p      ir.Program
			reads  [][]byte
			writes []int // bytes
		}{
			{"forward", transformOf(n, 2, ir.FFTRealForward, false, c), [][]byte{x}, []int{2 * bins * 8}},
			{"back", transformOf(n, 2, ir.FFTRealInverse, false, c), [][]byte{random(c, 2*bins)}, []int{2 * n * 4}},
			{"causal", convolution(2, 1, n/2, n), [][]byte{random(r, n), random(c, bins), random(r, 1)}, []int{n * 4}},
			{"gated", gated(1, 2, n, n), [][]byte{x, random(c, 2*bins), random(r, 2), x, random(r, 2*n)}, []int{2 * bins * 8, 2 * n * 4}},
		} {
			t.Run(fmt.Sprintf("%s/%s", w.name, shape), func(t *testing.T) {
				t.Parallel()
				m := clusteredTrip(t, w.p, shape)
				if len(m.Steps) != 1 || len(m.Scratch) != 0 {
					t.Errorf("%d steps, %d arrays of scratch", len(m.Steps), len(m.Scratch))
				}
				if off := compareModule(t, m, w.p, w.reads, zeros(w.writes)); !(off < 24) {
					t.Errorf("off by %g units", off)
				}
			})
		}
	}
}

// zeros are buffers of so many bytes.
func zeros(bytes []int) (list [][]byte) {
	for _, n := range bytes {
		list = append(list, make([]byte, n))
	}
	return list
}

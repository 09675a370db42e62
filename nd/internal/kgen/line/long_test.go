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

// Lines that do not fit on chip, here with little of it.
func TestLongTransforms(t *testing.T) {
	for _, c := range []struct {
		n, most int
		kind    int
		typ     elem.Type
	}{
		{4096, 64, 0, elem.Complex64}, {3600, 64, 1, elem.Complex128}, {4096, 16, 0, elem.Complex64},
		{8192, 64, 2, elem.Complex64}, {7200, 64, 3, elem.Complex64}, {509, 64, 1, elem.Complex64}, {509, 64, 2, elem.Complex64}, {997, 64, 3, elem.Complex64}, {2003, 16, 0, elem.Complex64}, {263, 64, 0, elem.Complex128},
	} {
		k := kinds[c.kind]
		t.Run(fmt.Sprintf("%s/%s/%d of %d", k.name, c.typ, c.n, c.most), func(t *testing.T) {
			t.Parallel()
			// Lines in the middle of others.
			f := transformOf(c.n, 2, k.kind, k.inverse, c.typ)
			f.In.Offset, f.In.Strides[0] = 6, f.InLen+4
			f.Out.Offset, f.Out.Strides[0] = 3, f.OutLen()+1
			for _, target := range []kgen.Target{h200, shader} {
				if !target.Wide && needsWide(f) {
					continue
				}
				m, err := generateLong(f, target, c.most)
				if err != nil {
					t.Fatal(err)
				}
				if !target.Wide {
					checkShaders(t, m)
				}
				off := compareModule(t, m, f, [][]byte{random(f.In.Type, 2*f.InLen+10)}, [][]byte{make([]byte, (2*f.OutLen()+4)*f.Out.Type.Size())})
				if limit := 4 * math.Sqrt(1+math.Log2(float64(c.n))); !(off <= limit) {
					t.Errorf("off by %.3g units, allowed %.3g", off, limit)
				}
			}
		})
	}
}

// Groups of different lines that follow each other compute what they would otherwise.
func TestWovenLines(t *testing.T) {
	f := transformOf(509, 5, ir.FFTComplex, false, elem.Complex64)
	in := random(f.In.Type, 5*f.N)
	var out [2][]byte
	for i := range out {
		g := newLong(f, h200, 64)
		var err error
		if g.recipe, err = g.gpu.InPasses(f.N, false); err != nil {
			t.Fatal(err)
		}
		g.n, g.axes = g.recipe.Inner.N, g.recipe.Inner.Axes()
		g.reserve()
		g.chirped(&transform{f: g.f, precision: g.precision, kind: recipe.Bluestein}, i == 1)
		out[i] = make([]byte, 5*f.N*8)
		if _, err := simulate.Run(&g.Module, [][]byte{in}, [][]byte{out[i]}, nil, true); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(out[0], out[1]) {
		t.Error("other bits")
	}
}

// A spectrum that comes by way of shared memory is the same.
func TestBroughtSpectrum(t *testing.T) {
	f := transformOf(5003, 3, ir.FFTComplex, true, elem.Complex64)
	in := random(f.In.Type, 3*f.N)
	var out [2][]byte
	for i, arch := range []int{75, 90} {
		target := h200
		target.Arch = arch
		g := newLong(f, target, 0)
		inner, err := recipe.Parse("fourstep (mixed 16@1x16) (mixed 32.32@32x1)")
		if err != nil {
			t.Fatal(err)
		}
		g.recipe, g.n, g.axes = &recipe.Recipe{Kind: recipe.Bluestein, N: f.N, Inner: inner}, inner.N, inner.Axes()
		g.reserve()
		g.chirped(&transform{f: g.f, precision: g.precision, kind: recipe.Bluestein}, false)
		if brings := g.brings(g.axes[1]); brings != (arch == 90) {
			t.Errorf("sm_%d: brought %t", arch, brings)
		}
		out[i] = make([]byte, 3*f.N*8)
		if _, err := simulate.Run(&g.Module, [][]byte{in}, [][]byte{out[i]}, nil, true); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(out[0], out[1]) {
		t.Error("other bits")
	}
}

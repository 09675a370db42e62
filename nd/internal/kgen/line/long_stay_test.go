package line

import (
	"bytes"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
)

// stayed makes a transform by a recipe of passes for a target.
func stayed(t *testing.T, f *ir.FFT, target kgen.Target, by string) *kgen.Module {
	t.Helper()
	g := newLong(f, target, 0)
	var err error
	if g.recipe, err = recipe.Parse(by); err != nil {
		t.Fatal(err)
	}
	g.n, g.axes = g.recipe.N, g.recipe.Axes()
	g.reserve()
	x := &transform{f: g.f, precision: g.precision, kind: g.recipe.Kind}
	g.passes(x.inverse(), g.input(x), g.output(x))
	return &g.Module
}

// brings reports a module whose kernels have tiles brought.
func brings(m *kgen.Module) bool {
	return slices.ContainsFunc(m.Kernels, func(p *ktree.Program) bool { return p.Landings > 0 })
}

// Tiles that are brought ahead of groups that stay are the same numbers, with other lines before
// and between, there and back.
func TestBroughtTiles(t *testing.T) {
	few := h200
	few.Processors = 3
	with := few
	with.Maps = true
	for _, inverse := range []bool{false, true} {
		f := transformOf(512*16, 3, ir.FFTComplex, inverse, elem.Complex64)
		f.In.Offset, f.In.Strides[0] = 8, f.N+12
		in := random(f.In.Type, 8+3*(f.N+12))
		var out [2][]byte
		for i, target := range []kgen.Target{few, with} {
			m := stayed(t, f, target, "fourstep (mixed 32.16@16x4~*) (mixed 16@1x16)")
			if brings(m) != target.Maps || len(m.Maps) != i {
				t.Errorf("brings %t, %d maps", brings(m), len(m.Maps))
			}
			out[i] = make([]byte, 3*f.N*8)
			if _, err := simulate.Run(m, [][]byte{in}, [][]byte{out[i]}, nil, true); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(out[0], out[1]) {
			t.Errorf("inverse %t: other bits", inverse)
		}
	}
}

// What the GPU cannot bring, or what is no gain, is loaded.
func TestTilesThatAreLoaded(t *testing.T) {
	const by = "fourstep (mixed 32.16@16x4~*) (mixed 16@1x16)"
	target := h200
	target.Processors, target.Maps = 3, true
	plain := func(change func(f *ir.FFT)) *ir.FFT {
		f := transformOf(512*16, 3, ir.FFTComplex, false, elem.Complex64)
		change(f)
		return f
	}
	if !brings(stayed(t, plain(func(*ir.FFT) {}), target, by)) {
		t.Error("nothing is brought")
	}
	small, many := target, target
	small.PoolBytes, many.Processors = 16<<10, 132
	for name, c := range map[string]struct {
		f      *ir.FFT
		target kgen.Target
		by     string
	}{
		"not aligned":   {plain(func(f *ir.FFT) { f.In.Offset = 1 }), target, by},
		"apart":         {plain(func(f *ir.FFT) { f.In.Strides[1] = 2 }), target, by},
		"backwards":     {plain(func(f *ir.FFT) { f.In.Offset, f.In.Strides[0] = 2*f.N, -f.N }), target, by},
		"short":         {plain(func(f *ir.FFT) { f.InLen = f.N - 4 }), target, by},
		"far":           {plain(func(f *ir.FFT) { f.In.Strides[0] = 1 << 30 }), target, by},
		"no room":       {plain(func(*ir.FFT) {}), small, by},
		"few":           {plain(func(*ir.FFT) {}), many, by},
		"groups leave":  {plain(func(*ir.FFT) {}), target, "fourstep (mixed 32.16@16x4~) (mixed 16@1x16)"},
		"wide":          {transformOf(512*16, 3, ir.FFTComplex, false, elem.Complex128), target, by},
		"parts of axes": {transformOf(128*16, 3, ir.FFTComplex, false, elem.Complex64), target, "fourstep (mixed 16.8@8x4~*) (mixed 16@1x16)"},
	} {
		if brings(stayed(t, c.f, c.target, c.by)) {
			t.Errorf("%s: brought", name)
		}
	}
}

package line

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// quarterConvolution is a causal convolution of lines of l samples, with bins a quarter lower.
func quarterConvolution(batch, channels, l int) *ir.Line {
	p := convolution(batch, channels, l, 2*l)
	inQuarterBins(p, l)
	return p
}

// inQuarterBins makes a causal convolution of lines of l samples one with quarter bins.
func inQuarterBins(p *ir.Line, l int) {
	r, c := elem.Float32, elem.Complex64
	for _, s := range p.Stages {
		switch q := s.Program.(type) {
		case *ir.FFT:
			q.Kind, q.N, q.InLen = ir.FFTQuarterForward+(q.Kind-ir.FFTRealForward), l, l
			if q.Kind == ir.FFTQuarterInverse {
				q.Scale = 1 / float64(l)
			}
		case *ir.Map:
			q.Dims = []int{l}
		}
	}
	p.Slots[1] = ir.Slot{Kind: ir.InSlot, Type: c, Len: l, Strides: []int{0, l}}
	p.Slots[3].Len, p.Slots[4].Len = l, l
	p.Slots[5] = ir.Slot{Kind: ir.LocalSlot, Type: r, Len: l}
}

func TestQuarterTransforms(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 6, 8, 16, 30, 32, 64, 100, 360, 1024, 2048} {
		for _, kind := range []ir.FFTKind{ir.FFTQuarterForward, ir.FFTQuarterInverse} {
			for _, short := range []int{0, n / 3} {
				t.Run(fmt.Sprintf("%d/%d of %d", kind, n-short, n), func(t *testing.T) {
					t.Parallel()
					c := elem.Complex64
					f := &ir.FFT{Outer: []int{3}, Kind: kind, N: n, Scale: 1 / math.Sqrt(float64(n)), InLen: n - short}
					in, out := c, c.Real()
					if kind == ir.FFTQuarterForward {
						in, out = out, in
					}
					f.In, f.Out = ir.Contiguous(in, []int{3, n - short}), ir.Contiguous(out, []int{3, n})
					if off := compare(t, f, [][]byte{random(in, 3*(n-short))}, [][]byte{make([]byte, 3*n*out.Size())}); !(off < 8) {
						t.Errorf("off by %g units", off)
					}
				})
			}
		}
	}
}

func TestQuarterConvolutions(t *testing.T) {
	const batch, channels = 3, 2
	for _, l := range []int{30, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384} {
		t.Run(fmt.Sprint(l), func(t *testing.T) {
			t.Parallel()
			p := quarterConvolution(batch, channels, l)
			reads := [][]byte{random(elem.Float32, batch*channels*l), random(elem.Complex64, channels*l), random(elem.Float32, channels)}
			writes := [][]byte{make([]byte, 4*batch*channels*l)}
			var off float64
			if l <= 4096 {
				off = compare(t, p, reads, writes)
			} else if m, err := Generate(p, h200); err != nil { // too long for shaders
				t.Fatal(err)
			} else {
				off = compareModule(t, m, p, reads, writes)
			}
			if !(off < 16) {
				t.Errorf("off by %g units", off)
			}
		})
	}
}

// Something else than a product between the transforms is made as it is.
func TestQuarterMaps(t *testing.T) {
	const batch, channels, l = 2, 3, 64
	p := quarterConvolution(batch, channels, l)
	m := p.Stages[1].Program.(*ir.Map)
	m.Instrs = append(m.Instrs, apply(scalar.Add, elem.Complex64, 2, 1))
	m.Value[0] = 3
	reads := [][]byte{random(elem.Float32, batch*channels*l), random(elem.Complex64, channels*l), random(elem.Float32, channels)}
	if off := compare(t, p, reads, [][]byte{make([]byte, 4*batch*channels*l)}); !(off < 16) {
		t.Errorf("off by %g units", off)
	}
}

// Few lines are in quarter bins, but for those of a warp or less with 32 numbers in a thread.
func TestQuarterBinsByLines(t *testing.T) {
	for n, few := range map[int]bool{256: true, 512: false, 1024: false, 2048: true, 4096: true, 8192: true, 16384: true} {
		if QuarterBins(n, 8, false, h200) != few || !QuarterBins(n, 3072, false, h200) {
			t.Errorf("%d: %v for few lines, %v for many", n, QuarterBins(n, 8, false, h200), QuarterBins(n, 3072, false, h200))
		}
	}
}

// Few lines, which transform their filter themselves, have the bits of many, which read its bins.
func TestQuarterBitsOfFewLines(t *testing.T) {
	const batch, channels = 2, 3
	for _, l := range []int{256, 512, 1024, 2048, 4096, 8192} {
		x, k, bias := random(elem.Float32, batch*channels*l), random(elem.Float32, channels*l), random(elem.Float32, channels)
		run := func(p ir.Program, bytes int, reads ...[]byte) []byte {
			t.Helper()
			m, err := Generate(p, h200)
			if err != nil {
				t.Fatal(err)
			}
			out := make([]byte, bytes)
			if _, err := simulate.Run(m, reads, [][]byte{out}, nil, true); err != nil {
				t.Fatal(err)
			}
			return out
		}
		bins := run(&ir.FFT{Outer: []int{channels}, Kind: ir.FFTQuarterForward, N: l, Scale: 1, InLen: l,
			In: ir.Contiguous(elem.Float32, []int{channels, l}), Out: ir.Contiguous(elem.Complex64, []int{channels, l})}, 8*channels*l, k)
		many := run(quarterConvolution(batch, channels, l), len(x), x, bins, bias)
		if few := run(ownFilter(quarterConvolution(batch, channels, l)), len(x), x, k, bias); !bytes.Equal(few, many) {
			t.Errorf("%d: few lines have other bits than many", l)
		}
	}
}

// A number that is none, or infinite, stays in its line.
func TestQuarterLinesAreApart(t *testing.T) {
	const batch, channels, l = 4, 2, 256
	p := quarterConvolution(batch, channels, l)
	m, err := Generate(p, h200)
	if err != nil {
		t.Fatal(err)
	}
	run := func(spoil bool) []byte {
		x := random(elem.Float32, batch*channels*l)
		if spoil {
			reference.Store(reference.Float(elem.Float32, math.NaN()), x, 1*l+7)
			reference.Store(reference.Float(elem.Float32, math.Inf(1)), x, 4*l+l-1)
		}
		out := make([]byte, len(x))
		if _, err := simulate.Run(m, [][]byte{x, random(elem.Complex64, channels*l), random(elem.Float32, channels)}, [][]byte{out}, nil, true); err != nil {
			t.Fatal(err)
		}
		return out
	}
	clean, spoilt := run(false), run(true)
	for i := range batch * channels * l {
		got, want := real(reference.Load(elem.Float32, spoilt, i).Num), real(reference.Load(elem.Float32, clean, i).Num)
		if line := i / l; line == 1 || line == 4 {
			if !math.IsNaN(got) {
				t.Fatalf("line %d has %v", line, got)
			}
		} else if got != want {
			t.Fatalf("line %d has %v, alone %v", line, got, want)
		}
	}
}

// Causal convolutions with bins a quarter lower err no more than those of packed lines: normally
// distributed samples and taps, the root of the mean square against float64.
func TestQuarterErrors(t *testing.T) {
	const lines = 4
	for _, l := range []int{512, 1024, 4096} {
		r := rand.New(rand.NewPCG(uint64(l), 5))
		normal := func(n int) ([]byte, []float64) {
			b, v := make([]byte, 4*n), make([]float64, n)
			for i := range v {
				x := reference.Float(elem.Float32, r.NormFloat64())
				v[i] = real(x.Num)
				reference.Store(x, b, i)
			}
			return b, v
		}
		x, samples := normal(lines * l)
		k, taps := normal(l)
		want, scale := make([]float64, lines*l), 0.0
		for i := range want {
			line, at := i/l*l, i%l
			for j := range at + 1 {
				want[i] += taps[j] * samples[line+at-j]
			}
			scale += want[i] * want[i]
		}
		errs := map[bool]float64{}
		for _, quarter := range []bool{false, true} {
			p, bins := convolution(lines, 1, l, 2*l), l+1
			f := &ir.FFT{Outer: []int{1}, Kind: ir.FFTRealForward, N: 2 * l, Scale: 1, InLen: l}
			if quarter {
				p, bins = quarterConvolution(lines, 1, l), l
				f.Kind, f.N = ir.FFTQuarterForward, l
			}
			f.In, f.Out = ir.Contiguous(elem.Float32, []int{1, l}), ir.Contiguous(elem.Complex64, []int{1, bins})
			h, y := make([]byte, 8*bins), make([]byte, 4*lines*l)
			for _, step := range []struct {
				p             ir.Program
				reads, writes [][]byte
			}{{f, [][]byte{k}, [][]byte{h}}, {p, [][]byte{x, h, make([]byte, 4)}, [][]byte{y}}} {
				m, err := Generate(step.p, h200)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := simulate.Run(m, step.reads, step.writes, nil, true); err != nil {
					t.Fatal(err)
				}
			}
			off := 0.0
			for i, w := range want {
				d := real(reference.Load(elem.Float32, y, i).Num) - w
				off += d * d
			}
			errs[quarter] = math.Sqrt(off / scale)
		}
		t.Logf("%d samples: %.3g packed, %.3g with bins a quarter lower", l, errs[false], errs[true])
		if !(errs[true] <= errs[false]) {
			t.Errorf("%d samples: off by %g, packed lines by %g", l, errs[true], errs[false])
		}
	}
}

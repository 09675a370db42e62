package line

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// gated is a convolution of x times a gate, with a skip of that product, times
// another gate, and with the spectrum as a second result.
func gated(batch, channels, l, n int) *ir.Line {
	p := convolution(batch, channels, l, n)
	r, c, bins := elem.Float32, elem.Complex64, n/2+1
	lines := []int{channels * l, l}
	in, out := p.AddSlot(ir.Slot{Kind: ir.InSlot, Type: r, Len: l, Strides: lines}), p.AddSlot(ir.Slot{Kind: ir.InSlot, Type: r, Len: l, Strides: lines})
	u := p.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: r, Len: l})
	p.Slots[3] = ir.Slot{Kind: ir.OutSlot, Type: c, Len: bins, Strides: []int{channels * bins, bins}}
	one := over(r, 0, 1)
	p.Stages[0].Reads = []ir.SlotID{u}
	p.Stages[3] = ir.Stage{Reads: []ir.SlotID{5, 2, u, out}, Writes: []ir.SlotID{6},
		Program: mapOf(l, r, []ir.Operand{one, over(r, 0, 0), one, one}, load(r, 0), load(r, 1), load(r, 2), load(r, 3),
			apply(scalar.Mul, r, 1, 2), apply(scalar.Add, r, 0, 4), apply(scalar.Mul, r, 5, 3))}
	gate := ir.Stage{Reads: []ir.SlotID{0, in}, Writes: []ir.SlotID{u}, Program: mapOf(l, r, []ir.Operand{one, one}, load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1))}
	p.Stages = slices.Insert(p.Stages, 0, gate)
	return p
}

// filtered is a product in the frequency domain of complex lines of l elements,
// padded to n.
func filtered(lines, l, n int, inverse bool, c elem.Type) *ir.Line {
	one := over(c, 0, 1)
	return &ir.Line{
		Outer: []int{lines}, Segments: 1,
		Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: c, Len: l, Strides: []int{l}}, {Kind: ir.InSlot, Type: c, Len: n, Strides: []int{0}},
			{Kind: ir.LocalSlot, Type: c, Len: n}, {Kind: ir.LocalSlot, Type: c, Len: n}, {Kind: ir.OutSlot, Type: c, Len: n, Strides: []int{n}},
		},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTComplex, Inverse: inverse, N: n, Scale: 0.5, InLen: l, In: one, Out: one}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{2}},
			{Program: mapOf(n, c, []ir.Operand{one, one}, load(c, 0), load(c, 1), apply(scalar.Mul, c, 0, 1)), Reads: []ir.SlotID{2, 1}, Writes: []ir.SlotID{3}},
			{Program: &ir.FFT{Kind: ir.FFTComplex, Inverse: !inverse, N: n, Scale: 2 / float64(n), InLen: n, In: one, Out: one}, Reads: []ir.SlotID{3}, Writes: []ir.SlotID{4}},
		},
	}
}

// Convolutions of lines that do not fit on chip, here with little of it.
func TestRoundTrips(t *testing.T) {
	const batch, channels = 2, 3
	for _, c := range []struct{ n, l, most int }{
		{8192, 4096, 64}, {8192, 8192, 64}, {7200, 3600, 64}, {4320, 2000, 48}, {4320, 2001, 48}, {3600, 3600, 45}, {4096, 100, 64}, {2048, 1024, 32},
	} {
		t.Run(fmt.Sprintf("real/%d of %d", c.l, c.n), func(t *testing.T) {
			t.Parallel()
			reads := [][]byte{random(elem.Float32, batch*channels*c.l), random(elem.Complex64, channels*(c.n/2+1)), random(elem.Float32, channels)}
			checkTrip(t, convolution(batch, channels, c.l, c.n), c.most, reads, [][]byte{make([]byte, 4*batch*channels*c.l)})
			x := random(elem.Float32, batch*channels*c.l)
			checkTrip(t, gated(batch, channels, c.l, c.n), c.most, append(reads, x, slices.Clone(x)),
				[][]byte{make([]byte, 8*batch*channels*(c.n/2+1)), make([]byte, 4*batch*channels*c.l)})
		})
	}
	for _, c := range []struct {
		n, l, most int
		typ        elem.Type
	}{{4096, 2048, 64, elem.Complex64}, {3600, 3600, 64, elem.Complex128}, {2025, 1000, 45, elem.Complex64}} {
		t.Run(fmt.Sprintf("complex/%d of %d", c.l, c.n), func(t *testing.T) {
			t.Parallel()
			for _, inverse := range []bool{false, true} {
				checkTrip(t, filtered(3, c.l, c.n, inverse, c.typ), c.most,
					[][]byte{random(c.typ, 3*c.l), random(c.typ, c.n)}, [][]byte{make([]byte, c.typ.Size()*3*c.n)})
			}
		})
	}
}

func checkTrip(t *testing.T, p *ir.Line, most int, reads, writes [][]byte) {
	t.Helper()
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	for _, target := range []kgen.Target{h200, shader} {
		if !target.Wide && needsWide(p) {
			continue
		}
		m, err := generateTrip(p, target, most)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Scratch) != 1 || len(m.Steps) != 3 {
			t.Errorf("%d steps, %d arrays of scratch", len(m.Steps), len(m.Scratch))
		}
		if !target.Wide {
			checkShaders(t, m)
		}
		if off := compareModule(t, m, p, reads, writes); !(off < 24) {
			t.Errorf("off by %g units", off)
		}
	}
}

// Three passes over memory; one where a line fits on chip although its spectrum and the
// product do not.
func TestStepsOfRoundTrips(t *testing.T) {
	for _, c := range []struct{ batch, channels, l, n, steps int }{
		{16, 768, 16384, 32768, 1}, {4, 768, 65536, 131072, 3}, {1, 64, 1 << 20, 1 << 20, 3}, {1, 64, 44100, 88200, 3},
	} {
		p := convolution(c.batch, c.channels, c.l, c.n)
		if !RoundTrips(p, h200) {
			t.Errorf("%d of %d: refused", c.l, c.n)
		}
		m, err := Generate(p, h200)
		if err != nil || len(m.Steps) != c.steps {
			t.Errorf("%d of %d: %d steps, want %d: %v", c.l, c.n, len(m.Steps), c.steps, err)
		}
	}
	for _, n := range []int{2 * 65537, 65537, 1 << 26} {
		if RoundTrips(convolution(1, 1, n/2, n), h200) {
			t.Errorf("a line of %d is accepted", n)
		}
	}
}

// A convolution has the bits of its transforms one by one, whatever its length.
func TestFusedTripsHaveTheSameBits(t *testing.T) {
	const lines, n, l, most = 2, 4096, 2048, 64
	const bins = n/2 + 1
	r, c := elem.Float32, elem.Complex64
	x, h := random(r, lines*l), random(c, bins)
	p := convolution(lines, 1, l, n)
	run := func(p ir.Program, generate func(kgen.Target) (*kgen.Module, error), reads [][]byte, bytes int) []byte {
		t.Helper()
		m, err := generate(h200)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]byte, bytes)
		if _, err := simulate.Run(m, reads, [][]byte{out}, nil, true); err != nil {
			t.Fatal(err)
		}
		return out
	}
	long := func(f *ir.FFT) func(kgen.Target) (*kgen.Module, error) {
		return func(target kgen.Target) (*kgen.Module, error) { return generateLong(f, target, most) }
	}
	fused := run(p, func(target kgen.Target) (*kgen.Module, error) { return generateTrip(p, target, most) }, [][]byte{x, h, make([]byte, 4)}, 4*lines*l)
	there := &ir.FFT{Outer: []int{lines}, Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: l, In: ir.Contiguous(r, []int{lines, l}), Out: ir.Contiguous(c, []int{lines, bins})}
	spectrum := run(there, long(there), [][]byte{x}, 8*lines*bins)
	dims := []int{lines, bins}
	product := &ir.Map{Dims: dims, Code: ir.Code{In: []ir.Operand{ir.Contiguous(c, dims), {Type: c, Strides: []int{0, 1}}},
		Instrs: []ir.Instr{load(c, 0), load(c, 1), apply(scalar.Mul, c, 0, 1)}}, Out: []ir.Operand{ir.Contiguous(c, dims)}, Value: []ir.ValueID{2}}
	spectrum = run(product, func(target kgen.Target) (*kgen.Module, error) { return kgen.Generate(product, target) }, [][]byte{spectrum, h}, 8*lines*bins)
	back := transformOf(n, lines, ir.FFTRealInverse, false, c)
	back.Scale = 1 / float64(n)
	samples := run(back, long(back), [][]byte{spectrum}, 4*lines*n)
	for line := range lines {
		for i := range l {
			// A bias of 0 makes -0 of a sum 0.
			got, want := reference.Load(r, fused, line*l+i).Num, reference.Load(r, samples, line*n+i).Num
			if got != want {
				t.Fatalf("line %d, sample %d: %v fused, %v one by one", line, i, got, want)
			}
		}
	}
}

// Lines that share more than a cache holds follow each other.
func TestLinesThatShareFollowEachOther(t *testing.T) {
	for _, c := range []struct{ l, n, batch int }{{16384, 32768, 768}, {65536, 131072, 768}, {512, 512, 16}} {
		p := convolution(16, 768, c.l, c.n)
		o := outerOf(p)
		o.gather(p)
		if last := o.dims[0]; last != c.batch {
			t.Errorf("%d: dimensions %v", c.l, o.dims)
		}
	}
}

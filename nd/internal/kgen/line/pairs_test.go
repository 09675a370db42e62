package line

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// inHalves is a convolution of lines that are stored as halves, by transforms that may
// be fast: of x, or of x times a gate, with a skip, times another gate.
func inHalves(t elem.Type, batch, channels, l, n int, gate bool) *ir.Line {
	p := convolution(batch, channels, l, n)
	r, one := elem.Float32, over(elem.Float32, 0, 1)
	cast := func(from ir.ValueID, to elem.Type) ir.Instr {
		return ir.Instr{Kind: ir.Apply, Op: scalar.Cast, Type: to, A: from, B: from}
	}
	half := over(t, 0, 1)
	p.Slots[0].Type, p.Slots[6].Type = t, t
	u := p.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: r, Len: l})
	widen := ir.Stage{Reads: []ir.SlotID{0}, Writes: []ir.SlotID{u}, Program: mapOf(l, r, []ir.Operand{half}, load(t, 0), cast(0, r))}
	last := mapOf(l, t, []ir.Operand{one, over(r, 0, 0)}, load(r, 0), load(r, 1), apply(scalar.Add, r, 0, 1), cast(2, t))
	if gate {
		in, out := p.AddSlot(p.Slots[0]), p.AddSlot(p.Slots[0])
		widen.Reads = []ir.SlotID{0, in}
		widen.Program = mapOf(l, r, []ir.Operand{half, half}, load(t, 0), cast(0, r), load(t, 1), cast(2, r), apply(scalar.Mul, r, 1, 3))
		last = mapOf(l, t, []ir.Operand{one, over(r, 0, 0), half, one}, load(r, 0), load(r, 1), load(r, 3), apply(scalar.Mul, r, 1, 2), apply(scalar.Add, r, 0, 3),
			load(t, 2), cast(5, r), apply(scalar.Mul, r, 4, 6), cast(7, t))
		p.Stages[3].Reads = append(p.Stages[3].Reads, out, u)
	}
	p.Stages[3].Program = last
	p.Stages[0].Reads = []ir.SlotID{u}
	for _, i := range []int{0, 2} {
		p.Stages[i].Program.(*ir.FFT).Mode = accum.Fast
	}
	p.Stages = slices.Insert(p.Stages, 0, widen)
	return p
}

// operandsOf are random operands of inHalves, the lines of magnitude 2^e.
func operandsOf(t elem.Type, batch, channels, l, n int, gate bool, e float64) [][]byte {
	sized := func(e float64, count int) []byte {
		b, out := random(elem.Float32, count), make([]byte, count*2)
		for i := range count {
			v := reference.Load(elem.Float32, b, i)
			v.Type, v.Num = t, v.Num*complex(math.Exp2(e), 0)
			reference.Store(v, out, i)
		}
		return out
	}
	reads := [][]byte{sized(e, batch*channels*l), random(elem.Complex64, channels*(n/2+1)), random(elem.Float32, channels)}
	if gate {
		reads = append(reads, sized(0, batch*channels*l), sized(0, batch*channels*l))
	}
	return reads
}

// pairedRun runs a program in halves on the machine and by the reference, and gives both
// results.
func pairedRun(t *testing.T, p *ir.Line, half elem.Type, reads [][]byte, count int) (got, want []float64) {
	t.Helper()
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	m, err := Generate(p, h200)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Steps) != 2 || len(m.Scratch) < 2 {
		t.Fatalf("%d steps, %d arrays of scratch", len(m.Steps), len(m.Scratch))
	}
	out, exact := make([]byte, 2*count), make([]byte, 2*count)
	if err := reference.Run(p, reads, [][]byte{exact}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := simulate.Run(m, reads, [][]byte{out}, nil, true); err != nil {
		t.Fatal(err)
	}
	for i := range count {
		got = append(got, reference.Load(half, out, i).Float64())
		want = append(want, reference.Load(half, exact, i).Float64())
	}
	return got, want
}

// apartBy is the root mean square of differences, over that of what is wanted.
func apartBy(got, want []float64) float64 {
	off, all := 0.0, 0.0
	for i, w := range want {
		off += (w - got[i]) * (w - got[i])
		all += w * w
	}
	return math.Sqrt(off / all)
}

// Two lines at a time, in halves: off by about a thousandth, and by what storing both
// results as bfloat16 rounds.
func TestPairs(t *testing.T) {
	const batch, channels = 4, 3
	for half, bar := range map[elem.Type]float64{elem.Float16: 2e-3, elem.BFloat16: 3.5e-3} {
		for _, c := range []struct {
			l, n int
			gate bool
			e    float64
		}{{64, 64, false, 0}, {64, 128, true, -3}, {60, 128, false, 5}, {1024, 2048, false, 0}, {1024, 2048, true, 3}, {1024, 1024, false, -8}, {4096, 8192, false, 0}} {
			t.Run(fmt.Sprintf("%s/%d of %d", half, c.l, c.n), func(t *testing.T) {
				t.Parallel()
				reads := operandsOf(half, batch, channels, c.l, c.n, c.gate, c.e)
				got, want := pairedRun(t, inHalves(half, batch, channels, c.l, c.n, c.gate), half, reads, batch*channels*c.l)
				off := apartBy(got, want)
				t.Logf("off by %.2g", off)
				if !(off < bar) {
					t.Errorf("off by %.2g", off)
				}
			})
		}
	}
}

// Lines and filters of any magnitude have results as good as others; what is infinite
// or NaN in a line stays there.
func TestPairsOfAllMagnitudes(t *testing.T) {
	const l = 256
	for _, half := range []elem.Type{elem.Float16, elem.BFloat16} {
		allMagnitudes(t, half, inHalves(half, 4, 2, l, 2*l, false), l, l+1)
		allMagnitudes(t, half, inQuarterHalves(half, 4, 2, l, false), l, l)
	}
}

func allMagnitudes(t *testing.T, half elem.Type, p *ir.Line, l, bins int) {
	const batch, channels = 4, 2
	reads := operandsOf(half, batch, channels, l, 2*(bins-1), false, 0)
	clear(reads[2])
	set := func(line, at int, v float64) {
		reference.Store(reference.Float(half, v), reads[0], line*l+at)
	}
	scaled := func(line int, by float64) {
		for i := range l {
			set(line, i, reference.Load(half, reads[0], line*l+i).Float64()*by)
		}
	}
	for i := range bins * 2 { // of the second filter
		h := reference.Load(elem.Float32, reads[1], bins*2+i)
		h.Num *= complex(0x1p-70, 0)
		reference.Store(h, reads[1], bins*2+i)
	}
	big, small := 0x1.ffp15, 0x1p-6
	if half == elem.BFloat16 {
		big, small = 0x1p40, 0x1p-60
	}
	scaled(2, small) // with line 0
	scaled(3, 0x1p3) // with line 1
	scaled(4, 1/big) // with line 6
	set(5, 7, math.Inf(1))
	clear(reads[0][2*6*l : 2*7*l])
	set(7, 0, math.NaN())
	if half == elem.BFloat16 {
		scaled(1, big)
	}
	got, want := pairedRun(t, p, half, reads, batch*channels*l)
	for line := range batch * channels {
		g, w := got[line*l:(line+1)*l], want[line*l:(line+1)*l]
		switch {
		case line == 5 || line == 7:
			if !math.IsNaN(g[l-1]) {
				t.Errorf("%s: line %d, which is not finite, gives %g", half, line, g[l-1])
			}
		case !slices.ContainsFunc(w, func(v float64) bool { return v != 0 }):
			if slices.ContainsFunc(g, func(v float64) bool { return v != 0 }) {
				t.Errorf("%s: line %d of zeros gives %g", half, line, slices.Max(g))
			}
		default:
			if off := apartBy(g, w); !(off < 5e-3) {
				t.Errorf("%s: line %d of %g is off by %.2g", half, line, slices.Max(w), off)
			}
		}
	}
}

// Products with the conjugates of a filter's bins, of which the first and the last count as
// reals.
func TestPairsByConjugates(t *testing.T) {
	const batch, channels, l, n, half = 2, 3, 60, 128, elem.Float16
	c := elem.Complex64
	p := inHalves(half, batch, channels, l, n, false)
	p.Stages[2].Program = mapOf(n/2+1, c, []ir.Operand{over(c, 0, 1), over(c, 0, 1)},
		load(c, 0), load(c, 1), apply(scalar.Conj, c, 1, 1), apply(scalar.Mul, c, 0, 2))
	got, want := pairedRun(t, p, half, operandsOf(half, batch, channels, l, n, false, 0), batch*channels*l)
	if off := apartBy(got, want); !(off < 2e-3) {
		t.Errorf("off by %.2g", off)
	}
}

// What is no convolution of pairs of lines in halves by transforms that may be fast is
// computed as before, and the text of one that is does not change from time to time.
func TestWhatIsPaired(t *testing.T) {
	const half = elem.BFloat16
	usual := func(change func(*ir.Line)) int {
		t.Helper()
		p := inHalves(half, 4, 3, 64, 128, true)
		change(p)
		m, err := Generate(p, h200)
		if err != nil {
			t.Fatal(err)
		}
		return len(m.Steps)
	}
	for what, change := range map[string]func(*ir.Line){
		"pairwise sums": func(p *ir.Line) { p.Stages[1].Program.(*ir.FFT).Mode = accum.Pairwise },
		"odd batches":   func(p *ir.Line) { p.Outer[0] = 3 },
		"float32 stored": func(p *ir.Line) {
			p.Slots[0].Type = elem.Float32
			p.Stages[0].Program.(*ir.Map).Instrs[0].Type = elem.Float32
		},
		"filters of lines": func(p *ir.Line) { p.Slots[1].Strides = []int{3 * 65, 65} },
	} {
		if steps := usual(change); steps != 1 {
			t.Errorf("%s: %d steps", what, steps)
		}
	}
	if steps := usual(func(*ir.Line) {}); steps != 2 {
		t.Errorf("%d steps", steps)
	}
	first, err := Generate(inHalves(half, 4, 3, 64, 128, true), h200)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, err := Generate(inHalves(half, 4, 3, 64, 128, true), h200); err != nil || textOf(again) != textOf(first) {
			t.Fatalf("another text: %v", err)
		}
	}
}

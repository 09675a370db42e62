package line

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// summing is a reduction of n elements of slots and what it comes to, in the
// order of a step of its own.
type summing struct {
	stage ir.Stage
	want  func(line int) float32
}

// sumsOf are sums, means, norms, dots and sums of powers over the first n
// elements of x, and of z, of lines of length apart.
func sumsOf(n, from, apart int, x []float32, z []complex64) []summing {
	r, c := elem.Float32, elem.Complex64
	reduce := func(post []ir.Instr, in []ir.Operand, instrs ...ir.Instr) *ir.Reduce {
		return &ir.Reduce{Dims: []int{n}, Inner: 1, Op: ir.Sum, Value: ir.ValueID(len(instrs) - 1), Out: ir.Operand{Type: r},
			Code: ir.Code{In: in, Instrs: instrs}, Post: ir.Code{Instrs: append([]ir.Instr{{Kind: ir.Acc, Type: r}}, post...)}}
	}
	over1 := over(r, from, 1)
	of := func(f func(i int) float32) func(int) float32 {
		return func(line int) float32 {
			list := make([]float32, n)
			for i := range list {
				list[i] = f(line*apart + from + i)
			}
			return order.SumOfLine(list)
		}
	}
	total := of(func(i int) float32 { return x[i] })
	squares := of(func(i int) float32 { return float32(x[i] * x[i]) })
	return []summing{
		{ir.Stage{Program: reduce(nil, []ir.Operand{over1}, load(r, 0)), Reads: []ir.SlotID{0}}, total},
		{ir.Stage{Program: reduce([]ir.Instr{{Kind: ir.Const, Type: r}, apply(scalar.Mul, r, 0, 1)}, []ir.Operand{over1}, load(r, 0)), Reads: []ir.SlotID{0}},
			func(line int) float32 { return float32(total(line) * half) }},
		{ir.Stage{Program: reduce([]ir.Instr{apply(scalar.Sqrt, r, 0, 0)}, []ir.Operand{over1}, load(r, 0), apply(scalar.Mul, r, 0, 0)), Reads: []ir.SlotID{0}},
			func(line int) float32 { return float32(math.Sqrt(float64(squares(line)))) }},
		{ir.Stage{Program: reduce(nil, []ir.Operand{over1, over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1)), Reads: []ir.SlotID{0, 0}},
			of(func(i int) float32 { return float32(x[i] * x[i-from]) })},
		{ir.Stage{Program: reduce(nil, []ir.Operand{over(c, from, 1)}, load(c, 0), apply(scalar.AbsSquared, r, 0, 0)), Reads: []ir.SlotID{1}},
			of(func(i int) float32 { return float32(real(z[i])*real(z[i])) + float32(imag(z[i])*imag(z[i])) })},
	}
}

const half = 0.5

// A sum that is fused with a transform has the bits of the same sum as a step,
// whatever its length, and however many threads the transform has.
func TestFusedSumsAreThoseOfSteps(t *testing.T) {
	const lines = 2
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n       int // of the transform
		lengths []int
	}{
		{1, []int{1, 2, 3, 5, 64, 90}}, {60, []int{1, 60, 59, 31, 128, 129}}, {64, []int{1, 7, 64, 65, 250, 1000}}, {210, []int{2, 105, 210, 1300}},
		{256, []int{3, 256, 255}}, {1000, []int{1000, 999, 2500}}, {1024, []int{1024, 1025, 513}}, {4096, []int{4096, 2049, 9000, 40_000}},
	} {
		t.Run(fmt.Sprint(c.n), func(t *testing.T) {
			t.Parallel()
			r, z := elem.Float32, elem.Complex64
			apart := slices.Max(c.lengths) + 3
			x, y := make([]float32, lines*apart), make([]complex64, lines*apart)
			for i := range x {
				x[i], y[i] = rng.Float32()-0.3, complex(rng.Float32(), rng.Float32()-0.7)
			}
			p := &ir.Line{Outer: []int{lines}, Segments: 1, Slots: []ir.Slot{
				{Kind: ir.InSlot, Type: r, Len: apart, Strides: []int{apart}}, {Kind: ir.InSlot, Type: z, Len: apart, Strides: []int{apart}},
			}}
			var list []summing
			var outs [][]byte
			add := func(s ir.Stage, t elem.Type, n int) {
				s.Writes = []ir.SlotID{p.AddSlot(ir.Slot{Kind: ir.OutSlot, Type: t, Len: n, Strides: []int{n}})}
				p.Stages = append(p.Stages, s)
				outs = append(outs, make([]byte, lines*n*t.Size()))
			}
			for i, n := range c.lengths {
				list = append(list, sumsOf(n, i%3, apart, x, y)...)
			}
			for _, s := range list {
				add(s.stage, r, 1)
			}
			add(ir.Stage{Program: &ir.FFT{Kind: ir.FFTRealForward, N: c.n, Scale: 1, InLen: c.n, In: over(r, 0, 1), Out: over(z, 0, 1)}, Reads: []ir.SlotID{0}}, z, c.n/2+1)
			m, err := Generate(p, h200)
			if err != nil {
				t.Fatal(err)
			}
			args := []scalar.Arg{scalar.ArgOf(r, half)}
			if _, err := simulate.Run(m, [][]byte{elem.Bytes(x), elem.Bytes(y)}, outs, args, true); err != nil {
				t.Fatal(err)
			}
			for i, s := range list {
				for l := range lines {
					if got := elem.Slice[float32](outs[i])[l]; got != s.want(l) {
						t.Errorf("sum %d of %d elements: %v, a step has %v", i%5, c.lengths[i/5], got, s.want(l))
					}
				}
			}
		})
	}
}

// So has a sum over segments, in registers or on chip.
func TestSegmentSumsAreThoseOfSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, bins, hop = 16, 9, 3
	for _, segments := range []int{3, 65, 500, 4500} {
		t.Run(fmt.Sprint(segments), func(t *testing.T) {
			t.Parallel()
			r, c := elem.Float32, elem.Complex64
			x := make([]float32, n+hop*(segments-1))
			for i := range x {
				x[i] = rng.Float32() - 0.4
			}
			accumulate := func(n int, in elem.Type, op scalar.Op) ir.Stage {
				first := mapOf(n, r, []ir.Operand{over(in, 0, 1)}, load(in, 0), apply(op, r, 0, 0))
				more := mapOf(n, r, []ir.Operand{over(in, 0, 1), over(r, 0, 1)}, load(in, 0), apply(op, r, 0, 0), load(r, 1), apply(scalar.Add, r, 2, 1))
				return ir.Stage{Each: true, First: first, Program: more, Combine: ir.Sum}
			}
			power, sines := accumulate(bins, c, scalar.AbsSquared), accumulate(n, r, scalar.Neg)
			power.Reads, power.Writes = []ir.SlotID{1, 2}, []ir.SlotID{2}
			sines.Reads, sines.Writes = []ir.SlotID{0, 3}, []ir.SlotID{3}
			copied := func(n int, from, to ir.SlotID) ir.Stage {
				return ir.Stage{Program: mapOf(n, r, []ir.Operand{over(r, 0, 1)}, load(r, 0)), Reads: []ir.SlotID{from}, Writes: []ir.SlotID{to}}
			}
			p := &ir.Line{Outer: []int{1}, Segments: segments, Slots: []ir.Slot{
				{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{0}, Segment: hop},
				{Kind: ir.LocalSlot, Type: c, Len: bins}, {Kind: ir.LocalSlot, Type: r, Len: bins}, {Kind: ir.LocalSlot, Type: r, Len: n},
				{Kind: ir.OutSlot, Type: r, Len: bins, Strides: []int{0}}, {Kind: ir.OutSlot, Type: r, Len: n, Strides: []int{0}},
			}, Stages: []ir.Stage{
				{Each: true, Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: over(r, 0, 1), Out: over(c, 0, 1)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
				power, sines, copied(bins, 2, 4), copied(n, 3, 5),
			}}
			m, err := Generate(p, h200)
			if err != nil {
				t.Fatal(err)
			}
			got, signed := make([]float32, bins), make([]float32, n)
			if _, err := simulate.Run(m, [][]byte{elem.Bytes(x)}, [][]byte{elem.Bytes(got), elem.Bytes(signed)}, nil, true); err != nil {
				t.Fatal(err)
			}
			f := transformOf(n, segments, ir.FFTRealForward, false, c)
			f.In.Strides[0] = hop
			if m, err = Generate(f, h200); err != nil {
				t.Fatal(err)
			}
			spectra := make([]complex64, segments*bins)
			if _, err := simulate.Run(m, [][]byte{elem.Bytes(x)}, [][]byte{elem.Bytes(spectra)}, nil, true); err != nil {
				t.Fatal(err)
			}
			column := make([]float32, segments)
			for k := range bins {
				for s := range column {
					z := spectra[s*bins+k]
					column[s] = float32(real(z)*real(z)) + float32(imag(z)*imag(z))
				}
				if want := order.SumOfRows(column); got[k] != want {
					t.Errorf("power %d: %v, a step has %v", k, got[k], want)
				}
			}
			for i := range n {
				for s := range column {
					column[s] = -x[s*hop+i]
				}
				if want := order.SumOfRows(column); signed[i] != want {
					t.Errorf("element %d: %v, a step has %v", i, signed[i], want)
				}
			}
		})
	}
}

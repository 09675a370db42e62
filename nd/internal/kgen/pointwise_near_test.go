package kgen_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Where short ways know the sizes of their operands and do not ask, results have the
// bits of the usual ways all the same, and ordinary numbers and zeros go the short way.
func TestShortWaysKnowSizes(t *testing.T) {
	load := func(slot int) ir.Instr { return ir.Instr{Kind: ir.Load, Type: elem.Float32, Slot: slot} }
	apply := func(op scalar.Op, a, b ir.ValueID) ir.Instr {
		return ir.Instr{Kind: ir.Apply, Op: op, Type: elem.Float32, A: a, B: b}
	}
	floor := ir.Instr{Kind: ir.Const, Type: elem.Float32}
	complexOf := func(op scalar.Op, a, b ir.ValueID) ir.Instr {
		return ir.Instr{Kind: ir.Apply, Op: op, Type: elem.Complex64, A: a, B: b}
	}
	codes := map[string]*ir.Code{
		"difference of roots over a root": {Instrs: []ir.Instr{
			load(0), load(1), apply(scalar.AbsSquared, 0, 0), apply(scalar.AbsSquared, 1, 1), apply(scalar.Sqrt, 2, 0), apply(scalar.Sqrt, 3, 0),
			apply(scalar.Sub, 4, 5), floor, apply(scalar.Maximum, 4, 7), apply(scalar.Div, 6, 8)}},
		"over a root of what is raised": {Instrs: []ir.Instr{
			load(0), load(1), apply(scalar.AbsSquared, 0, 0), floor, apply(scalar.Maximum, 2, 3), apply(scalar.Sqrt, 4, 0),
			apply(scalar.Div, 1, 5), apply(scalar.Sub, 6, 1), apply(scalar.Div, 7, 5)}},
		"over what is raised": {Instrs: []ir.Instr{
			load(0), load(1), floor, apply(scalar.AbsSquared, 0, 0), apply(scalar.Maximum, 3, 2), apply(scalar.Div, 1, 4)}},
		"what is raised over a number": {Instrs: []ir.Instr{
			load(0), load(1), floor, apply(scalar.AbsSquared, 0, 0), apply(scalar.Maximum, 3, 2), apply(scalar.Div, 4, 1)}},
		"root of a difference": {Instrs: []ir.Instr{
			load(0), load(1), apply(scalar.AbsSquared, 0, 0), apply(scalar.Sqrt, 2, 0), apply(scalar.AbsSquared, 1, 0), apply(scalar.Sqrt, 4, 0),
			apply(scalar.Sub, 3, 5), apply(scalar.Sqrt, 6, 0), apply(scalar.Div, 7, 1)}},
		"magnitude": {Instrs: []ir.Instr{load(0), load(1), complexOf(scalar.MakeComplex, 0, 1), apply(scalar.Abs, 2, 0)}},
		"real part of a sign": {Instrs: []ir.Instr{
			load(0), load(1), complexOf(scalar.MakeComplex, 0, 1), complexOf(scalar.Sign, 2, 0), apply(scalar.Real, 3, 0)}},
		"imaginary part of a sign": {Instrs: []ir.Instr{
			load(0), load(1), complexOf(scalar.MakeComplex, 0, 1), complexOf(scalar.Sign, 2, 0), apply(scalar.Imag, 3, 0)}},
		"sign times a root of the magnitude": {Instrs: []ir.Instr{
			load(0), load(1), complexOf(scalar.MakeComplex, 0, 1), apply(scalar.Abs, 2, 0), apply(scalar.Sqrt, 3, 0), complexOf(scalar.Sign, 2, 0),
			apply(scalar.Imag, 5, 0), apply(scalar.Mul, 4, 6)}},
	}
	const n = 1 << 14
	rng := rand.New(rand.NewPCG(3, 4))
	special := []uint32{0, 1 << 31, 1, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00800000, 0x007fffff}
	number := func(i int) float32 {
		switch bits := rng.Uint32(); {
		case i < n/4: // of any size
			return math.Float32frombits(bits)
		case i < n/4+n/8:
			return math.Float32frombits(special[bits%uint32(len(special))])
		}
		return float32(rng.NormFloat64())
	}
	a, b := make([]float32, n), make([]float32, n)
	for i := range n {
		if a[i], b[i] = number(i), number(i); i%7 == 0 {
			b[i] = -a[i]
		} else if i > n-100 {
			a[i], b[i] = 0, 1
		}
	}
	for name, c := range codes {
		for _, least := range []float32{1e-8, 1, 0, 1e-38, 1e20, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.NaN())} {
			near, short, usual := bothWays(t, c, least, a, b)
			for i := range near {
				if near[i] != 0 && short[i] != usual[i] && !(isNaN(short[i]) && isNaN(usual[i])) {
					t.Fatalf("%s, raised to %g: of %g and %g %#x and not %#x", name, least, a[i], b[i], short[i], usual[i])
				}
				if near[i] == 0 && i >= n/2 && usual[i]<<1 < 0xff<<24 && least >= 1e-8 && least <= 1 {
					t.Fatalf("%s, raised to %g: %g and %g go the long way", name, least, a[i], b[i])
				}
			}
		}
	}
}

// Magnitudes of complex numbers of any size are within a unit or two, infinite beside NaN.
func TestMagnitudesOfAnySize(t *testing.T) {
	const n = 1 << 14
	rng := rand.New(rand.NewPCG(5, 6))
	a, b := make([]float32, n), make([]float32, n)
	for i := range n {
		a[i] = math.Float32frombits(rng.Uint32())
		if b[i] = math.Float32frombits(rng.Uint32()); i%2 == 0 { // of about the same size
			b[i] = a[i] * (rng.Float32() - 0.5)
		}
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	copy(a, []float32{0, inf, nan, nan, 1e-45, math.MaxFloat32, math.MaxFloat32, float32(math.Copysign(0, -1))})
	copy(b, []float32{0, nan, -inf, 1, -1e-45, math.MaxFloat32, 1, 0})
	r, c := elem.Float32, elem.Complex64
	code := &ir.Code{Instrs: []ir.Instr{{Kind: ir.Load, Type: r}, {Kind: ir.Load, Type: r, Slot: 1},
		{Kind: ir.Apply, Op: scalar.MakeComplex, Type: c, A: 0, B: 1}, {Kind: ir.Apply, Op: scalar.Abs, Type: r, A: 2}}}
	_, _, got := bothWays(t, code, 0, a, b)
	for i, bits := range got {
		want := float32(math.Hypot(float64(a[i]), float64(b[i])))
		if want != want && isNaN(bits) {
			continue
		}
		if off := int64(bits) - int64(math.Float32bits(want)); off < -2 || off > 2 {
			t.Errorf("of %g and %g: %g and not %g", a[i], b[i], math.Float32frombits(bits), want)
		}
	}
}

func isNaN(bits uint32) bool { return bits&0x7fffffff > 0x7f800000 }

// bothWays runs a code by short ways and by the usual ones.
func bothWays(t *testing.T, c *ir.Code, floor float32, a, b []float32) (near, short, usual []uint32) {
	t.Helper()
	const group = 64
	k := build.NewKernel("ways", group)
	word := ktree.Scalar(ktree.Uint)
	in := []build.Val{k.Buffer("a", ktree.Scalar(ktree.Float), false), k.Buffer("b", ktree.Scalar(ktree.Float), false)}
	raise := k.Buffer("floor", ktree.Scalar(ktree.Float), false)
	results := []build.Val{k.Buffer("near", word, true), k.Buffer("short", word, true), k.Buffer("usual", word, true)}
	i := k.Let("i", k.Group().Mul(group).Add(k.Thread()))
	consts := map[kgen.ConstKey]kgen.Num{{Type: elem.Float32}: kgen.Real(k.Let("floor", raise.At(0)))}
	leaves := kgen.Leaves{Load: func(slot int) kgen.Num { return kgen.Real(k.Let("x", in[slot].At(i))) }}
	ways := kgen.Codes{Kernel: k, Consts: consts}
	k.Set(results[2].At(i), ways.At(c, "u", leaves, c.Last())[0].Re.Bits(ktree.Uint))
	ways.Near = ways.NewNear(c)
	k.Set(results[1].At(i), ways.At(c, "s", leaves, c.Last())[0].Re.Bits(ktree.Uint))
	k.Set(results[0].At(i), ways.Near.To(ktree.Uint))
	m := &kgen.Module{Kernels: []*ktree.Program{k.Program()}, Steps: []kgen.Step{{Groups: len(a) / group, Threads: group}}}
	for i := range 3 {
		m.Steps[0].Params = append(m.Steps[0].Params, kgen.Param{Kind: kgen.ReadPointer, Index: i})
	}
	out := make([][]byte, 3)
	for i := range out {
		out[i] = make([]byte, 4*len(a))
		m.Steps[0].Params = append(m.Steps[0].Params, kgen.Param{Kind: kgen.WritePointer, Index: i})
	}
	if _, err := simulate.Run(m, [][]byte{elem.Bytes(a), elem.Bytes(b), elem.Bytes([]float32{floor})}, out, nil, true); err != nil {
		t.Fatal(err)
	}
	words := func(bytes []byte) []uint32 {
		list := make([]uint32, len(a))
		for i := range list {
			list[i] = binary.LittleEndian.Uint32(bytes[4*i:])
		}
		return list
	}
	return words(out[0]), words(out[1]), words(out[2])
}

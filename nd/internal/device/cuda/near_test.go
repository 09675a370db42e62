package cuda

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// The short ways to roots and quotients (see kgen.Codes) give the nearest number
// wherever they claim to: of all float32, and of as many pairs, half of them from
// [1, 2) with any sign, and some with zeros.
func TestShortWaysAreExact(t *testing.T) {
	const threads, each, group = 1 << 18, 1 << 14, 128
	text := printer.CUDAUnit(triedWays(group, each))
	raw, err := kernc.Compile(kernc.Spec{Name: "tried", Inputs: []kernc.Operand{{Name: "x", Type: elem.Float32}}, Outputs: []kernc.Operand{{Name: "y", Type: elem.Float32}}, CUDA: text})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, openGPU(t))
	y := b.floats(make([]float32, threads)...)
	b.run(b.kernel(customOf(raw, threads, false)), "tried", b.floats(make([]float32, threads)...), y)
	got, err := b.read(y)
	if err != nil {
		t.Fatal(err)
	}
	tries := 0.0
	for i, n := range got {
		if n < 0 {
			t.Fatalf("%g wrong of those of thread %d", -n, i)
		}
		tries += float64(n)
	}
	// Half of all numbers have no sign, and a tenth of those are too small; half of
	// the pairs and a quarter of the others are in range.
	if all := float64(threads * each); tries < 0.9*all {
		t.Errorf("%g roots and quotients of %g numbers", tries, all)
	}
}

// triedWays is a kernel whose threads try so many numbers each: y counts those
// that the short ways are for or, below 0, those that they get wrong.
func triedWays(group, each int) *ktree.Program {
	k := build.NewKernel("tried", group)
	float := ktree.Scalar(ktree.Float)
	k.Buffer("x", float, false)
	y, n := k.Buffer("y", float, true), k.Number("n", ktree.Scalar(ktree.Uint))
	word := func(v int64) build.Val { return build.Int(ktree.Uint, v) }
	// tried is an operation by its short way and by the usual one.
	tried := func(op scalar.Op, x ...build.Val) (right, wrong build.Val) {
		c := &ir.Code{}
		for i := range x {
			c.In = append(c.In, ir.Operand{Type: elem.Float32})
			c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Load, Type: elem.Float32, Slot: i})
		}
		c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Apply, Op: op, Type: elem.Float32, A: 0, B: ir.ValueID(len(x) - 1)})
		near := kgen.Codes{Kernel: k}.NewNear(c)
		leaves := kgen.Leaves{Load: func(i int) kgen.Num { return kgen.Real(x[i]) }}
		short := kgen.Codes{Kernel: k, Near: near}.At(c, "s", leaves, c.Last())[0].Re
		usual := kgen.Codes{Kernel: k}.At(c, "u", leaves, c.Last())[0].Re
		differ := short.Bits(ktree.Uint).Ne(usual.Bits(ktree.Uint))
		return near.To(ktree.Uint), near.AndThen(differ).To(ktree.Uint)
	}
	i := k.Let("i", k.Group().Mul(group).Add(k.Thread()))
	k.If(i.Lt(n), func() {
		right, wrong := k.Var("right", word(0)), k.Var("wrong", word(0))
		count := func(r, w build.Val) {
			k.Set(right, right.Add(r))
			k.Set(wrong, wrong.Add(w))
		}
		k.For("j", word(0), each, 1, 0, func(j build.Val) {
			bits := k.Let("bits", i.Mul(each).Add(j))
			count(tried(scalar.Sqrt, k.Let("x", bits.Bits(ktree.Float))))
			h := k.Let("h", bits.To(ktree.Ulong).Add(1).Mul(build.Int(ktree.Ulong, -0x61c8864680b583eb)))
			h = k.Let("h", h.Xor(h.Shr(30)).Mul(build.Int(ktree.Ulong, -0x40a7b892e31b1a47)))
			h = k.Let("h", h.Xor(h.Shr(27)).Mul(build.Int(ktree.Ulong, -0x6b2fb644ecceee15)))
			p, q := k.Var("p", h.To(ktree.Uint)), k.Var("q", h.Shr(32).To(ktree.Uint))
			k.If(j.And(1).Ne(0), func() {
				for _, v := range []build.Val{p, q} {
					k.Set(v, v.And(word(0x807fffff)).Or(word(0x3f800000)))
				}
			})
			sign := word(0x80000000)
			k.If(j.And(7).Eq(2), func() { k.Set(p, p.And(sign)) })
			k.If(j.And(15).Eq(4), func() { k.Set(q, q.And(sign)) })
			count(tried(scalar.Div, k.Let("v", p.Bits(ktree.Float)), k.Let("w", q.Bits(ktree.Float))))
		})
		k.Set(y.At(i), wrong.Gt(0).Choose(wrong.To(ktree.Float).Neg(), right.To(ktree.Float)))
	})
	return k.Program()
}

package kgen

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// exactGemm is a product whose elements are exact sums, rounded once. A sum is
// a number of fixed point, in digits of 32 bits that are kept in 64 so that
// adding does not carry. Each lane of a simdgroup adds its products to digits of
// its own in shared memory; the digits of the lanes, and then of the pieces of K,
// are added up, carried and rounded.
type exactGemm struct {
	g      *ir.Gemm
	parts  int // numbers of an element: 2 for complex ones
	digits int
	bias   int // digit 0 is worth 2^-bias; even, for roots
	pieces int
	piece  int // K of a group
}

const (
	exactThreads = 32
	roundThreads = 128
	lowDigit     = int64(1<<32 - 1) // the bits of a digit
)

func exactKernels(g *ir.Gemm, target Target) *kernels {
	w := &exactGemm{g: g, parts: 1}
	if g.Out.Type.IsComplex() {
		w.parts = 2
	}
	// Products of float32 are exact in float64, from 2^-298 to 2^256, and end
	// 52 bits below their first; those of float64 are made of two words, from
	// 2^-2148 to 2^2048. Two digits and more are room for sums of many.
	w.bias, w.digits = 350, (350+256)/32+3
	if w.isLarge() {
		w.bias, w.digits = 2148, (2148+2048)/32+3
	}
	results := ir.Count(g.Batch) * g.M * g.N * w.parts
	w.pieces = max(min(ceil(16*max(target.Processors, 1), results), g.K/(8*exactThreads)), 1)
	w.piece = max(ceil(g.K, w.pieces), 1)
	w.pieces = max(ceil(g.K, w.piece), 1)
	k := &kernels{scratch: []int{results * w.pieces * w.digits * 8, results * w.pieces * 4}}
	k.add(w.addKernel(), results*w.pieces)
	k.add(w.roundKernel(results), ceil(results, roundThreads))
	return k
}

// isLarge reports products that no float64 holds.
func (w *exactGemm) isLarge() bool { return w.g.Out.Type.Real() == elem.Float64 }

// space is that of the elements, with the operands' starts along K.
func (w *exactGemm) space() (dims []int, a, b, out ir.Operand) {
	g, n := w.g, len(w.g.Batch)
	dims = append(slices.Clone(g.Batch), g.M, g.N)
	a, b, out = g.A, g.B, g.Out
	a.Strides = append(slices.Clone(g.A.Strides[:n]), g.A.Strides[n], 0)
	b.Strides = append(slices.Clone(g.B.Strides[:n]), 0, g.B.Strides[n+1])
	return dims, a, b, out
}

func (w *exactGemm) entry(name string, threads int) *entry {
	e := newEntry(name, threads, true)
	e.apart, e.loose = true, true
	return e
}

// addKernel makes the kernel in which a simdgroup adds up a piece of one number.
func (w *exactGemm) addKernel() *entry {
	g, n, t := w.g, len(w.g.Batch), w.g.Out.Type
	dims, a, b, _ := w.space()
	e := w.entry("add", exactThreads)
	aAt, bAt := e.pointer("a", a, read(0)), e.pointer("b", b, read(1))
	digits := e.buffer("digits", ktree.Scalar(ktree.Long), scratch(0))
	odds := e.buffer("odds", ktree.Scalar(ktree.Uint), scratch(1))
	d := e.Shared("d", ktree.Scalar(ktree.Long), w.digits, 32)
	lane := e.Let("lane", e.Thread().To(ktree.Int))
	zero := build.Int(ktree.Int, 0)
	e.For("i", zero, w.digits, 1, 1, func(i build.Val) { e.Set(d.At(i, lane), 0) })
	odd := e.Var("odd", build.Int(ktree.Uint, 0))
	pieces, piece := e.numberOf("pieces", w.pieces, ktree.Uint), e.number("piece", w.piece)
	result := e.Let("result", e.Group().Div(pieces))
	from := e.Let("from", e.Group().Sub(result.Mul(pieces)).To(ktree.Long).Mul(piece))
	to := e.Let("to", build.Min(from.Add(piece), e.number("size_k", g.K)))
	coords := e.point("c", e.Let("element", result.Div(w.parts).To(ktree.Long)), dims)
	aFrom, bFrom := e.Let("a_line", e.position("a", coords, a.Strides)), e.Let("b_line", e.position("b", coords, b.Strides))
	add := func(x, y build.Val) {
		if w.isLarge() {
			w.addLarge(e, d, lane, odd, x, y)
		} else {
			w.addSmall(e, d, lane, odd, x, y)
		}
	}
	e.For("k", from.Add(lane.To(ktree.Long)), to, 32, 0, func(k build.Val) {
		x := Named(e.Kernel, "x", Get(t, aAt.At(aFrom.Add(k.Mul(e.number("a_k", g.A.Strides[n+1]))))))
		y := Named(e.Kernel, "y", Get(t, bAt.At(bFrom.Add(k.Mul(e.number("b_k", g.B.Strides[n]))))))
		if w.parts == 1 {
			add(x.Re, y.Re)
			return
		}
		// The real part has a product whose sign is turned.
		imaginary := e.Let("imaginary", result.Rem(2).Ne(0))
		add(x.Re, e.Let("first", imaginary.Choose(y.Im, y.Re)))
		add(e.Let("second", imaginary.Choose(x.Im, x.Im.Neg())), e.Let("third", imaginary.Choose(y.Re, y.Im)))
	})
	carry := e.Var("carry", build.Int(ktree.Long, 0))
	e.For("i", zero, w.digits-1, 1, 1, func(i build.Val) {
		v := e.Let("v", d.At(i, lane).Add(carry))
		e.Set(carry, v.Shr(32))
		e.Set(d.At(i, lane), v.And(lowDigit))
	})
	e.Set(d.At(w.digits-1, lane), d.At(w.digits-1, lane).Add(carry))
	e.WarpBarrier()
	e.For("i", lane, w.digits, 32, 0, func(i build.Val) {
		sum := e.Var("sum", build.Int(ktree.Long, 0))
		e.For("j", zero, 32, 1, 0, func(j build.Val) { e.Set(sum, sum.Add(d.At(i, lane.Add(j).Rem(32)))) })
		e.Set(digits.At(e.Group().To(ktree.Long).Mul(w.digits).Add(i.To(ktree.Long))), sum)
	})
	for by := 16; by > 0; by /= 2 {
		e.Set(odd, odd.Or(e.Across(ktree.SimdShuffleXor, odd, by)))
	}
	e.If(lane.Eq(0), func() { e.Set(odds.At(e.Group()), odd) })
	return e
}

// note remembers a number that is not finite: 1 for NaN, 2 and 4 for infinities.
func note(e *entry, odd, x build.Val) {
	kind := x.Gt(0.0).Choose(build.Int(ktree.Uint, 2), x.Lt(0.0).Choose(build.Int(ktree.Uint, 4), 1))
	e.Set(odd, odd.Or(kind))
}

// addDigits adds numbers to neighbouring digits, all with one sign, which is 0
// or -1.
func addDigits(e *entry, d, at, lane, sign build.Val, values ...build.Val) {
	for i, v := range values {
		to := d.At(at.Add(i), lane)
		e.Set(to, to.Add(v.To(ktree.Long).Xor(sign).Sub(sign)))
	}
}

const (
	mantissa  = int64(1<<52 - 1)
	exponents = 0x7ff
)

// addSmall adds a product that is exact in double.
func (w *exactGemm) addSmall(e *entry, d, lane, odd, x, y build.Val) {
	p := e.Let("p", x.To(ktree.Double).Mul(y.To(ktree.Double)))
	e.If(p.Ne(0.0), func() {
		b := e.Let("b", p.Bits(ktree.Ulong))
		exponent := e.Let("exponent", b.Shr(52).And(exponents).To(ktree.Int))
		e.IfElse(exponent.Eq(exponents), func() { note(e, odd, p) }, func() {
			m := e.Let("m", b.And(mantissa).Or(mantissa+1))
			at := e.Let("at", exponent.Sub(1075).Add(w.bias))
			by := e.Let("by", at.And(31).To(ktree.Ulong))
			low := e.Let("low", m.Shl(by))
			high := e.Let("high", m.Shr(1).Shr(build.Int(ktree.Ulong, 63).Sub(by)))
			sign := e.Let("sign", b.To(ktree.Long).Shr(63))
			addDigits(e, d, e.Let("first", at.Shr(5)), lane, sign, low.And(lowDigit), low.Shr(32), high)
		})
	})
}

// addLarge adds a product of two doubles, from their mantissas.
func (w *exactGemm) addLarge(e *entry, d, lane, odd, x, y build.Val) {
	split := func(x build.Val) (m, exponent build.Val) {
		b := e.Let("bits", x.Bits(ktree.Ulong))
		m, exponent = e.Let("m", b.And(mantissa)), e.Let("exponent", b.Shr(52).And(exponents).To(ktree.Int))
		small := exponent.Eq(0)
		return e.Let("m", small.Choose(m, m.Or(mantissa+1))), e.Let("exponent", small.Choose(1, exponent))
	}
	ma, ea := split(x)
	mb, eb := split(y)
	e.IfElse(ea.Eq(exponents).OrElse(eb.Eq(exponents)), func() { note(e, odd, e.Let("p", x.Mul(y))) }, func() {
		low, high := e.Let("low", ma.Mul(mb)), e.Let("high", build.Apply(ktree.MulHi, ma, mb))
		at := e.Let("at", ea.Add(eb).Sub(2150).Add(w.bias))
		by := e.Let("by", at.And(31).To(ktree.Ulong))
		back := e.Let("back", build.Int(ktree.Ulong, 63).Sub(by))
		top := e.Let("top", high.Shr(1).Shr(back))
		middle := e.Let("middle", high.Shl(by).Or(low.Shr(1).Shr(back)))
		bottom := e.Let("bottom", low.Shl(by))
		sign := e.Let("sign", x.Bits(ktree.Long).Xor(y.Bits(ktree.Long)).Shr(63))
		addDigits(e, d, e.Let("first", at.Shr(5)), lane, sign, bottom.And(lowDigit), bottom.Shr(32), middle.And(lowDigit), middle.Shr(32), top)
	})
}

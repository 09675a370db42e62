package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// realLengths are the real lines that one kernel transforms from end to end.
var realLengths = []int{8, 16, 32, 64}

func realName(t target, n int, inverse bool) string {
	return fmt.Sprintf("%s%d%s", [...]string{"real", "inverse"}[bit(inverse)], n, t.name)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rowAddress is a row of lines that lie side by side: of samples on side from, of
// bins on side to.
type rowAddress struct{ side, plane, row int }

// zeroAddress is zeros that need no memory.
type zeroAddress struct{}

func (rowAddress) isAddress()  {}
func (zeroAddress) isAddress() {}

// row resolves a rowAddress. What is left in the scratch register for one plane
// serves the other.
func (e *emitter) row(a rowAddress) operand.Mem {
	base, step := planes[a.side][a.plane], strides[a.side]
	if a.row == 0 {
		return operand.Mem{Base: base}
	}
	odd, scale := a.row, 1
	for odd%2 == 0 && scale < 8 {
		odd, scale = odd/2, scale*2
	}
	if odd <= 7 && odd%2 == 1 {
		return operand.Mem{Base: base, Index: step[odd/2], Scale: uint8(scale)}
	}
	if at := (rowAddress{a.side, 0, a.row}); e.inScratch != at {
		e.inScratch = at
		e.op("IMUL3Q", operand.U32(a.row), step[0], scratchReg)
	}
	return operand.Mem{Base: base, Index: scratchReg, Scale: 1}
}

// realKernel writes the transform of real lines of n samples in lanes, or the
// inverse one.
func realKernel(c *build.Context, t target, n int, inverse bool, done map[string]bool) {
	k := newKernel(c, t, split, split)
	b := &k.b
	bin := func(plane, i int) address { return rowAddress{to, plane, i} }
	if inverse {
		out := b.inverse(n, func(i int) pair {
			if i == 0 || i == n/2 {
				return pair{b.load(bin(0, i)), none}
			}
			return pair{b.load(bin(0, i)), b.load(bin(1, i))}
		})
		for j, v := range out {
			b.store(rowAddress{from, 0, j}, k.windowed(j, k.scaledBy(v)[0]))
		}
	} else {
		b.real(n, false, func(j int) value { return k.windowed(j, b.load(rowAddress{from, 0, j})) }, func(i int, p pair) {
			if p.im == none {
				p.re = k.scaledBy(p.re)[0]
				p.im = b.load(zeroAddress{})
			} else {
				v := k.scaledBy(p.re, p.im)
				p = pair{v[0], v[1]}
			}
			b.store(bin(0, i), p.re)
			b.store(bin(1, i), p.im)
		})
	}
	slots := allocate(b, k.emitter, 0)
	k.defineConsts(done)

	c.Function(realName(t, n, inverse))
	c.SignatureExpr("func(re, im, samples, window uintptr, binStep, sampleStep, cols int, scale float64)")
	size := frame
	if slots > 0 {
		size += cacheLine - 8 + slots*k.bytes
	}
	c.AllocLocal(size)
	k.loadScale()
	c.Load(c.Param("samples"), planes[from][0])
	c.Load(c.Param("re"), planes[to][0])
	c.Load(c.Param("im"), planes[to][1])
	c.Load(c.Param("window"), tableReg)
	c.Load(c.Param("cols"), reg.RAX)
	c.MOVQ(reg.RAX, k.local(colsLeft))
	for side, name := range [2]string{"sampleStep", "binStep"} {
		s := strides[side]
		c.Load(c.Param(name), s[0])
		c.SHLQ(operand.U8(log2(k.size())), s[0])
		for i := 1; i < 4; i++ {
			c.LEAQ(operand.Mem{Base: s[i-1], Index: s[0], Scale: 2}, s[i])
		}
	}
	if slots > 0 {
		c.LEAQ(operand.Mem{Base: reg.StackPointer, Disp: frame + cacheLine - 8}, spillReg)
		c.ANDQ(operand.I8(-cacheLine), spillReg)
	}
	c.Label("col")
	k.play()
	for _, r := range []reg.Register{planes[from][0], planes[to][0], planes[to][1]} {
		c.ADDQ(operand.U32(k.bytes), r)
	}
	c.SUBQ(operand.U8(k.lanes()), k.local(colsLeft))
	c.JGT(operand.LabelRef("col"))
	k.end()
}

// windowed multiplies a sample by its number of the window, if there is one.
func (k *kernel) windowed(j int, x value) value {
	return k.b.inplace(1-bit(k.spreads()), func(e *emitter, r, t []int) {
		w := operand.Mem{Base: tableReg, Disp: j * e.size()}
		plain := e.label()
		e.op("TESTQ", tableReg, tableReg)
		e.op("JEQ", operand.LabelRef(plain))
		if e.spreads() {
			e.op("VMUL"+e.suffix()+"_BCST", w, e.vec(r[0]), e.vec(r[0]))
		} else {
			e.broadcastTo(w, t[0])
			e.op("VMUL"+e.suffix(), e.vec(t[0]), e.vec(r[0]), e.vec(r[0]))
		}
		e.mark(plain)
	}, x)[0]
}

// scaledBy multiplies results by the scale, if it is not one.
func (k *kernel) scaledBy(vs ...value) []value {
	return k.b.inplace(1, func(e *emitter, r, t []int) {
		plain := e.label()
		e.op("CMPQ", k.local(scaled), operand.U8(0))
		e.op("JEQ", operand.LabelRef(plain))
		e.broadcastTo(k.local(scale), t[0])
		for _, v := range r {
			e.op("VMUL"+e.suffix(), e.vec(t[0]), e.vec(v), e.vec(v))
		}
		e.mark(plain)
	}, vs...)
}

// none is the imaginary part of what is real.
const none value = -1

// real is the transform of n real inputs: put is called for bins 0 to n/2. With
// minus, the last bin, which is real, is negative.
func (b *block) real(n int, minus bool, get func(j int) value, put func(i int, p pair)) {
	if n == 1 {
		put(0, pair{get(0), none})
		return
	}
	half := func(first int, minus bool) []pair {
		out := make([]pair, n/4+1)
		b.real(n/2, minus, func(j int) value { return get(2*j + first) }, func(i int, p pair) { out[i] = p })
		return out
	}
	odd, even := half(1, true), half(0, false)
	e, o := even[0].re, odd[0].re
	if o == none { // of two inputs the second, which is zero
		put(0, pair{e, none})
		if minus {
			e = b.mulC(e, -1)
		}
		put(1, pair{e, none})
		return
	}
	put(0, pair{b.add(e, o), none})
	if minus {
		e, o = o, e
	}
	put(n/2, pair{b.sub(e, o), none})
	for i := 1; i < n/4; i++ {
		e := even[i]
		y, c := b.tilted(odd[i], i, n)
		put(i, pair{b.fmaC(y.re, c, e.re), b.fmaC(y.im, c, e.im)})
		put(n/2-i, pair{b.fnmaC(y.re, c, e.re), b.fmsC(y.im, c, e.im)})
	}
	if n >= 4 {
		put(n/4, pair{even[n/4].re, odd[n/4].re})
	}
}

// inverse is the n real outputs of bins 0 to n/2, of which the first and the last
// are real.
func (b *block) inverse(n int, get func(i int) pair) []value {
	if n == 1 {
		return []value{get(0).re}
	}
	even, odd := make([]pair, n/4+1), make([]pair, n/4+1)
	x, y := get(0).re, get(n/2).re
	even[0], odd[0] = pair{b.add(x, y), none}, pair{b.sub(x, y), none}
	for i := 1; i < n/4; i++ {
		x, y := get(i), get(n/2-i)
		even[i] = pair{b.add(x.re, y.re), b.sub(x.im, y.im)}
		d := pair{b.sub(x.re, y.re), b.add(x.im, y.im)}
		c, s := cosine(i, n), sine(i, n)
		odd[i] = pair{
			b.fnmaC(d.im, s, b.mulC(d.re, c)),
			b.fmaC(d.re, s, b.mulC(d.im, c)),
		}
	}
	if n >= 4 {
		z := get(n / 4)
		even[n/4], odd[n/4] = pair{b.add(z.re, z.re), none}, pair{b.mulC(z.im, -2), none}
	}
	out := make([]value, n)
	for first, list := range [][]pair{even, odd} {
		for j, v := range b.inverse(n/2, func(i int) pair { return list[i] }) {
			out[2*j+first] = v
		}
	}
	return out
}

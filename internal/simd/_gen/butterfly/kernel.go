package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

// form says whether a side of a kernel is split planes or interleaved.
type form int

const (
	split form = iota
	interleaved
)

func (f form) letter() string { return [...]string{"S", "I"}[f] }

// Offsets of the fields of butterfly.Pass.
const (
	passTwiddle = 8 * iota
	passRows
	passCols
	passInRow
	passInLeg
	passOutRow
	passOutLeg
	passFactors
	passAheadIn
	passAheadOut
	passBeside
	passPlaces
	passWoven
)

var passFields = []files.Field{
	{Struct: "Pass", Name: "Twiddle", Offset: passTwiddle},
	{Struct: "Pass", Name: "Rows", Offset: passRows},
	{Struct: "Pass", Name: "Cols", Offset: passCols},
	{Struct: "Pass", Name: "InRow", Offset: passInRow},
	{Struct: "Pass", Name: "InLeg", Offset: passInLeg},
	{Struct: "Pass", Name: "OutRow", Offset: passOutRow},
	{Struct: "Pass", Name: "OutLeg", Offset: passOutLeg},
	{Struct: "Pass", Name: "Factors", Offset: passFactors},
	{Struct: "Pass", Name: "AheadIn", Offset: passAheadIn},
	{Struct: "Pass", Name: "AheadOut", Offset: passAheadOut},
	{Struct: "Pass", Name: "Beside", Offset: passBeside},
	{Struct: "Pass", Name: "Places", Offset: passPlaces},
	{Struct: "Pass", Name: "Woven", Offset: passWoven},
}

// Offsets of a kernel's stack variables.
const (
	rowsLeft = 8 * iota
	colsLeft
	cols
	rowFrom // two planes
	rowFrom1
	rowTo // two planes
	rowTo1
	rowStepFrom
	rowStepTo
	swapFrom // nonzero: the planes are exchanged
	swapTo
	scaled // nonzero: multiply by scale
	scale
	tableStep
	factors   // second table of a turn
	aheadFrom // bytes to prefetch ahead, or 0
	aheadTo
	jumpFrom // bytes from the last vector of a row to the first of the next
	jumpTo
	vectorStep // bytes from vector to vector of a plane
	frame
)

// Pinned registers of the wide kernels, counted from the last: indices that
// take interleaved vectors apart and put them together.
const (
	indexEven = 31 - iota
	indexOdd
	indexLow
	indexHigh
)

// kernel builds one function.
type kernel struct {
	*emitter
	b     block
	forms [2]form
	// together names the index table of an interleaved store.
	together string
	// apartName is that of an interleaved load.
	apartName string
	// turns says that the kernel transposes on its store; pairs names the indices of that.
	turns bool
	pairs string
	// paired says which sides are two interleaved lines, one in each half of a vector.
	paired [2]bool
	// four is the body for four lines at a time, or nil, and slots what it needs.
	four  *kernel
	slots int
	// back is the body for lines whose planes are exchanged, or nil if one body serves both.
	back *kernel
	// fetches is how many legs overRows prefetches, on the sides in fetched.
	fetches int
	fetched []int
	// line is 1 while the body of the second of two lines is made.
	line int
	// woven is the vectors that a stage transforms in turns.
	woven int
	// joint says that complex numbers are not taken apart.
	joint bool
	// flagged says that loadFlags leaves in registers what is to be done to
	// interleaved sides.
	flagged bool
	// mixed says that lanes of the result are in the order of leadLanes.
	mixed bool
	// real says that the source is one plane, and the other a result.
	real bool
	// weaves says that the vectors of two planes lie in turns if the pass says so.
	weaves bool
	// crosses says that components of the source are exchanged by instructions, not by an index.
	crosses bool
	// loop begins the labels of overRows, where there are two of them.
	loop string
}

func (k *kernel) local(offset int) operand.Mem {
	return operand.Mem{Base: reg.StackPointer, Disp: offset}
}

// pinned is how many registers at the end stay reserved.
func (k *kernel) pinned() int {
	if !k.wide() {
		return 0
	}
	if k.forms[to] == interleaved || k.turns {
		return 4
	}
	if k.forms[from] == interleaved {
		return 2
	}
	return 0
}

// unit is the bytes of an element on a side: of one plane, or of both when
// they are interleaved.
func (k *kernel) unit(side int) int {
	if k.forms[side] == interleaved {
		return 2 * k.size()
	}
	return k.size()
}

// vectorUnit is the bytes that one vector of elements covers on a side.
func (k *kernel) vectorUnit(side int) int { return k.unit(side) * k.columns(side) }

// columns is how many columns of a line one vector has.
func (k *kernel) columns(side int) int {
	if k.paired[side] {
		return k.lanes() / 2
	}
	return k.width()
}

// width is how many columns of a pass one vector has.
func (k *kernel) width() int {
	if k.joint {
		return k.lanes() / 2
	}
	return k.lanes()
}

// planesOf is how many plane pointers a side has.
func (k *kernel) planesOf(side int) int {
	if k.forms[side] == interleaved && !k.paired[side] {
		return 1
	}
	return 2
}

// get loads leg j.
func (k *kernel) get(j int) pair {
	b := &k.b
	if k.forms[from] == split {
		return pair{b.load(legAddress{from, 0, j, 0}), b.load(legAddress{from, 1, j, 0})}
	}
	x, y := b.load(legAddress{from, 0, j, 0}), b.load(k.second(from, j))
	if k.wide() {
		return pair{b.select2(indexEven, x, y), b.select2(indexOdd, x, y)}
	}
	return k.swapIf(swapFrom, k.apart(x, y))
}

// apart splits two vectors of 256 bits, or of 128, of interleaved elements.
func (k *kernel) apart(x, y value) pair {
	b := &k.b
	var p pair
	if k.bits == 32 {
		p = pair{b.shuffle("VSHUFPS", 0x88, x, y), b.shuffle("VSHUFPS", 0xdd, x, y)}
	} else {
		p = pair{b.shuffle("VUNPCKLPD", -1, x, y), b.shuffle("VUNPCKHPD", -1, x, y)}
	}
	if k.neon {
		return p
	}
	return pair{b.unary("VPERMPD", 0xd8, p.re), b.unary("VPERMPD", 0xd8, p.im)}
}

// join interleaves two 256-bit planes.
func (k *kernel) join(p pair) (lo, hi value) {
	b := &k.b
	l := b.shuffle("VUNPCKL"+k.suffix(), -1, p.re, p.im)
	h := b.shuffle("VUNPCKH"+k.suffix(), -1, p.re, p.im)
	if k.neon || k.mixed {
		return l, h
	}
	return b.shuffle("VPERM2F128", 0x20, l, h), b.shuffle("VPERM2F128", 0x31, l, h)
}

// swapIf exchanges the planes when the stack variable says so.
func (k *kernel) swapIf(flag int, p pair) pair {
	out := k.b.inplace(1, func(e *emitter, r, t []int) {
		k.ifSwapped(flag, func() {
			e.move(t[0], r[0])
			e.move(r[0], r[1])
			e.move(r[1], t[0])
		})
	}, p.re, p.im)
	return pair{out[0], out[1]}
}

// ifSwapped emits code that runs if the flag is set, which kernels with flags have in a register.
func (k *kernel) ifSwapped(flag int, code func()) {
	if !k.flagged {
		k.unless(flag, code)
		return
	}
	skip := k.label()
	k.op("TESTQ", planes[from][1], planes[from][1])
	k.op("JEQ", operand.LabelRef(skip))
	code()
	k.mark(skip)
}

// put stores leg j.
func (k *kernel) put(j int, p pair) {
	b := &k.b
	if k.forms[to] == split {
		b.store(legAddress{to, 0, j, 0}, p.re)
		b.store(legAddress{to, 1, j, 0}, p.im)
		return
	}
	var lo, hi value
	if k.wide() {
		lo, hi = b.select2(indexLow, p.re, p.im), b.select2(indexHigh, p.re, p.im)
	} else {
		if !k.flagged { // else unscaled has done it
			p = k.swapIf(swapTo, p)
		}
		lo, hi = k.join(p)
	}
	b.store(legAddress{to, 0, j, 0}, lo)
	b.store(k.second(to, j), hi)
}

// second is where the second vector of leg j of an interleaved side lies.
func (k *kernel) second(side, j int) address {
	if k.paired[side] {
		return legAddress{side, 1, j, 0}
	}
	return legAddress{side, 0, j, k.bytes}
}

// begin opens the function: it plays the allocated body only after the frame
// is known, so everything here goes straight to the context.
func (k *kernel) begin(name string, slots int, in, out int) {
	c := k.ctx
	c.Function(name)
	c.SignatureExpr("func(p, dstRe, dstIm, srcRe, srcIm uintptr, scale float64)")
	size := frame
	if slots > 0 {
		size += cacheLine - 8 + slots*k.bytes
	}
	c.AllocLocal(size)
	c.Load(c.Param("p"), reg.RAX)
	field := func(offset int) operand.Mem { return operand.Mem{Base: reg.RAX, Disp: offset} }
	for _, v := range []struct{ field, local, unit int }{
		{passRows, rowsLeft, 1}, {passCols, cols, 1},
		{passInRow, rowStepFrom, k.unit(from)}, {passOutRow, rowStepTo, k.unit(to)},
	} {
		c.MOVQ(field(v.field), reg.RCX)
		if v.unit > 1 {
			c.SHLQ(operand.U8(log2(v.unit)), reg.RCX)
		}
		c.MOVQ(reg.RCX, k.local(v.local))
	}
	for side, p := range [2][2]string{{"srcRe", "srcIm"}, {"dstRe", "dstIm"}} {
		re, im := planes[side][0], planes[side][1]
		c.Load(c.Param(p[0]), re)
		c.Load(c.Param(p[1]), im)
		row := [2]int{rowFrom, rowTo}[side]
		if k.forms[side] == interleaved {
			// The lower pointer is the base; the order says which is which.
			c.XORQ(reg.RCX, reg.RCX)
			c.CMPQ(im, re)
			c.SETCS(reg.CL)
			c.CMOVQCS(im, re)
			if k.wide() && !k.joint && !(side == from && k.crosses) {
				k.loadIndex(side)
			} else {
				c.MOVQ(reg.RCX, k.local([2]int{swapFrom, swapTo}[side]))
			}
			c.MOVQ(re, k.local(row))
			if k.paired[side] {
				c.MOVQ(field(passBeside), im)
				c.SHLQ(operand.U8(log2(k.unit(side))), im)
				c.ADDQ(re, im)
				c.MOVQ(im, k.local(row+8))
			}
			continue
		}
		c.MOVQ(re, k.local(row))
		c.MOVQ(im, k.local(row+8))
	}
	if k.turns && k.wide() {
		pairs := operand.NewDataAddr(operand.NewStaticSymbol(k.pairs), 0)
		c.VMOVUPS(pairs, zmm[indexLow])
		c.VMOVUPS(pairs.Offset(64), zmm[indexHigh])
	}
	if k.patterned {
		c.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("patterns"), ymmBytes), patternReg)
		c.ANDQ(operand.I8(-cacheLine), patternReg)
	}
	k.loadScale()
	c.MOVQ(field(passTwiddle), tableReg)
	legs := [2]int{in, out}
	for side, offset := range [2]int{passInLeg, passOutLeg} {
		s := strides[side]
		if legs[side] < 2 {
			continue
		}
		c.MOVQ(field(offset), s[0])
		c.SHLQ(operand.U8(log2(k.unit(side))), s[0])
		for i := 1; i < 4 && 2*i+1 < legs[side]; i++ {
			c.LEAQ(operand.Mem{Base: s[i-1], Index: s[0], Scale: 2}, s[i])
		}
	}
	if slots > 0 {
		c.LEAQ(operand.Mem{Base: reg.StackPointer, Disp: frame + cacheLine - 8}, spillReg)
		c.ANDQ(operand.I8(-cacheLine), spillReg)
	}
}

const cacheLine = 64

// loadScale leaves the factor on the stack and says whether it matters.
func (k *kernel) loadScale() {
	c := k.ctx
	c.Load(c.Param("scale"), reg.X0)
	c.MOVQ(operand.U64(0x3ff0000000000000), reg.RCX)
	c.MOVQ(reg.X0, reg.RDX)
	c.XORQ(reg.RDX, reg.RCX)
	c.MOVQ(reg.RCX, k.local(scaled))
	if k.bits == 32 {
		c.CVTSD2SS(reg.X0, reg.X0)
		c.MOVSS(reg.X0, k.local(scale))
	} else {
		c.MOVSD(reg.X0, k.local(scale))
	}
}

// finish applies the twiddle of leg j, or the scale, to an output.
func (k *kernel) finish(j int, p pair) pair {
	temps := 3
	switch {
	case k.wide():
		temps = 2
	case k.neon:
		temps = 1
	}
	out := k.b.inplace(temps, func(e *emitter, r, t []int) {
		plain, done := e.label(), e.label()
		if j > 0 {
			e.op("TESTQ", tableReg, tableReg)
			e.op("JEQ", operand.LabelRef(plain))
			k.twiddle(j, r, t)
			e.op("JMP", operand.LabelRef(done))
			e.mark(plain)
		}
		e.op("CMPQ", k.local(scaled), operand.U8(0))
		e.op("JEQ", operand.LabelRef(done))
		e.broadcastTo(k.local(scale), t[0])
		e.op("VMUL"+e.suffix(), e.vec(t[0]), e.vec(r[0]), e.vec(r[0]))
		e.op("VMUL"+e.suffix(), e.vec(t[0]), e.vec(r[1]), e.vec(r[1]))
		e.mark(done)
	}, p.re, p.im)
	return pair{out[0], out[1]}
}

func (e *emitter) broadcastTo(m operand.Mem, r int) {
	switch {
	case e.bits == 32:
		e.op("VBROADCASTSS", m, e.vec(r))
	case e.neon:
		e.op("VMOVDDUP", m, e.vec(r))
	default:
		e.op("VBROADCASTSD", m, e.vec(r))
	}
}

// twiddle multiplies r by entry j of the current row of the table.
func (k *kernel) twiddle(j int, r, t []int) {
	e := k.emitter
	wr := operand.Mem{Base: tableReg, Disp: (2*j - 2) * k.size()}
	wi := operand.Mem{Base: tableReg, Disp: (2*j - 1) * k.size()}
	s := e.suffix()
	if k.wide() {
		e.op("VMUL"+s+"_BCST", wi, e.vec(r[0]), e.vec(t[0]))
		e.op("VMUL"+s+"_BCST", wi, e.vec(r[1]), e.vec(t[1]))
		e.op("VFMSUB132"+s+"_BCST", wr, e.vec(t[1]), e.vec(r[0]))
		e.op("VFMADD132"+s+"_BCST", wr, e.vec(t[0]), e.vec(r[1]))
		return
	}
	e.broadcastTo(wi, t[1])
	e.op("VMUL"+s, e.vec(r[0]), e.vec(t[1]), e.vec(t[0]))
	e.op("VMUL"+s, e.vec(r[1]), e.vec(t[1]), e.vec(t[1]))
	e.broadcastTo(wr, t[2])
	e.op("VFMSUB132"+s, e.vec(t[2]), e.vec(t[1]), e.vec(r[0]))
	e.op("VFMADD132"+s, e.vec(t[2]), e.vec(t[0]), e.vec(r[1]))
}

func log2(n int) int {
	k := 0
	for 1<<k < n {
		k++
	}
	return k
}

func (k *kernel) play() {
	for _, f := range k.queue {
		f()
	}
}

func (k *kernel) end() {
	k.ctx.VZEROUPPER()
	k.ctx.RET()
}

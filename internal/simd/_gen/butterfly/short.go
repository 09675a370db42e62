package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Short lines have kernels whose twiddles are part of the code. Those of fewest
// elements go through scalar registers; longer ones are rows of four lanes.
var (
	singleLengths = []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	quadLengths   = []int{16, 20, 24, 28, 32, 36, 40, 48, 60}
)

func shortName(t target, n int) string { return fmt.Sprintf("short%d%s", n, t.name) }

// shortLengths are the lines that have such a kernel. It is the same for all levels.
func (t target) shortLengths() []int {
	if t.wide() {
		return nil
	}
	return append(append([]int(nil), singleLengths...), t.quadLengths()...)
}

// quadLengths are those in rows of four. Vectors of eight have a better kernel for 32.
func (t target) quadLengths() []int {
	return slices.DeleteFunc(slices.Clone(quadLengths), func(n int) bool { return n == 32 && t.lanes() == 8 })
}

// shorts writes the kernels of short lines.
func shorts(c *build.Context, t target, done map[string]bool) {
	for _, n := range singleLengths {
		single(c, t.vectors(1), n, done)
	}
	for _, n := range t.quadLengths() {
		switch {
		case !t.neon:
			fours(c, t, n/4, done)
		case t.bits == 64:
			duo(c, t, n/4, done)
		default:
			quad(c, t.vectors(4), n/4, done)
		}
	}
}

// vectors is the target with registers of so many lanes.
func (t target) vectors(lanes int) target {
	t.bytes = lanes * t.size()
	return t
}

// localAddress is a vector on the stack.
type localAddress struct{ disp int }

func (localAddress) isAddress() {}

// Stack variables of these kernels, a vector each.
const (
	factor = 32 * iota // the scale in every lane
	flip               // the signs of imaginary parts that change, if planes are exchanged
	shortFrame
)

// scaledUp multiplies results by the scale, which may well be one.
func (k *kernel) scaledUp(p pair) pair {
	return pair{k.b.mulM(p.re, localAddress{factor}), k.b.mulM(p.im, localAddress{factor})}
}

// flipped is the conjugate, if planes are exchanged: on both sides that has the same
// effect as to exchange them.
func (k *kernel) flipped(p pair) pair {
	return pair{p.re, k.b.push(instruction{kind: binaryM, op: "VXOR", in: []value{p.im}, mem: localAddress{flip}})}
}

// fourLengths are the lines of float32 that AVX2 transforms four at a time where there are as many and
// no eight, a line in each lane; see many.
var fourLengths = []int{2, 3, 4, 5, 6, 8, 10, 12}

// single writes the transform of a line with a component in each register, or where instructions
// take odd lanes otherwise than even ones, with an element in each.
func single(c *build.Context, t target, n int, done map[string]bool) {
	if !t.neon {
		k := newSingle(c, t.vectors(2), n, false)
		k.back = newSingle(c, t.vectors(2), n, true)
		if slices.Contains(fourLengths, n) && t.bits == 32 {
			k.four = newFour(c, t.vectors(4), n, done)
		}
		k.short(shortName(k.target, n), done)
		return
	}
	k := newKernel(c, t, interleaved, interleaved)
	k.b.waits = true
	b := &k.b
	place := func(side, plane, j int) address { return legAddress{side, plane, 0, 2 * k.size() * j} }
	b.dft(n, func(j int) pair {
		return pair{b.load(place(from, 0, j)), b.load(place(from, 1, j))}
	}, func(j int, p pair) {
		p = k.scaledUp(p)
		b.store(place(to, 0, j), p.re)
		b.store(place(to, 1, j), p.im)
	})
	k.short(shortName(k.target, n), done)
}

// newSingle is a body of single with an element in each register.
func newSingle(c *build.Context, t target, n int, exchanged bool) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	k.b.waits, k.joint = true, true
	b := &k.b
	place := func(side, j int) address { return legAddress{side, 0, 0, 2 * k.size() * j} }
	turn := func(x value) value {
		if exchanged {
			return b.crossed(x)
		}
		return x
	}
	b.dft(n, func(j int) pair { return pair{turn(b.load(place(from, j))), joined} }, func(j int, p pair) {
		b.store(place(to, j), turn(b.mulM(p.re, localAddress{factor})))
	})
	return k
}

// newFour is the body of single for four lines at a time. It does the same to each.
func newFour(c *build.Context, t target, n int, done map[string]bool) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	k.b.waits = true
	b := &k.b
	place := func(side, line, j int) address { return legAddress{side, 0, line, 2 * k.size() * j} }
	two := func(line, j int) value {
		return b.push(instruction{kind: gathered, mem: place(from, line, j), more: place(from, line+1, j)})
	}
	b.dft(n, func(j int) pair {
		x, y := two(0, j), two(2, j)
		return k.flipped(pair{b.shuffle("VSHUFPS", 0x88, x, y), b.shuffle("VSHUFPS", 0xdd, x, y)})
	}, func(j int, p pair) {
		p = k.flipped(k.scaledUp(p))
		for i, v := range []value{b.shuffle("VUNPCKLPS", -1, p.re, p.im), b.shuffle("VUNPCKHPS", -1, p.re, p.im)} {
			b.code = append(b.code, instruction{kind: scattered, mem: place(to, 2*i, j), more: place(to, 2*i+1, j), in: []value{v}})
		}
	})
	k.slots = allocate(b, k.emitter, 0)
	k.defineConsts(done)
	return k
}

// quad writes the transform of rows of four lanes of 32 bits: down the rows, then along the
// lanes, four rows at a time. The last four may include some that were there before.
func quad(c *build.Context, t target, rows int, done map[string]bool) {
	k := newKernel(c, t, interleaved, interleaved)
	k.b.waits = true
	b, n := &k.b, 4*rows
	place := func(side, element, half int) address {
		return legAddress{side, 0, 0, 2*k.size()*element + half*k.bytes}
	}
	out := make([]pair, rows)
	b.dft(rows, func(j int) pair {
		x, y := b.load(place(from, 4*j, 0)), b.load(place(from, 4*j, 1))
		return k.flipped(pair{b.shuffle("VSHUFPS", 0x88, x, y), b.shuffle("VSHUFPS", 0xdd, x, y)})
	}, func(j int, p pair) {
		if j > 0 {
			p = k.turnedLanes(p, j, n, []int{0, 1, 2, 3}, done)
		}
		out[j] = p
	})
	for g := 0; g < rows; g += 4 {
		first := min(g, rows-4)
		v := b.each(out[first:first+4], b.exchangeWithin)
		b.dft(4, func(l int) pair { return v[l] }, func(j int, p pair) {
			p = k.flipped(k.scaledUp(p))
			lo, hi := b.shuffle("VUNPCKLPS", -1, p.re, p.im), b.shuffle("VUNPCKHPS", -1, p.re, p.im)
			b.store(place(to, first+rows*j, 0), lo)
			b.store(place(to, first+rows*j, 1), hi)
		})
	}
	k.short(shortName(k.target, n), done)
}

// duo is quad for vectors of two lanes: the halves of a row are vectors of their
// own, and the lanes are transformed two rows at a time.
func duo(c *build.Context, t target, rows int, done map[string]bool) {
	k := newKernel(c, t, interleaved, interleaved)
	k.b.waits = true
	b, n := &k.b, 4*rows
	place := func(side, element, half int) address {
		return legAddress{side, 0, 0, 2*k.size()*element + half*k.bytes}
	}
	out := make([][2]pair, rows)
	for half := range 2 {
		lanes := []int{2 * half, 2*half + 1}
		b.dft(rows, func(j int) pair {
			x, y := b.load(place(from, 4*j+2*half, 0)), b.load(place(from, 4*j+2*half, 1))
			return k.flipped(k.apart(x, y))
		}, func(j int, p pair) {
			if j > 0 {
				p = k.turnedLanes(p, j, n, lanes, done)
			}
			out[j][half] = p
		})
	}
	for g := 0; g < rows; g += 2 {
		first := min(g, rows-2)
		var v [4]pair
		for half := range 2 {
			x, y := out[first][half], out[first+1][half]
			v[2*half] = pair{b.shuffle("VUNPCKLPD", -1, x.re, y.re), b.shuffle("VUNPCKLPD", -1, x.im, y.im)}
			v[2*half+1] = pair{b.shuffle("VUNPCKHPD", -1, x.re, y.re), b.shuffle("VUNPCKHPD", -1, x.im, y.im)}
		}
		b.dft(4, func(l int) pair { return v[l] }, func(j int, p pair) {
			lo, hi := k.join(k.flipped(k.scaledUp(p)))
			b.store(place(to, first+rows*j, 0), lo)
			b.store(place(to, first+rows*j, 1), hi)
		})
	}
	k.short(shortName(k.target, n), done)
}

// turnedLanes multiplies lane i by exp(-2*pi*i*k*lanes[i]/n).
func (k *kernel) turnedLanes(p pair, row, n int, lanes []int, done map[string]bool) pair {
	b := &k.b
	name := fmt.Sprintf("row%dof%d", row, n)
	if lanes[0] > 0 {
		name += "from" + fmt.Sprint(lanes[0])
	}
	if !done[name] {
		done[name] = true
		var re, im []float64
		for _, l := range lanes {
			re, im = append(re, cosine(row*l, n)), append(im, -sine(row*l, n))
		}
		k.pattern(name+"re", re)
		k.pattern(name+"im", im)
	}
	wr, wi := patternAddress{name + "re"}, patternAddress{name + "im"}
	return b.timesM(p, wr, wi)
}

// short ends a kernel of whole lines.
func (k *kernel) short(name string, done map[string]bool) {
	slots := allocate(&k.b, k.emitter, 0)
	k.defineConsts(done)
	if k.back != nil {
		slots = max(slots, allocate(&k.back.b, k.back.emitter, 0))
		k.back.defineConsts(done)
	}
	c := k.ctx
	c.Function(name)
	c.SignatureExpr("func(p, dstRe, dstIm, srcRe, srcIm uintptr, scale float64)")
	spills := slots * k.slotBytes()
	if k.four != nil {
		spills = max(spills, k.four.slots*k.four.slotBytes())
	}
	c.AllocLocal(shortFrame + spills)
	if spills > 0 {
		c.LEAQ(operand.Mem{Base: reg.StackPointer, Disp: shortFrame}, spillReg)
	}
	k.spreadScale()
	lines, ends := reg.RCX, [2][2]string{{"srcRe", "srcIm"}, {"dstRe", "dstIm"}}
	for side, names := range ends {
		for i, name := range names {
			c.Load(c.Param(name), planes[side][i])
		}
	}
	switch {
	case k.joint && !k.real:
		k.flagExchange()
	case k.lanes() > 1 && !k.real:
		k.flipSigns()
	}
	c.Load(c.Param("p"), reg.RAX)
	c.MOVQ(operand.Mem{Base: reg.RAX, Disp: passRows}, lines)
	for side, field := range [2]int{passInRow, passOutRow} {
		c.MOVQ(operand.Mem{Base: reg.RAX, Disp: field}, strides[side][0])
		c.SHLQ(operand.U8(log2(k.unit(side))), strides[side][0])
	}
	if k.four != nil {
		k.fourLines(lines)
	}
	if k.four != nil {
		c.Label("few")
	}
	if k.back != nil {
		c.TESTQ(exchangeReg, exchangeReg)
		c.JNE(operand.LabelRef("back"))
	}
	k.oneByOne("line", lines)
	if k.back != nil {
		k.back.oneByOne("back", lines)
	}
}

// oneByOne is the loop over lines, of which there is one at least, and the end.
func (k *kernel) oneByOne(name string, lines reg.Register) {
	c := k.ctx
	c.Label(name)
	k.play()
	for side, pointers := range planes {
		for i := range min(2, 1+1/k.lanes()) {
			c.ADDQ(strides[side][0], pointers[i])
		}
	}
	c.DECQ(lines)
	c.JNE(operand.LabelRef(name))
	if k.four != nil {
		c.Label("done")
	}
	if k.bytes > 16 || k.four != nil && k.four.bytes > 16 {
		c.VZEROUPPER()
	}
	c.RET()
}

// fourLines is the loop over lines as long as there are four.
func (k *kernel) fourLines(lines reg.Register) {
	c := k.ctx
	many := k.four.lanes()
	c.CMPQ(lines, operand.U8(many))
	c.JLT(operand.LabelRef("few"))
	k.four.spread(k.local(factor), factor)
	for _, s := range strides {
		c.LEAQ(operand.Mem{Base: s[0], Index: s[0], Scale: 2}, s[1])
	}
	c.Label("four")
	k.four.play()
	for side, s := range strides {
		c.LEAQ(operand.Mem{Base: planes[side][0], Index: s[0], Scale: uint8(many)}, planes[side][0])
	}
	c.SUBQ(operand.U8(many), lines)
	c.CMPQ(lines, operand.U8(many))
	c.JGE(operand.LabelRef("four"))
	c.TESTQ(lines, lines)
	c.JEQ(operand.LabelRef("done"))
}

// spreadScale puts the scale on the stack.
func (k *kernel) spreadScale() {
	c := k.ctx
	c.Load(c.Param("scale"), reg.X0)
	if k.bits == 32 {
		c.VCVTSD2SS(reg.X0, reg.X0, reg.X0)
	}
	if k.lanes() == 1 {
		k.now(k.moves(), reg.X0, k.local(factor))
		return
	}
	k.spread(reg.X0, factor)
}

// spread puts a vector of one component on the stack.
func (k *kernel) spread(x operand.Op, at int) {
	name := map[int]string{32: "VBROADCASTSS", 64: "VBROADCASTSD"}[k.bits]
	if k.bytes == 16 && k.bits == 64 {
		name = "VMOVDDUP"
	}
	k.now(name, x, k.vec(0))
	k.now("VMOVUPS", k.vec(0), k.local(at))
}

// flipSigns makes the lower pointer of each side its base, and says on the stack
// whether planes are exchanged.
func (k *kernel) flipSigns() {
	c, signs := k.ctx, reg.RAX
	re, im := planes[from][0], planes[from][1]
	c.CMPQ(im, re)
	c.CMOVQCS(im, re)
	c.SBBQ(signs, signs)
	c.SHLQ(operand.U8(63), signs)
	if k.bits == 32 {
		c.SHRQ(operand.U8(32), signs)
	}
	c.VMOVQ(signs, reg.X0)
	k.spread(reg.X0, flip)
	re, im = planes[to][0], planes[to][1]
	c.CMPQ(im, re)
	c.CMOVQCS(im, re)
}

// exchangeReg says that planes are exchanged, where numbers stay interleaved.
var exchangeReg = planes[from][1]

// flagExchange is flipSigns for numbers that stay interleaved. The body for four lines has planes.
func (k *kernel) flagExchange() {
	c := k.ctx
	for side := range planes {
		re, im := planes[side][0], planes[side][1]
		c.CMPQ(im, re)
		c.CMOVQCS(im, re)
		if side == from {
			c.SBBQ(exchangeReg, exchangeReg)
		}
	}
	if k.four != nil {
		c.VMOVQ(exchangeReg, reg.X0)
		c.VPSLLD(operand.U8(31), reg.X0, reg.X0)
		k.four.spread(reg.X0, flip)
	}
}

// exchangedIf is numbers with their components exchanged if planes are.
func (k *kernel) exchangedIf(x value) value {
	return k.b.inplace(0, func(e *emitter, r, _ []int) {
		skip := e.label()
		e.op("TESTQ", exchangeReg, exchangeReg)
		e.op("JEQ", operand.LabelRef(skip))
		e.cross(r)
		e.mark(skip)
	}, x)[0]
}

// loadJoined and storeJoined take numbers from the source and, scaled, to the destination.
func (k *kernel) loadJoined(a address) value { return k.exchangedIf(k.b.load(a)) }

func (k *kernel) storeJoined(a address, x value) {
	k.b.store(a, k.exchangedIf(k.b.mulM(x, localAddress{factor})))
}

package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// staged is a line that one kernel transforms in two stages, through a buffer on the
// stack: first butterflies down the columns, then second ones along the rows. Both are
// multiples of the numbers in a vector. The numbers of a joint one stay interleaved.
type staged struct {
	first, second int
	joint         bool
}

// stagedLines are those of vectors of 256 bits, which have too few registers for
// lines that stay in them. A short first stage leaves few twiddles; from 1024 complex128 on there
// are too many of those for tables that have each twice, as joint lines do.
func (t target) stagedLines() []staged {
	switch {
	case t.wide() || t.neon:
		return nil
	case t.bits == 32:
		return []staged{{8, 8, true}, {8, 16, true}, {16, 16, true}, {16, 32, true}, {32, 32, true}, {32, 64, true}}
	}
	return []staged{{8, 8, true}, {8, 16, true}, {8, 32, true}, {16, 32, true}, {32, 32, false}, {32, 64, false}}
}

func (s staged) n() int { return s.first * s.second }

func stagedName(t target, s staged) string { return fmt.Sprintf("staged%d%s", s.n(), t.name) }

// mixedLanes is the element in each lane after interleaved vectors were taken apart
// within their halves only. Nothing crosses the halves: columns come in this order,
// rows are put side by side in this order, and a join within the halves undoes it.
func (t target) mixedLanes() []int {
	if t.bits == 32 {
		return []int{0, 1, 4, 5, 2, 3, 6, 7}
	}
	return []int{0, 2, 1, 3}
}

// bufferAddress is in the buffer between the stages.
type bufferAddress struct{ disp int }

func (bufferAddress) isAddress() {}

var (
	roomReg   = reg.RBP // the buffer
	bufferReg = reg.RSI // the current vector's part of it
	linesReg  = reg.RCX
	groupsReg = reg.RBX
	// firstTable is the table of a line's first vector, tableReg of the current one.
	firstTable = reg.R13
	// lineSteps are the bytes from line to line.
	lineSteps = [2]reg.Register{reg.R12, reg.R14}
)

// Stack variables after those of short lines.
const (
	signedFactor = shortFrame // the scale, negative if planes are exchanged
	stagedFrame  = shortFrame + 32
)

// buffer is how the rows of a staged line lie between the stages: vectors of columns
// inside squares of rows, a vector being the rows of one column in each half.
type buffer struct {
	target
	staged
}

// numbers is how many complex numbers a vector has, or a pair of them in planes; perHalf is how
// many are in half of it, and so how many vectors of a column's rows there are.
func (b buffer) numbers() int {
	if b.joint {
		return b.lanes() / 2
	}
	return b.lanes()
}

func (b buffer) perHalf() int { return b.numbers() / 2 }
func (b buffer) columns() int { return b.second / b.numbers() } // vectors of columns
func (b buffer) rows() int    { return b.first / b.numbers() }

// at is where half a vector's rows lie, those of block half of group row, for lane i
// of the current vector of columns.
func (b buffer) at(plane, row, half, i int) int {
	if b.within() {
		// Group row of the second stage leaves its results here.
		vectors := 2
		if b.joint {
			vectors = 1
		}
		return (half*b.columns()*b.perHalf()+i)*b.first*2*b.size() + (vectors*row+plane)*b.bytes
	}
	return plane*b.plane() + ((2*row+half)*b.columns()*b.perHalf()+i)*b.bytes
}

// within says that the destination is the buffer where it can be. With a buffer of its own, the
// table and both sides a line of 16 KiB outgrows the first cache.
func (b buffer) within() bool { return 2*b.n()*b.size() >= 16<<10 }

// plane is the bytes of one plane. The two of a power of two would fall on the same
// cache sets without the line between them.
func (b buffer) plane() int { return b.n()*b.size() + cacheLine }

// stage writes the kernel of a staged line: a loop over lines that are neither scaled
// nor exchanged, as forward transforms are, and one over others.
func stage(c *build.Context, t target, s staged, done map[string]bool) {
	slots := 0
	var stages [2][2]*kernel
	for i, plain := range []bool{true, false} {
		if s.joint {
			stages[i] = [2]*kernel{downJoint(c, t, s, plain), alongJoint(c, t, s, plain)}
		} else {
			stages[i] = [2]*kernel{downColumns(c, t, s, plain), alongRows(c, t, s, plain)}
		}
		for _, k := range stages[i] {
			slots = max(slots, allocate(&k.b, k.emitter, 0))
			k.defineConsts(done)
		}
	}
	k, lay := stages[1][0], buffer{t, s}
	bufferAt := (slots*t.bytes + cacheLine - 1) / cacheLine * cacheLine

	c.Function(stagedName(t, s))
	c.SignatureExpr("func(p, dstRe, dstIm, srcRe, srcIm uintptr, scale float64)")
	c.AllocLocal(stagedFrame + cacheLine - 8 + bufferAt + 2*lay.plane())
	c.LEAQ(operand.Mem{Base: reg.StackPointer, Disp: stagedFrame + cacheLine - 8}, spillReg)
	c.ANDQ(operand.I8(-cacheLine), spillReg)
	c.Load(c.Param("p"), reg.RAX)
	c.MOVQ(operand.Mem{Base: reg.RAX, Disp: passRows}, linesReg)
	c.MOVQ(operand.Mem{Base: reg.RAX, Disp: passTwiddle}, firstTable)
	for side, field := range [2]int{passInRow, passOutRow} {
		c.MOVQ(operand.Mem{Base: reg.RAX, Disp: field}, lineSteps[side])
		c.SHLQ(operand.U8(log2(k.unit(side))), lineSteps[side])
	}
	for side, names := range [2][2]string{{"srcRe", "srcIm"}, {"dstRe", "dstIm"}} {
		for i, name := range names {
			c.Load(c.Param(name), planes[side][i])
		}
	}
	c.CMPQ(planes[from][1], planes[from][0])
	c.JCS(operand.LabelRef("other"))
	c.Load(c.Param("scale"), reg.X0)
	c.MOVQ(reg.X0, reg.RAX)
	c.MOVQ(operand.U64(0x3ff0000000000000), tableReg)
	c.CMPQ(reg.RAX, tableReg)
	c.JNE(operand.LabelRef("other"))
	lay.lines(stages[0], "", bufferAt)
	c.Label("other")
	k.spreadScale()
	k.flipSigns()
	if s.joint {
		k.flipOdd()
	}
	c.VXORPS(k.local(factor), ymm[0], ymm[0])
	c.VMOVUPS(ymm[0], k.local(signedFactor))
	lay.lines(stages[1], "other_", bufferAt)
}

// lines is the loop over lines.
func (b buffer) lines(stages [2]*kernel, label string, bufferAt int) {
	down, along := stages[0], stages[1]
	c := down.ctx
	c.LEAQ(operand.Mem{Base: spillReg, Disp: bufferAt}, roomReg)
	c.Label(label + "line")
	c.MOVQ(firstTable, tableReg)
	if b.within() {
		chooseRoom(c, bufferAt, 2*b.n()*b.size())
	}
	at := 2 * b.size() * b.numbers() // the bytes of a vector of columns or rows
	down.stageLoop(label+"columns", from, b.columns()/down.woven, func() {
		c.ADDQ(operand.U32(down.woven*(b.first-1)*2*b.bytes), tableReg)
		c.ADDQ(operand.U32(b.at(0, 0, 0, down.woven*b.perHalf())), bufferReg)
		c.ADDQ(operand.U32(down.woven*at), planes[from][1])
	})
	along.stageLoop(label+"rows", to, b.rows()/along.woven, func() {
		c.ADDQ(operand.U32(b.at(0, along.woven, 0, 0)), bufferReg)
		c.ADDQ(operand.U32(along.woven*at), planes[to][1])
	})
	for side, step := range lineSteps {
		c.ADDQ(step, planes[side][0])
	}
	c.DECQ(linesReg)
	c.JNE(operand.LabelRef(label + "line"))
	down.end()
}

// chooseRoom takes the destination of a line of so many bytes as buffer if it begins with a cache line and
// does not overlap the source, and the stack otherwise.
func chooseRoom(c *build.Context, bufferAt, line int) {
	c.MOVQ(planes[to][0], scratchReg)
	c.SUBQ(planes[from][0], scratchReg)
	c.ADDQ(operand.U32(line-1), scratchReg)
	c.CMPQ(scratchReg, operand.U32(2*line-1))
	c.LEAQ(operand.Mem{Base: spillReg, Disp: bufferAt}, scratchReg)
	c.MOVQ(scratchReg, roomReg)
	c.CMOVQCC(planes[to][0], roomReg)
	c.TESTQ(operand.U32(cacheLine-1), planes[to][0])
	c.CMOVQNE(scratchReg, roomReg)
}

// stageLoop plays the body of a stage for each vector of a side of the line.
func (k *kernel) stageLoop(label string, side, vectors int, next func()) {
	c := k.ctx
	c.MOVQ(planes[side][0], planes[side][1])
	c.MOVQ(roomReg, bufferReg)
	if vectors == 1 {
		k.play()
		return
	}
	c.MOVQ(operand.U32(vectors), groupsReg)
	c.Label(label)
	k.play()
	next()
	c.DECQ(groupsReg)
	c.JNE(operand.LabelRef(label))
}

// downColumns is the first stage of a vector of columns: it leaves the rows that will
// share half a vector transposed with the columns of a half.
func downColumns(c *build.Context, t target, s staged, plain bool) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	b := &k.b
	k.downColumns(buffer{t, s}, 0, func(j int) pair {
		at := j * s.second * 2 * t.size()
		x, y := b.load(legAddress{from, 1, 0, at}), b.load(legAddress{from, 1, 0, at + t.bytes})
		if plain {
			return b.apartHalves(x, y)
		}
		return k.flipped(b.apartHalves(x, y))
	})
	return k
}

// downColumns adds that stage for a vector of columns, counted from the current one.
func (k *kernel) downColumns(lay buffer, vector int, get func(j int) pair) {
	b, per, order, first := &k.b, k.perLane(), k.mixedLanes(), lay.first
	out := make([]pair, first)
	have := make([]bool, first)
	store := func(block int, rows []int) {
		var v [2][]value
		for _, r := range rows {
			v[0], v[1] = append(v[0], out[r].re), append(v[1], out[r].im)
		}
		for plane := range v {
			for i, x := range b.exchangeHalves(v[plane]) {
				b.store(bufferAddress{lay.at(plane, block/2, block%2, vector*per+i)}, x)
			}
		}
	}
	b.dftOrdered(first, order, get, func(j int, p pair) {
		if j > 0 {
			p = k.tableTimes(p, (vector*(first-1)+j-1)*2*k.bytes)
		}
		out[j], have[j] = p, true
		for half := range 2 {
			var rows []int
			for i := range per {
				r := j/len(order)*len(order) + order[half*per+i]
				if !have[r] {
					rows = nil
					break
				}
				rows = append(rows, r)
			}
			if slices.Contains(rows, j) {
				store(j/len(order)*2+half, rows)
			}
		}
	})
}

// alongRows is the second stage of a vector of rows.
func alongRows(c *build.Context, t target, s staged, plain bool) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	b, lay := &k.b, buffer{t, s}
	b.dft(s.second, func(j int) pair { return k.gatherRows(lay, 0, j) }, func(j int, p pair) {
		if !plain {
			p = pair{b.mulM(p.re, localAddress{factor}), b.mulM(p.im, localAddress{signedFactor})}
		}
		at := j * s.first * 2 * t.size()
		b.store(legAddress{to, 1, 0, at}, b.shuffle("VUNPCKL"+t.suffix(), -1, p.re, p.im))
		b.store(legAddress{to, 1, 0, at + t.bytes}, b.shuffle("VUNPCKH"+t.suffix(), -1, p.re, p.im))
	})
	return k
}

// gatherRows is column j of group g of rows, out of the buffer.
func (k *kernel) gatherRows(lay buffer, g, j int) pair {
	per, order := k.perLane(), k.mixedLanes()
	lane := slices.Index(order, j%len(order))
	half := func(plane int) value {
		i := j/len(order)*per + lane%per
		return k.b.push(instruction{kind: gathered,
			mem:  bufferAddress{lay.at(plane, g, 0, i) + lane/per*16},
			more: bufferAddress{lay.at(plane, g, 1, i) + lane/per*16}})
	}
	return pair{half(0), half(1)}
}

// apartHalves takes interleaved elements apart within the halves of vectors.
func (b *block) apartHalves(x, y value) pair {
	if b.bits == 32 {
		return pair{b.shuffle("VSHUFPS", 0x88, x, y), b.shuffle("VSHUFPS", 0xdd, x, y)}
	}
	return pair{b.shuffle("VUNPCKLPD", -1, x, y), b.shuffle("VUNPCKHPD", -1, x, y)}
}

// exchangeHalves transposes as many rows as half a vector has lanes, in each half.
func (b *block) exchangeHalves(v []value) []value {
	if b.bits == 32 {
		return b.exchangeWithin(v)
	}
	return []value{b.shuffle("VUNPCKLPD", -1, v[0], v[1]), b.shuffle("VUNPCKHPD", -1, v[0], v[1])}
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A real line of n samples may begin with a lead over real columns, twice as many legs as a
// vector has lanes. Of its results 0 to lanes those but the first are the legs of complex
// problems, all n/2 elements of a half line, and the bins that these leave above n/2 are the
// conjugates of those that are missing below: no bins are untangled. Result 0 is real. It is a
// real line of its own, of n/(2*lanes) samples, and has every 2*lanes-th bin.

// leadLegs is the inputs of a lead and the number of its twiddles for a column.
func (v leadKind) leadLegs() (in, twiddles int) {
	if v.real {
		return 2 * v.radix, v.radix
	}
	return v.radix, v.radix - 1
}

// realLeads are the leads over real columns, of whole lines and of those whose upper half is
// zero. Wide ones of float64 multiply their twiddles, whatever the length is, and of float32 those
// of long lines, of which none are half zero.
func (t target) realLeads() []leadKind {
	v := leadKind{radix: t.lanes(), load: split, product: t.wide() && t.bits == 64, real: true}
	half, product := v, v
	half.half, product.product = true, true
	if t.bits == 64 {
		return []leadKind{v, half}
	}
	return []leadKind{v, half, product}
}

// realLegs transforms the real columns of a lead. The first result goes where the imaginary
// plane of the source would be, the last takes its place in the rows.
func (k *kernel) realLegs(v leadKind, put func(row int, p pair)) {
	b := &k.b
	legs, _ := v.leadLegs()
	b.real(legs, false, func(j int) value {
		if v.half && 2*j >= legs {
			return none
		}
		return b.load(legAddress{from, 0, j, 0})
	}, func(i int, p pair) {
		at := (i - 1) * 2 * k.bytes
		switch {
		case i == 0:
			b.store(legAddress{from, 1, 0, 0}, p.re)
		case i < v.radix && v.product:
			put(i, k.productTimes(p, at, (i-1)*2*k.size()))
		case i < v.radix:
			put(i, k.tableTimes(p, at))
		case v.product:
			wr, wi := k.product(at, (i-1)*2*k.size())
			put(0, pair{b.mul(p.re, wr), b.mul(p.re, wi)})
		default:
			put(0, pair{b.mulM(p.re, tableAddress{at}), b.mulM(p.re, tableAddress{at + k.bytes})})
		}
	})
}

// foldRadices are those of the last pass of such a line. With 32 legs, whose results go to 64
// cache lines, batches take longer than untangled ones. Of float64 only 768 and 1024 are folded with
// vectors of 256 bits.
func (t target) foldRadices() []int {
	if t.bits == 64 && !t.wide() {
		return []int{12, 16}
	}
	return []int{8, 10, 12, 16}
}

func foldName(t target, radix int) string { return fmt.Sprintf("fold%d%s", radix, t.name) }

// firstAddress is the bin of a leg that comes of the first result of the lead.
type firstAddress struct{ leg int }

func (firstAddress) isAddress() {}

// fold writes the last pass of a line behind a lead over real columns: rows of one vector, the
// legs of a row side by side. The lower half of the results goes up from dstRe, with the bins
// of the first result of the lead put in their first lanes, and the conjugates of the upper half
// go down from dstIm.
func fold(c *build.Context, t target, radix int, done map[string]bool) {
	k := newKernel(c, t, split, split)
	b := &k.b
	b.dft(radix, func(j int) pair {
		return pair{b.load(legAddress{from, 0, 0, j * t.bytes}), b.load(legAddress{from, 1, 0, j * t.bytes})}
	}, func(j int, p pair) {
		plane, leg, low, high := 0, j, indexLow, indexHigh
		if 2*j >= radix {
			plane, leg, low, high = 1, radix-1-j, backLow, backHigh
			p.im = b.negated(p.im)
		}
		p = k.finish(0, p)
		var x, y value
		if t.wide() {
			x, y = b.select2(low, p.re, p.im), b.select2(high, p.re, p.im)
		} else {
			x, y = k.joinedHalves(p, plane == 1)
		}
		if plane == 0 {
			x = k.withFirst(x, firstAddress{leg})
		}
		b.store(legAddress{to, plane, leg, 0}, x)
		b.store(legAddress{to, plane, leg, t.bytes}, y)
	})
	pinned := 0
	if t.wide() {
		pinned = len(zmm) - backHigh
	}
	slots := allocate(b, k.emitter, pinned)
	k.defineConsts(done)
	k.begin(foldName(t, radix), slots, radix/2, radix/2)
	if t.wide() {
		k.loadWide("together", 0, indexLow)
		k.loadWide("together", 1, indexHigh)
		k.loadWide("mirroredBack", 0, backLow)
		k.loadWide("mirroredBack", 1, backHigh)
		c.MOVQ(operand.U32(3), scratchReg)
		c.KMOVW(scratchReg.As32(), reg.K1)
	}
	c.SHLQ(operand.U8(log2(t.size())), k.local(cols))
	c.Load(c.Param("p"), scratchReg)
	c.MOVQ(operand.Mem{Base: scratchReg, Disp: passAheadOut}, scratchReg)
	c.SHLQ(operand.U8(log2(t.size())), scratchReg)
	c.MOVQ(scratchReg, k.local(aheadTo))
	c.Label("row")
	k.claimFold(radix)
	k.play()
	c.MOVQ(k.local(rowStepFrom), scratchReg)
	for _, p := range planes[from] {
		c.ADDQ(scratchReg, p)
	}
	c.MOVQ(k.local(rowStepTo), scratchReg)
	c.ADDQ(scratchReg, planes[to][0])
	c.SUBQ(scratchReg, planes[to][1])
	c.ADDQ(k.local(cols), tableReg)
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef("row"))
	k.end()
}

// claimFold asks for the results of a row further on, up and down.
func (k *kernel) claimFold(radix int) {
	c, up, down := k.ctx, planes[to][0], planes[to][1]
	c.MOVQ(k.local(aheadTo), scratchReg)
	c.TESTQ(scratchReg, scratchReg)
	c.JEQ(operand.LabelRef("claimed"))
	c.ADDQ(scratchReg, up)
	c.SUBQ(scratchReg, down)
	queue := k.queue
	k.queue = nil
	for leg := range radix / 2 {
		for plane := range 2 {
			for disp := 0; disp < 2*k.bytes; disp += cacheLine {
				k.op("PREFETCHT0", k.leg(legAddress{to, plane, leg, disp}))
			}
		}
	}
	k.play()
	k.queue = queue
	c.MOVQ(k.local(aheadTo), scratchReg)
	c.SUBQ(scratchReg, up)
	c.ADDQ(scratchReg, down)
	c.Label("claimed")
}

// joinedHalves interleaves planes whose lanes are in the order of mixedLanes, in two vectors. Back,
// all but the first come from the last on.
func (k *kernel) joinedHalves(p pair, back bool) (x, y value) {
	b := &k.b
	x, y = b.shuffle("VUNPCKL"+k.suffix(), -1, p.re, p.im), b.shuffle("VUNPCKH"+k.suffix(), -1, p.re, p.im)
	switch {
	case !back:
		return x, y
	case k.bits == 64:
		return b.shuffle("VBLENDPD", 0xc, x, y), b.shuffle("VBLENDPD", 0xc, y, x)
	}
	x, y = b.shuffle("VBLENDPS", 0xfc, x, y), b.shuffle("VBLENDPS", 0xfc, y, x)
	return b.unary("VPERMPD", 0x6c, x), b.unary("VPERMPD", 0x6c, y)
}

// withFirst has the complex number at an address in place of the first of x.
func (k *kernel) withFirst(x value, a address) value {
	return k.b.inplace(bit(!k.wide() && k.bits == 32), func(e *emitter, r, t []int) {
		m, v := e.resolve(a), e.vec(r[0])
		switch {
		case e.wide():
			e.op("VMOVU"+e.suffix(), m, reg.K1, v)
		case e.bits == 64:
			e.op("VINSERTF128", operand.U8(0), m, v, v)
		default:
			e.op("VBROADCASTSD", m, e.vec(t[0]))
			e.op("VBLENDPS", operand.U8(3), e.vec(t[0]), v, v)
		}
	}, x)[0]
}

// defineFolded writes what transforms the real numbers of a vector: signs of sums and
// differences, and the factors of these. Of n numbers, the lower half of the lanes has the bins
// 0, n/2, 2, 4 ..., the first two of which are real, and the upper half 1, 3 ...
func defineFolded(e *emitter) {
	n, per := e.lanes(), 64/e.bits
	signs := make([]float64, n)
	for lane := range n {
		signs[lane] = float64(1 - 2*(2*lane/n))
	}
	e.pattern("foldedSigns", signs)
	for p := range 4 {
		for turn := range per {
			factors := make([]float64, n)
			for lane := range n {
				q, bin, part := per*p+(lane+turn)%per, lane%(n/2)/2*2+2*lane/n, lane%2
				if bin == 0 && part == 1 {
					bin, part = n/2, 0
				}
				factors[lane] = cosine(bin*q%n, n)
				if part == 1 {
					factors[lane] = -sine(bin*q%n, n)
				}
			}
			e.pattern(fmt.Sprintf("folded%d%d", p, turn), factors)
		}
	}
}

// vectorBins is the bins of the real numbers of a vector, as defineFolded has them. The sums, or
// differences, of q and q+n/2 are spread over half a vector: one of 64 bits, or two of 32 in turns.
func (k *kernel) vectorBins(x value) value {
	b := &k.b
	sums := b.fmaM(x, patternAddress{"foldedSigns"}, b.shuffle("VSHUFF64X2", 0x4e, x, x))
	var parts [2]value
	for p := range 4 {
		x := b.unary("VPERMPD", 0x55*p, sums)
		for turn := range 64 / k.bits {
			if turn == 1 {
				x = b.crossed(x)
			}
			factors := patternAddress{fmt.Sprintf("folded%d%d", p, turn)}
			if p < 2 && turn == 0 {
				parts[p] = b.mulM(x, factors)
			} else {
				parts[p%2] = b.fmaM(x, factors, parts[p%2])
			}
		}
	}
	return b.add(parts[0], parts[1])
}

// foldedWhole writes the kernel of such a line, whose columns are the lanes of a vector. So is the
// real line of the lead's first result.
func foldedWhole(c *build.Context, t target, rows int, done map[string]bool) {
	bodies, slots := lineBodies(rows <= 4, 4, done, func() *kernel {
		return newKernel(c, t, interleaved, interleaved)
	}, func(k *kernel) { k.foldedLine(rows) })
	k, n := bodies[0], 2*rows*t.lanes()
	together, back, mask := "together", "mirroredBack", 1<<(t.bits/32)-1 // a complex number, in words of 64 bits
	if rows < t.lanes() {
		together, back = "regrouped", "regroupedBack"
		if t.bits == 32 {
			mask |= mask << 4 // of both halves
		}
	}
	k.together = together
	k.begin(packedName(t, n, false), slots, 1, 1)
	k.loadWide(back, 0, foldedBackLow)
	k.loadWide(back, 1, foldedBackHigh)
	c.MOVQ(operand.U32(mask), scratchReg)
	c.KMOVW(scratchReg.As32(), reg.K1)
	k.packedLoop(n, false, bodies[1])
}

// Pinned registers of folded lines, whose samples are not taken apart.
const foldedBackLow, foldedBackHigh = indexEven, indexOdd

// foldedLine is the transform of the current line. Rows come in groups that have their place in a
// vector; that of the first row is of the last bin of a group, which bins that go down begin with.
func (k *kernel) foldedLine(rows int) {
	b, n := &k.b, k.lanes()
	group := n
	if rows < n {
		group = 4
	}
	all, first := make([]pair, rows), none
	b.real(2*rows, false, func(j int) value { return b.load(legAddress{from, k.line, 0, j * k.bytes}) }, func(i int, p pair) {
		row, at := i, (i-1)*2*k.bytes
		if i%group == 0 {
			row -= group
		}
		switch i {
		case 0:
			first = p.re
		case rows:
			all[row] = pair{b.mulM(p.re, tableAddress{at}), b.mulM(p.re, tableAddress{at + k.bytes})}
		default:
			all[row] = k.tableTimes(p, at)
		}
	})
	bins := k.scaledBy(k.vectorBins(first))[0]
	b.storeLowest(k.bin(rows*n), b.crossed(bins))
	if group == n {
		k.foldedSquares(all, bins)
	} else {
		k.foldedFours(all, bins)
	}
}

// foldedPlace is the first bin of a group of results i, and whether they go down as conjugates.
func (k *kernel) foldedPlace(rows, group, g, i int) (bin int, back bool) {
	if n := k.lanes(); 2*i >= n {
		return 2*rows*(n-i) - g - group, true
	}
	return 2*rows*i + g, false
}

// foldedSquares transforms columns of groups of as many rows as there are lanes. The first element of
// a group is stored behind it, where the next one, which comes before it, has left another.
func (k *kernel) foldedSquares(rows []pair, bins value) {
	b, n, per := &k.b, k.lanes(), k.perLane()
	for g := len(rows) - n; g >= 0; g -= n {
		var columns [2][]value
		for plane := range columns {
			columns[plane] = make([]value, n)
			lanes := make([][]value, 4)
			for i := range lanes {
				var v []value
				for _, p := range rows[g+i*per : g+(i+1)*per] {
					v = append(v, [2]value{p.re, p.im}[plane])
				}
				lanes[i] = b.exchangeHalves(v)
			}
			for i := range per {
				for j, x := range b.exchangeLanes([]value{lanes[0][i], lanes[1][i], lanes[2][i], lanes[3][i]}) {
					columns[plane][per*j+i] = x
				}
			}
		}
		b.dft(n, func(j int) pair { return pair{columns[0][j], columns[1][j]} }, func(j int, p pair) {
			at, back := k.foldedPlace(len(rows), n, g, j)
			x, y := k.foldedJoin(p, back)
			if !back && g+n < len(rows) {
				b.storePiece(k.bin(at+n), x, 0)
			}
			if !back && g == 0 {
				x, bins = k.withBins(x, bins, j)
			}
			b.store(k.bin(at), x)
			b.store(k.bin(at+n/2), y)
		})
	}
}

// foldedFours transforms the lanes of groups of four rows. Half a vector, or a whole one of float64,
// is a group.
func (k *kernel) foldedFours(rows []pair, bins value) {
	b, n := &k.b, k.lanes()
	each := n / 8 // results in a vector
	put := func(g, i int, x value) {
		for half := range each {
			at, _ := k.foldedPlace(len(rows), 4, g, i+half)
			if each == 1 {
				b.store(k.bin(at), x)
			} else {
				b.storeHalf(k.bin(at), x, half)
			}
		}
	}
	forth := make([][]value, len(rows)/4)
	for g := range forth {
		k.alongLanes(rows[4*g:4*g+4], func(i int, p pair) {
			back := 2*i >= n
			x, y := k.foldedJoin(p, back)
			if back {
				put(4*g, i, x)
				put(4*g, i+each, y)
				return
			}
			forth[g] = append(forth[g], x, y)
		})
	}
	for v := range forth[0] {
		for g := len(forth) - 1; g > 0; g-- {
			out := b.inplace(0, func(e *emitter, r, _ []int) {
				e.op("VMOVAPD", e.vec(r[1]), reg.K1, e.vec(r[0]))
			}, forth[g][v], forth[g-1][v])
			forth[g-1][v] = out[1]
			put(4*g, v*each, out[0])
		}
		var x value
		x, bins = k.withBins(forth[0][v], bins, v*each)
		put(0, v*each, x)
	}
}

// foldedJoin interleaves results, or their conjugates from the last on.
func (k *kernel) foldedJoin(p pair, back bool) (x, y value) {
	low, high := indexLow, indexHigh
	if back {
		p.im = k.b.negated(p.im)
		low, high = foldedBackLow, foldedBackHigh
	}
	p = k.finish(0, p)
	return k.b.select2(low, p.re, p.im), k.b.select2(high, p.re, p.im)
}

// withBins has bin i of the lead's first result in place of the first of x, and bin i+1 in place of
// the first of its upper half if the mask says so.
func (k *kernel) withBins(x, bins value, i int) (value, value) {
	n := k.lanes()
	out := k.b.inplace(0, func(e *emitter, r, _ []int) {
		if e.bits == 32 && i%2 == 0 {
			e.op("VPERMPD", operand.U8(i/2), e.vec(r[1]), reg.K1, e.vec(r[0]))
			return
		}
		e.op("VALIGNQ", operand.U8((i%2*n/4+i/2)*k.bits/32), e.vec(r[1]), e.vec(r[1]), reg.K1, e.vec(r[0]))
	}, x, bins)
	return out[0], out[1]
}

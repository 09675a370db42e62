package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// wholeRows lists the numbers of rows of the whole-line kernels: a line of
// rows*lanes elements.
func (t target) wholeRows() []int {
	switch {
	case t.wide() && t.bits == 32:
		return []int{16}
	case t.wide():
		return []int{16, 32}
	case t.bits == 32 && !t.neon:
		return []int{4}
	}
	return nil
}

func wholeName(t target, rows int) string { return fmt.Sprintf("whole%d%s", rows*t.lanes(), t.name) }

// wholes writes the kernels that transform a short line in registers.
//
// A line is rows of one vector each. The rows are transformed down the lanes
// and twiddled; then the lanes, as digits of four and of four or two, are
// exchanged with the row digit and transformed in turn, four rows at a time.
// The digits end up in an order that the interleave on the last store undoes.
func wholes(c *build.Context, t target, done map[string]bool) {
	e := &emitter{target: t, ctx: c}
	inner := t.lanes() / 4
	e.definePatterns()
	// Lane inner*row + digit to digit-major order.
	var lanes []int
	for digit := range inner {
		for row := range 4 {
			lanes = append(lanes, inner*row+digit)
		}
	}
	e.indices("regrouped", interleaving(lanes)...)
	for _, r := range t.wholeRows() {
		whole(c, t, r, done)
	}
}

func whole(c *build.Context, t target, rows int, done map[string]bool) {
	k := newKernel(c, t, interleaved, interleaved)
	k.together = "regrouped"
	k.downRows(rows, true, func(j int) pair {
		x := k.b.load(legAddress{from, 0, 0, 2 * j * k.bytes})
		y := k.b.load(legAddress{from, 0, 0, (2*j + 1) * k.bytes})
		return pair{k.b.select2(indexEven, x, y), k.b.select2(indexOdd, x, y)}
	})
	slots := allocate(&k.b, k.emitter, k.pinned())
	k.defineConsts(done)
	k.begin(wholeName(t, rows), slots, 1, 1)
	k.lines()
}

// patterns are the constant vectors of wide kernels that repeat, in the order of their table.
var patterns = []string{"inner1re", "inner1im", "inner2re", "inner2im", "inner3re", "inner3im", "tilt1", "tilt2", "tilt3", "inner1t", "inner3t"}

// patternReg points at the table of patterns.
var patternReg = reg.R13

// definePatterns writes the table: each pattern for two vectors, because the linker puts it
// where half a vector begins, and one that crosses cache lines takes as long as two.
// begin finds the whole one, which is the same: patterns repeat within half a vector.
func (e *emitter) definePatterns() {
	n, inner := e.lanes(), e.lanes()/4
	var all []float64
	for k := 1; k < 4; k++ {
		var re, im []float64
		for l := range 2 * n {
			re, im = append(re, cosine(k*(l%inner), n)), append(im, -sine(k*(l%inner), n))
		}
		all = append(append(all, re...), im...)
	}
	for _, t := range tilts[:3] {
		for range n {
			all = append(all, t, -t)
		}
	}
	for _, k := range []int{1, 3} {
		for l := range 2 * n {
			all = append(all, -tangent(k*(l%inner), n))
		}
	}
	e.pattern("patterns", all)
}

// downRows transforms the rows, and then their lanes, which multiply by the cosines if the rows are
// tilted.
func (k *kernel) downRows(rows int, tilted bool, get func(j int) pair) {
	out := make([]pair, rows)
	have := make([]bool, rows)
	k.b.dft(rows, get, func(j int, p pair) {
		switch {
		case j > 0 && tilted:
			p = k.timesTilted(p, rows, j)
		case j > 0:
			p = k.tableTimes(p, (j-1)*2*k.bytes)
		}
		out[j], have[j] = p, true
		g := j / 4 * 4
		if have[g] && have[g+1] && have[g+2] && have[g+3] {
			along := k.alongLanes
			if tilted {
				along = func(v []pair, put func(chunk int, p pair)) {
					k.lanesTilted(v, (rows+g/4*k.laneFactors())*k.bytes, put)
				}
			}
			k.lanesOf(out[g:g+4], g, rows, along)
		}
	})
}

// lines is a whole-line kernel behind its beginning.
func (k *kernel) lines() {
	k.ctx.MOVQ(k.local(rowFrom), planes[from][0])
	k.ctx.MOVQ(k.local(rowTo), planes[to][0])
	k.lineLoop()
}

// lineLoop transforms line after line.
func (k *kernel) lineLoop() {
	c := k.ctx
	c.Label("line")
	k.play()
	c.ADDQ(k.local(rowStepFrom), planes[from][0])
	c.ADDQ(k.local(rowStepTo), planes[to][0])
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef("line"))
	k.end()
}

// lanesOf transforms the lanes of rows g..g+3 and stores the results.
func (k *kernel) lanesOf(v []pair, g, rows int, along func(v []pair, put func(chunk int, p pair))) {
	b := &k.b
	place := func(element int) address { return legAddress{to, 0, 0, 2 * k.size() * element} }
	along(v, func(chunk int, p pair) {
		lo, hi := k.joined(p)
		at := g + rows*chunk
		switch {
		case k.bits == 64:
			b.store(place(at), lo)
			b.store(place(at+rows), hi)
		case rows == 4:
			b.store(place(at), lo)
			b.store(place(at+8), hi)
		default:
			b.storeHalf(place(at), lo, 0)
			b.storeHalf(place(at+rows), lo, 1)
			b.storeHalf(place(at+2*rows), hi, 0)
			b.storeHalf(place(at+3*rows), hi, 1)
		}
	})
}

// alongLanes transforms the lanes of four rows. Each result has as many chunks of the
// four rows as fit, from the given one on: lane 4*row+i, or 2*row+i, is chunk i.
func (k *kernel) alongLanes(v []pair, put func(chunk int, p pair)) {
	b := &k.b
	v = b.each(v, b.exchangeLanes)
	v = b.collect(4, func(j int) pair { return v[j] })
	for i := 1; i < 4; i++ {
		wr, wi := patternAddress{fmt.Sprintf("inner%dre", i)}, patternAddress{fmt.Sprintf("inner%dim", i)}
		v[i] = pair{b.fmsM(v[i].re, wr, b.mulM(v[i].im, wi)), b.fmaM(v[i].im, wr, b.mulM(v[i].re, wi))}
	}
	if k.bits == 32 {
		v = b.each(v, b.exchangeWithin)
		b.dft(4, func(j int) pair { return v[j] }, func(j int, p pair) { put(4*j, p) })
		return
	}
	for i := 0; i < 4; i += 2 {
		x := pair{b.shuffle("VUNPCKLPD", -1, v[i].re, v[i+1].re), b.shuffle("VUNPCKLPD", -1, v[i].im, v[i+1].im)}
		y := pair{b.shuffle("VUNPCKHPD", -1, v[i].re, v[i+1].re), b.shuffle("VUNPCKHPD", -1, v[i].im, v[i+1].im)}
		put(i, b.addP(x, y))
		put(i+4, b.subP(x, y))
	}
}

// joined scales a pair if asked to and interleaves it.
func (k *kernel) joined(p pair) (lo, hi value) {
	p = k.finish(0, p)
	return k.b.select2(indexLow, p.re, p.im), k.b.select2(indexHigh, p.re, p.im)
}

// each applies f to both planes of four pairs.
func (b *block) each(v []pair, f func([]value) []value) []pair {
	re := f([]value{v[0].re, v[1].re, v[2].re, v[3].re})
	im := f([]value{v[0].im, v[1].im, v[2].im, v[3].im})
	return []pair{{re[0], im[0]}, {re[1], im[1]}, {re[2], im[2]}, {re[3], im[3]}}
}

// exchangeLanes transposes four rows of four 128-bit lanes.
func (b *block) exchangeLanes(v []value) []value {
	even01, odd01 := b.shuffle("VSHUFF64X2", 0x88, v[0], v[1]), b.shuffle("VSHUFF64X2", 0xdd, v[0], v[1])
	even23, odd23 := b.shuffle("VSHUFF64X2", 0x88, v[2], v[3]), b.shuffle("VSHUFF64X2", 0xdd, v[2], v[3])
	return []value{
		b.shuffle("VSHUFF64X2", 0x88, even01, even23), b.shuffle("VSHUFF64X2", 0x88, odd01, odd23),
		b.shuffle("VSHUFF64X2", 0xdd, even01, even23), b.shuffle("VSHUFF64X2", 0xdd, odd01, odd23),
	}
}

// exchangeWithin transposes four rows of four components, in every 128-bit
// lane.
func (b *block) exchangeWithin(v []value) []value {
	lo0, hi0 := b.shuffle("VUNPCKLPS", -1, v[0], v[1]), b.shuffle("VUNPCKHPS", -1, v[0], v[1])
	lo1, hi1 := b.shuffle("VUNPCKLPS", -1, v[2], v[3]), b.shuffle("VUNPCKHPS", -1, v[2], v[3])
	return []value{
		b.shuffle("VUNPCKLPD", -1, lo0, lo1), b.shuffle("VUNPCKHPD", -1, lo0, lo1),
		b.shuffle("VUNPCKLPD", -1, hi0, hi1), b.shuffle("VUNPCKHPD", -1, hi0, hi1),
	}
}

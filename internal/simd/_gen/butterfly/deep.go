package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// deep is a line that one kernel of wide vectors transforms in three stages: as many rows as there are
// lanes, down vectors of columns, and along the rows, which are the lanes of a vector then, two
// radices. All products are tilted. The first stage leaves columns where the last one puts results, so
// the destination is the buffer between the stages where it can be: with one of their own, the source
// and the table lines from 8 KiB on outgrow the first cache.
type deep struct{ first, second int }

// deepLines are lines of 8 KiB and, where complex numbers stay interleaved in the first stage, of 4 to
// 32 KiB. The lanes are a multiple of the second radix.
func (t target) deepLines() []deep {
	switch {
	case !t.wide():
		return nil
	case t.bits == 32:
		return []deep{{8, 4}, {12, 4}, {8, 8}, {12, 8}, {8, 16}, {12, 16}, {16, 16}}
	}
	return []deep{{8, 8}}
}

// columns is the elements of a row.
func (d deep) columns() int { return d.first * d.second }

// vector is a place of the buffer, from the current one on.
func (t target) vector(place, plane int) address {
	return bufferAddress{(2*place + plane) * t.bytes}
}

// place is where a column of the current vector of them lies: as the results of the last stage,
// whose transforms have columns next to each other.
func (d deep) place(column int) int { return column%d.second*d.first + column/d.second }

// packedDeep are the half lines of real lines that such kernels transform, too.
func (t target) packedDeep() []deep {
	if t.wide() && t.bits == 32 {
		return []deep{{8, 4}, {12, 4}, {8, 8}, {12, 8}, {8, 16}}
	}
	return nil
}

// deepForm is what a deep kernel transforms.
type deepForm int

const (
	deepWhole    deepForm = iota // complex lines
	deepPacked                   // real lines of twice the length
	deepUnpacked                 // and back
)

func deepName(t target, d deep, form deepForm) string {
	if form != deepWhole {
		return packedName(t, 2*d.columns()*t.lanes(), form == deepUnpacked)
	}
	return wholeName(t, d.columns())
}

// rooted says that a product of row j with a column is by a root without a cosine. Such rows are
// multiplied by roots and lack nothing.
func rooted(rows, columns, j int) bool {
	for c := range columns {
		if 4*j*c%(2*rows*columns) == rows*columns {
			return true
		}
	}
	return false
}

// lackingFactors is the vectors of factors of dftLacking.
func lackingFactors(n int) int {
	switch n {
	case 1:
		return 0
	case 12:
		return 3*lackingFactors(4) + 4
	}
	return 2*lackingFactors(n/2) + max(1, log2(n)-1)
}

// dftLacking is the transform of 12 or a power of two of inputs each of which lacks a factor, the same for
// both parts; the results lack that of the first input. The factors of sums are in the table from an
// address on: for the odd inputs, for the even ones, and then what the first odd input lacks over the
// first even one, by itself and times the cosines of 1/8, 1/16 ... of a turn.
func (k *kernel) dftLacking(n int, at *int, get func(j int) pair, put func(i int, p pair)) {
	switch n {
	case 1:
		put(0, get(0))
		return
	case 12:
		k.twelveLacking(at, get, put)
		return
	}
	b := &k.b
	half := func(first int) []pair {
		out := make([]pair, n/2)
		k.dftLacking(n/2, at, func(j int) pair { return get(2*j + first) }, func(i int, p pair) { out[i] = p })
		return out
	}
	odd, even := half(1), half(0)
	factors := make([]value, max(1, log2(n)-1))
	for i := range factors {
		factors[i] = b.load(tableAddress{*at})
		*at += k.bytes
	}
	for i := range n / 2 {
		o, c := odd[i], 1.0
		switch {
		case i == 0:
		case 4*i == n:
			o = pair{o.im, o.re}
		default:
			o, c = b.tilted(o, i, n)
		}
		f := factors[0]
		for j := range factors[1:] {
			if math.Abs(math.Abs(c)-cosine(1, 8<<j)) < 1e-9 {
				f = factors[j+1]
			}
		}
		plus, minus := b.bothP(even[i], o, f)
		switch {
		case c < 0:
			plus, minus = minus, plus
		case i > 0 && 4*i == n:
			plus.im, minus.im = minus.im, plus.im
		}
		put(i, plus)
		put(i+n/2, minus)
	}
}

// twelveLacking is dftLacking of three transforms of four and four of three. The factors of those of four
// come first; those of three are what the last input lacks over the second, and the second over the first, by
// itself, times -1/2 and times the sine of a third of a turn.
func (k *kernel) twelveLacking(at *int, get func(j int) pair, put func(i int, p pair)) {
	b := &k.b
	var columns [3][4]pair
	for j := range columns {
		k.dftLacking(4, at, func(i int) pair { return get((3*i + 4*j) % 12) }, func(i int, p pair) { columns[j][i] = p })
	}
	var factors [4]value
	for i := range factors {
		factors[i] = b.load(tableAddress{*at})
		*at += k.bytes
	}
	for i := range 4 {
		x := columns[0][i]
		s, d := b.bothP(columns[1][i], columns[2][i], factors[0])
		m := pair{b.fma(s.re, factors[2], x.re), b.fma(s.im, factors[2], x.im)}
		plus, minus := b.bothP(m, pair{d.im, d.re}, factors[3])
		for j, p := range []pair{
			{b.fma(s.re, factors[1], x.re), b.fma(s.im, factors[1], x.im)},
			{plus.re, minus.im},
			{minus.re, plus.im},
		} {
			put((9*i+4*j)%12, p)
		}
	}
}

// firstStage is down the rows of a vector of columns in planes. It returns the vectors of its table.
func (d deep) firstStage(k *kernel) int {
	b := &k.b
	var rows [2]*transposed
	for plane := range rows {
		rows[plane] = newTransposed(b, k.lanes(), func(column, disp int) address {
			return bufferAddress{(2*d.place(column)+plane)*k.bytes + disp}
		})
	}
	b.dft(k.lanes(), func(j int) pair {
		at := j * d.columns() * 2 * k.size()
		x, y := b.load(legAddress{from, 1, 0, at}), b.load(legAddress{from, 1, 0, at + k.bytes})
		return pair{b.select2(indexEven, x, y), b.select2(indexOdd, x, y)}
	}, func(j int, p pair) {
		if j > 0 {
			p = k.timesTilted(p, k.lanes(), j)
		}
		rows[0].row(j, p.re)
		rows[1].row(j, p.im)
	})
	return k.lanes()
}

// deepTable is the table of a line's first vector: patternReg has the place of firstTable.
var deepTable = reg.R12

// secondStage is the first radix along the rows.
func (d deep) secondStage(k *kernel) {
	at := 0
	entries := make([]int, d.first+1)
	entries[1] = lackingFactors(d.first) * k.bytes
	for j := 1; j < d.first; j++ {
		entries[j+1] = entries[j] + k.size()
		if rooted(d.first, d.second, j) {
			entries[j+1] += k.size()
		}
	}
	k.dftLacking(d.first, &at, k.vectorAt, func(j int, p pair) {
		switch {
		case j > 0 && rooted(d.first, d.second, j):
			p = k.b.timesM(p, entryAddress{entries[j]}, entryAddress{entries[j] + k.size()})
		case j > 0:
			p = k.b.tiltM(p, entryAddress{entries[j]})
		}
		k.b.store(k.vector(j, 0), p.re)
		k.b.store(k.vector(j, 1), p.im)
	})
}

// vectorAt loads a place of the buffer.
func (k *kernel) vectorAt(place int) pair {
	return pair{k.b.load(k.vector(place, 0)), k.b.load(k.vector(place, 1))}
}

// lastStage is the second radix along the rows.
func (d deep) lastStage(k *kernel) {
	at := 0
	k.dftLacking(d.second, &at, func(j int) pair { return k.vectorAt(j * d.first) }, func(j int, p pair) {
		lo, hi := k.joined(p)
		k.b.store(legAddress{to, 1, 0, 2 * j * d.first * k.bytes}, lo)
		k.b.store(legAddress{to, 1, 0, (2*j*d.first + 1) * k.bytes}, hi)
	})
}

// deepLine writes the kernel.
func deepLine(c *build.Context, t target, d deep, form deepForm, done map[string]bool) {
	stages := make([]*kernel, 4)
	for i := range stages {
		stages[i] = newKernel(c, t, interleaved, interleaved)
		stages[i].labels = 1000 * i
	}
	var tile int
	if t.bits == 32 {
		tile = d.firstJoint(stages[0], form)
	} else {
		tile = d.firstStage(stages[0])
	}
	d.secondStage(stages[1])
	if form == deepPacked {
		d.binsStage(stages[2])
		d.middleBins(stages[3])
	} else {
		d.lastStage(stages[2])
	}

	slots := 0
	for i, k := range stages {
		pinned := k.pinned()
		if form == deepPacked && i > 1 {
			pinned = len(zmm) - mirrorIndex
		}
		slots = max(slots, allocate(&k.b, k.emitter, pinned))
		k.defineConsts(done)
	}
	k := stages[0]
	line := 2 * d.columns() * t.bytes
	// Vectors behind the buffer: indices that join rows, or what binsStage keeps.
	behind := 2
	if form == deepPacked {
		behind = d.kept()
	}
	k.begin(deepName(t, d, form), slots+2*d.columns()+behind, 1, 1)
	joins := operand.Mem{Base: spillReg, Disp: slots*t.bytes + line}
	pairs := operand.NewDataAddr(operand.NewStaticSymbol("pairs"), 0)
	switch form {
	case deepWhole:
		// Rows are joined by other indices than planes, which wait behind the buffer.
		c.VMOVUPS(zmm[indexLow], joins)
		c.VMOVUPS(zmm[indexHigh], joins.Offset(t.bytes))
	case deepPacked:
		c.SARQ(operand.U8(1), k.local(rowStepFrom)) // lines are samples apart
		k.loadWide("reversed", 2, backwardsLow)
		k.loadWide("reversed", 3, backwardsHigh)
		c.LEAQ(joins, keptReg)
	case deepUnpacked:
		c.SARQ(operand.U8(1), k.local(rowStepTo))
		k.loadWide("backwards", 0, backwardsIndex)
	}
	c.MOVQ(k.local(rowFrom), planes[from][0])
	c.MOVQ(k.local(rowTo), planes[to][0])
	c.MOVQ(tableReg, deepTable)
	c.Label("line")
	c.MOVQ(deepTable, tableReg)
	chooseRoom(c, slots*t.bytes, line)
	c.VMOVUPS(pairs, zmm[indexLow])
	c.VMOVUPS(pairs.Offset(t.bytes), zmm[indexHigh])
	if form == deepUnpacked {
		d.beginTangled(k)
	}
	for i, s := range []struct{ side, times, table, places int }{
		{from, d.columns() / t.lanes(), tile, t.lanes() / d.second},
		{from, d.second, lackingFactors(d.first) + 1, d.first},
		{to, d.first, lackingFactors(d.second), 1},
	} {
		if i == 2 && form == deepPacked {
			d.binsLoop(stages[2], stages[3])
			break
		}
		switch {
		case i == 2 && form == deepWhole:
			c.VMOVUPS(joins, zmm[indexLow])
			c.VMOVUPS(joins.Offset(t.bytes), zmm[indexHigh])
		case i == 2:
			k.loadWide("together", 2, indexLow) // parts in exchange
			k.loadWide("together", 3, indexHigh)
		}
		stages[i].stageLoop(fmt.Sprintf("stage%d", i), s.side, s.times, func() {
			c.ADDQ(operand.U32(s.table*t.bytes), tableReg)
			c.ADDQ(operand.U32(s.places*2*t.bytes), bufferReg)
			c.ADDQ(operand.U32(2*t.bytes), planes[s.side][1])
			if i == 0 && form == deepUnpacked {
				d.nextTangled(k)
			}
		})
	}
	c.ADDQ(k.local(rowStepFrom), planes[from][0])
	c.ADDQ(k.local(rowStepTo), planes[to][0])
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef("line"))
	k.end()
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A packed kernel transforms real lines as complex ones of half the length and
// untangles the spectrum before it leaves the registers, or the stack. A pass of its
// own would load from addresses that no vector was stored to, and wait. An unpacked
// kernel does the reverse.

// packedStages are the complex lines of packed kernels in two stages.
func (t target) packedStages() []staged {
	switch {
	case t.wide() || t.neon:
		return nil
	case t.bits == 32:
		return []staged{{8, 8, false}, {16, 8, false}, {16, 16, false}, {16, 32, false}}
	}
	return []staged{{4, 8, false}, {8, 8, false}, {16, 8, false}, {16, 16, false}}
}

// packedRows are the rows of one vector of packed kernels, those of wide vectors being folded. With
// 32 of them these spill so much that a pass of its own is faster.
func (t target) packedRows() []int {
	if t.wide() {
		return []int{4, 8, 16}
	}
	return t.wholeRows()
}

// packedLines are the lengths of the real lines of packed kernels.
func (t target) packedLines() []int {
	var lengths []int
	for _, r := range t.packedRows() {
		lengths = append(lengths, 2*r*t.lanes())
	}
	for _, d := range t.packedDeep() {
		lengths = append(lengths, 2*d.columns()*t.lanes())
	}
	for _, s := range t.packedStages() {
		lengths = append(lengths, 2*s.n())
	}
	return lengths
}

func packedName(t target, n int, inverse bool) string {
	return fmt.Sprintf("%s%d%s", [...]string{"packed", "unpacked"}[bit(inverse)], n, t.name)
}

// joinReg points at the factors of the bins, see [butterfly.Packed].
var joinReg = reg.RDI

// joinAddress is a vector of those factors.
type joinAddress struct{ disp int }

func (joinAddress) isAddress() {}

// storeLowest stores the first component of a vector.
func (b *block) storeLowest(a address, v value) {
	b.code = append(b.code, instruction{kind: lowest, mem: a, in: []value{v}})
}

// tangling is what untangles the bins of a complex line, or tangles those of a real one.
// Vectors have the bins in turn, in any order within a vector that begins with its first.
type tangling struct {
	*kernel
	// mirror has the bins of vector x at the places of their negatives, the first of
	// which is that of vector first.
	mirror func(x, first value) value
	// half says that sums are halved and results scaled, which tangling does not want.
	half bool
}

func (t *tangling) both(x, first pair) pair {
	return pair{t.mirror(x.re, first.re), t.mirror(x.im, first.im)}
}

// run turns vectors of bins into others. end is a vector that begins with the bin after
// the last: of a complex line, the first. put is called for the vectors in some order
// and for the one at the end.
func (t *tangling) run(v []pair, end pair, put func(i int, p pair)) {
	b, last := &t.b, len(v)-1
	var before pair
	for i := range len(v) / 2 {
		a, first := v[i], end
		if i > 0 {
			first = v[last-i+1]
		}
		z := t.both(v[last-i], first)
		s := pair{b.add(a.re, z.re), b.sub(a.im, z.im)}
		d := pair{b.add(a.im, z.im), b.sub(z.re, a.re)}
		w := b.timesM(d, joinAddress{2 * i * t.bytes}, joinAddress{(2*i + 1) * t.bytes})
		var out []value
		if t.half {
			out = t.scaledBy(
				b.fmaC(s.re, 0.5, w.re), b.fmaC(s.im, 0.5, w.im),
				b.fmsC(s.re, 0.5, w.re), b.fnmaC(s.im, 0.5, w.im))
		} else {
			out = []value{b.add(s.re, w.re), b.add(s.im, w.im), b.sub(s.re, w.re), b.sub(w.im, s.im)}
		}
		near, far := pair{out[0], out[1]}, pair{out[2], out[3]}
		put(i, near)
		if i > 0 {
			put(last-i+1, t.both(before, far))
		} else {
			put(len(v), far)
		}
		before = far
	}
	// The bin in the middle is its own mirror.
	mid := v[len(v)/2]
	if t.half {
		out := t.scaledBy(mid.re, b.mulC(mid.im, -1))
		mid = pair{out[0], out[1]}
	} else {
		mid = pair{b.add(mid.re, mid.re), b.mulC(mid.im, -2)}
	}
	put(len(v)/2, t.both(before, mid))
}

// untangled stores the bins of a real line, v being those of the complex one.
func (k *kernel) untangled(v []pair, mirror func(x, first value) value, put func(i int, p pair)) {
	t := tangling{k, mirror, true}
	t.run(v, v[0], func(i int, p pair) {
		if i == len(v) {
			k.b.storeLowest(k.bin(i*k.lanes()), p.re)
			return
		}
		put(i, p)
	})
}

// tangled is the bins of the complex line of n vectors for those of the real one.
func (k *kernel) tangled(n int, mirror func(x, first value) value, get func(i int) pair) []pair {
	b := &k.b
	v := make([]pair, n)
	for i := range v {
		v[i] = get(i)
	}
	v[0].im = b.push(instruction{kind: binaryM, op: "VAND", in: []value{v[0].im}, mem: patternAddress{"butFirst"}})
	end := pair{b.push(instruction{kind: loadLowest, mem: legAddress{from, 0, 0, 2 * k.bytes * n}}), b.load(zeroAddress{})}
	out := make([]pair, n+1)
	t := tangling{k, mirror, false}
	t.run(v, end, func(i int, p pair) { out[i] = p })
	return out[:n]
}

// defineButFirst writes the mask of all lanes but the first.
func defineButFirst(e *emitter) {
	e.ctx.StaticGlobal("butFirst")
	e.ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for lane := range e.lanes() {
		all := uint64(1<<64 - 1)
		if lane == 0 {
			all = 0
		}
		if e.bits == 32 {
			e.ctx.AppendDatum(operand.U32(all))
		} else {
			e.ctx.AppendDatum(operand.U64(all))
		}
	}
}

// bin is where a bin is stored.
func (k *kernel) bin(i int) address { return legAddress{to, k.line, 0, 2 * k.size() * i} }

// realEnds stores the imaginary parts of the first and of the last bin of the line, or of the
// second of two.
func (k *kernel) realEnds(bins, line int) {
	for _, i := range []int{0, bins - 1} {
		at := operand.Mem{Base: planes[to][line], Disp: 2*k.size()*i + k.size()}
		if k.bits == 32 {
			k.ctx.MOVL(operand.U32(0), at)
		} else {
			k.ctx.MOVQ(operand.U32(0), at)
		}
	}
}

// loadJoin leaves the pass in RAX.
func (k *kernel) loadJoin() {
	k.ctx.Load(k.ctx.Param("p"), reg.RAX)
	k.ctx.MOVQ(operand.Mem{Base: reg.RAX, Disp: passFactors}, joinReg)
}

// packedLoop is the loop over lines of a kernel without stages, in pairs where there is a body
// for two.
func (k *kernel) packedLoop(n int, inverse bool, two *kernel) {
	c := k.ctx
	k.loadJoin()
	c.SARQ(operand.U8(1), k.local([...]int{rowStepFrom, rowStepTo}[bit(inverse)])) // lines are samples apart
	c.MOVQ(k.local(rowFrom), planes[from][0])
	c.MOVQ(k.local(rowTo), planes[to][0])
	if two != nil {
		two.twoLines(func() {
			for line := range 2 {
				two.realEnds(n/2+1, line)
			}
		})
	}
	c.Label("line")
	k.play()
	if !inverse {
		k.realEnds(n/2+1, 0)
	}
	c.ADDQ(k.local(rowStepFrom), planes[from][0])
	c.ADDQ(k.local(rowStepTo), planes[to][0])
	c.DECQ(k.local(rowsLeft))
	c.JNE(operand.LabelRef("line"))
	k.end()
}

// mirrorIndex is pinned in unpacked kernels of wide vectors, besides those of an interleaved pass.
const mirrorIndex = 27

// definePacked writes the index vectors of the packed kernels of wide vectors.
func definePacked(e *emitter) {
	n := e.lanes()
	defineButFirst(e)
	e.indices("mirror", mirrored(n, sequence(n), true))
	e.indices("mirroredBack", interleaving(mirrored(n, sequence(n), false))[:2]...)
	var back []int
	for digit := range n / 4 {
		for _, row := range []int{0, 3, 2, 1} {
			back = append(back, n/4*row+digit)
		}
	}
	e.indices("regroupedBack", interleaving(back)[:2]...)
}

// mirrored is the index that puts bins at the places of their negatives, for bins in
// the given order. The first one stays where it is; with two, it is of the second vector.
func mirrored(n int, order []int, two bool) []int {
	where, index := make([]int, n), make([]int, n)
	for lane, bin := range order {
		where[bin] = lane
	}
	for lane, bin := range order {
		index[lane] = where[(n-bin)%n]
		if bin == 0 && two {
			index[lane] += n
		}
	}
	return index
}

func (k *kernel) mirrorWide(x, first value) value { return k.b.select2(mirrorIndex, x, first) }

// loadWide pins a vector of indices.
func (k *kernel) loadWide(name string, i, r int) {
	k.ctx.VMOVUPS(operand.NewDataAddr(operand.NewStaticSymbol(name), 64*i), zmm[r])
}

// unpackedWhole writes the reverse of a packed line of rows of one wide vector. A forward transform is an inverse one
// if planes are exchanged on both sides.
func unpackedWhole(c *build.Context, t target, rows int, done map[string]bool) {
	k := newKernel(c, t, interleaved, interleaved)
	k.together = "regrouped"
	b := &k.b
	v := k.tangled(rows, k.mirrorWide, func(j int) pair {
		x := b.load(legAddress{from, 0, 0, 2 * j * t.bytes})
		y := b.load(legAddress{from, 0, 0, (2*j + 1) * t.bytes})
		return pair{b.select2(indexEven, x, y), b.select2(indexOdd, x, y)}
	})
	k.downRows(rows, false, func(j int) pair { return pair{v[j].im, v[j].re} })
	slots := allocate(b, k.emitter, 5)
	k.defineConsts(done)
	k.begin(packedName(t, 2*rows*t.lanes(), true), slots, 1, 1)
	// Parts in exchange.
	k.loadWide("regrouped", 2, indexLow)
	k.loadWide("regrouped", 3, indexHigh)
	k.loadWide("mirror", 0, mirrorIndex)
	k.packedLoop(2*rows*t.lanes(), true, nil)
}

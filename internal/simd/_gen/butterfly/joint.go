package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// jointVectors lists the numbers of vectors of the kernels for whole lines whose complex numbers
// stay interleaved: a line of vectors*lanes/2 elements.
func (t target) jointVectors() []int {
	if t.wide() {
		return []int{8, 16}
	}
	return nil
}

// jointWidth is the vectors of a row. 64 complex128 are 8 x 8, 5% fewer instructions than 16 x 4;
// 128 complex64 are as many as 8 x 16, and a line alone takes 1.1 of the time of 16 x 8.
func (t target) jointWidth(vectors int) int {
	if vectors == 16 && t.bits == 64 {
		return 2
	}
	return 1
}

func jointName(t target, vectors int) string {
	return fmt.Sprintf("joint%d%s", vectors*t.lanes()/2, t.name)
}

// joint writes a kernel that transforms a short line in registers and never takes complex
// numbers apart. A row is one vector or two. The rows are transformed down the columns and
// twiddled, exchanged with the columns, and transformed again. That is one exchange, where
// lanes as planes have two and the way in and out besides; in turn a product needs its
// factor with components exchanged. A line of 64 complex64 takes 97 instructions of the
// ports that compute and shuffle, planes 120.
func joint(c *build.Context, t target, vectors int, done map[string]bool) {
	bodies, slots := lineBodies(vectors == 8, 0, done, func() *kernel {
		k := newKernel(c, t, interleaved, interleaved)
		k.joint = true
		return k
	}, func(k *kernel) { k.jointLine(vectors) })
	k := bodies[0]
	k.begin(jointName(t, vectors), slots, 1, 1)
	c.MOVQ(k.local(scaled), reg.RCX)
	c.ORQ(reg.RCX, k.local(swapTo)) // nonzero: results are not stored as they are
	c.MOVQ(k.local(rowFrom), planes[from][0])
	c.MOVQ(k.local(rowTo), planes[to][0])
	if two := bodies[1]; two != nil {
		two.twoLines(func() {})
	}
	k.lineLoop()
}

// jointLine transforms the current line of so many vectors.
func (k *kernel) jointLine(vectors int) {
	b, cols, wide := &k.b, k.lanes()/2, k.jointWidth(vectors)
	rows := vectors / wide
	all := make([]value, vectors)
	for j := range all {
		all[j] = b.load(legAddress{from, k.line, 0, j * k.bytes})
	}
	all = k.exchanged(all)
	x := make([][]value, wide)
	var groups []int
	for v := range x {
		for j := v; j < vectors; j += wide {
			x[v] = append(x[v], all[j])
		}
		groups = append(groups, len(b.code))
		x[v] = b.dftJoint(x[v])
	}
	if wide > 1 {
		b.inTurns(groups, 0.3)
	}
	groups = nil
	for g := 0; g < rows; g += cols {
		groups = append(groups, len(b.code))
		var columns []value
		for v := range x {
			for j := max(g, 1); j < g+cols; j++ {
				x[v][j] = k.tiltRow(x[v][j], rows, v, j)
			}
			columns = append(columns, b.exchangeJoint(x[v][g:g+cols])...)
		}
		table := wide*rows + g/cols*tiltedFactors(len(columns))
		y := b.dftTilted(columns, func(i int) address { return tableAddress{(table + i) * k.bytes} })
		for i, v := range k.finishJoint(y) {
			b.store(legAddress{to, k.line, 0, (i*rows + g) * 2 * k.size()}, v)
		}
	}
	if len(groups) == 2 {
		b.inTurns(groups, 0.35)
	}
}

// exchanged exchanges the components of all values if the planes are.
func (k *kernel) exchanged(x []value) []value {
	return k.b.inplace(0, func(e *emitter, r, _ []int) { k.unless(swapFrom, func() { e.cross(r) }) }, x...)
}

// finishJoint multiplies all values by the scale unless it is 1, and exchanges their
// components if the planes are. Most lines want neither, and find out by one branch.
func (k *kernel) finishJoint(x []value) []value {
	return k.b.inplace(1, func(e *emitter, r, t []int) {
		k.unless(swapTo, func() {
			k.unless(scaled, func() {
				e.broadcastTo(k.local(scale), t[0])
				for _, v := range r {
					e.op("VMUL"+e.suffix(), e.vec(t[0]), e.vec(v), e.vec(v))
				}
			})
			k.unless(swapFrom, func() { e.cross(r) })
		})
	}, x...)
}

// unless emits code that runs unless the stack variable is 0.
func (k *kernel) unless(flag int, code func()) {
	skip := k.label()
	k.op("CMPQ", k.local(flag), operand.U8(0))
	k.op("JEQ", operand.LabelRef(skip))
	code()
	k.mark(skip)
}

func (e *emitter) cross(r []int) {
	for _, v := range r {
		e.op("VPERMIL"+e.suffix(), operand.U8(e.crossing()), e.vec(v), e.vec(v))
	}
}

// crossing is what exchanges neighbours, as the constant of a permutation.
func (t target) crossing() int { return map[int]int{32: 0xb1, 64: 0x55}[t.bits] }

// crossed exchanges the components of complex numbers.
func (b *block) crossed(x value) value {
	return b.unary("VPERMIL"+b.suffix(), b.crossing(), x)
}

// alternateM is x*mem - acc in even lanes and x*mem + acc in odd ones.
func (b *block) alternateM(x value, m address, acc value) value {
	if b.neon {
		return b.fmaM(x, m, b.mulM(acc, signedAddress{-1}))
	}
	return b.push(instruction{kind: fusedM, op: "VFMADDSUB", in: []value{x, acc}, mem: m})
}

// turnedJoint is acc - t*i*x, from x with its components exchanged.
func (b *block) turnedJoint(crossed value, t float64, acc value) value {
	switch {
	case b.bare && t == 1:
		return b.alternate("VFMSUBADD", acc, 1, crossed)
	case b.bare && t == -1:
		return b.alternate("VFMADDSUB", acc, 1, crossed)
	}
	if t < 0 {
		return b.fnmaM(crossed, tiltAddress(-t), acc)
	}
	return b.fmaM(crossed, tiltAddress(t), acc)
}

// tilts are the tangents that transforms of up to 16 elements turn by, and behind them those of
// 32 and 64. Their patterns are t, -t, t, -t ...
var tilts = []float64{tangent(1, 16), 1, tangent(3, 16), tangent(1, 32), tangent(3, 32), tangent(5, 32), tangent(7, 32),
	tangent(1, 64), tangent(3, 64), tangent(5, 64), tangent(7, 64), tangent(9, 64), tangent(11, 64), tangent(13, 64), tangent(15, 64)}

func tiltAddress(t float64) address {
	return patternAddress{fmt.Sprintf("tilt%d", 1+slices.Index(tilts, t))}
}

// dftJoint is the forward transform of 4, 8 or 16 vectors.
func (b *block) dftJoint(x []value) []value {
	n := len(x)
	out := make([]value, n)
	put := func(k int, e, y value, c float64) { out[k], out[k+n/2] = b.fmaC(y, c, e), b.fnmaC(y, c, e) }
	quarter := func(k int, e, o value) {
		s := b.crossed(o)
		out[k], out[k+n/2] = b.turnedJoint(s, 1, e), b.turnedJoint(s, -1, e)
	}
	var even, odd []value
	for j := 0; j < n; j += 2 {
		even, odd = append(even, x[j]), append(odd, x[j+1])
	}
	if n == 4 {
		d, e := b.sub(even[0], even[1]), b.sub(odd[0], odd[1])
		s, t := b.add(even[0], even[1]), b.add(odd[0], odd[1])
		out[0], out[2] = b.add(s, t), b.sub(s, t)
		quarter(1, d, e)
		return out
	}
	e := b.dftJoint(even)
	if n == 8 {
		// The odd half with its turns by an eighth: o(1-i) and o(1+i) of d-ie and d+ie are
		// (d-e)-i(d+e) and (d-e)+i(d+e), by one exchange of components for four.
		s, d := b.add(odd[0], odd[2]), b.sub(odd[0], odd[2])
		t, f := b.add(odd[1], odd[3]), b.sub(odd[1], odd[3])
		sum, crossed := b.add(s, t), b.crossed(b.add(d, f))
		out[0], out[4] = b.add(e[0], sum), b.sub(e[0], sum)
		quarter(2, e[2], b.sub(s, t))
		m := b.sub(d, f)
		put(1, e[1], b.turnedJoint(crossed, 1, m), cosine(1, 8))
		put(3, e[3], b.turnedJoint(crossed, -1, m), cosine(3, 8))
		return out
	}
	o := b.dftJoint(odd)
	out[0], out[n/2] = b.add(e[0], o[0]), b.sub(e[0], o[0])
	quarter(n/4, e[n/4], o[n/4])
	for k := 1; k < n/4; k++ {
		t := tangent(k, n)
		if 8*k == n {
			t = 1
		}
		put(k, e[k], b.turnedJoint(b.crossed(o[k]), t, o[k]), cosine(k, n))
		m := n/2 - k
		put(m, e[m], b.turnedJoint(b.crossed(o[m]), -t, o[m]), cosine(m, n))
	}
	return out
}

// exchangeJoint transposes as many vectors of complex numbers as one of them has.
func (b *block) exchangeJoint(v []value) []value {
	if b.bits == 64 {
		return b.exchangeLanes(v)
	}
	var lo, hi []value
	for i := 0; i < len(v); i += 2 {
		lo = append(lo, b.shuffle("VUNPCKLPD", -1, v[i], v[i+1]))
		hi = append(hi, b.shuffle("VUNPCKHPD", -1, v[i], v[i+1]))
	}
	lo, hi = b.exchangeLanes(lo), b.exchangeLanes(hi)
	var out []value
	for i := range lo {
		out = append(out, lo[i], hi[i])
	}
	return out
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The stages of lines whose complex numbers stay interleaved. Sixteen of them have room in as
// many registers, where planes would leave half of the vectors on the stack; there are as many
// shuffles.

// jointLanes is the column in each lane.
func (t target) jointLanes() []int {
	lanes := make([]int, t.lanes())
	for l := range lanes {
		lanes[l] = l / 2
	}
	return lanes
}

// defineTilts writes the patterns of tilts.
func defineTilts(e *emitter) {
	for i, t := range tilts {
		var all []float64
		for range e.lanes() / 2 {
			all = append(all, t, -t)
		}
		e.pattern(fmt.Sprintf("tilt%d", i+1), all)
	}
}

// downJoint is the first stage of vectors of columns. It leaves two rows of complex64 with
// their numbers in turns, for halves of vectors of one column.
func downJoint(c *build.Context, t target, s staged, plain bool) *kernel {
	lay := buffer{t, s}
	return weave(c, t, s.first, lay.columns(), plain, func(k *kernel, vector int) {
		b, per := &k.b, lay.perHalf()
		out := make([]value, s.first)
		have := make([]bool, s.first)
		b.dftJointFrom(s.first, func(j int) value {
			x := b.load(legAddress{from, 1, 0, j*s.second*2*t.size() + vector*k.bytes})
			if plain {
				return x
			}
			return b.push(instruction{kind: binaryM, op: "VXOR", in: []value{x}, mem: localAddress{flip}})
		}, func(j int, x value) {
			if j > 0 {
				at := (vector*(s.first-1) + j - 1) * 2 * k.bytes
				x = b.alternateM(x, tableAddress{at}, b.mulM(b.crossed(x), tableAddress{at + k.bytes}))
			}
			out[j], have[j] = x, true
			g := j / per
			for i := range per {
				if !have[g*per+i] {
					return
				}
			}
			v := out[g*per : (g+1)*per]
			if per == 2 {
				v = []value{b.shuffle("VUNPCKLPD", -1, v[0], v[1]), b.shuffle("VUNPCKHPD", -1, v[0], v[1])}
			}
			for i, x := range v {
				b.store(bufferAddress{lay.at(0, g/2, g%2, vector*per+i)}, x)
			}
		})
	})
}

// alongJoint is the second stage of vectors of rows.
func alongJoint(c *build.Context, t target, s staged, plain bool) *kernel {
	lay := buffer{t, s}
	return weave(c, t, s.second, lay.rows(), plain, func(k *kernel, vector int) {
		b := &k.b
		b.dftJointFrom(s.second, func(j int) value {
			lane, per := j%lay.numbers(), lay.perHalf()
			at := j/lay.numbers()*per*k.bytes + lane/per*16
			return b.push(instruction{kind: gathered,
				mem:  bufferAddress{lay.at(0, vector, 0, lane%per) + at},
				more: bufferAddress{lay.at(0, vector, 1, lane%per) + at}})
		}, func(j int, x value) {
			if !plain {
				x = b.mulM(x, localAddress{signedFactor})
			}
			b.store(legAddress{to, 1, 0, j*s.first*2*t.size() + vector*k.bytes}, x)
		})
	})
}

// weave is a stage with the transforms of several vectors in turns, each half of one behind the
// other: while one loads and adds, the other has chains of products to wait for. More than 16
// numbers have no room for that. Lines that are scaled or go back are not woven: they are fewer,
// and a second copy of the longest code.
func weave(c *build.Context, t target, n, vectors int, plain bool, body func(k *kernel, vector int)) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	if plain && n == 16 {
		k.woven = min(4, vectors)
	}
	var starts []int
	for vector := range k.woven {
		starts = append(starts, len(k.b.code))
		body(k, vector)
	}
	k.b.inTurns(starts, 0.5)
	return k
}

// flipOdd keeps only the signs of imaginary parts, in the first register and on the stack.
func (k *kernel) flipOdd() {
	c, even := k.ctx, map[int]int{32: 0x55, 64: 0x33}[k.bits]
	c.VXORPS(reg.Y1, reg.Y1, reg.Y1)
	c.VBLENDPS(operand.U8(even), reg.Y1, reg.Y0, reg.Y0)
	c.VMOVUPS(reg.Y0, k.local(flip))
}

// dftJointFrom is dftJoint with inputs loaded and outputs stored next to the arithmetic. From 16
// on it joins quarters, so that values leave registers once.
func (b *block) dftJointFrom(n int, get func(j int) value, put func(k int, x value)) {
	part := func(first, step int) []value {
		var x []value
		for j := first; j < n; j += step {
			x = append(x, get(j))
		}
		return b.dftJoint(x)
	}
	if n < 16 {
		for k, x := range part(0, 1) {
			put(k, x)
		}
		return
	}
	var q [4][]value
	for _, r := range []int{3, 1, 2, 0} {
		q[r] = part(r, 4)
	}
	for k := range n / 4 {
		e0, e1 := b.turnedPair(q[0][k], q[2][k], k, n/2)
		var o0, o1 value
		if 8*k == n {
			// As in dftJoint: one exchange of components for the turns of both.
			crossed, m := b.crossed(b.add(q[1][k], q[3][k])), b.sub(q[1][k], q[3][k])
			o0, o1 = b.turnedJoint(crossed, 1, m), b.turnedJoint(crossed, -1, m)
			put(k, b.fmaC(o0, cosine(1, 8), e0))
			put(k+n/2, b.fnmaC(o0, cosine(1, 8), e0))
			put(k+n/4, b.fmaC(o1, cosine(3, 8), e1))
			put(k+3*n/4, b.fnmaC(o1, cosine(3, 8), e1))
			continue
		}
		o0, o1 = b.turnedPair(q[1][k], q[3][k], k, n/2)
		plus, minus := b.turnedPair(e0, o0, k, n)
		put(k, plus)
		put(k+n/2, minus)
		plus, minus = b.turnedPair(e1, o1, k+n/4, n)
		put(k+n/4, plus)
		put(k+3*n/4, minus)
	}
}

// turnedPair is turned for interleaved numbers.
func (b *block) turnedPair(e, o value, k, n int) (plus, minus value) {
	switch {
	case k == 0:
		return b.add(e, o), b.sub(e, o)
	case 4*k == n:
		s := b.crossed(o)
		return b.turnedJoint(s, 1, e), b.turnedJoint(s, -1, e)
	}
	t := tangent(min(k, n/2-k), n)
	if 8*k == n || 8*k == 3*n {
		t = 1
	}
	if 4*k > n {
		t = -t
	}
	y := b.turnedJoint(b.crossed(o), t, o)
	return b.fmaC(y, cosine(k, n), e), b.fnmaC(y, cosine(k, n), e)
}

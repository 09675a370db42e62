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
			i := j/lay.numbers()*per + lane%per
			return b.push(instruction{kind: gathered,
				mem:  bufferAddress{lay.at(0, vector, 0, i) + lane/per*16},
				more: bufferAddress{lay.at(0, vector, 1, i) + lane/per*16}})
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
// numbers have no room for that, and beside a stage of those two vectors are enough (512: 0.97 of
// the time of four). Lines that are scaled or go back are not woven: they are fewer, and a second
// copy of the longest code.
func weave(c *build.Context, t target, n, vectors int, plain bool, body func(k *kernel, vector int)) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	if plain && n == 16 {
		k.woven = min(4, vectors)
		if vectors*t.lanes()/2 > 16 {
			k.woven = 2
		}
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
// on even inputs are a half, and inputs 4j+1 and 4j-1 quarters whose turns are conjugates: these
// share an exchange of components and a tangent, 9 operations for four outputs. 16 numbers take
// 81 operations instead of 89 by halves, 32 take 209 instead of 233.
func (b *block) dftJointFrom(n int, get func(j int) value, put func(k int, x value)) {
	part := func(count, first, step int) []value {
		x := make([]value, count)
		if count > 8 {
			b.dftJointFrom(count, func(j int) value { return get((first + j*step) % n) }, func(k int, v value) { x[k] = v })
			return x
		}
		for j := range x {
			x[j] = get((first + j*step) % n)
		}
		return b.dftJoint(x)
	}
	if n < 16 {
		for k, x := range part(n, 0, 1) {
			put(k, x)
		}
		return
	}
	q := n / 4
	before := part(q, n-1, 4)
	after := part(q, 1, 4)
	even, have := make([]value, n/2), make([]bool, n/2)
	b.dftJointFrom(n/2, func(j int) value { return get(2 * j) }, func(k int, x value) {
		even[k], have[k] = x, true
		// Neighbours one after the other: rows of complex64 are stored in pairs.
		k = k % q &^ 1
		if !have[k] || !have[k+1] || !have[k+q] || !have[k+1+q] {
			return
		}
		for _, k := range []int{k, k + 1} {
			b.conjugates(n, k, [2]value{even[k], even[k+q]}, after[k], before[k], put)
		}
	})
}

// conjugates makes outputs k, k+n/4, k+n/2 and k+3n/4 of n, from those of the even half and from
// y and z, which are turned by k/n back and forth: y+z and y-z, and these by one tangent.
func (b *block) conjugates(n, k int, even [2]value, y, z value, put func(k int, x value)) {
	q := n / 4
	s, d := b.add(y, z), b.sub(y, z)
	crossed := b.crossed(d)
	if k == 0 {
		put(0, b.add(even[0], s))
		put(2*q, b.sub(even[0], s))
		put(q, b.turnedJoint(crossed, 1, even[1]))
		put(3*q, b.turnedJoint(crossed, -1, even[1]))
		return
	}
	tan := func(k int) float64 {
		if 8*k == n {
			return 1
		}
		return tangent(k, n)
	}
	var sum, dif value
	c := cosine(k, n)
	if b.nearer(k, n) {
		sum, dif = b.turnedJoint(crossed, tan(k), s), b.alternate("VFMADDSUB", s, tan(k), crossed)
	} else {
		// The sine is taken out instead of the cosine.
		c = sine(k, n)
		sum, dif = b.alternate("VFMSUBADD", s, tan(q-k), crossed), b.turnedJoint(crossed, -tan(q-k), s)
	}
	put(k, b.fmaC(sum, c, even[0]))
	put(k+2*q, b.fnmaC(sum, c, even[0]))
	put(k+q, b.fnmaC(dif, c, even[1]))
	put(k+3*q, b.fmaC(dif, c, even[1]))
}

package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// oddForms are what lines side by side load and store: those radices are alone.
var oddForms = [][2]form{{split, split}, {interleaved, interleaved}}

func oddName(t target, load, store form) string {
	return "odd" + load.letter() + store.letter() + t.name
}

// registerAddress is where a general register points.
type registerAddress struct {
	base reg.Register
	disp int
}

func (registerAddress) isAddress() {}

// The stack of an odd kernel, behind the spill register: words, then vectors.
const (
	oddHalf     = 8 * iota // legs that have a partner, halved
	oddLegFrom             // bytes from leg to leg
	oddLastFrom            // bytes to the last leg
	oddLegTo
	oddLastTo
	oddTable // coefficients
	oddLeft  // pairs of results to do
	oddUnused
	oddWords
)

const (
	oddFirst   = iota * 2 // leg 0
	oddTotal              // the sum of all legs
	oddResults            // of two pairs: the part of the sums, the part of the differences
	_
	_
	_
	oddSums // of each pair of legs: sum, difference
)

// oddMost is half of the largest odd radix.
const oddMost = 15

// The product loop has its registers by number.
const (
	oddPair        = 0 // sum and difference of a pair of legs
	oddCoefficient = 4
	oddAccumulated = 6
)

var (
	oddSumsReg  = reg.R13
	oddCountReg = reg.RBX
)

// odd writes the kernel of all odd radices from 5: the sums and differences of legs j
// and n-j go to the stack, and a table multiplies them to results k and n-k, two pairs
// at a time. It is one loop for every radix, where a kernel of each prime would be
// thousands of instructions. There is no twiddle.
func odd(c *build.Context, t target, load, store form, done map[string]bool) {
	bodies := 0
	body := func(pinned int, describe func(k *kernel)) *kernel {
		k := newKernel(c, t, load, store)
		bodies++
		k.labels = 1000 * bodies
		describe(k)
		if slots := allocate(&k.b, k.emitter, k.pinned()+pinned); slots > 0 {
			panic("odd spills")
		}
		k.defineConsts(done)
		return k
	}
	word := func(disp int) operand.Mem { return operand.Mem{Base: spillReg, Disp: disp} }
	vector := func(i int) registerAddress { return registerAddress{spillReg, oddWords + i*t.bytes} }
	sum := func(i int) registerAddress { return registerAddress{oddSumsReg, i * t.bytes} }

	k := newKernel(c, t, load, store)
	total := [2]int{t.regs - k.pinned() - 1, t.regs - k.pinned() - 2}
	first := body(2, func(k *kernel) {
		x := k.get(0)
		v := k.b.inplace(0, func(e *emitter, r, _ []int) {
			e.move(total[0], r[0])
			e.move(total[1], r[1])
		}, x.re, x.im)
		k.b.store(vector(oddFirst), v[0])
		k.b.store(vector(oddFirst+1), v[1])
	})
	sums := body(2, func(k *kernel) {
		b := &k.b
		x, y := k.get(1), k.get(3)
		s, d := b.addP(x, y), b.subP(x, y)
		v := b.inplace(0, func(e *emitter, r, _ []int) {
			for i := range r {
				e.op("VADD"+e.suffix(), e.vec(r[i]), e.vec(total[i]), e.vec(total[i]))
			}
		}, s.re, s.im)
		for i, v := range []value{v[0], v[1], d.re, d.im} {
			b.store(sum(i), v)
		}
	})
	all := body(0, func(k *kernel) {
		k.put(0, k.finish(0, pair{k.b.load(vector(oddTotal)), k.b.load(vector(oddTotal + 1))}))
	})
	results := body(0, func(k *kernel) {
		b := &k.b
		for i := range 2 {
			at := func(j int) value { return b.load(vector(oddResults + 4*i + j)) }
			m, s := pair{at(0), at(1)}, pair{at(2), at(3)}
			k.put(4*i+1, k.finish(0, b.subI(m, s)))
			k.put(4*i+3, k.finish(0, b.addI(m, s)))
		}
	})

	k.begin(oddName(t, load, store), (oddWords+t.bytes-1)/t.bytes+oddSums+4*oddMost, 2, 2)
	c.Load(c.Param("p"), scratchReg)
	c.MOVQ(operand.Mem{Base: scratchReg, Disp: passFactors}, tableReg)
	c.MOVQ(operand.Mem{Base: tableReg}, oddCountReg)
	c.MOVQ(oddCountReg, word(oddHalf))
	for side, at := range [2]int{oddLegFrom, oddLegTo} {
		c.MOVQ(strides[side][0], word(at))
		c.MOVQ(oddCountReg, scratchReg)
		c.ADDQ(scratchReg, scratchReg)
		c.IMULQ(strides[side][0], scratchReg)
		c.MOVQ(scratchReg, word(at+oddLastFrom-oddLegFrom))
	}
	c.ADDQ(operand.U32(8), tableReg)
	c.MOVQ(tableReg, word(oddTable))

	k.later(func() {
		toSums := func() {
			c.LEAQ(operand.Mem{Base: spillReg, Disp: vector(oddSums).disp}, oddSumsReg)
			c.MOVQ(word(oddHalf), oddCountReg)
		}
		up, down := strides[from][0], strides[from][1]
		c.MOVQ(word(oddLegFrom), up)
		c.MOVQ(word(oddLastFrom), down)
		toSums()
		first.play()
		c.Label("sums")
		sums.play()
		c.ADDQ(word(oddLegFrom), up)
		c.SUBQ(word(oddLegFrom), down)
		c.ADDQ(operand.U32(4*t.bytes), oddSumsReg)
		c.DECQ(oddCountReg)
		c.JNE(operand.LabelRef("sums"))
		for i := range 2 {
			k.now("VMOVUPS", t.vec(total[i]), k.resolve(vector(oddTotal+i)))
		}
		all.play()

		// Legs 1, 3, 5 and 7 of the output are results k, n-k, k+1 and n-k-1.
		to := strides[to]
		c.MOVQ(word(oddLegTo), to[0])
		c.MOVQ(word(oddLastTo), to[1])
		c.LEAQ(operand.Mem{Base: to[0], Index: to[0], Scale: 1}, to[2])
		c.MOVQ(to[1], to[3])
		c.SUBQ(to[0], to[3])
		c.MOVQ(word(oddHalf), scratchReg)
		c.MOVQ(scratchReg, word(oddLeft))
		c.MOVQ(word(oddTable), tableReg)
		c.Label("pairs")
		k.oddProducts(toSums, vector, sum)
		results.play()
		c.MOVQ(word(oddLeft), scratchReg)
		c.SUBQ(operand.U8(2), scratchReg)
		c.JEQ(operand.LabelRef("done"))
		c.MOVQ(scratchReg, word(oddLeft))
		c.CMPQ(scratchReg, operand.U8(1))
		c.MOVQ(word(oddLegTo), scratchReg)
		c.JNE(operand.LabelRef("two"))
		c.Comment("The last of an odd number: the one before it is done again.")
		c.MOVQ(operand.U32(2), oddCountReg)
		c.MOVQ(oddCountReg, word(oddLeft))
		c.JMP(operand.LabelRef("step"))
		c.Label("two")
		c.ADDQ(scratchReg, scratchReg)
		c.Label("step")
		for i, r := range to {
			if i%2 == 0 {
				c.ADDQ(scratchReg, r)
			} else {
				c.SUBQ(scratchReg, r)
			}
		}
		c.JMP(operand.LabelRef("pairs"))
		c.Label("done")
	})
	k.overRows(func() {})
	k.end()
}

// oddProducts multiplies all sums and differences by the coefficients of two results,
// and leaves what they add up to on the stack.
func (k *kernel) oddProducts(toSums func(), vector, sum func(i int) registerAddress) {
	c := k.ctx
	toSums()
	op := func(name string, ops ...operand.Op) { k.now(name, ops...) }
	for i := range 8 {
		acc := k.vec(oddAccumulated + i)
		if i%4 < 2 {
			op("VMOVUPS", k.resolve(vector(oddFirst+i%2)), acc)
		} else {
			zero := xmm[oddAccumulated+i]
			op("VPXOR", zero, zero, zero)
		}
	}
	c.Label("products")
	for i := range 4 {
		op("VMOVUPS", k.resolve(sum(i)), k.vec(oddPair+i))
	}
	for i := range 4 { // cosine and sine of one result, cosine and sine of the other
		coefficient := oddCoefficient + i%2
		m := operand.Mem{Base: tableReg, Disp: i * k.size()}
		switch {
		case k.bits == 32:
			op("VBROADCASTSS", m, k.vec(coefficient))
		case k.neon:
			op("VMOVDDUP", m, k.vec(coefficient))
		default:
			op("VBROADCASTSD", m, k.vec(coefficient))
		}
		for j := range 2 {
			op("VFMADD231"+k.suffix(), k.vec(coefficient), k.vec(oddPair+i%2*2+j), k.vec(oddAccumulated+2*i+j))
		}
	}
	c.ADDQ(operand.U32(4*k.size()), tableReg)
	c.ADDQ(operand.U32(4*k.bytes), oddSumsReg)
	c.DECQ(oddCountReg)
	c.JNE(operand.LabelRef("products"))
	for i := range 8 {
		op("VMOVUPS", k.vec(oddAccumulated+i), k.resolve(vector(oddResults+i)))
	}
}

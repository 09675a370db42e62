package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// Lines that begin with a lead of half the lanes have rows of as many complex numbers as a vector
// has room for. Their numbers stay interleaved from the first pass to the last, so every vector is
// full, nothing is taken apart or put together, and 25 legs have room in 32 registers, where planes
// leave 18 of 50 on the stack. In turn a product needs its factor with components exchanged. Lines
// of float64, of which a vector has four, take longer so in batches.

// jointPasses says that the target has such kernels.
func (t target) jointPasses() bool { return t.wide() && t.bits == 32 }

// jointRadices are those of passes behind such a lead: there are no more factors of 2.
func (t target) jointRadices() []int { return []int{3, 5, 7, 9, 11, 13, 15, 21, 25} }

func jointPassName(t target, radix int) string { return fmt.Sprintf("jointPass%d%s", radix, t.name) }

func jointLeadName(t target) string { return "jointLead" + t.name }

// newJoint is a kernel of interleaved numbers.
func newJoint(c *build.Context, t target) *kernel {
	k := newKernel(c, t, interleaved, interleaved)
	k.joint, k.b.bare = true, true
	return k
}

// jointLead writes the lead: vectors along the columns, twiddles per lane, and a transpose.
func jointLead(c *build.Context, t target, done map[string]bool) {
	k := newJoint(c, t)
	radix := t.lanes() / 2
	x := make([]value, radix)
	for j := range x {
		x[j] = k.b.load(legAddress{from, 0, j, 0})
	}
	x = k.b.dftJoint(k.exchanged(x))
	for j := 1; j < radix; j++ {
		at := (j - 1) * 2 * t.bytes
		x[j] = k.b.alternateM(x[j], tableAddress{at}, k.b.mulM(k.b.crossed(x[j]), tableAddress{at + t.bytes}))
	}
	for col, v := range k.b.exchangeJoint(x) {
		k.b.store(legAddress{to, 0, 0, col * t.bytes}, v)
	}
	slots := allocate(&k.b, k.emitter, 0)
	k.defineConsts(done)
	k.begin(jointLeadName(t), slots, radix, 1)
	k.loadAhead(from)
	k.overColumns(radix, func() { k.prefetch(from, radix) }, func() {
		c.ADDQ(operand.U32((radix-1)*2*t.bytes), tableReg)
	}, func() {
		k.moveBack(from, k.unit(from))
		k.moveBack(to, t.bytes)
	})
	k.end()
}

// jointPass writes the pass of a radix. Only its results can be exchanged.
func jointPass(c *build.Context, t target, radix int, done map[string]bool) {
	var loops []*kernel
	slots := 0
	for _, twiddled := range []bool{true, false} {
		k := newJoint(c, t)
		k.labels = 1000 * len(loops)
		b := &k.b
		b.dftJointOdd(radix, func(j int) value { return b.load(legAddress{from, 0, j, 0}) }, func(j int, x value) {
			switch {
			case !twiddled:
				x = k.finishJoint([]value{x})[0]
			case j > 0:
				at := (j - 1) * 2 * t.size()
				x = b.alternateM(x, entryAddress{at}, b.mulM(b.crossed(x), entryAddress{at + t.size()}))
			}
			b.store(legAddress{to, 0, j, 0}, x)
		})
		slots = max(slots, allocate(b, k.emitter, 0))
		k.defineConsts(done)
		k.defineAlternating(done)
		loops = append(loops, k)
	}
	k := loops[0]
	k.begin(jointPassName(t, radix), slots, radix, radix)
	c.MOVQ(k.local(swapTo), scratchReg)
	c.MOVQ(scratchReg, k.local(swapFrom)) // where finishJoint looks
	c.MOVQ(k.local(scaled), scratchReg)
	c.ORQ(scratchReg, k.local(swapTo))
	overRowsOfBoth(loops, 2*(radix-1)*t.size())
}

// dftJointOdd is the transform of an odd number of vectors.
func (b *block) dftJointOdd(n int, get func(j int) value, put func(k int, x value)) {
	collect := func(n int, get func(j int) value) []value {
		out := make([]value, n)
		b.dftJointOdd(n, get, func(k int, x value) { out[k] = x })
		return out
	}
	coprime := func(p, q int) {
		columns := make([][]value, q)
		for j := range q {
			columns[j] = collect(p, func(i int) value { return get((q*i + p*j) % n) })
		}
		for i := range p {
			b.dftJointOdd(q, func(j int) value { return columns[j][i] }, func(j int, v value) {
				for k := range n {
					if k%p == i && k%q == j {
						put(k, v)
					}
				}
			})
		}
	}
	switch n {
	case 9:
		b.squareJoint(3, collect, get, put)
	case 25:
		b.squareJoint(5, collect, get, put)
	case 15:
		coprime(3, 5)
	case 21:
		coprime(3, 7)
	default:
		b.oddJoint(n, func(int) float64 { return 1 }, get, put)
	}
}

// squareJoint is square for interleaved numbers. Its products lack their sines.
func (b *block) squareJoint(p int, collect func(n int, get func(j int) value) []value, get func(j int) value, put func(k int, x value)) {
	n := p * p
	columns := make([][]value, p)
	for j := range p {
		columns[j] = collect(p, func(i int) value { return get(p*i + j) })
		for k := 1; k < p && j > 0; k++ {
			x := columns[j][k]
			columns[j][k] = b.alternate("VFMSUBADD", x, cotangent(j*k, n), b.crossed(x))
		}
	}
	for k := range p {
		lacks := func(j int) float64 {
			if j == 0 || k == 0 {
				return 1
			}
			return sine(j*k, n)
		}
		b.oddJoint(p, lacks, func(j int) value { return columns[j][k] }, func(j int, v value) { put(k+p*j, v) })
	}
}

// oddJoint is oddLacking for interleaved numbers.
func (b *block) oddJoint(n int, lacks func(j int) float64, get func(j int) value, put func(k int, x value)) {
	half := n / 2
	sum, dif := make([]value, half+1), make([]value, half+1)
	for j := 1; j <= half; j++ {
		x, y, c := get(j), get(n-j), lacks(n-j)/lacks(j)
		sum[j], dif[j] = b.plusJoint(x, y, c), b.plusJoint(x, y, -c)
	}
	first := get(0)
	total := first
	for j := 1; j <= half; j++ {
		total = b.plusJoint(total, sum[j], lacks(j))
	}
	put(0, total)
	for k := 1; k <= half; k++ {
		m, s, most := first, make([]float64, half+1), 1
		for j := 1; j <= half; j++ {
			m, s[j] = b.plusJoint(m, sum[j], lacks(j)*cosine(j*k%n, n)), lacks(j)*sine(j*k%n, n)
			if math.Abs(s[j]) > math.Abs(s[most]) {
				most = j
			}
		}
		t := dif[most]
		for j := 1; j <= half; j++ {
			if j != most {
				t = b.plusJoint(t, dif[j], s[j]/s[most])
			}
		}
		crossed, c := b.crossed(t), b.load(alternatingAddress{math.Abs(s[most])})
		plus, minus := b.fma(crossed, c, m), b.fnma(crossed, c, m)
		if s[most] < 0 {
			plus, minus = minus, plus
		}
		put(k, plus)
		put(n-k, minus)
	}
}

// plusJoint is x + c*y.
func (b *block) plusJoint(x, y value, c float64) value {
	switch c {
	case 1:
		return b.add(x, y)
	case -1:
		return b.sub(x, y)
	}
	return b.fmaC(y, c, x)
}

// alternate is x*c plus acc in even lanes and minus acc in odd ones (VFMSUBADD), or the reverse.
func (b *block) alternate(op string, x value, c float64, acc value) value {
	if b.neon { // where no sum subtracts in every second lane
		sign := map[string]float64{"VFMSUBADD": 1, "VFMADDSUB": -1}[op]
		if c == 1 {
			return b.against(acc, sign, x)
		}
		return b.fmaM(x, constAddress{c}, b.mulM(acc, signedAddress{sign}))
	}
	return b.push(instruction{kind: fusedM, op: op, in: []value{x, acc}, mem: constAddress{c}})
}

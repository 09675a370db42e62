package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// network sorts the columns of some vectors first, which needs no shuffles, then merges columns
// that are neighbours, twice as many in each round: key i is in lane i/vectors of vector
// i%vectors. At the end they are brought into order. Lanes behind the last key hold the greatest
// number.
func (t keys) network(vectors int) {
	t.text(fmt.Sprintf("sort%dof", vectors*t.lanes()), "func(keys *%[1]s, n int)", fmt.Sprintf("sorts up to %d keys.", vectors*t.lanes()))
	at, n := get("keys"), get("n")
	c := t.comparer(n)
	x := c.load(at, vectors)
	for p := 1; p < vectors; p *= 2 { // Batcher's network of merges, of odd and even
		for k := p; k > 0; k /= 2 {
			for j := k % p; j+k < vectors; j += 2 * k {
				for i := j; i < j+k && i+k < vectors; i++ {
					if i/(2*p) == (i+k)/(2*p) {
						c.exchange(x, i, i+k)
					}
				}
			}
		}
	}
	for k := 2; k <= t.lanes(); k *= 2 {
		c.mirror(x, k)
		for j := k / 4; j > 0; j /= 2 {
			c.within(x, j)
		}
		for j := vectors / 2; j > 0; j /= 2 {
			for r := range x {
				if r&j == 0 {
					c.exchange(x, r, r+j)
				}
			}
		}
	}
	c.store(at, t.interleave(x))
	VZEROUPPER()
	RET()
}

// comparer compares keys in registers. AVX2 has no comparison of unsigned integers of 64 bits;
// those have their sign flipped there.
type comparer struct {
	keys
	n     reg.GPVirtual
	count reg.VecVirtual // n in all lanes, for AVX2
	signs Mem
}

func (t keys) comparer(n reg.GPVirtual) *comparer {
	c := &comparer{keys: t, n: n}
	if !t.wide {
		c.count = t.spread(n)
		if t.bytes == 8 {
			c.signs = t.shared("signs", []int{-1 << 63, -1 << 63, -1 << 63, -1 << 63})
		}
	}
	return c
}

// shared is a constant vector that is made once.
func (t keys) shared(name string, lanes []int) Mem {
	name = fmt.Sprintf("%s%dof%d", name, len(lanes), t.bits())
	m, ok := tables[name]
	if !ok {
		m = vector(name, t.bytes, lanes)
		tables[name] = m
	}
	return m
}

func (t keys) numbers(name string, number func(lane int) int) Mem {
	lanes := make([]int, t.lanes())
	for i := range lanes {
		lanes[i] = number(i)
	}
	return t.shared(name, lanes)
}

// used is a mask of the lanes that vector r has of n keys: an operand of masked moves.
func (c *comparer) used(r int) Op {
	if !c.wide {
		m := c.vec()
		before := c.numbers(fmt.Sprint("from", r*c.lanes(), "on"), func(i int) int { return r*c.lanes() + i })
		if c.bytes == 4 {
			VPCMPGTD(before, c.count, m)
		} else {
			VPCMPGTQ(before, c.count, m)
		}
		return m
	}
	left, zero, most := GP64(), GP64(), GP64()
	XORQ(zero, zero)
	MOVQ(U32(uint32(c.lanes())), most)
	LEAQ(Mem{Base: c.n, Disp: -r * c.lanes()}, left)
	CMPQ(left, zero)
	CMOVQLT(zero, left)
	CMPQ(left, most)
	CMOVQGT(most, left)
	return firstLanes(left)
}

func (c *comparer) load(at reg.GPVirtual, vectors int) []reg.VecVirtual {
	x := make([]reg.VecVirtual, vectors)
	for r := range x {
		m, from := c.used(r), Mem{Base: at, Disp: r * c.size()}
		x[r] = c.vec()
		if c.wide {
			VPTERNLOGD(U8(0xff), x[r], x[r], x[r])
			c.move(from, m, x[r])
			continue
		}
		ones := c.vec()
		VPCMPEQD(ones, ones, ones)
		c.masked(from, m, x[r])
		VPXOR(ones, m, m)
		VPOR(m, x[r], x[r])
		if c.bytes == 8 {
			VPXOR(c.signs, x[r], x[r])
		}
	}
	return x
}

func (c *comparer) store(at reg.GPVirtual, x []reg.VecVirtual) {
	for r := range x {
		m, to := c.used(r), Mem{Base: at, Disp: r * c.size()}
		if c.wide {
			c.move(x[r], m, to)
			continue
		}
		if c.bytes == 8 {
			VPXOR(c.signs, x[r], x[r])
		}
		c.masked(x[r], m, to)
	}
}

// masked moves lanes in use, at AVX2.
func (c *comparer) masked(from, mask, to Op) {
	of(c.keys, VPMASKMOVD, VPMASKMOVQ)(from, mask, to)
}

// exchange puts the lesser keys into vector i and the others into j.
func (c *comparer) exchange(x []reg.VecVirtual, i, j int) {
	a, b, low := x[i], x[j], c.vec()
	if !c.wide && c.bytes == 8 {
		more, differ := c.vec(), low
		VPCMPGTQ(b, a, more)
		VPXOR(a, b, differ)
		VPAND(more, differ, differ)
		VPXOR(differ, b, b)
		VPXOR(differ, a, low)
	} else {
		of(c.keys, VPMINUD, VPMINUQ)(a, b, low)
		of(c.keys, VPMAXUD, VPMAXUQ)(a, b, b)
	}
	x[i] = low
}

// choose is the greater of two keys in the lanes that are in a set, and the lesser in others.
// Lanes of x are compared with those of y, and the same of y in others with those of x.
func (c *comparer) choose(x, y reg.VecVirtual, set string, greater func(lane int) bool) reg.VecVirtual {
	out := c.vec()
	mask := 0
	for lane := range c.lanes() {
		if greater(lane) {
			mask |= 1 << lane
		}
	}
	switch {
	case c.wide:
		m, bits := K(), GP32()
		MOVL(U32(uint32(mask)), bits)
		KMOVW(bits, m)
		of(c.keys, VPMINUD, VPMINUQ)(y, x, out)
		of(c.keys, VPMAXUD, VPMAXUQ)(y, x, m, out)
	case c.bytes == 4:
		high := c.vec()
		VPMINUD(y, x, out)
		VPMAXUD(y, x, high)
		VPBLENDD(U8(mask), high, out, out)
	default:
		differ := c.vec()
		VPCMPGTQ(y, x, out)
		VPXOR(c.numbers(set, func(lane int) int { return -(mask >> lane & 1) }), out, out)
		VPXOR(x, y, differ)
		VPAND(out, differ, out)
		VPXOR(out, x, out)
	}
	return out
}

// mirror merges runs of k lanes, of which either half is in order: the first key is compared
// with the last, and so on.
func (c *comparer) mirror(x []reg.VecVirtual, k int) {
	greater := func(lane int) bool { return lane&(k/2) != 0 }
	var order reg.VecVirtual
	if k*c.bytes > 32 || k == 8 {
		order = c.vec()
		c.move(c.numbers(fmt.Sprint("mirror", k), func(i int) int { return i ^ (k - 1) }), order)
	}
	flip := func(v reg.VecVirtual) reg.VecVirtual {
		out := c.vec()
		switch {
		case k == 2:
			return c.swap(v, 1)
		case k == 4 && c.bytes == 4:
			VPSHUFD(U8(0x1b), v, out)
		case k == 4:
			VPERMQ(U8(0x1b), v, out)
		case c.bytes == 4:
			VPERMD(v, order, out)
		default:
			VPERMQ(v, order, out)
		}
		return out
	}
	for r := range len(x) / 2 {
		s := len(x) - 1 - r
		a, b := flip(x[s]), flip(x[r])
		set := fmt.Sprint("upper", k)
		x[r], x[s] = c.choose(x[r], a, set, greater), c.choose(x[s], b, set, greater)
	}
}

// within compares lanes that are j apart.
func (c *comparer) within(x []reg.VecVirtual, j int) {
	for r := range x {
		x[r] = c.choose(x[r], c.swap(x[r], j), fmt.Sprint("upper", 2*j), func(lane int) bool { return lane&j != 0 })
	}
}

// swap exchanges lanes that are j apart.
func (t keys) swap(v reg.VecVirtual, j int) reg.VecVirtual {
	out := t.vec()
	switch {
	case j*t.bytes == 4:
		VPSHUFD(U8(0xb1), v, out)
	case j*t.bytes == 8:
		VPSHUFD(U8(0x4e), v, out)
	case !t.wide:
		VPERMQ(U8(0x4e), v, out)
	case j*t.bytes == 16:
		VSHUFI64X2(U8(0xb1), v, v, out)
	default:
		VSHUFI64X2(U8(0x4e), v, v, out)
	}
	return out
}

// interleave takes one key of each vector in turns.
func (t keys) interleave(x []reg.VecVirtual) []reg.VecVirtual {
	x = t.alternate(x)
	if t.wide {
		return x
	}
	// Halves of vectors were taken by themselves: all first ones come before all second ones.
	out := make([]reg.VecVirtual, len(x))
	for r := range out {
		half := len(x) / 2
		out[r] = YMM()
		if r < half {
			VPERM2I128(U8(0x20), x[2*r+1], x[2*r], out[r])
		} else {
			VPERM2I128(U8(0x31), x[2*(r-half)+1], x[2*(r-half)], out[r])
		}
	}
	return out
}

// alternate is interleave, within halves of vectors at AVX2.
func (t keys) alternate(x []reg.VecVirtual) []reg.VecVirtual {
	if len(x) == 1 {
		return x
	}
	var a, b, out []reg.VecVirtual
	for r := 0; r < len(x); r += 2 {
		a, b = append(a, x[r]), append(b, x[r+1])
	}
	a, b = t.alternate(a), t.alternate(b)
	for r := range a {
		low, high := t.vec(), t.vec()
		if t.wide {
			l := t.lanes()
			t.move(t.numbers("first", func(i int) int { return i/2 + i%2*l }), low)
			t.move(t.numbers("second", func(i int) int { return (l+i)/2 + i%2*l }), high)
			of(t, VPERMI2D, VPERMI2Q)(b[r], a[r], low)
			of(t, VPERMI2D, VPERMI2Q)(b[r], a[r], high)
		} else {
			of(t, VPUNPCKLDQ, VPUNPCKLQDQ)(b[r], a[r], low)
			of(t, VPUNPCKHDQ, VPUNPCKHQDQ)(b[r], a[r], high)
		}
		out = append(out, low, high)
	}
	return out
}

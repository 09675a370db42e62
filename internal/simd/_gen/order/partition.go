package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// block is how many vectors a partition takes from one end.
func (t keys) block() int {
	if t.wide {
		return 4
	}
	return 2
}

// partition works in place. Three blocks of vectors are put aside at first, so there is room
// at both ends; then a block is read from the end that has less room, and every vector of it
// stored whole at either end, what belongs there outermost. The place of the next block is
// chosen before this one is looked at, so that its loads wait for nothing: with r the size of
// a block, both ends have room for r, and one of them for 2r.
func (t keys) partition() {
	t.text("partition", "func(keys *%[1]s, n int, pivot %[1]s, room *%[1]s) (below int)",
		"moves the keys below the pivot to the front. There are as many keys as three blocks have, or more; the room is four blocks.")
	var (
		keys, n, room = get("keys"), get("n"), get("room")
		pivot         = t.key("pivot")
		block         = t.block() * t.size()
		low           = t.divider(pivot)
	)
	SHLQ(U8(bits.TrailingZeros(uint(t.bytes))), n)
	end, rest := GP64(), GP64()
	LEAQ(Mem{Base: keys, Index: n, Scale: 1}, end)
	MOVQ(n, rest)
	ANDQ(U32(uint32(block-1)), rest)

	// The first block, and the last two with what is not a whole one.
	left, right, behind := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: keys, Disp: block}, left)
	LEAQ(Mem{Base: end, Disp: -2 * block}, right)
	SUBQ(rest, right)
	LEAQ(Mem{Base: room, Index: rest, Scale: 1}, behind)
	for at := 0; at < block; at += t.size() {
		t.copyVector(Mem{Base: keys, Disp: at}, Mem{Base: room, Disp: at})
		t.copyVector(Mem{Base: right, Disp: at}, Mem{Base: room, Disp: block + at})
		t.copyVector(Mem{Base: right, Disp: block + at}, Mem{Base: room, Disp: 2*block + at})
	}
	for at := 0; at < block; at += t.size() {
		t.copyVector(Mem{Base: end, Disp: at - block}, Mem{Base: behind, Disp: 2*block + at})
	}

	front, back := GP64(), GP64()
	MOVQ(keys, front)
	MOVQ(end, back)
	next := GP64()
	choose := func() {
		a, b, fromRight, pastLeft := GP64(), GP64(), GP64(), GP64()
		MOVQ(left, a)
		SUBQ(front, a)
		MOVQ(back, b)
		SUBQ(right, b)
		LEAQ(Mem{Base: right, Disp: -block}, fromRight)
		LEAQ(Mem{Base: left, Disp: block}, pastLeft)
		CMPQ(a, b)
		MOVQ(fromRight, next)
		CMOVQLT(left, next)
		CMOVQLT(pastLeft, left)
		CMOVQGE(fromRight, right)
	}
	left0 := GP64()
	MOVQ(right, left0)
	SUBQ(left, left0)
	JZ(LabelRef("aside"))
	choose()
	Label("blocks")
	v := make([]reg.VecVirtual, t.block())
	for i := range v {
		v[i] = t.vec()
		t.move(Mem{Base: next, Disp: i * t.size()}, v[i])
	}
	choose()
	for i := range v {
		low.split(v[i], front, back)
	}
	SUBQ(U32(uint32(block)), left0)
	JNZ(LabelRef("blocks"))

	Label("aside")
	left1 := GP64()
	LEAQ(Mem{Base: rest, Disp: 3 * block}, left1)
	Label("vectors")
	w := t.vec()
	t.move(Mem{Base: room}, w)
	low.split(w, front, back)
	ADDQ(U8(t.size()), room)
	SUBQ(U8(t.size()), left1)
	CMPQ(left1, U8(2*t.size()-1))
	JG(LabelRef("vectors"))
	SHRQ(U8(bits.TrailingZeros(uint(t.bytes))), left1)
	low.rest(room, left1, front, back, pivot)
	SUBQ(keys, front)
	SHRQ(U8(bits.TrailingZeros(uint(t.bytes))), front)
	Store(front, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func (t keys) copyVector(from, to Mem) {
	v := t.vec()
	t.move(from, v)
	t.move(v, to)
}

// divider is a pivot in registers, and where its tables are.
type divider struct {
	keys
	pivot, signs reg.VecVirtual
	table        reg.GPVirtual
}

func (t keys) divider(pivot reg.GPVirtual) divider {
	d := divider{keys: t, pivot: t.spread(pivot), table: GP64()}
	if t.bytes == 8 && !t.wide {
		d.signs = t.constant(t.sign())
		t.xor(d.signs, d.pivot, d.pivot)
	}
	LEAQ(t.places(), d.table)
	return d
}

var tables = map[string]Mem{}

// places is where lanes go for every set of low ones. A vector of sixteen lanes has too many:
// its low and high keys are compressed, and the table moves high ones up by 0 lanes to 16.
func (t keys) places() Mem {
	if t.wide && t.bytes == 4 {
		var up []int
		for i := range 32 {
			up = append(up, i-16)
		}
		return vector("up", 4, up)
	}
	name, lanes, width := "places8", 8, 1
	if t.lanes() == 4 {
		name, lanes, width = "places4", 4, 2
	}
	if m, ok := tables[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for set := range 1 << lanes {
		var all uint64
		at := 0
		for _, low := range []int{1, 0} {
			for i := range lanes {
				for part := 0; part < width && set>>i&1 == low; part++ {
					all |= uint64(width*i+part) << at
					at += 8
				}
			}
		}
		DATA(8*set, U64(all))
	}
	tables[name] = m
	return m
}

// split stores a vector at both ends.
func (d divider) split(v reg.VecVirtual, front, back reg.GPVirtual) {
	count := GP64()
	scale := uint8(d.bytes)
	low, high := d.vec(), d.vec()
	if d.wide && d.bytes == 4 {
		below, above := K(), K()
		VPCMPUD(lessThan, d.pivot, v, below)
		KNOTW(below, above)
		VPCOMPRESSD_Z(v, below, low)
		VPCOMPRESSD_Z(v, above, high)
		KMOVW(below, count.As32())
		POPCNTL(count.As32(), count.As32())
		down, order := GP64(), d.vec()
		MOVQ(count, down)
		NEGQ(down)
		d.move(Mem{Base: d.table, Index: down, Scale: 4, Disp: 64}, order)
		VPERMD(high, order, high)
	} else {
		set, order := GP64(), d.vec()
		switch {
		case d.wide:
			below := K()
			VPCMPUQ(lessThan, d.pivot, v, below)
			KMOVB(below, set.As32())
			VPMOVZXBQ(Mem{Base: d.table, Index: set, Scale: 8}, order)
			VPERMQ(v, order, low)
		case d.bytes == 4:
			m := d.vec()
			VPMAXUD(d.pivot, v, m)
			VPCMPEQD(m, v, m)
			VMOVMSKPS(m, set.As32())
			XORL(U32(0xff), set.As32())
			VPMOVZXBD(Mem{Base: d.table, Index: set, Scale: 8}, order)
			VPERMD(v, order, low)
		default:
			m := d.vec()
			VPXOR(d.signs, v, m)
			VPCMPGTQ(m, d.pivot, m)
			VMOVMSKPD(m, set.As32())
			VPMOVZXBD(Mem{Base: d.table, Index: set, Scale: 8}, order)
			VPERMD(v, order, low)
		}
		high = low
		POPCNTL(set.As32(), count.As32())
	}
	d.move(low, Mem{Base: front})
	d.move(high, Mem{Base: back, Disp: -d.size()})
	LEAQ(Mem{Base: front, Index: count, Scale: scale}, front)
	LEAQ(Mem{Base: back, Index: count, Scale: scale, Disp: -d.size()}, back)
}

const lessThan = U8(1)

// rest splits the last n keys, fewer than two vectors have, between front and back, where
// there is no room for more.
func (d divider) rest(src, n, front, back, pivot reg.GPVirtual) {
	Label("rest")
	TESTQ(n, n)
	JLE(LabelRef("done"))
	scale := uint8(d.bytes)
	if !d.wide {
		x, count := GP64(), GP64()
		XORQ(count, count)
		if d.bytes == 4 {
			MOVL(Mem{Base: src}, x.As32())
			MOVL(x.As32(), Mem{Base: front})
			MOVL(x.As32(), Mem{Base: back, Disp: -4})
		} else {
			MOVQ(Mem{Base: src}, x)
			MOVQ(x, Mem{Base: front})
			MOVQ(x, Mem{Base: back, Disp: -8})
		}
		CMPQ(x, pivot)
		SETCS(count.As8())
		LEAQ(Mem{Base: front, Index: count, Scale: scale}, front)
		LEAQ(Mem{Base: back, Index: count, Scale: scale, Disp: -d.bytes}, back)
		ADDQ(U8(d.bytes), src)
		DECQ(n)
	} else {
		part, count := GP64(), GP64()
		MOVQ(U32(uint32(d.lanes())), part)
		CMPQ(n, part)
		CMOVQLT(n, part)
		valid, below, above := firstLanes(part), K(), K()
		v, low, high := d.vec(), d.vec(), d.vec()
		of(d.keys, VMOVDQU32_Z, VMOVDQU64_Z)(Mem{Base: src}, valid, v)
		of(d.keys, VPCMPUD, VPCMPUQ)(lessThan, d.pivot, v, valid, below)
		KANDNW(valid, below, above)
		of(d.keys, VPCOMPRESSD_Z, VPCOMPRESSQ_Z)(v, below, low)
		of(d.keys, VPCOMPRESSD_Z, VPCOMPRESSQ_Z)(v, above, high)
		KMOVW(below, count.As32())
		POPCNTL(count.As32(), count.As32())
		d.move(low, firstLanes(count), Mem{Base: front})
		LEAQ(Mem{Base: front, Index: count, Scale: scale}, front)
		left := GP64()
		MOVQ(part, left)
		SUBQ(count, left)
		SUBQ(part, count)
		LEAQ(Mem{Base: back, Index: count, Scale: scale}, back)
		d.move(high, firstLanes(left), Mem{Base: back})
		ADDQ(U8(d.size()), src)
		SUBQ(part, n)
	}
	JMP(LabelRef("rest"))
	Label("done")
}

// Command order writes the kernels of internal/simd/order, from the folder above this one:
//
//	go run ./order
package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	files.Write("order", "order", "go run ./order", func() {
		for _, t := range []keys{word, double} {
			t.partition()
			t.network(2)
			t.network(4)
			t.network(8)
			t.fromFloats()
			t.toFloats()
		}
	}, nil)
}

// keys is unsigned integers of some bytes, and the instructions on them.
type keys struct {
	bytes                    int
	move                     func(...Op)
	compare, equal           func(...Op)
	compress                 func(v, mask, to Op) // lanes behind the last become 0
	store                    func(...Op)          // compressed
	permute, least, greatest func(...Op)
	shiftSigns, xor, or, and func(...Op)
	broadcast                func(...Op)
}

var (
	word = keys{4, VMOVDQU32, VPCMPUD, VPCMPEQD, VPCOMPRESSD_Z, VPCOMPRESSD, VPERMD, VPMINUD, VPMAXUD,
		VPSRAD, VPXORD, VPORD, VPANDD, VPBROADCASTD}
	double = keys{8, VMOVDQU64, VPCMPUQ, VPCMPEQQ, VPCOMPRESSQ_Z, VPCOMPRESSQ, VPERMQ, VPMINUQ, VPMAXUQ,
		VPSRAQ, VPXORQ, VPORQ, VPANDQ, VPBROADCASTQ}
)

func (t keys) lanes() int     { return 64 / t.bytes }
func (t keys) bits() int      { return 8 * t.bytes }
func (t keys) goType() string { return fmt.Sprintf("uint%d", t.bits()) }

func (t keys) text(name, signature, doc string) string {
	full := fmt.Sprintf("%s%dAVX512", name, t.bits())
	TEXT(full, NOSPLIT, fmt.Sprintf(signature, t.goType()))
	Doc(full + " " + doc)
	Pragma("noescape")
	return full
}

func get(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }

// spread is a number of a general register in all lanes.
func (t keys) spread(from reg.GPVirtual) reg.VecVirtual {
	v := ZMM()
	if t.bytes == 4 {
		t.broadcast(from.As32(), v)
	} else {
		t.broadcast(from, v)
	}
	return v
}

// constant is one in all lanes.
func (t keys) constant(x uint64) reg.VecVirtual {
	r := GP64()
	MOVQ(U64(x), r)
	return t.spread(r)
}

// firstLanes is a mask of the lanes below a count.
func firstLanes(count reg.GPVirtual) reg.OpmaskVirtual {
	k, ones := K(), GP64()
	MOVQ(U64(1<<63-1), ones)
	BZHIQ(count, ones, ones)
	KMOVW(ones.As32(), k)
	return k
}

const lessThan, greaterThan = U8(1), U8(6)

// partition stores whole vectors between the two ends of dst, where there is room for both,
// and the last ones by as many keys as there are.
func (t keys) partition() {
	t.text("partition", "func(dst, src *%[1]s, n int, pivot %[1]s, table *%[1]s) (below int)",
		"moves the keys below the pivot to the front of dst, in order, and the others to its end. The table is numbers from minus the lanes on.")
	dst, src, n := get("dst"), get("src"), get("n")
	p := GP64()
	if t.bytes == 4 {
		Load(Param("pivot"), p.As32())
	} else {
		Load(Param("pivot"), p)
	}
	pivot := t.spread(p)
	table := get("table")
	front, back := GP64(), GP64()
	MOVQ(dst, front)
	LEAQ(Mem{Base: dst, Index: n, Scale: uint8(t.bytes)}, back)
	below, above := K(), K()
	count := GP64()
	v := ZMM()
	Label("vectors")
	CMPQ(n, U8(2*t.lanes()))
	JL(LabelRef("rest"))
	low, high, order := ZMM(), ZMM(), ZMM()
	t.move(Mem{Base: src}, v)
	t.compare(lessThan, pivot, v, below)
	KNOTW(below, above)
	t.compress(v, below, low)
	t.compress(v, above, high)
	KMOVW(below, count.As32())
	POPCNTL(count.As32(), count.As32())
	// The high keys move up by count lanes, to the top of their vector.
	neg := GP64()
	MOVQ(count, neg)
	NEGQ(neg)
	t.move(Mem{Base: table, Index: neg, Scale: uint8(t.bytes), Disp: 64}, order)
	t.permute(high, order, high)
	t.move(low, Mem{Base: front})
	t.move(high, Mem{Base: back, Disp: -64})
	LEAQ(Mem{Base: front, Index: count, Scale: uint8(t.bytes)}, front)
	LEAQ(Mem{Base: back, Index: count, Scale: uint8(t.bytes), Disp: -64}, back)
	ADDQ(U8(64), src)
	SUBQ(U8(t.lanes()), n)
	JMP(LabelRef("vectors"))
	Label("rest")
	TESTQ(n, n)
	JLE(LabelRef("done"))
	part := GP64()
	MOVQ(U32(uint32(t.lanes())), part)
	CMPQ(n, part)
	CMOVQLT(n, part)
	valid := firstLanes(part)
	t.loadZ(Mem{Base: src}, valid, v)
	t.compare(lessThan, pivot, v, valid, below)
	KANDNW(valid, below, above)
	t.store(v, below, Mem{Base: front})
	KMOVW(below, count.As32())
	POPCNTL(count.As32(), count.As32())
	LEAQ(Mem{Base: front, Index: count, Scale: uint8(t.bytes)}, front)
	SUBQ(part, count)
	LEAQ(Mem{Base: back, Index: count, Scale: uint8(t.bytes)}, back)
	t.store(v, above, Mem{Base: back})
	ADDQ(U8(64), src)
	SUBQ(U8(t.lanes()), n)
	JMP(LabelRef("rest"))
	Label("done")
	SUBQ(dst, front)
	SHRQ(U8(bits.TrailingZeros(uint(t.bytes))), front)
	Store(front, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// loadZ leaves 0 in other lanes.
func (t keys) loadZ(from Mem, k reg.OpmaskVirtual, to reg.VecVirtual) {
	if t.bytes == 4 {
		VMOVDQU32_Z(from, k, to)
	} else {
		VMOVDQU64_Z(from, k, to)
	}
}

// network is a bitonic sort of keys in registers; lanes behind the last key hold the
// greatest number.
func (t keys) network(vectors int) {
	full := fmt.Sprintf("sort%dof%dAVX512", vectors*t.lanes(), t.bits())
	TEXT(full, NOSPLIT, fmt.Sprintf("func(dst, src *%s, n int)", t.goType()))
	Doc(fmt.Sprintf("%s sorts up to %d keys.", full, vectors*t.lanes()))
	Pragma("noescape")
	dst, src, n := get("dst"), get("src"), get("n")
	x := make([]reg.VecVirtual, vectors)
	for r := range x {
		x[r] = ZMM()
		VPTERNLOGD(U8(0xff), x[r], x[r], x[r])
		t.move(Mem{Base: src, Disp: 64 * r}, t.lanesOf(n, r), x[r])
	}
	l := t.lanes()
	for k := 2; k <= vectors*l; k *= 2 {
		for j := k / 2; j > 0; j /= 2 {
			if j >= l {
				t.across(x, j/l, k/l)
			} else {
				t.within(x, j, k)
			}
		}
	}
	for r := range x {
		t.move(x[r], t.lanesOf(n, r), Mem{Base: dst, Disp: 64 * r})
	}
	VZEROUPPER()
	RET()
}

// lanesOf is a mask of the lanes that vector r has of n keys.
func (t keys) lanesOf(n reg.GPVirtual, r int) reg.OpmaskVirtual {
	left, zero, most := GP64(), GP64(), GP64()
	XORQ(zero, zero)
	MOVQ(U32(uint32(t.lanes())), most)
	LEAQ(Mem{Base: n, Disp: -r * t.lanes()}, left)
	CMPQ(left, zero)
	CMOVQLT(zero, left)
	CMPQ(left, most)
	CMOVQGT(most, left)
	return firstLanes(left)
}

// across compares registers that are j apart, upwards in the first of every k and downwards
// in the next.
func (t keys) across(x []reg.VecVirtual, j, k int) {
	for r := range x {
		if r&j != 0 {
			continue
		}
		low := ZMM()
		t.least(x[r], x[r+j], low)
		t.greatest(x[r], x[r+j], x[r+j])
		x[r] = low
		if r&k != 0 {
			x[r], x[r+j] = x[r+j], x[r]
		}
	}
}

// within compares lanes that are j apart.
func (t keys) within(x []reg.VecVirtual, j, k int) {
	l := t.lanes()
	mask := 0 // lanes that take the greater one, where the order is upwards
	for lane := range l {
		if (lane&j != 0) == (lane&k == 0) {
			mask |= 1 << lane
		}
	}
	m, bits := K(), GP32()
	MOVL(U32(uint32(mask)), bits)
	KMOVW(bits, m)
	for r := range x {
		other, out := ZMM(), ZMM()
		switch j * t.bytes {
		case 32:
			VSHUFI64X2(U8(0x4e), x[r], x[r], other)
		case 16:
			VSHUFI64X2(U8(0xb1), x[r], x[r], other)
		case 8:
			VPSHUFD(U8(0x4e), x[r], other)
		case 4:
			VPSHUFD(U8(0xb1), x[r], other)
		}
		first, second := t.least, t.greatest
		if k >= l && r*l&k != 0 {
			first, second = second, first
		}
		first(other, x[r], out)
		second(other, x[r], m, out)
		x[r] = out
	}
}

// fromFloats makes keys that are ordered as floats are.
func (t keys) fromFloats() {
	t.text("fromFloats", "func(dst, src *%[1]s, n int, flip %[1]s) (special int)",
		"is fromFloats, for one or more.")
	sign := uint64(1) << (t.bits() - 1)
	infinite := uint64(0x7f800000)
	if t.bytes == 8 {
		infinite = 0x7ff << 52
	}
	dst, src, n := get("dst"), get("src"), get("n")
	f := t.flip()
	signs, magnitude, inf := t.constant(sign), t.constant(sign-1), t.constant(infinite)
	special, nan, zero := GP64(), K(), K()
	XORQ(special, special)
	t.each(dst, src, n, func(v reg.VecVirtual, valid reg.OpmaskVirtual) reg.VecVirtual {
		m, out := ZMM(), ZMM()
		t.and(v, magnitude, m)
		t.compare(greaterThan, inf, m, valid, nan)
		t.equal(v, signs, valid, zero)
		KORW(nan, zero, nan)
		bits := GP64()
		KMOVW(nan, bits.As32())
		ORQ(bits, special)
		t.shiftSigns(U8(t.bits()-1), v, out)
		t.or(out, signs, out)
		t.xor(out, v, out)
		t.xor(f, out, out)
		return out
	})
	Store(special, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// toFloats is its inverse.
func (t keys) toFloats() {
	t.text("toFloats", "func(dst, src *%[1]s, n int, flip %[1]s)", "is toFloats, for one or more.")
	dst, src, n := get("dst"), get("src"), get("n")
	f := t.flip()
	magnitude, signs := t.constant(1<<(t.bits()-1)-1), t.constant(1<<(t.bits()-1))
	t.each(dst, src, n, func(v reg.VecVirtual, _ reg.OpmaskVirtual) reg.VecVirtual {
		out := ZMM()
		t.xor(f, v, v)
		// All bits of negative numbers, whose keys are low, and the sign of the others.
		t.shiftSigns(U8(t.bits()-1), v, out)
		t.and(out, magnitude, out)
		t.xor(out, magnitude, out)
		t.or(out, signs, out)
		t.xor(out, v, out)
		return out
	})
	VZEROUPPER()
	RET()
}

func (t keys) flip() reg.VecVirtual {
	r := GP64()
	if t.bytes == 4 {
		Load(Param("flip"), r.As32())
	} else {
		Load(Param("flip"), r)
	}
	return t.spread(r)
}

// each takes all vectors of src to dst, the last by its first lanes.
func (t keys) each(dst, src, n reg.GPVirtual, do func(reg.VecVirtual, reg.OpmaskVirtual) reg.VecVirtual) {
	Label("vectors")
	part := GP64()
	MOVQ(U32(uint32(t.lanes())), part)
	CMPQ(n, part)
	CMOVQLT(n, part)
	valid := firstLanes(part)
	v := ZMM()
	t.loadZ(Mem{Base: src}, valid, v)
	t.move(do(v, valid), valid, Mem{Base: dst})
	ADDQ(U8(64), src)
	ADDQ(U8(64), dst)
	SUBQ(U8(t.lanes()), n)
	JG(LabelRef("vectors"))
}

// Command order writes the kernels of internal/simd/order, from the folder above this one:
//
//	go run ./order
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	files.Write("order", "order", "go run ./order", func() {
		for _, wide := range []bool{false, true} {
			for _, bytes := range []int{4, 8} {
				t := keys{bytes, wide}
				t.partition()
				for vectors := 2; vectors <= t.vectors(); vectors *= 2 {
					t.network(vectors)
				}
				t.flips()
				t.fromFloats()
				t.toFloats()
			}
		}
	}, nil)
}

// keys is unsigned integers of some bytes, in vectors of 64 bytes or 32.
type keys struct {
	bytes int
	wide  bool
}

// size is the bytes of a vector.
func (t keys) size() int {
	if t.wide {
		return 64
	}
	return 32
}

// vectors is how many a network sorts at most.
func (t keys) vectors() int { return t.size() / 4 }

func (t keys) lanes() int     { return t.size() / t.bytes }
func (t keys) bits() int      { return 8 * t.bytes }
func (t keys) sign() uint64   { return 1 << (t.bits() - 1) }
func (t keys) goType() string { return fmt.Sprintf("uint%d", t.bits()) }

func (t keys) text(name, signature, doc string) {
	full := fmt.Sprintf("%s%dAVX2", name, t.bits())
	if t.wide {
		full = fmt.Sprintf("%s%dAVX512", name, t.bits())
	}
	TEXT(full, NOSPLIT, fmt.Sprintf(signature, t.goType()))
	Doc(full + " " + doc)
	Pragma("noescape")
}

func get(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }

// key is a parameter of the keys' type.
func (t keys) key(p string) reg.GPVirtual {
	r := GP64()
	if t.bytes == 4 {
		Load(Param(p), r.As32())
	} else {
		Load(Param(p), r)
	}
	return r
}

func (t keys) vec() reg.VecVirtual {
	if t.wide {
		return ZMM()
	}
	return YMM()
}

// of is an instruction for the size of keys.
func of[F any](t keys, word, double F) F {
	if t.bytes == 4 {
		return word
	}
	return double
}

func (t keys) move(ops ...Op) {
	if !t.wide {
		VMOVDQU(ops[0], ops[1])
		return
	}
	of(t, VMOVDQU32, VMOVDQU64)(ops...)
}

func (t keys) xor(a, b, to Op) { t.logic(VPXOR, VPXORQ, a, b, to) }
func (t keys) or(a, b, to Op)  { t.logic(VPOR, VPORQ, a, b, to) }
func (t keys) and(a, b, to Op) { t.logic(VPAND, VPANDQ, a, b, to) }

func (t keys) logic(narrow func(a, b, to Op), wide func(...Op), a, b, to Op) {
	if t.wide {
		wide(a, b, to)
	} else {
		narrow(a, b, to)
	}
}

// spread is a number of a general register in all lanes.
func (t keys) spread(from reg.GPVirtual) reg.VecVirtual {
	v := t.vec()
	switch {
	case t.wide && t.bytes == 4:
		VPBROADCASTD(from.As32(), v)
	case t.wide:
		VPBROADCASTQ(from, v)
	case t.bytes == 4:
		VMOVD(from.As32(), v.AsX())
		VPBROADCASTD(v.AsX(), v)
	default:
		VMOVQ(from, v.AsX())
		VPBROADCASTQ(v.AsX(), v)
	}
	return v
}

// constant is one in all lanes.
func (t keys) constant(x uint64) reg.VecVirtual {
	r := GP64()
	MOVQ(U64(x), r)
	return t.spread(r)
}

// vector is a constant vector, of 32 or 64 bits a lane.
func vector(name string, bytes int, lanes []int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, v := range lanes {
		if bytes == 4 {
			DATA(4*i, U32(uint32(v)))
		} else {
			DATA(8*i, U64(uint64(v)))
		}
	}
	return m
}

// firstLanes is a mask of the lanes below a count.
func firstLanes(count reg.GPVirtual) reg.OpmaskVirtual {
	k, ones := K(), GP64()
	MOVQ(U64(1<<63-1), ones)
	BZHIQ(count, ones, ones)
	KMOVW(ones.As32(), k)
	return k
}

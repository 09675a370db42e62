// Command peak writes the kernels of internal/simd/peak, from the folder above
// this one:
//
//	go run ./peak
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	files.Write("peak", "peak", "go run ./peak", func() {
		widen()
		tops()
		turns()
		round()
		between()
		near()
		packings()
		cross()
	}, nil)
	// A pair of bases is one number of 64 bits, the left one in its lower half.
	files.Offsets("peak", "go run ./peak", []files.Field{{Struct: "Bases", Name: "Left", Offset: 0}, {Struct: "Bases", Name: "Right", Offset: 4}})
}

// Comparisons, as immediates of VCMPPD: false where operands do not compare, but for
// the last.
const (
	less           = U8(0x11)
	lessEqual      = U8(0x12)
	greaterEqual   = U8(0x1d)
	greater        = U8(0x1e)
	equal          = U8(0x00)
	equalOrNeither = U8(0x08)
)

// lanes is how many elements a vector has.
const lanes = 8

func start(name, signature, doc string) {
	TEXT(name+"AVX512", NOSPLIT, signature)
	Doc(name + "AVX512 is " + doc)
	Pragma("noescape")
}

func load(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

func broadcast(name string) reg.VecVirtual {
	v := ZMM()
	a, err := Param(name).Resolve()
	files.Check(err)
	VBROADCASTSD(a.Addr, v)
	return v
}

// eighths loops body over left elements, at least one, eight at a time. active has
// the lanes that there are.
func eighths(left reg.GPVirtual, body func(active reg.OpmaskVirtual)) {
	active, mask := K(), GP64()
	MOVL(U32(1<<lanes-1), mask.As32())
	Label("turn")
	CMPQ(left, U8(lanes))
	JGE(LabelRef("whole"))
	BZHIL(left.As32(), mask.As32(), mask.As32())
	Label("whole")
	KMOVB(mask.As32(), active)
	body(active)
	SUBQ(U8(lanes), left)
	JG(LabelRef("turn"))
}

// push puts the lanes of a mask at the end of what dst has; the lanes behind them are
// written, too.
func push(v reg.VecVirtual, mask reg.OpmaskVirtual, dst Mem) {
	packed := ZMM()
	VCOMPRESSPD_Z(v, mask, packed)
	VMOVUPD(packed, dst)
}

// count is how many lanes a mask has.
func count(mask reg.OpmaskVirtual) reg.GPVirtual {
	bits := GP64()
	KMOVB(mask, bits.As32())
	POPCNTQ(bits, bits)
	return bits
}

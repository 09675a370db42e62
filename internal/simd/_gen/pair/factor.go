package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/width"
)

// isa is an instruction set.
type isa struct {
	name  string
	bytes int // of a vector
}

var (
	avx2   = isa{"AVX2", 32}
	avx512 = isa{"AVX512", 64}
	neon   = isa{"NEON", 16}
)

// element is a type of elements.
type element struct {
	name    string
	size    int // bytes
	double  bool
	complex bool
}

var elements = []element{
	{"F32", 4, false, false},
	{"F64", 8, true, false},
	{"C64", 8, false, true},
	{"C128", 16, true, true},
}

// kernel is the kernels of one element type in one instruction set.
type kernel struct {
	isa
	element
}

func (k kernel) lanes() int      { return k.bytes / k.size }
func (k kernel) farName() string { return "far" + k.element.name + k.isa.name }
func (k kernel) nearName(h int) string {
	return fmt.Sprintf("near%d%s%s", h, k.element.name, k.isa.name)
}

func (k kernel) vector() reg.VecVirtual { return width.Vector(k.bytes) }

// Offsets of the fields of pair.Pairs.
const (
	pairsRow = 8 * iota
	pairsCol
	pairsSpan
	pairsBlocks
	pairsLines
	pairsDstApart
	pairsSrcApart
)

var pairsFields = []files.Field{
	{Struct: "Pairs", Name: "Row", Offset: pairsRow},
	{Struct: "Pairs", Name: "Col", Offset: pairsCol},
	{Struct: "Pairs", Name: "Span", Offset: pairsSpan},
	{Struct: "Pairs", Name: "Blocks", Offset: pairsBlocks},
	{Struct: "Pairs", Name: "Lines", Offset: pairsLines},
	{Struct: "Pairs", Name: "DstApart", Offset: pairsDstApart},
	{Struct: "Pairs", Name: "SrcApart", Offset: pairsSrcApart},
}

// frame is what both kinds of kernels have: where the blocks are, and where the
// pairs of the first line are.
type frame struct {
	kernel
	pairs              reg.GPVirtual
	dst, src, w        reg.GPVirtual
	row, col           reg.GPVirtual // in bytes, as all that follow
	dstApart, srcApart reg.GPVirtual
}

func (k kernel) begin(name, doc string) frame {
	TEXT(name, NOSPLIT, "func(dst, src, w *byte, p uintptr)")
	Doc(name + " is a Factor for " + doc + ".")
	Pragma("noescape")
	load := func(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }
	f := frame{kernel: k, pairs: load("p"), dst: load("dst"), src: load("src"), w: load("w")}
	f.row, f.col = f.bytesOf(pairsRow), f.bytesOf(pairsCol)
	f.dstApart, f.srcApart = f.bytesOf(pairsDstApart), f.bytesOf(pairsSrcApart)
	return f
}

func (f frame) field(offset int) Mem { return Mem{Base: f.pairs, Disp: offset} }

// bytesOf is a field that counts elements.
func (f frame) bytesOf(offset int) reg.GPVirtual {
	r := GP64()
	MOVQ(f.field(offset), r)
	SHLQ(U8(bits.TrailingZeros(uint(f.size))), r)
	return r
}

// overLines mixes the pairs at an offset from src and dst of every line: the
// blocks stay in registers.
func (f frame) overLines(label string, one func(dst, src reg.GPVirtual)) {
	dst, src, left := GP64(), GP64(), GP64()
	MOVQ(f.dst, dst)
	MOVQ(f.src, src)
	MOVQ(f.field(pairsLines), left)
	Label(label)
	one(dst, src)
	ADDQ(f.srcApart, src)
	ADDQ(f.dstApart, dst)
	DECQ(left)
	JNZ(LabelRef(label))
	ADDQ(U32(uint32(f.bytes)), f.w)
}

// far is the kernel for pairs at least a vector apart.
func (k kernel) far() {
	f := k.begin(k.farName(), "spans of whole vectors")
	h, at, blocks := f.bytesOf(pairsSpan), GP64(), AllocLocal(8)
	MOVQ(f.field(pairsBlocks), at)
	MOVQ(at, blocks)
	Label("block")
	MOVQ(h, at)
	Label("pairs")
	w := f.blocks(natural)
	f.overLines("line", func(dst, src reg.GPVirtual) {
		u, v := f.vector(), f.vector()
		f.move(Mem{Base: src}, u)
		f.move(Mem{Base: src, Index: h, Scale: 1}, v)
		s, t := f.mix(w, u, v)
		f.move(s, Mem{Base: dst})
		f.move(t, Mem{Base: dst, Index: h, Scale: 1})
	})
	ADDQ(U32(uint32(f.bytes)), f.src)
	ADDQ(U32(uint32(f.bytes)), f.dst)
	SUBQ(U32(uint32(f.bytes)), at)
	JNZ(LabelRef("pairs"))
	ADDQ(h, f.src)
	ADDQ(h, f.dst)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// near is the kernel for pairs less than a vector apart: two vectors of
// neighbours have a vector of pairs.
func (k kernel) near(h int) {
	f := k.begin(k.nearName(h), fmt.Sprintf("a span of %d", h))
	apart := f.splitter(h)
	left := AllocLocal(8)
	count := GP64()
	MOVQ(f.field(pairsBlocks), count)
	SHLQ(U8(bits.TrailingZeros(uint(h*f.size))), count)
	MOVQ(count, left)
	Label("pairs")
	w := f.blocks(apart.order)
	f.overLines("line", func(dst, src reg.GPVirtual) {
		u, v := apart.split(Mem{Base: src}, Mem{Base: src, Disp: f.bytes})
		x, y := apart.join(f.mix(w, u, v))
		f.move(x, Mem{Base: dst})
		f.move(y, Mem{Base: dst, Disp: f.bytes})
	})
	ADDQ(U32(uint32(2*f.bytes)), f.src)
	ADDQ(U32(uint32(2*f.bytes)), f.dst)
	SUBQ(U32(uint32(f.bytes)), left)
	JNZ(LabelRef("pairs"))
	VZEROUPPER()
	RET()
}

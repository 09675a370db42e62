package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/width"
)

// isa is an instruction set. Its tiles have up to rows rows: with two vectors
// of columns the sums, two vectors of b and two spread elements of a then
// just fill the registers.
type isa struct {
	name  string
	bytes int
	rows  int
	neon  bool // arm64, by translation
}

type float struct {
	name   string
	goType string
	size   int
}

var (
	avx2   = isa{"AVX2", 32, 6, false}
	avx512 = isa{"AVX512", 64, 14, false}
	// Elements of a need no registers to be spread to.
	neon = isa{"NEON", 16, 12, true}
	f32  = float{"F32", "float32", 4}
	f64  = float{"F64", "float64", 8}
)

func (i isa) vector() reg.VecVirtual { return width.Vector(i.bytes) }

// op picks the instruction for the type.
func (f float) op(ps, pd func(...Op)) func(...Op) {
	if f.size == 4 {
		return ps
	}
	return pd
}

// tile multiplies a panel of rows by a panel of vectors of columns.
type tile struct {
	isa     isa
	float   float
	rows    int
	vectors int
}

func (t tile) name() string {
	return fmt.Sprintf("tile%dx%d%s%s", t.rows, t.vectors, t.float.name, t.isa.name)
}

// steps is how many steps of k one turn of the loop does.
const steps = 4

func (t tile) generate() {
	lanes := t.isa.bytes / t.float.size
	TEXT(t.name(), NOSPLIT, "func(k int, a, b, c *"+t.float.goType+", step, stride, cols int, add bool)")
	Doc(fmt.Sprintf("%s is, for i < %d and j < cols <= %d,", t.name(), t.rows, t.vectors*lanes),
		fmt.Sprintf("c[i*stride+j] = (c[i*stride+j] if add) + sum over p < k of a[p*%d+i] * b[p*step+j].", t.rows))
	Pragma("noescape")

	k := Load(Param("k"), GP64()).(reg.GPVirtual)
	a := Load(Param("a"), GP64()).(reg.GPVirtual)
	b := Load(Param("b"), GP64()).(reg.GPVirtual)
	c := Load(Param("c"), GP64()).(reg.GPVirtual)
	stride := Load(Param("stride"), GP64()).(reg.GPVirtual)
	SHLQ(U8(log2(t.float.size)), stride)
	bStep := Load(Param("step"), GP64()).(reg.GPVirtual)
	SHLQ(U8(log2(t.float.size)), bStep)

	row := GP64()
	MOVQ(c, row)
	for i := range t.rows {
		PREFETCHT0(Mem{Base: row})
		if t.vectors == 2 {
			PREFETCHT0(Mem{Base: row, Disp: t.isa.bytes})
		}
		if i < t.rows-1 {
			ADDQ(stride, row)
		}
	}

	sums := make([][]reg.VecVirtual, t.rows)
	for i := range sums {
		for range t.vectors {
			s := t.isa.vector()
			if t.isa.bytes == 64 {
				VPXORD(s, s, s)
			} else {
				VXORPS(s, s, s)
			}
			sums[i] = append(sums[i], s)
		}
	}

	fma := t.float.op(func(o ...Op) { VFMADD231PS(o...) }, func(o ...Op) { VFMADD231PD(o...) })
	spread := t.float.op(func(o ...Op) { VBROADCASTSS(o...) }, func(o ...Op) { VBROADCASTSD(o...) })
	move := t.float.op(func(o ...Op) { VMOVUPS(o...) }, func(o ...Op) { VMOVUPD(o...) })
	step := func(at int) {
		columns := make([]reg.VecVirtual, t.vectors)
		for v := range columns {
			columns[v] = t.isa.vector()
			move(Mem{Base: b, Disp: v * t.isa.bytes}, columns[v])
		}
		if t.vectors == 2 && t.isa.bytes == 64 {
			// The next panel of a matrix that is not packed lies beside this one, and no processor
			// guesses it where rows are pages apart. At AVX2 the loads of large products would take 1.1 of the time.
			PREFETCHT1(Mem{Base: b, Disp: 128})
			PREFETCHT1(Mem{Base: b, Disp: 192})
		}
		ADDQ(bStep, b)
		if t.isa.neon {
			t.byElements(a, at, columns, sums)
			return
		}
		for i := range sums {
			x := t.isa.vector()
			spread(Mem{Base: a, Disp: (at*t.rows + i) * t.float.size}, x)
			for v := range columns {
				fma(x, columns[v], sums[i][v])
			}
		}
	}
	aStep := t.rows * t.float.size

	Label("many")
	CMPQ(k, U32(steps))
	JLT(LabelRef("few"))
	// The panel of a streams through, one panel after the other: fetch ahead
	// so that the next one is there when its turn comes.
	PREFETCHT0(Mem{Base: a, Disp: 8 * steps * aStep})
	for line := 64; line < steps*aStep; line += 64 {
		PREFETCHT0(Mem{Base: a, Disp: 8*steps*aStep + line})
	}
	for at := range steps {
		step(at)
	}
	ADDQ(U32(uint32(steps*aStep)), a)
	SUBQ(U32(steps), k)
	JMP(LabelRef("many"))
	Label("few")
	TESTQ(k, k)
	JZ(LabelRef("store"))
	Label("one")
	step(0)
	ADDQ(U32(uint32(aStep)), a)
	DECQ(k)
	JNZ(LabelRef("one"))

	Label("store")
	cols := Load(Param("cols"), GP64()).(reg.GPVirtual)
	adds := Load(Param("add"), GP64()).(reg.GPVirtual)
	if t.isa.bytes == 64 {
		t.storeMasked(c, stride, cols, adds, sums)
	} else {
		t.storePlain(c, stride, cols, adds, sums)
	}
	VZEROUPPER()
	RET()
}

// storeMasked stores cols columns of the sums, AVX-512.
func (t tile) storeMasked(c, stride, cols, adds reg.GPVirtual, sums [][]reg.VecVirtual) {
	lanes := t.isa.bytes / t.float.size
	vadd := t.float.op(func(o ...Op) { VADDPS(o...) }, func(o ...Op) { VADDPD(o...) })
	move := t.float.op(func(o ...Op) { VMOVUPS(o...) }, func(o ...Op) { VMOVUPD(o...) })
	bits := GP64()
	MOVQ(I32(-1), bits)
	BZHIQ(cols, bits, bits)
	masks := make([]reg.OpmaskVirtual, t.vectors)
	for v := range masks {
		masks[v] = K()
		KMOVQ(bits, masks[v])
		if v < t.vectors-1 {
			SHRQ(U8(uint8(lanes)), bits)
		}
	}
	TESTQ(adds, adds)
	JZ(LabelRef("put"))
	row := GP64()
	MOVQ(c, row)
	for i := range sums {
		for v, s := range sums[i] {
			vadd(Mem{Base: row, Disp: v * t.isa.bytes}, s, masks[v], s)
		}
		if i < t.rows-1 {
			ADDQ(stride, row)
		}
	}
	Label("put")
	for i := range sums {
		for v, s := range sums[i] {
			move(s, masks[v], Mem{Base: c, Disp: v * t.isa.bytes})
		}
		if i < t.rows-1 {
			ADDQ(stride, c)
		}
	}
}

// storePlain stores cols columns of the sums, AVX2.
func (t tile) storePlain(c, stride, cols, adds reg.GPVirtual, sums [][]reg.VecVirtual) {
	lanes := t.isa.bytes / t.float.size
	vadd := t.float.op(func(o ...Op) { VADDPS(o...) }, func(o ...Op) { VADDPD(o...) })
	move := t.float.op(func(o ...Op) { VMOVUPS(o...) }, func(o ...Op) { VMOVUPD(o...) })
	masked := t.float.op(fixed(VMASKMOVPS), fixed(VMASKMOVPD))
	CMPQ(cols, U32(uint32(t.vectors*lanes)))
	JLT(LabelRef("edge"))

	TESTQ(adds, adds)
	JZ(LabelRef("put"))
	row := GP64()
	MOVQ(c, row)
	for i := range sums {
		for v, s := range sums[i] {
			vadd(Mem{Base: row, Disp: v * t.isa.bytes}, s, s)
		}
		if i < t.rows-1 {
			ADDQ(stride, row)
		}
	}
	Label("put")
	row = GP64()
	MOVQ(c, row)
	for i := range sums {
		for v, s := range sums[i] {
			move(s, Mem{Base: row, Disp: v * t.isa.bytes})
		}
		if i < t.rows-1 {
			ADDQ(stride, row)
		}
	}
	VZEROUPPER()
	RET()

	Label("edge")
	if t.isa.neon {
		t.storeElements(c, stride, cols, adds, sums)
		return
	}
	masks := make([]reg.VecVirtual, t.vectors)
	for v := range masks {
		masks[v] = window(t.float, cols, (v+1)*lanes)
	}
	old := YMM()
	TESTQ(adds, adds)
	JZ(LabelRef("put_edge"))
	row = GP64()
	MOVQ(c, row)
	for i := range sums {
		for v, s := range sums[i] {
			masked(Mem{Base: row, Disp: v * t.isa.bytes}, masks[v], old)
			vadd(old, s, s)
		}
		if i < t.rows-1 {
			ADDQ(stride, row)
		}
	}
	Label("put_edge")
	for i := range sums {
		for v, s := range sums[i] {
			masked(s, masks[v], Mem{Base: c, Disp: v * t.isa.bytes})
		}
		if i < t.rows-1 {
			ADDQ(stride, c)
		}
	}
}

func fixed(f func(a, b, c Op)) func(...Op) {
	return func(o ...Op) { f(o[0], o[1], o[2]) }
}

var maskTables = map[int]Mem{}

// maskTable is a vector of ones followed by a vector of zeros.
func maskTable(f float) Mem {
	if m, ok := maskTables[f.size]; ok {
		return m
	}
	m := GLOBL("edge"+f.name, RODATA|NOPTR)
	for i := range 8 {
		ones := uint64(1<<64 - 1)
		if i >= 4 {
			ones = 0
		}
		DATA(8*i, U64(ones))
	}
	maskTables[f.size] = m
	return m
}

func log2(n int) uint8 { return uint8(bits.Len(uint(n)) - 1) }

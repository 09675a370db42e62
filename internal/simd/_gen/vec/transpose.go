package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func transposeKernels(i isa) {
	for _, size := range []int{4, 8, 16} {
		turn{i, size, i.bytes / size}.generate()
	}
	if i.wide {
		return // whose tiles are cache lines wide; and small elements need no wide registers
	}
	for _, size := range []int{4, 8, 16} {
		if !i.neon { // which has no stores that pass by the caches
			turn{i, size, i.bytes / size}.lines()
		}
	}
	for _, size := range []int{1, 2} {
		smallTurn(i, size)
	}
}

// turn transposes by square tiles of registers.
type turn struct {
	isa  isa
	size int
	side int // of a tile, in elements
}

func (t turn) generate() {
	name := fmt.Sprintf("transpose%d%s", t.size, t.isa.name)
	TEXT(name, NOSPLIT, "func(dst, src *byte, dstStride, srcStride, rows, cols int, stream bool)")
	Doc(name+fmt.Sprintf(" is, for elements of %d bytes and strides in bytes,", t.size),
		"for r := range rows { for c := range cols { dst[c*dstStride+r*size] = src[r*srcStride+c*size] } }.",
		"With stream, dst and dstStride are multiples of 64.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64()).(reg.GPVirtual)
	src := Load(Param("src"), GP64()).(reg.GPVirtual)
	down := Load(Param("dstStride"), GP64()).(reg.GPVirtual)
	across := Load(Param("srcStride"), GP64()).(reg.GPVirtual)
	rows := Load(Param("rows"), GP64()).(reg.GPVirtual)
	s, d, cols := GP64(), GP64(), GP64()
	shift := U8(log2(t.side))

	Label("band")
	TESTQ(rows, rows)
	JLE(LabelRef("done"))
	MOVQ(src, s)
	MOVQ(dst, d)
	Load(Param("cols"), cols)

	Label("tile")
	TESTQ(cols, cols)
	JLE(LabelRef("next_band"))
	CMPQ(rows, U32(uint32(t.side)))
	JLT(LabelRef("edge"))
	CMPQ(cols, U32(uint32(t.side)))
	JLT(LabelRef("edge"))

	in := make([]reg.Register, t.side)
	p := GP64()
	MOVQ(s, p)
	for i := range in {
		in[i] = load(Mem{Base: p}, t.isa.bytes)
		if i < t.side-1 {
			ADDQ(across, p)
		}
	}
	out := t.network(in)
	p = GP64()
	MOVQ(d, p)
	stream := Load(Param("stream"), GP64())
	TESTQ(stream, stream)
	JNZ(LabelRef("stream"))
	for i, v := range out {
		store(v, Mem{Base: p}, t.isa.bytes)
		if i < t.side-1 {
			ADDQ(down, p)
		}
	}
	JMP(LabelRef("next_tile"))
	Label("stream")
	for i, v := range out {
		storeStream(v, Mem{Base: p}, t.isa.bytes)
		if i < t.side-1 {
			ADDQ(down, p)
		}
	}

	Label("next_tile")
	ADDQ(U32(uint32(t.isa.bytes)), s)
	big := GP64()
	MOVQ(down, big)
	SHLQ(shift, big)
	ADDQ(big, d)
	SUBQ(U32(uint32(t.side)), cols)
	JMP(LabelRef("tile"))

	Label("next_band")
	ADDQ(U32(uint32(t.isa.bytes)), dst)
	MOVQ(across, big)
	SHLQ(shift, big)
	ADDQ(big, src)
	SUBQ(U32(uint32(t.side)), rows)
	JMP(LabelRef("band"))

	Label("edge")
	t.edge(s, d, across, down, rows, cols)
	JMP(LabelRef("next_tile"))

	Label("done")
	flag := Load(Param("stream"), GP64())
	TESTQ(flag, flag)
	JZ(LabelRef("plain"))
	SFENCE()
	Label("plain")
	VZEROUPPER()
	RET()
}

// lineCols is how many columns a tile of lines has: few enough that the lines
// being filled have a buffer each.
const lineCols = 4

// lines makes the kernel that writes whole cache lines past the caches, AVX2
// only: a tile is a line of rows, in two halves, by lineCols columns or fewer.
func (t turn) lines() {
	rowsPer, colsPer := 64/t.size, min(t.side, lineCols)
	name := fmt.Sprintf("transposeLines%d%s", t.size, t.isa.name)
	TEXT(name, NOSPLIT, "func(dst, src *byte, dstStride, srcStride, rows, cols int)")
	Doc(fmt.Sprintf("%s is transpose%d%s with stream, for rows a multiple of %d and cols of %d.", name, t.size, t.isa.name, rowsPer, colsPer))
	Pragma("noescape")
	dst := Load(Param("dst"), GP64()).(reg.GPVirtual)
	src := Load(Param("src"), GP64()).(reg.GPVirtual)
	down := Load(Param("dstStride"), GP64()).(reg.GPVirtual)
	across := Load(Param("srcStride"), GP64()).(reg.GPVirtual)
	rows := Load(Param("rows"), GP64()).(reg.GPVirtual)
	s, d, cols, big := GP64(), GP64(), GP64(), GP64()

	Label("band")
	TESTQ(rows, rows)
	JLE(LabelRef("done"))
	MOVQ(src, s)
	MOVQ(dst, d)
	Load(Param("cols"), cols)
	Label("tile")
	TESTQ(cols, cols)
	JLE(LabelRef("next_band"))
	p := GP64()
	MOVQ(s, p)
	for half := range 2 {
		var out []reg.Register
		if t.size == 4 {
			out = t.quarters(p, across)
		} else {
			in := make([]reg.Register, t.side)
			for i := range in {
				in[i] = load(Mem{Base: p}, t.isa.bytes)
				ADDQ(across, p)
			}
			out = t.network(in)
		}
		q := GP64()
		MOVQ(d, q)
		for i, v := range out {
			storeStream(v, Mem{Base: q, Disp: half * t.isa.bytes}, t.isa.bytes)
			if i < len(out)-1 {
				ADDQ(down, q)
			}
		}
	}
	ADDQ(U32(uint32(colsPer*t.size)), s)
	MOVQ(down, big)
	SHLQ(U8(log2(colsPer)), big)
	ADDQ(big, d)
	SUBQ(U32(uint32(colsPer)), cols)
	JMP(LabelRef("tile"))
	Label("next_band")
	ADDQ(U32(64), dst)
	MOVQ(across, big)
	SHLQ(U8(log2(rowsPer)), big)
	ADDQ(big, src)
	SUBQ(U32(uint32(rowsPer)), rows)
	JMP(LabelRef("band"))
	Label("done")
	SFENCE()
	VZEROUPPER()
	RET()
}

// quarters transposes 8 rows of 4 elements of 4 bytes: with rows i and i+4 in
// the halves of one register, nothing crosses a half. p moves 8 rows on.
func (t turn) quarters(p, across reg.GPVirtual) []reg.Register {
	lower := GP64()
	LEAQ(Mem{Base: p, Index: across, Scale: 4}, lower)
	in := make([]reg.Register, 4)
	for i := range in {
		upper := XMM()
		VMOVUPS(Mem{Base: p}, upper)
		v := YMM()
		VINSERTF128(Imm(1), Mem{Base: lower}, upper.AsY(), v)
		in[i] = v
		ADDQ(across, p)
		ADDQ(across, lower)
	}
	MOVQ(lower, p)
	return t.inside(in)
}

// edge does a tile that lacks rows or columns.
func (t turn) edge(s, d, across, down, rows, cols reg.GPVirtual) {
	if t.isa.neon {
		t.edgeElements(s, d, across, down, rows, cols)
		return
	}
	// Missing rows end up in elements that are not stored: any value will do.
	in := make([]reg.Register, t.side)
	for i := range in {
		in[i] = vector(t.isa.bytes)
		if i > 0 {
			VMOVAPS(in[0], in[i])
			continue
		}
		VXORPS(in[0], in[0], in[0])
	}
	p := GP64()
	MOVQ(s, p)
	m := t.mask(cols)
	for i := range in {
		t.loadEdge(Mem{Base: p}, m, in[i])
		if i < t.side-1 {
			CMPQ(rows, U32(uint32(i+1)))
			JLE(LabelRef("loaded"))
			ADDQ(across, p)
		}
	}
	Label("loaded")
	out := t.network(in)
	p = GP64()
	MOVQ(d, p)
	m = t.mask(rows)
	for i, v := range out {
		t.storeEdge(v, m, Mem{Base: p})
		if i < t.side-1 {
			CMPQ(cols, U32(uint32(i+1)))
			JLE(LabelRef("next_tile"))
			ADDQ(down, p)
		}
	}
}

// edgeElements is edge one element at a time.
func (t turn) edgeElements(s, d, across, down, rows, cols reg.GPVirtual) {
	for r := range t.side {
		from, to := GP64(), GP64()
		if r > 0 {
			CMPQ(rows, U32(uint32(r)))
			JLE(LabelRef("next_tile"))
		}
		MOVQ(s, from)
		MOVQ(d, to)
		for range r {
			ADDQ(across, from)
		}
		for c := range t.side {
			if c > 0 {
				CMPQ(cols, U32(uint32(c)))
				JLE(LabelRef(fmt.Sprintf("row%d", r)))
				ADDQ(down, to)
			}
			v := load(Mem{Base: from, Disp: c * t.size}, t.size)
			store(v, Mem{Base: to, Disp: r * t.size}, t.size)
		}
		Label(fmt.Sprintf("row%d", r))
	}
}

// unit is the size of the lanes that masks count.
func (t turn) unit() int { return min(t.size, 8) }

// mask covers min(count, side) elements.
func (t turn) mask(count reg.GPVirtual) reg.Register {
	n, most := GP64(), GP64()
	MOVQ(count, n)
	MOVQ(U32(uint32(t.side)), most)
	CMPQ(n, most)
	CMOVQGT(most, n)
	if t.size == 16 {
		ADDQ(n, n)
	}
	if t.isa.wide {
		bits, k := GP64(), K()
		MOVQ(I32(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVQ(bits, k)
		return k
	}
	// A window into ones followed by zeros, so many before the border.
	at, m := GP64(), YMM()
	LEAQ(borderTable(), at)
	NEGQ(n)
	VMOVDQU(Mem{Base: at, Index: n, Scale: uint8(t.unit()), Disp: 32}, m)
	return m
}

func (t turn) loadEdge(m Mem, mask, v reg.Register) {
	switch {
	case t.isa.wide && t.unit() == 4:
		VMOVUPS_Z(m, mask, v)
	case t.isa.wide:
		VMOVUPD_Z(m, mask, v)
	case t.unit() == 4:
		VMASKMOVPS(m, mask, v)
	default:
		VMASKMOVPD(m, mask, v)
	}
}

func (t turn) storeEdge(v, mask reg.Register, m Mem) {
	switch {
	case t.isa.wide && t.unit() == 4:
		VMOVUPS(v, mask, m)
	case t.isa.wide:
		VMOVUPD(v, mask, m)
	case t.unit() == 4:
		VMASKMOVPS(v, mask, m)
	default:
		VMASKMOVPD(v, mask, m)
	}
}

var border *Mem

// borderTable is a vector of ones followed by a vector of zeros.
func borderTable() Mem {
	if border == nil {
		m := GLOBL("border", RODATA|NOPTR)
		for i := range 8 {
			bits := uint64(1<<64 - 1)
			if i >= 4 {
				bits = 0
			}
			DATA(8*i, U64(bits))
		}
		border = &m
	}
	return *border
}

// network transposes a tile held in registers: first inside the 128-bit
// quarters of the registers, then the quarters among themselves.
func (t turn) network(in []reg.Register) []reg.Register {
	fresh := func(f func(...Op), ops ...Op) reg.Register { return fresh(t.isa.bytes, f, ops...) }
	rows := t.inside(in)
	per := 16 / t.size // elements per quarter
	// rows[per*g+j] holds in quarter q column per*q+j of the g-th group of
	// rows.
	out := make([]reg.Register, len(rows))
	if t.isa.neon {
		return rows
	}
	for j := range per {
		if !t.isa.wide {
			a, b := rows[j], rows[per+j]
			out[j] = fresh(fixed4(VPERM2F128), Imm(0x20), b, a)
			out[per+j] = fresh(fixed4(VPERM2F128), Imm(0x31), b, a)
			continue
		}
		a, b, c, d := rows[j], rows[per+j], rows[2*per+j], rows[3*per+j]
		even1, odd1 := fresh(VSHUFF64X2, Imm(0x88), b, a), fresh(VSHUFF64X2, Imm(0xdd), b, a)
		even2, odd2 := fresh(VSHUFF64X2, Imm(0x88), d, c), fresh(VSHUFF64X2, Imm(0xdd), d, c)
		out[j] = fresh(VSHUFF64X2, Imm(0x88), even2, even1)
		out[2*per+j] = fresh(VSHUFF64X2, Imm(0xdd), even2, even1)
		out[per+j] = fresh(VSHUFF64X2, Imm(0x88), odd2, odd1)
		out[3*per+j] = fresh(VSHUFF64X2, Imm(0xdd), odd2, odd1)
	}
	return out
}

// inside transposes the quarters by themselves.
func (t turn) inside(rows []reg.Register) []reg.Register {
	unpack := func(f func(...Op), a, b reg.Register) reg.Register { return fresh(t.isa.bytes, f, b, a) }
	pairs := func(lo, hi func(...Op), apart int) []reg.Register {
		var next []reg.Register
		for g := 0; g < len(rows); g += 2 * apart {
			for i := g; i < g+apart; i++ {
				next = append(next, unpack(lo, rows[i], rows[i+apart]), unpack(hi, rows[i], rows[i+apart]))
			}
		}
		return next
	}
	switch t.size {
	case 4:
		rows = pairs(VUNPCKLPS, VUNPCKHPS, 1)
		rows = pairs(VUNPCKLPD, VUNPCKHPD, 2)
	case 8:
		rows = pairs(VUNPCKLPD, VUNPCKHPD, 1)
	}
	return rows
}

func fixed3(f func(a, b, c Op)) func(...Op) { return func(ops ...Op) { f(ops[0], ops[1], ops[2]) } }

func fixed4(f func(a, b, c, d Op)) func(...Op) {
	return func(o ...Op) { f(o[0], o[1], o[2], o[3]) }
}

// smallTurn transposes elements of one or two bytes by tiles of 8x8. Rows and
// columns are multiples of 8.
func smallTurn(i isa, size int) {
	name := fmt.Sprintf("transpose%d%s", size, i.name)
	TEXT(name, NOSPLIT, "func(dst, src *byte, dstStride, srcStride, rows, cols int)")
	Doc(name+fmt.Sprintf(" is, for elements of %d bytes, strides in bytes, and multiples of 8 for rows and cols,", size),
		"for r := range rows { for c := range cols { dst[c*dstStride+r*size] = src[r*srcStride+c*size] } }.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64()).(reg.GPVirtual)
	src := Load(Param("src"), GP64()).(reg.GPVirtual)
	down := Load(Param("dstStride"), GP64()).(reg.GPVirtual)
	across := Load(Param("srcStride"), GP64()).(reg.GPVirtual)
	rows := Load(Param("rows"), GP64()).(reg.GPVirtual)
	s, d, cols := GP64(), GP64(), GP64()

	Label("band")
	TESTQ(rows, rows)
	JLE(LabelRef("done"))
	MOVQ(src, s)
	MOVQ(dst, d)
	Load(Param("cols"), cols)
	Label("tile")
	TESTQ(cols, cols)
	JLE(LabelRef("next_band"))
	in := make([]reg.Register, 8)
	p := GP64()
	MOVQ(s, p)
	for r := range in {
		in[r] = load(Mem{Base: p}, 8*size)
		if r < 7 {
			ADDQ(across, p)
		}
	}
	fresh := func(f func(...Op), a, b reg.Register) reg.Register {
		v := XMM()
		f(b, a, v)
		return v
	}
	interleave := func(lo, hi func(...Op), rows []reg.Register, apart int) []reg.Register {
		next := make([]reg.Register, 0, len(rows))
		for g := 0; g < len(rows); g += 2 * apart {
			for r := g; r < g+apart; r++ {
				next = append(next, fresh(lo, rows[r], rows[r+apart]), fresh(hi, rows[r], rows[r+apart]))
			}
		}
		return next
	}
	p = GP64()
	MOVQ(d, p)
	if size == 2 {
		// Each step doubles the run of rows that lie side by side.
		x := interleave(VPUNPCKLWD, VPUNPCKHWD, in, 1)
		x = interleave(VPUNPCKLDQ, VPUNPCKHDQ, x, 2)
		x = interleave(VPUNPCKLQDQ, VPUNPCKHQDQ, x, 4)
		for c, v := range x {
			VMOVUPS(v, Mem{Base: p})
			if c < 7 {
				ADDQ(down, p)
			}
		}
	} else {
		pairs := make([]reg.Register, 4)
		for r := range pairs {
			pairs[r] = fresh(VPUNPCKLBW, in[2*r], in[2*r+1])
		}
		x := interleave(VPUNPCKLWD, VPUNPCKHWD, pairs, 1)
		x = interleave(VPUNPCKLDQ, VPUNPCKHDQ, x, 2)
		for c, v := range x {
			VMOVQ(v, Mem{Base: p})
			ADDQ(down, p)
			VMOVHPS(v, Mem{Base: p})
			if c < 3 {
				ADDQ(down, p)
			}
		}
	}
	ADDQ(U32(uint32(8*size)), s)
	LEAQ(Mem{Base: d, Index: down, Scale: 8}, d)
	SUBQ(U32(8), cols)
	JMP(LabelRef("tile"))
	Label("next_band")
	ADDQ(U32(uint32(8*size)), dst)
	LEAQ(Mem{Base: src, Index: across, Scale: 8}, src)
	SUBQ(U32(8), rows)
	JMP(LabelRef("band"))
	Label("done")
	RET()
}

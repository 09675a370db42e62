package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

// input is an operand of a kernel.
type input struct {
	name   string
	goType string // of an element
	size   int    // bytes of an element
	units  int    // elements per point: 2 for the parts of a complex number, else 1
	scalar bool   // one value for all points
	// pointer is an address that the body gets as it is, in a general register.
	pointer bool
}

// isVector reports an input that is read point by point.
func (in input) isVector() bool { return !in.scalar && !in.pointer }

// kernel describes a loop over points: each input gives units elements per
// point, the output takes outUnits.
type kernel struct {
	isa      isa
	name     string
	doc      string // the loop it equals
	inputs   []input
	outType  string
	outSize  int
	outUnits int
	lanes    int // points per vector
	unroll   int
	woven    bool // the vectors of an unrolled loop in turns
	guarded  bool // body may give up: the kernel then returns the points it did
	consts   func() any
	body     func(c *code, in []reg.Register) reg.Register
	// part and join, if there are any, are body for joined vectors of an unrolled loop:
	// part of each, and all of those as one register.
	joined int
	part   func(c *code, in []reg.Register) reg.Register
	join   func(c *code, parts []reg.Register) reg.Register
	// shared, if there is one, makes what part takes for the first input of joined vectors
	// of an unrolled loop, which begins at m.
	shared func(c *code, m Mem) []reg.Register
	// special, if there is one, jumps to the label if part is not for all elements that an
	// unrolled loop takes: in are where the inputs are.
	special func(in []Op, label string)
}

// code is what a body may use.
type code struct {
	isa    isa
	lanes  int
	consts any
	giveUp string // label to jump to when a lane needs the portable kernel
}

func (k *kernel) signature() string {
	s := "func(dst []" + k.outType
	for _, in := range k.inputs {
		if !in.isVector() {
			s += fmt.Sprintf(", %s %s", in.name, in.goType)
		} else {
			s += fmt.Sprintf(", %s []%s", in.name, in.goType)
		}
	}
	s += ", stream bool)"
	if k.guarded {
		s += " int"
	}
	return s
}

func (k *kernel) generate() {
	if k.unroll == 0 {
		k.unroll = 1
	}
	if k.outUnits == 0 {
		k.outUnits = 1
	}
	for i := range k.inputs {
		k.inputs[i].units = max(k.inputs[i].units, 1)
	}
	TEXT(k.name+k.isa.name, NOSPLIT, k.signature())
	Doc(k.name+k.isa.name+" is "+k.doc+".", "")
	Pragma("noescape")

	dst := Load(Param("dst").Base(), GP64()).(reg.GPVirtual)
	n := Load(Param("dst").Len(), GP64()).(reg.GPVirtual)
	if k.outUnits == 2 {
		SHRQ(U8(1), n)
	}
	pointers := make([]reg.GPVirtual, len(k.inputs))
	values := make([]reg.Register, len(k.inputs))
	for i, in := range k.inputs {
		if in.pointer {
			values[i] = Load(Param(in.name), GP64())
		}
		if !in.isVector() {
			continue
		}
		pointers[i] = Load(Param(in.name).Base(), GP64()).(reg.GPVirtual)
		length := Load(Param(in.name).Len(), GP64())
		if in.units == 2 {
			SHRQ(U8(1), length)
		}
		CMPQ(length, n)
		CMOVQLT(length, n)
	}
	var asked reg.GPVirtual
	if k.guarded {
		asked = GP64()
		MOVQ(n, asked)
	}
	for i, in := range k.inputs {
		if !in.scalar {
			continue
		}
		addr, err := Param(in.name).Resolve()
		if err != nil {
			panic(err)
		}
		v := vector(k.lanes * in.size * in.units)
		switch {
		case in.size == 4:
			VBROADCASTSS(addr.Addr, v)
		case k.lanes*in.size*in.units == 16:
			VMOVDDUP(addr.Addr, v)
		default:
			VBROADCASTSD(addr.Addr, v)
		}
		values[i] = v
	}
	stream := Load(Param("stream"), GP64()).(reg.GPVirtual)

	c := &code{isa: k.isa, lanes: k.lanes, giveUp: "give_up"}
	if k.consts != nil {
		c.consts = k.consts()
	}

	point := k.outSize * k.outUnits
	bytes := func(in input) int { return in.size * in.units * k.lanes }
	outBytes := point * k.lanes

	// Stores that pass by the caches must be aligned, which needs an output
	// whose points do not straddle.
	TESTQ(stream, stream)
	JZ(LabelRef("dispatch"))
	if point > 1 {
		TESTQ(U32(uint32(point-1)), dst)
		JZ(LabelRef("dispatch"))
		XORQ(stream, stream)
	}

	Label("dispatch")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	count := GP64()
	TESTQ(stream, stream)
	JZ(LabelRef("many"))
	MOVQ(dst, count)
	NEGQ(count)
	ANDQ(Imm(63), count)
	JZ(LabelRef("many"))
	SHRQ(U8(log2(point)), count)
	limit := GP64()
	MOVQ(U32(uint32(k.lanes)), limit)
	CMPQ(limit, n)
	CMOVQGT(n, limit)
	CMPQ(count, limit)
	CMOVQGT(limit, count)
	JMP(LabelRef("partial"))

	var first []reg.Register
	run := func(at int, body func(c *code, in []reg.Register) reg.Register) reg.Register {
		in := make([]reg.Register, len(k.inputs))
		for i, p := range k.inputs {
			switch {
			case !p.isVector():
				in[i] = values[i]
			case i == 0 && first != nil:
				in[i] = first[at%k.joined]
			default:
				in[i] = load(Mem{Base: pointers[i], Disp: at * bytes(p)}, bytes(p))
			}
		}
		return body(c, in)
	}
	advance := func(vectors int) {
		for i, p := range k.inputs {
			if p.isVector() {
				ADDQ(U32(uint32(vectors*bytes(p))), pointers[i])
			}
		}
		ADDQ(U32(uint32(vectors*outBytes)), dst)
		SUBQ(U32(uint32(vectors*k.lanes)), n)
	}

	Label("many")
	if k.unroll > 1 {
		Label("unrolled")
		CMPQ(n, U32(uint32(k.unroll*k.lanes)))
		JLT(LabelRef("single"))
		if k.special != nil {
			in := make([]Op, len(k.inputs))
			for i, p := range k.inputs {
				if in[i] = values[i]; p.isVector() {
					in[i] = Mem{Base: pointers[i]}
				}
			}
			k.special(in, "special")
		}
		results, size, body := make([]reg.Register, k.unroll), outBytes, k.body
		if k.part != nil {
			body = k.part
		}
		parts := make([]func(), k.unroll)
		for u := range results {
			parts[u] = func() {
				if k.shared != nil && u%k.joined == 0 {
					first = k.shared(c, Mem{Base: pointers[0], Disp: u * bytes(k.inputs[0])})
				}
				results[u] = run(u, body)
			}
		}
		if k.woven {
			files.Weave(parts)
		} else {
			for _, part := range parts {
				part()
			}
		}
		first = nil
		if k.join != nil {
			parts := slices.Collect(slices.Chunk(results, k.joined))
			results, size = results[:0], k.joined*outBytes
			for _, p := range parts {
				results = append(results, k.join(c, p))
			}
		}
		TESTQ(stream, stream)
		JNZ(LabelRef("unrolled_stream"))
		for u, r := range results {
			store(r, Mem{Base: dst, Disp: u * size}, size)
		}
		advance(k.unroll)
		JMP(LabelRef("unrolled"))
		Label("unrolled_stream")
		for u, r := range results {
			storeStream(r, Mem{Base: dst, Disp: u * size}, size)
		}
		advance(k.unroll)
		JMP(LabelRef("unrolled"))
		if k.special != nil {
			Label("special")
			vectors := k.unroll
			if k.guarded { // what was stored has to be counted before another one gives up
				vectors = 1
			}
			for u := range vectors {
				store(run(u, k.body), Mem{Base: dst, Disp: u * outBytes}, outBytes)
			}
			advance(vectors)
			JMP(LabelRef("unrolled"))
		}
	}
	Label("single")
	CMPQ(n, U32(uint32(k.lanes)))
	JLT(LabelRef("rest"))
	r := run(0, k.body)
	if k.unroll > 1 {
		store(r, Mem{Base: dst}, outBytes)
	} else {
		TESTQ(stream, stream)
		JNZ(LabelRef("single_stream"))
		store(r, Mem{Base: dst}, outBytes)
		JMP(LabelRef("single_next"))
		Label("single_stream")
		storeStream(r, Mem{Base: dst}, outBytes)
		Label("single_next")
	}
	advance(1)
	JMP(LabelRef("single"))

	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	MOVQ(n, count)

	Label("partial")
	if k.isa.wide {
		k.partialMasked(c, pointers, values, dst, count)
	} else {
		k.partialCopied(c, pointers, values, dst, count)
	}
	SUBQ(count, n)
	for i, in := range k.inputs {
		if in.isVector() {
			bump(pointers[i], count, in.size*in.units)
		}
	}
	bump(dst, count, point)
	JMP(LabelRef("dispatch"))

	if k.guarded {
		Label("give_up")
	}
	Label("done")
	TESTQ(stream, stream)
	JZ(LabelRef("plain"))
	SFENCE()
	Label("plain")
	VZEROUPPER()
	if k.guarded {
		SUBQ(n, asked)
		Store(asked, ReturnIndex(0))
	}
	RET()
}

func (k *kernel) partialMasked(c *code, pointers []reg.GPVirtual, values []reg.Register, dst, count reg.GPVirtual) {
	masks := map[int]reg.Register{}
	mask := func(units int) reg.Register {
		if m, ok := masks[units]; ok {
			return m
		}
		ones, shift := GP64(), GP64()
		MOVQ(I32(-1), ones)
		MOVQ(count, shift)
		if units == 2 {
			ADDQ(shift, shift)
		}
		BZHIQ(shift, ones, ones)
		m := K()
		KMOVQ(ones, m)
		masks[units] = m
		return m
	}
	in := make([]reg.Register, len(k.inputs))
	for i, p := range k.inputs {
		if !p.isVector() {
			in[i] = values[i]
		} else {
			in[i] = loadMasked(Mem{Base: pointers[i]}, p.size*p.units*k.lanes, p.size, mask(p.units))
		}
	}
	m := mask(k.outUnits)
	storeMasked(k.body(c, in), Mem{Base: dst}, k.outSize, m)
}

// partialCopied goes through the stack: AVX2 cannot mask bytes, NEON nothing.
func (k *kernel) partialCopied(c *code, pointers []reg.GPVirtual, values []reg.Register, dst, count reg.GPVirtual) {
	zero := vector(k.isa.bytes)
	VXORPS(zero, zero, zero)
	in := make([]reg.Register, len(k.inputs))
	slots := make([]Mem, len(k.inputs))
	for i, p := range k.inputs {
		if !p.isVector() {
			in[i] = values[i]
			continue
		}
		slots[i] = AllocLocal(k.isa.bytes)
		VMOVUPS(zero, slots[i])
		copyElements(fmt.Sprintf("in%d", i), slots[i], Mem{Base: pointers[i]}, count, p.size*p.units)
	}
	for i, p := range k.inputs {
		if p.isVector() {
			in[i] = load(slots[i], p.size*p.units*k.lanes)
		}
	}
	out := AllocLocal(k.isa.bytes)
	store(k.body(c, in), out, k.outSize*k.outUnits*k.lanes)
	copyElements("out", Mem{Base: dst}, out, count, k.outSize*k.outUnits)
}

// copyElements moves count elements one at a time.
func copyElements(label string, to, from Mem, count reg.GPVirtual, size int) {
	i := GP64()
	MOVQ(count, i)
	step := size
	if size == 16 {
		step = 8
		ADDQ(i, i)
	}
	to.Index, to.Scale, to.Disp = i, uint8(step), to.Disp-step
	from.Index, from.Scale, from.Disp = i, uint8(step), from.Disp-step
	Label("copy_" + label)
	t := GP64()
	switch step {
	case 1:
		MOVB(from, t.As8())
		MOVB(t.As8(), to)
	case 2:
		MOVW(from, t.As16())
		MOVW(t.As16(), to)
	case 4:
		MOVL(from, t.As32())
		MOVL(t.As32(), to)
	case 8:
		MOVQ(from, t)
		MOVQ(t, to)
	}
	DECQ(i)
	JNZ(LabelRef("copy_" + label))
}

// bump adds count elements to a pointer.
func bump(p, count reg.GPVirtual, size int) {
	switch size {
	case 1, 2, 4, 8:
		LEAQ(Mem{Base: p, Index: count, Scale: uint8(size)}, p)
	case 16:
		LEAQ(Mem{Base: p, Index: count, Scale: 8}, p)
		LEAQ(Mem{Base: p, Index: count, Scale: 8}, p)
	}
}

func storeStream(v reg.Register, m Mem, bytes int) {
	switch bytes {
	case 64, 32, 16:
		VMOVNTPS(v, m)
	default:
		store(v, m, bytes)
	}
}

func log2(n int) uint8 {
	var l uint8
	for n > 1 {
		n >>= 1
		l++
	}
	return l
}

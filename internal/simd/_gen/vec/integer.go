package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// integer is an element type.
type integer struct {
	name   string
	size   int
	signed bool
}

func integerKernels(i isa) {
	for _, t := range []integer{
		{"U8", 1, false}, {"I8", 1, true}, {"I16", 2, true}, {"I32", 4, true}, {"U32", 4, false}, {"I64", 8, true},
	} {
		t.arithmetic(i)
		t.comparisons(i)
		t.folds(i)
	}
	chooseKernel(i, 1)
	chooseKernel(i, 2)
}

// instructions is one for each width of lanes: 1, 2, 4 and 8 bytes.
type instructions [4]func(...Op)

func (t integer) of(all instructions) func(...Op) { return all[log2(t.size)] }

// arrangement is the lanes of NEON.
func (t integer) arrangement() string { return [...]string{"16b", "8h", "4s", "2d"}[log2(t.size)] }

var (
	addLanes = instructions{VPADDB, VPADDW, VPADDD, VPADDQ}
	subLanes = instructions{VPSUBB, VPSUBW, VPSUBD, VPSUBQ}
	eqLanes  = instructions{VPCMPEQB, VPCMPEQW, VPCMPEQD, VPCMPEQQ}
	gtLanes  = instructions{VPCMPGTB, VPCMPGTW, VPCMPGTD, VPCMPGTQ}
	absLanes = instructions{VPABSB, VPABSW, VPABSD, VPABSQ}
)

// loop walks n elements, at least as many as lanes.
type loop struct {
	isa    isa
	lanes  int
	n      reg.GPVirtual
	dst    reg.GPVirtual
	size   int // of an element of dst
	inputs []reg.GPVirtual
	sizes  []int // of elements of inputs
	unroll int
}

// run emits the loop. The last vector, which may overlap the one before it, is computed
// first and stored last: dst may be an input.
func (l loop) run(label string, body func(in []reg.Register) reg.Register) {
	vectors := func(at []reg.GPVirtual, disp int) reg.Register {
		in := make([]reg.Register, len(at))
		for k, p := range at {
			in[k] = load(Mem{Base: p, Disp: disp * l.lanes * l.sizes[k]}, l.lanes*l.sizes[k])
		}
		return body(in)
	}
	far, end := make([]reg.GPVirtual, len(l.inputs)), GP64()
	SUBQ(U32(uint32(l.lanes)), l.n)
	for k, p := range l.inputs {
		far[k] = GP64()
		LEAQ(Mem{Base: p, Index: l.n, Scale: uint8(l.sizes[k])}, far[k])
	}
	last := vectors(far, 0)
	LEAQ(Mem{Base: l.dst, Index: l.n, Scale: uint8(l.size)}, end)
	bytes := l.lanes * l.size
	some := func(name string, count, from int, next string) {
		Label(label + name)
		CMPQ(l.n, U32(uint32(from)))
		JLT(LabelRef(label + next))
		for u := range count {
			store(vectors(l.inputs, u), Mem{Base: l.dst, Disp: u * bytes}, bytes)
		}
		for k, p := range l.inputs {
			ADDQ(U32(uint32(count*l.lanes*l.sizes[k])), p)
		}
		ADDQ(U32(uint32(count*bytes)), l.dst)
		SUBQ(U32(uint32(count*l.lanes)), l.n)
		JMP(LabelRef(label + name))
	}
	some("many", l.unroll, l.unroll*l.lanes, "single")
	some("single", 1, 1, "last")
	Label(label + "last")
	store(last, Mem{Base: end}, bytes)
	VZEROUPPER()
	RET()
}

// choicesOf jumps to the one of several pieces of code whose place in the list is the
// parameter op; the last one has no question before it.
func choicesOf(names []string, each func(name string)) {
	op := Load(Param("op"), GP64())
	for k, name := range names[:len(names)-1] {
		CMPQ(op, U32(uint32(k)))
		JEQ(LabelRef(name))
	}
	for k := range names {
		name := names[(k+len(names)-1)%len(names)]
		Label(name)
		each(name)
	}
}

func pointers(names ...string) []reg.GPVirtual {
	var list []reg.GPVirtual
	for _, name := range names {
		list = append(list, Load(Param(name), GP64()).(reg.GPVirtual))
	}
	return list
}

func (t integer) arithmetic(i isa) {
	full := "integer" + t.name + i.name
	TEXT(full, NOSPLIT, "func(op int, dst, x, y *byte, n int)")
	Doc(full+" does dst[i] = x[i] op y[i], or op x[i], for n elements, at least a vector of them.", "")
	Pragma("noescape")
	at := pointers("dst", "x", "y", "n")
	names := []string{"add", "sub", "neg", "max", "min", "mul", "abs"}
	if !t.signed {
		names = names[:6] // a number is its magnitude
	}
	if i.neon && t.size == 8 {
		names = append(names[:5:5], "abs") // no products; in Go that is the last one
	}
	var zero, low reg.Register
	choicesOf(names, func(name string) {
		l := loop{isa: i, lanes: i.bytes / t.size, n: at[3], dst: at[0], size: t.size, inputs: at[1:3], sizes: []int{t.size, t.size}, unroll: 4}
		switch {
		case name == "neg" || name == "abs":
			l.inputs = l.inputs[:1]
			v := vector(i.bytes)
			VXORPS(v, v, v)
			zero = v
		case name == "mul" && t.size == 1 && !i.neon:
			low, l.unroll = f64.broadcast(i, 0x00ff00ff00ff00ff), 2
		}
		l.run(name, func(in []reg.Register) reg.Register {
			switch name {
			case "add":
				return fresh(i.bytes, t.of(addLanes), in[1], in[0])
			case "sub":
				return fresh(i.bytes, t.of(subLanes), in[1], in[0])
			case "neg":
				return fresh(i.bytes, t.of(subLanes), in[0], zero)
			case "mul":
				return t.product(i, in[0], in[1], low)
			case "abs":
				return t.magnitude(i, in[0], zero)
			}
			return t.extreme(i, in[0], in[1], name == "max")
		})
	})
}

// product has low, the lower bytes of words, for products of bytes.
func (t integer) product(i isa, x, y, low reg.Register) reg.Register {
	do := func(o func(...Op), ops ...Op) reg.Register { return fresh(i.bytes, o, ops...) }
	switch {
	case t.size == 1 && i.neon:
		return own("mul.16b", 0, x, y)
	case t.size == 1:
		even := do(VANDPS, low, do(VPMULLW, y, x))
		odd := do(VPMULLW, do(VANDNPS, y, low), do(VPSRLW, Imm(8), x))
		return do(VORPS, odd, even)
	case t.size == 2:
		return do(VPMULLW, y, x)
	case t.size == 4:
		return do(VPMULLD, y, x)
	case i.wide:
		return do(VPMULLQ, y, x)
	}
	cross := do(VPADDQ, do(VPMULUDQ, y, do(VPSRLQ, Imm(32), x)), do(VPMULUDQ, x, do(VPSRLQ, Imm(32), y)))
	return do(VPADDQ, do(VPSLLQ, Imm(32), cross), do(VPMULUDQ, y, x))
}

func (t integer) magnitude(i isa, x, zero reg.Register) reg.Register {
	switch {
	case i.neon:
		return own("abs."+t.arrangement(), 0, x)
	case t.size == 8 && !i.wide:
		negative := fresh(i.bytes, VPCMPGTQ, x, zero)
		return fresh(i.bytes, VPSUBQ, negative, fresh(i.bytes, VXORPS, negative, x))
	}
	return fresh(i.bytes, t.of(absLanes), x)
}

func (t integer) extreme(i isa, x, y reg.Register, largest bool) reg.Register {
	if t.size == 8 && !i.wide {
		r := vector(i.bytes)
		if largest {
			f64.blend(fresh(i.bytes, VPCMPGTQ, y, x), x, y, r)
		} else {
			f64.blend(fresh(i.bytes, VPCMPGTQ, y, x), y, x, r)
		}
		return r
	}
	var all instructions
	switch {
	case t.signed && largest:
		all = instructions{VPMAXSB, VPMAXSW, VPMAXSD, VPMAXSQ}
	case t.signed:
		all = instructions{VPMINSB, VPMINSW, VPMINSD, VPMINSQ}
	case largest:
		all = instructions{VPMAXUB, nil, VPMAXUD, nil}
	default:
		all = instructions{VPMINUB, nil, VPMINUD, nil}
	}
	return fresh(i.bytes, t.of(all), y, x)
}

func (t integer) comparisons(i isa) {
	full := "compare" + t.name + i.name
	TEXT(full, NOSPLIT, "func(op int, flip uint64, dst, x, y *byte, n int)")
	Doc(full+" does dst[i] = (x[i] == y[i]) != flip, or x[i] < y[i], for n elements, at least a vector",
		"of them. flip is 0 or 1 in every byte.", "")
	Pragma("noescape")
	at := pointers("dst", "x", "y", "n")
	lanes := i.bytes / t.size
	room := max(lanes, 16)
	flips, flip := Load(Param("flip"), GP64()).(reg.GPVirtual), vector(room)
	MOVQ(flips, flip.AsX())
	VPBROADCASTQ(flip.AsX(), flip)
	var ones reg.VecVirtual
	if i.neon {
		ones = own("bytes1", 0).(reg.VecVirtual)
	} else {
		g := GP64()
		ones = vector(room)
		MOVQ(U64(0x0101010101010101), g)
		MOVQ(g, ones.AsX())
		VPBROADCASTQ(ones.AsX(), ones)
	}
	choicesOf([]string{"equal", "less"}, func(name string) {
		l := loop{isa: i, lanes: lanes, n: at[3], dst: at[0], size: 1, inputs: at[1:3], sizes: []int{t.size, t.size}, unroll: 4}
		inverted := name == "less" && !t.signed && i.bytes == 32
		var flipped reg.Register = flip
		if inverted {
			flipped = fresh(room, VXORPS, ones, flip)
		}
		l.run(name, func(in []reg.Register) reg.Register {
			x, y := in[0], in[1]
			if i.wide {
				k, r := K(), vector(room)
				switch {
				case name == "equal":
					t.of(eqLanes)(y, x, k)
				case t.signed:
					t.of(instructions{VPCMPB, VPCMPW, VPCMPD, VPCMPQ})(Imm(1), y, x, k)
				default:
					t.of(instructions{VPCMPUB, VPCMPUW, VPCMPUD, VPCMPUQ})(Imm(1), y, x, k)
				}
				VMOVDQU8_Z(ones, k, r)
				return fresh(room, VXORPS, flipped, r)
			}
			var mask reg.Register
			switch {
			case name == "equal":
				mask = fresh(i.bytes, t.of(eqLanes), y, x)
			case t.signed:
				mask = fresh(i.bytes, t.of(gtLanes), x, y)
			case i.neon:
				mask = own("cmhi."+t.arrangement(), 0, y, x)
			default:
				mask = fresh(i.bytes, t.of(eqLanes), x, t.extreme(i, x, y, true))
			}
			if t.size > 1 {
				mask = t.bytes(i, mask)
			}
			return fresh(room, VXORPS, flipped, fresh(room, VANDPS, as(ones, room), mask))
		})
	})
}

// bytes narrows lanes of ones and zeros to bytes of them.
func (t integer) bytes(i isa, mask reg.Register) reg.Register {
	if i.neon {
		for _, name := range []string{"xtn.2s", "xtn.4h", "xtn.8b"}[3-log2(t.size):] {
			mask = own(name, 0, mask)
		}
		return mask
	}
	r := halves(mask, t.of(instructions{1: VPACKSSWB, 2: VPACKSSDW, 3: VPACKSSDW}))
	for size := t.size; size > 2; size /= 2 {
		if size == 8 {
			r = fresh(16, VPACKSSDW, r, r)
		} else {
			r = fresh(16, VPACKSSWB, r, r)
		}
	}
	return r
}

func (t integer) folds(i isa) {
	full := "fold" + t.name + i.name
	TEXT(full, NOSPLIT, "func(op int, x *byte, n int) uint64")
	Doc(full+" is the sum, the largest or the least of n elements, a number of whole vectors,", "in the lowest bits.", "")
	Pragma("noescape")
	at := pointers("x", "n")
	x, n, lanes := at[0], at[1], i.bytes/t.size
	choicesOf([]string{"sum", "max", "min"}, func(name string) {
		combine := func(i isa, x, y reg.Register) reg.Register {
			if name == "sum" {
				return fresh(i.bytes, t.of(addLanes), y, x)
			}
			return t.extreme(i, x, y, name == "max")
		}
		var runs [4]reg.VecVirtual
		for r := range runs {
			if name == "sum" {
				runs[r] = vector(i.bytes)
				VXORPS(runs[r], runs[r], runs[r])
			} else {
				runs[r] = load(Mem{Base: x}, i.bytes)
			}
		}
		some := func(label string, count int, next string) {
			Label(name + label)
			CMPQ(n, U32(uint32(count*lanes)))
			JLT(LabelRef(name + next))
			for r := range count {
				VMOVAPS(combine(i, runs[r], load(Mem{Base: x, Disp: r * i.bytes}, i.bytes)), runs[r])
			}
			ADDQ(U32(uint32(count*i.bytes)), x)
			SUBQ(U32(uint32(count*lanes)), n)
			JMP(LabelRef(name + label))
		}
		some("many", len(runs), "single")
		some("single", 1, "done")
		Label(name + "done")
		r := combine(i, combine(i, runs[0], runs[1]), combine(i, runs[2], runs[3]))
		part := i
		part.wide = false
		if i.wide {
			high := YMM()
			VEXTRACTF64X4(Imm(1), r, high)
			part.bytes = 32
			r = combine(part, as(r, 32), high)
		}
		if !i.neon {
			high := XMM()
			VEXTRACTF128(Imm(1), as(r, 32), high)
			part.bytes = 16
			r = combine(part, as(r, 16), high)
		}
		for shift := 8; shift >= t.size; shift /= 2 {
			if i.neon {
				r = combine(part, r, own("ext.16b", shift, r, r))
			} else {
				v := XMM()
				VPSRLDQ(Imm(uint64(shift)), r, v)
				r = combine(part, r, v)
			}
		}
		g := GP64()
		MOVQ(r, g)
		Store(g, ReturnIndex(0))
		VZEROUPPER()
		RET()
	})
}

// chooseKernel chooses among elements of one or two bytes.
func chooseKernel(i isa, size int) {
	full := fmt.Sprintf("choose%d%s", size, i.name)
	TEXT(full, NOSPLIT, "func(dst, cond, x, y *byte, n int)")
	Doc(full+" does dst[i] = x[i] where cond[i] is not 0, else y[i], for n elements, at least a", "vector of them.", "")
	Pragma("noescape")
	at := pointers("dst", "cond", "x", "y", "n")
	l := loop{isa: i, lanes: i.bytes / size, n: at[4], dst: at[0], size: size, inputs: at[1:4], sizes: []int{1, size, size}, unroll: 2}
	zero := vector(i.bytes)
	VXORPS(zero, zero, zero)
	l.run("choose", func(in []reg.Register) reg.Register {
		cond, yes, no, r := in[0], in[1], in[2], vector(i.bytes)
		if i.wide {
			k := K()
			VPTESTMB(cond, cond, k)
			if size == 1 {
				VPBLENDMB(yes, no, k, r)
			} else {
				VPBLENDMW(yes, no, k, r)
			}
			return r
		}
		equal := VPCMPEQB
		if size == 2 {
			cond, equal = fresh(i.bytes, VPMOVZXBW, cond), VPCMPEQW
		}
		mask := fresh(i.bytes, equal, zero, cond)
		if i.neon {
			f32.blend(mask, no, yes, r)
		} else {
			VPBLENDVB(mask, no, yes, r)
		}
		return r
	})
}

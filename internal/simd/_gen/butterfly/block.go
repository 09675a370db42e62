package main

import "slices"

// A block is straight-line vector code over an unbounded number of values.
// The kernels describe their loop body as a block; allocate gives its values
// registers, spilling to the stack where there are too few.

// value names the result of an instruction.
type value int

// kind is what an instruction does.
type kind int

const (
	load       kind = iota // out = mem
	store                  // mem = in0
	piece                  // mem = 128 bits of in0, lane imm
	halfway                // mem = 256 bits of in0, half imm
	lowest                 // mem = first component of in0
	loadLowest             // out = a component of mem, then zeros
	binary                 // out = in0 op in1
	binaryM                // out = in0 op mem
	fused                  // out = +-in0*in1 +- in2
	fusedM                 // out = +-in0*mem +- in1
	shuffle                // out = op imm (in0, in1); not destructive
	chosen                 // out = lanes of in0 and in1 by the index in mem
	select2                // out = lanes of in0 and in1 by the pinned index
	unary                  // out = op imm (in0)
	gathered               // out = halves at mem and more
	collected              // out = quarters at parts
	scattered              // mem and more = halves of in0
	inplace                // outs reuse the registers of ins; may run conditionally
)

type instruction struct {
	kind  kind
	op    string // mnemonic, without the suffix for arithmetic
	in    []value
	out   []value
	mem   address
	more  address   // gathered, scattered: of the second half
	parts []address // collected
	imm   int       // shuffles; -1 for none
	index int       // select2: pinned register
	temps int       // inplace: scratch registers
	emit  func(e *emitter, regs []int, temps []int)
}

// address is a place in memory, resolved by the emitter.
type address interface{ isAddress() }

// legAddress is leg j of the current butterfly.
type legAddress struct {
	side  int // source or destination
	plane int // re, im; 0 for interleaved
	leg   int
	disp  int
}

// constAddress is a constant, broadcast.
type constAddress struct{ value float64 }

// patternAddress is a constant vector, by name.
type patternAddress struct{ name string }

// tableAddress is a whole vector of the twiddle table.
type tableAddress struct{ disp int }

// entryAddress is one component of the twiddle table, broadcast.
type entryAddress struct{ disp int }

// factorAddress is one component of the second table of a turn, broadcast.
type factorAddress struct{ disp int }

// scaleAddress is the kernel's scale, broadcast.
type scaleAddress struct{}

// alternatingAddress is a constant with the other sign in odd lanes.
type alternatingAddress struct{ value float64 }

func (alternatingAddress) isAddress() {}

// signedAddress is a vector of a constant with the other sign in odd lanes.
type signedAddress struct{ value float64 }

func (signedAddress) isAddress() {}

func (scaleAddress) isAddress()   {}
func (patternAddress) isAddress() {}
func (entryAddress) isAddress()   {}
func (factorAddress) isAddress()  {}
func (legAddress) isAddress()     {}
func (constAddress) isAddress()   {}
func (tableAddress) isAddress()   {}

type block struct {
	target
	code   []instruction
	values int
	bare   bool // numbers that stay interleaved are turned without patterns
	waits  bool // results wait for chains of operations, not for the ports: short lines
}

func (b *block) fresh() value {
	b.values++
	return value(b.values - 1)
}

func (b *block) push(i instruction) value {
	v := b.fresh()
	i.out = []value{v}
	b.code = append(b.code, i)
	return v
}

func (b *block) load(a address) value { return b.push(instruction{kind: load, mem: a}) }

func (b *block) store(a address, v value) {
	b.code = append(b.code, instruction{kind: store, mem: a, in: []value{v}})
}

// storePiece stores one 128-bit lane. Unlike a shuffle, it does not use the
// port that shuffles wait for.
func (b *block) storePiece(a address, v value, lane int) {
	b.code = append(b.code, instruction{kind: piece, mem: a, in: []value{v}, imm: lane})
}

// storeHalf stores the lower or upper half of a wide vector.
func (b *block) storeHalf(a address, v value, half int) {
	b.code = append(b.code, instruction{kind: halfway, mem: a, in: []value{v}, imm: half})
}

func (b *block) add(x, y value) value {
	return b.push(instruction{kind: binary, op: "VADD", in: []value{x, y}})
}

func (b *block) sub(x, y value) value {
	return b.push(instruction{kind: binary, op: "VSUB", in: []value{x, y}})
}

// mulM is x*mem.
func (b *block) mulM(x value, m address) value {
	return b.push(instruction{kind: binaryM, op: "VMUL", in: []value{x}, mem: m})
}

// fmaM is x*mem + acc, fnmaM is acc - x*mem, fmsM is x*mem - acc.
func (b *block) fmaM(x value, m address, acc value) value {
	return b.push(instruction{kind: fusedM, op: "VFMADD", in: []value{x, acc}, mem: m})
}

func (b *block) fnmaM(x value, m address, acc value) value {
	return b.push(instruction{kind: fusedM, op: "VFNMADD", in: []value{x, acc}, mem: m})
}

func (b *block) fmsM(x value, m address, acc value) value {
	return b.push(instruction{kind: fusedM, op: "VFMSUB", in: []value{x, acc}, mem: m})
}

func (b *block) mul(x, y value) value {
	return b.push(instruction{kind: binary, op: "VMUL", in: []value{x, y}})
}

// fma is x*y + acc, fms is x*y - acc.
func (b *block) fma(x, y, acc value) value {
	return b.push(instruction{kind: fused, op: "VFMADD", in: []value{x, y, acc}})
}

func (b *block) fms(x, y, acc value) value {
	return b.push(instruction{kind: fused, op: "VFMSUB", in: []value{x, y, acc}})
}

// fnma is acc - x*y.
func (b *block) fnma(x, y, acc value) value {
	return b.push(instruction{kind: fused, op: "VFNMADD", in: []value{x, y, acc}})
}

// mulC, fmaC and fnmaC are the same with a constant.
func (b *block) mulC(x value, c float64) value { return b.mulM(x, constAddress{c}) }

func (b *block) fmaC(x value, c float64, acc value) value {
	if c < 0 {
		return b.fnmaM(x, constAddress{-c}, acc)
	}
	return b.fmaM(x, constAddress{c}, acc)
}

func (b *block) fnmaC(x value, c float64, acc value) value { return b.fmaC(x, -c, acc) }

// fmsC is x*c - acc.
func (b *block) fmsC(x value, c float64, acc value) value {
	op := "VFMSUB"
	if c < 0 {
		op, c = "VFNMSUB", -c
	}
	return b.push(instruction{kind: fusedM, op: op, in: []value{x, acc}, mem: constAddress{c}})
}

// negated is -v. What made v, and nothing used yet, makes it where that takes no further instruction.
func (b *block) negated(v value) value {
	for n := len(b.code) - 1; n >= 0; n-- {
		i := &b.code[n]
		if slices.Contains(i.in, v) {
			break
		}
		if !slices.Contains(i.out, v) {
			continue
		}
		opposite, ok := map[string]string{"VFMADD": "VFNMSUB", "VFNMSUB": "VFMADD", "VFMSUB": "VFNMADD", "VFNMADD": "VFMSUB"}[i.op]
		switch {
		case i.kind == binary && i.op == "VSUB":
			i.in[0], i.in[1] = i.in[1], i.in[0]
			return v
		case ok:
			i.op = opposite
			return v
		}
		break
	}
	return b.mulC(v, -1)
}

func (b *block) shuffle(op string, imm int, x, y value) value {
	return b.push(instruction{kind: shuffle, op: op, imm: imm, in: []value{x, y}})
}

func (b *block) unary(op string, imm int, x value) value {
	return b.push(instruction{kind: unary, op: op, imm: imm, in: []value{x}})
}

func (b *block) select2(index int, x, y value) value {
	return b.push(instruction{kind: select2, index: index, in: []value{x, y}})
}

// inplace adds code that changes values where they are. The values passed in
// have no later use; the returned ones take their place.
func (b *block) inplace(temps int, emit func(e *emitter, regs, temps []int), vs ...value) []value {
	outs := make([]value, len(vs))
	for i := range outs {
		outs[i] = b.fresh()
	}
	b.code = append(b.code, instruction{kind: inplace, in: vs, out: outs, temps: temps, emit: emit})
	return outs
}

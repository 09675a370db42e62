package cpu

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// class says how often a value changes.
type class uint8

const (
	perLaunch class = iota
	perBlock
	perPoint
)

// value is what the compiler knows about an instruction's result.
type value struct {
	ptr    int
	typ    elem.Type // as held in a register: float32 for half types
	class  class
	vector int  // a copy of a uniform value in every element of a register, 0 if none
	pooled bool // ptr is a register that can be used again after the last use
	last   int  // the last instruction that uses it
}

// output is a value to store, and where.
type output struct {
	layout
	value  int
	mem    int
	stream bool // too big to stay in a cache
}

// emitter compiles a ir.Code.
type emitter struct {
	dev    *Device
	c      *code
	src    *ir.Code
	values []value
	free   map[int][]int // registers by element size
	err    error
}

// blockBytes is the size of a register in the widest type of a code: a few of
// them fit a first-level cache of 32 KiB, and the cost of a step's call is
// small against its work.
const blockBytes = 8 << 10

// compileCode compiles src for a shape. in and positions are the normalised
// layouts of its operands, firstMem the place of the first in the launch. The
// values named in extra are kept as vectors for the caller, who finds them,
// and the Acc of a Post code, through the pointers of the returned values.
func (d *Device) compileCode(src *ir.Code, shape codeShape, in, positions []layout, firstMem int, outs []output, extra ...int) (*code, []value, error) {
	e := &emitter{
		dev:    d,
		c:      &code{vec: d.vec, codeShape: shape, places: 1},
		src:    src,
		values: make([]value, len(src.Instrs)),
		free:   map[int][]int{},
	}
	wide := 1
	for _, i := range src.Instrs {
		wide = max(wide, i.Type.Compute().Size())
	}
	e.c.block = blockBytes / wide
	if shape.tiles {
		e.c.block = min(e.c.block, tileCols)
	}
	e.liveness(outs, extra)
	e.loads(in, positions, firstMem)
	direct := e.directOutputs(outs)
	for i := range src.Instrs {
		if e.values[i].last >= 0 {
			e.instruction(i, outs, direct)
			e.recycle(i)
		}
		if e.err != nil {
			return nil, nil, e.err
		}
	}
	e.finish(outs, direct)
	kept := map[int]bool{}
	for _, v := range extra {
		e.values[v].ptr = e.spread(&e.values[v])
		kept[e.values[v].ptr] = true
	}
	for _, l := range e.c.loads {
		kept[l.ptr] = true // outputs among them
	}
	for _, o := range e.c.stores {
		kept[o.ptr] = true
	}
	e.c.fuse(d, kept)
	return e.c, e.values, e.err
}

// liveness finds each value's last use; -1 is a value nobody needs.
func (e *emitter) liveness(outs []output, extra []int) {
	end := len(e.src.Instrs)
	for i := range e.values {
		e.values[i].last = -1
	}
	for _, o := range outs {
		e.values[o.value].last = end
	}
	for _, v := range extra {
		e.values[v].last = end
	}
	for i := end - 1; i >= 0; i-- {
		if e.values[i].last < 0 {
			continue
		}
		for _, v := range operands(e.src.Instrs[i]) {
			e.values[v].last = max(e.values[v].last, i)
		}
	}
}

func operands(i ir.Instr) []int {
	if i.Kind != ir.Apply {
		return nil
	}
	return []int{i.A, i.B, i.C}[:i.Op.Arity()]
}

// place adds a pointer to the table.
func (e *emitter) place() int {
	e.c.places++
	return e.c.places - 1
}

// cell is memory for one number.
func (e *emitter) cell() int { return e.memory(16) }

func (e *emitter) memory(bytes int) int {
	p := e.place()
	e.c.fixed = append(e.c.fixed, place{p, e.c.memory})
	e.c.memory += (bytes + alignment - 1) &^ (alignment - 1)
	return p
}

// register is memory for a block of elements.
func (e *emitter) register(size int) int {
	if list := e.free[size]; len(list) > 0 {
		e.free[size] = list[:len(list)-1]
		return list[len(list)-1]
	}
	return e.memory(e.c.block * size)
}

func (e *emitter) release(ptr, size int) { e.free[size] = append(e.free[size], ptr) }

// recycle frees the registers whose last use was instruction i.
func (e *emitter) recycle(i int) {
	done := func(v int) {
		if x := &e.values[v]; x.last == i && x.pooled {
			x.pooled = false
			e.release(x.ptr, x.typ.Size())
		}
	}
	for _, v := range operands(e.src.Instrs[i]) {
		done(v)
	}
	done(i)
}

// loads decides how operands reach the steps. Gathers happen before the first
// step of a block, so their registers are taken before any other.
func (e *emitter) loads(in, positions []layout, firstMem int) {
	for i, instr := range e.src.Instrs {
		v := &e.values[i]
		if v.last < 0 {
			continue
		}
		switch instr.Kind {
		case ir.Load:
			l := load{layout: in[instr.Slot], mem: firstMem + instr.Slot}
			l.kind, v.class = e.reach(&l.layout)
			switch l.kind {
			case loadGather:
				l.ptr = e.register(l.size)
				v.pooled = true
			case loadTile:
				l.ptr, l.tile = e.place(), e.memory(tileRows*e.c.block*l.size)
			default:
				l.ptr = e.place()
			}
			v.ptr, v.typ = l.ptr, instr.Type
			e.c.loads = append(e.c.loads, l)
		case ir.Index:
			l := load{layout: positions[instr.Slot], kind: positionEach}
			_, v.class = e.reach(&l.layout)
			switch v.class {
			case perLaunch:
				l.kind, l.ptr = positionOnce, e.cell()
			case perBlock:
				l.kind, l.ptr = positionBlock, e.cell()
			default:
				l.ptr, v.pooled = e.register(8), true
			}
			v.ptr, v.typ = l.ptr, elem.Int64
			e.c.loads = append(e.c.loads, l)
		}
	}
}

// reach classifies an operand.
func (e *emitter) reach(l *layout) (loadKind, class) {
	dims := e.c.dims
	if l.isConstant(dims) {
		return loadOnce, perLaunch
	}
	last := len(dims) - 1
	switch {
	case e.c.rows && l.strides[last] == 0:
		return loadDirect, perBlock
	case e.c.rows && l.strides[last] == 1, !e.c.rows && l.isContiguous(dims):
		return loadDirect, perPoint
	case e.c.tiles && l.strides[last-1] == 1 && l.strides[last] > 1:
		return loadTile, perPoint
	}
	return loadGather, perPoint
}

// step appends a step of the given class.
func (e *emitter) step(cl class, run stepFunc, d int, args ...int) {
	s := step{run: run, d: d, one: cl != perPoint}
	for i, a := range args {
		*[]*int{&s.a, &s.b, &s.c}[i] = a
	}
	if cl == perLaunch {
		e.c.once = append(e.c.once, s)
	} else {
		e.c.steps = append(e.c.steps, s)
	}
}

// spread gives a uniform value as a vector.
func (e *emitter) spread(v *value) int {
	if v.class == perPoint {
		return v.ptr
	}
	if v.vector == 0 {
		v.vector = e.memory(e.c.block * v.typ.Size())
		s := step{run: fillStep(e.dev.vec, v.typ.Size(), false), d: v.vector, a: v.ptr}
		if v.class == perLaunch {
			e.c.once = append(e.c.once, s)
		} else {
			e.c.steps = append(e.c.steps, s)
		}
	}
	return v.vector
}

func (e *emitter) instruction(i int, outs []output, direct []bool) {
	instr := e.src.Instrs[i]
	v := &e.values[i]
	switch instr.Kind {
	case ir.Load:
		if instr.Type.IsHalf() {
			e.widen(v, instr.Type)
		}
	case ir.Const:
		v.ptr, v.typ = e.cell(), instr.Type.Compute()
		e.c.consts = append(e.c.consts, literal{v.ptr, instr.Slot, instr.Type})
	case ir.Acc:
		v.ptr, v.typ, v.class = e.place(), instr.Type.Compute(), perPoint
	case ir.Apply:
		var out *output
		for k := range outs {
			if direct[k] && outs[k].value == i {
				out = &outs[k]
			}
		}
		e.apply(i, instr, out)
	}
}

// widen turns a loaded half value into float32.
func (e *emitter) widen(v *value, t elem.Type) {
	raw, pooled := v.ptr, v.pooled
	v.ptr, v.typ, v.pooled = e.result(v.class, elem.Float32), elem.Float32, v.class == perPoint
	e.step(v.class, widenStep(e.dev.vec, t), v.ptr, raw)
	if pooled {
		e.release(raw, 2)
	}
}

// result is memory for a value of a class.
func (e *emitter) result(cl class, t elem.Type) int {
	if cl == perPoint {
		return e.register(t.Size())
	}
	return e.cell()
}

// apply emits an operation. out, if not nil, is where its result belongs.
func (e *emitter) apply(i int, instr ir.Instr, out *output) {
	v := &e.values[i]
	args := operands(instr)
	for _, a := range args {
		v.class = max(v.class, e.values[a].class)
	}
	v.typ = instr.Type.Compute()
	if v.class != perPoint {
		out = nil // a uniform result is spread at the end
	}
	from := e.src.Instrs[args[len(args)-1]].Type
	rounds := instr.Type.IsHalf() && !exactOnHalves(instr.Op, from, instr.Type)
	again := e.usedAgain(i)
	stream := out != nil && out.stream && !again
	f, err := e.dev.lookup(instr.Op, from.Compute(), v.typ, stream && !instr.Type.IsHalf())
	if err != nil {
		e.err = fmt.Errorf("cpu: %s of %s: %w", instr.Op, from, err)
		return
	}

	places, form, scalarAt := e.arguments(instr, args, v.class, f)
	// Operands that end here give their registers to the result: every kernel
	// may write over an operand of the same element size.
	for k, a := range args {
		if x := &e.values[a]; x.last == i && x.pooled && places[k] == x.ptr {
			x.pooled = false
			e.release(x.ptr, x.typ.Size())
		}
	}
	if out != nil && !instr.Type.IsHalf() && (!stream || f.streams) {
		v.ptr = e.outputPlace(out)
	} else {
		v.ptr, v.pooled = e.result(v.class, v.typ), v.class == perPoint
	}
	e.step(v.class, form, v.ptr, places...)
	if v.class == perPoint {
		e.c.steps[len(e.c.steps)-1].arithmetic = arithmeticOf(instr.Op, from.Compute(), scalarAt, stream && !v.pooled)
	}

	switch {
	case out != nil && instr.Type.IsHalf():
		p := e.outputPlace(out)
		e.step(v.class, narrowStep(e.dev.vec, instr.Type, stream), p, v.ptr)
		if rounds && again {
			e.step(v.class, widenStep(e.dev.vec, instr.Type), v.ptr, p)
		}
	case out != nil && v.pooled:
		e.step(v.class, copyStep(e.dev.vec, v.typ.Size(), stream), e.outputPlace(out), v.ptr)
	case rounds:
		raw := e.result(v.class, elem.Float16)
		e.step(v.class, narrowStep(e.dev.vec, instr.Type, false), raw, v.ptr)
		e.step(v.class, widenStep(e.dev.vec, instr.Type), v.ptr, raw)
		if v.class == perPoint {
			e.release(raw, 2)
		}
	}
}

// usedAgain reports that something besides its output reads value i.
func (e *emitter) usedAgain(i int) bool {
	for k, instr := range e.src.Instrs {
		if e.values[k].last >= 0 && slices.Contains(operands(instr), i) {
			return true
		}
	}
	return false
}

// arguments gives the pointers of an operation's operands and picks the form
// of its kernel: uniform operands stay scalars where the kernel has a form
// for that and are spread otherwise. scalarAt is the operand that stayed one.
func (e *emitter) arguments(instr ir.Instr, args []int, cl class, f forms) (places []int, form stepFunc, scalarAt int) {
	places = make([]int, len(args))
	uniform := func(k int) bool { return cl == perPoint && e.values[args[k]].class != perPoint }
	for k, a := range args {
		places[k] = e.values[a].ptr
	}
	form, scalarAt = f.vv, -1
	last := len(args) - 1
	if last > 0 {
		switch {
		case uniform(last) && f.vs != nil:
			form, scalarAt = f.vs, last
		case uniform(last-1) && f.sv != nil:
			form, scalarAt = f.sv, last-1
		}
	}
	for k, a := range args {
		if k != scalarAt && uniform(k) {
			places[k] = e.spread(&e.values[a])
		}
	}
	if instr.Op.IsRandom() {
		for k := range 2 {
			if k == 1 && instr.Op != scalar.RandInt {
				break
			}
			p := e.place()
			e.c.keys = append(e.c.keys, key{p, instr.Slot + k})
			places = append(places, p)
		}
	}
	return places, form, scalarAt
}

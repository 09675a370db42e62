package cpu

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// compileCode compiles src for a shape. in and positions are the normalised
// layouts of its operands, firstMem the place of the first in the launch. The
// values named in extra are kept as vectors for the caller, who finds them,
// and the Acc of a Post code, through the pointers of the returned values.
func (d *Device) compileCode(src *ir.Code, shape codeShape, in, positions []layout, firstMem int, outs []output, extra ...ir.ValueID) (*code, []value, error) {
	e := &emitter{
		dev:    d,
		c:      &code{vec: d.vec, codeShape: shape, places: 1},
		src:    src,
		values: make([]value, len(src.Instrs)),
		free:   map[int][]int{},
	}
	e.c.block = blockBytes / widest(src)
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

// widest is the bytes of the widest register of a code.
func widest(c *ir.Code) int {
	return lists.Max(1, c.Instrs, func(i ir.Instr) int { return i.Type.Compute().Size() })
}

// liveness finds each value's last use; -1 is a value nobody needs.
func (e *emitter) liveness(outs []output, extra []ir.ValueID) {
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
			case loadRepeat:
				e.repeat(&l)
			case loadRow:
				l.ptr, l.tile = e.place(), e.memory(e.c.dims[len(e.c.dims)-1]*l.size)
			default:
				l.ptr = e.place()
			}
			v.ptr, v.typ = l.ptr, instr.Type
			e.c.loads = append(e.c.loads, l)
		case ir.Index:
			l := load{layout: positions[instr.Slot], kind: positionEach}
			var reached loadKind
			reached, v.class = e.reach(&l.layout)
			switch {
			case v.class == perLaunch:
				l.kind, l.ptr = positionOnce, e.cell()
			case v.class == perBlock:
				l.kind, l.ptr = positionBlock, e.cell()
			case e.c.sameRow(&l.layout, 8):
				l.kind, l.size = positionRow, 8
				l.ptr, l.tile = e.place(), e.memory(e.c.dims[len(e.c.dims)-1]*l.size)
			case reached == loadRepeat:
				l.kind, l.size = positionRepeat, 8
				e.repeat(&l)
			default:
				l.ptr, v.pooled = e.register(8), true
			}
			v.ptr, v.typ = l.ptr, elem.Int64
			e.c.loads = append(e.c.loads, l)
		}
	}
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
			if direct[k] && outs[k].value == ir.ValueID(i) {
				out = &outs[k]
			}
		}
		e.apply(i, instr, out)
	}
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

// arguments gives the pointers of an operation's operands and picks the form
// of its kernel: uniform operands stay scalars where the kernel has a form
// for that and are spread otherwise. scalarAt is the operand that stayed one.
func (e *emitter) arguments(instr ir.Instr, args []ir.ValueID, cl class, f forms) (places []int, form stepFunc, scalarAt int) {
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

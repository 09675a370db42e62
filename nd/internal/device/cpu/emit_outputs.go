package cpu

import "github.com/twiddle-go/twiddle/nd/internal/ir"

// directOutputs says which outputs a step can write where they belong: those
// whose elements lie in order and that are computed after the last step that
// reads an operand in place, because an output may be the memory of an input.
func (e *emitter) directOutputs(outs []output) []bool {
	lastRead := ir.ValueID(-1)
	note := func(v, at ir.ValueID) {
		if !e.c.apart && e.src.Instrs[v].Kind == ir.Load {
			lastRead = max(lastRead, at)
		}
	}
	for i, instr := range e.src.Instrs {
		if e.values[i].last < 0 {
			continue
		}
		for _, v := range operands(instr) {
			note(v, ir.ValueID(i))
		}
	}
	for _, o := range outs {
		note(o.value, e.src.Last()+1)
	}
	direct := make([]bool, len(outs))
	taken := map[ir.ValueID]bool{}
	for i, o := range outs {
		kind, cl := e.reach(&o.layout)
		ok := kind == loadDirect && cl == perPoint && o.value >= lastRead &&
			e.src.Instrs[o.value].Kind == ir.Apply && !taken[o.value]
		direct[i] = ok
		taken[o.value] = taken[o.value] || ok
	}
	return direct
}

// outputPlace is the pointer to an output's memory at the current block.
func (e *emitter) outputPlace(o *output) int {
	p := e.place()
	e.c.loads = append(e.c.loads, load{layout: o.layout, kind: loadDirect, ptr: p, mem: o.mem})
	return p
}

// finish stores the outputs that no step has written.
func (e *emitter) finish(outs []output, direct []bool) {
	if len(outs) > 1 {
		// One output may be written over an operand that another one copies.
		for _, o := range outs {
			v := &e.values[o.value]
			if e.src.Instrs[o.value].Kind == ir.Load && !v.pooled {
				held := e.result(v.class, v.typ)
				e.step(v.class, copyStep(e.dev.vec, v.typ.Size(), false), held, v.ptr)
				v.ptr, v.pooled = held, true
			}
		}
	}
	for k := range outs {
		if !direct[k] || e.values[outs[k].value].class != perPoint {
			e.storeValue(&outs[k])
		}
	}
}

func (e *emitter) storeValue(o *output) {
	v := &e.values[o.value]
	t := e.src.Instrs[o.value].Type
	ptr, cl, size := v.ptr, v.class, t.Size()
	if t.IsHalf() {
		if cl == perPoint {
			ptr = e.register(2)
		} else {
			ptr = e.cell()
		}
		e.step(cl, narrowStep(e.dev.vec, t, false), ptr, v.ptr)
	}
	kind, reach := e.reach(&o.layout)
	inOrder := kind == loadDirect && reach == perPoint || len(e.c.dims) == 0
	switch {
	case inOrder && cl == perPoint:
		e.step(perPoint, copyStep(e.dev.vec, size, o.stream), e.outputPlace(o), ptr)
	case inOrder:
		e.step(perPoint, fillStep(e.dev.vec, size, o.stream), e.outputPlace(o), ptr)
	default:
		if cl != perPoint {
			vector := e.register(size)
			e.step(perPoint, fillStep(e.dev.vec, size, false), vector, ptr)
			ptr = vector
		}
		e.c.stores = append(e.c.stores, store{o.layout, ptr, o.mem})
	}
}

package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const (
	mapThreads = 256

	// accessBytes is the widest access of a thread.
	accessBytes = 16

	// flightBytes is what a thread should have asked for before it uses the
	// first of it: 2048 threads of 32 bytes cover the latency of memory. With
	// 64 bytes copies were 1 to 7 % slower on an H200.
	flightBytes = 32
)

// generateMap writes one kernel. A thread computes some packs: neighbours
// along the last dimension that are loaded and stored at once.
func generateMap(m *ir.Map, card emit.Card) (*emit.Module, error) {
	if ir.Count(m.Dims) == 0 {
		return &emit.Module{}, nil
	}
	return mapKernels(m, card).module()
}

// mapKernels is the kernel of a map that has points.
func mapKernels(m *ir.Map, card emit.Card) *kernels {
	ops := append(append(append([]ir.Operand(nil), m.In...), m.Positions...), m.Out...)
	main := len(m.In) + len(m.Positions)
	s := newSpace(m.Dims, ops...)
	s.forward(main)
	s.order(main)
	s.join()
	if d := turnedAxis(s, m); d >= 0 {
		return tileKernels(m, s, d)
	}
	w := &mapWriter{m: m, s: s, ins: s.ops[:len(m.In)], positions: s.ops[len(m.In):main], outs: s.ops[main:]}
	w.loads = emit.Needed(&m.Code, m.Value...)
	w.pack = packOf(s, len(m.In), main)
	for w.pack > 1 && w.pack*weight(&m.Code) > mostWeight {
		w.pack /= 2
	}
	w.shape(card)
	return w.kernels()
}

// weight is about how many instructions a code makes of one point.
func weight(c *ir.Code) int {
	n := 0
	for _, in := range c.Instrs {
		switch {
		case in.Kind != ir.Apply:
		case in.Op.IsCheap():
			n++
		default:
			n += 16
		}
	}
	return n
}

// mostWeight is up to which weight code is repeated for neighbours: more than
// that is bound by what it computes, and takes long to compile.
const mostWeight = 256

// packOf is how many neighbours along the last dimension can be accessed at
// once: as many as fit the widest access in every operand that walks them one
// by one, and start at whole accesses. Positions are no accesses.
func packOf(s *space, loads, outs int) int {
	last := len(s.dims) - 1
	if last < 0 {
		return 1
	}
	pack := accessBytes
	for i, o := range s.ops {
		if i >= loads && i < outs {
			continue
		}
		switch o.Strides[last] {
		case 0:
			if i >= outs {
				return 1
			}
			continue
		case 1:
		default:
			return 1
		}
		pack = min(pack, accessBytes/o.Type.Size())
		for ; o.Offset%pack != 0; pack /= 2 {
		}
		for d := range last {
			for ; o.Strides[d]%pack != 0; pack /= 2 {
			}
		}
	}
	if last > 0 {
		for ; s.dims[last]%pack != 0; pack /= 2 {
		}
	}
	return pack
}

// mapWriter writes a map's kernel.
type mapWriter struct {
	m    *ir.Map
	s    *space
	uses emit.Uses
	e    *entry
	code emit.Statements

	ins, positions, outs []ir.Operand // of s
	loads                []int        // the inputs that are needed

	pack int   // neighbours at once
	each int   // packs of a thread
	dims []int // in packs
}

// shape decides how packs are spread over threads.
func (w *mapWriter) shape(card emit.Card) {
	w.dims = append([]int(nil), w.s.dims...)
	if last := len(w.dims) - 1; last >= 0 {
		w.dims[last] = ceil(w.dims[last], w.pack)
	}
	bytes := 0
	for _, i := range w.loads {
		o := w.ins[i]
		if w.packed(o) {
			bytes += o.Type.Size() * w.pack
		} else {
			bytes += o.Type.Size()
		}
	}
	w.each = 1
	// A small map would rather use more multiprocessors.
	for w.each < 4 && 2*w.each*w.pack*weight(&w.m.Code) <= mostWeight && bytes > 0 && 2*w.each*bytes <= flightBytes && ir.Count(w.dims) >= 2*w.each*mapThreads*4*max(card.Processors, 1) {
		w.each *= 2
	}
}

// packed reports an operand that is accessed in packs.
func (w *mapWriter) packed(o ir.Operand) bool {
	last := len(w.s.dims) - 1
	return last >= 0 && w.pack > 1 && o.Strides[last] == 1
}

// some reports that the last pack may be a part of one: only a line of one
// dimension need not be a whole number of them.
func (w *mapWriter) some() bool { return w.pack > 1 && len(w.s.dims) == 1 }

func (w *mapWriter) kernels() *kernels {
	w.uses.Part("pack")
	w.uses.Part("quotient")
	w.e = &entry{name: "map", threads: mapThreads, wide: w.s.isWide()}
	e := w.e
	w.declare()
	e.f("const %s first = (%s)blockIdx.x * %d + threadIdx.x;\n", e.index(), e.index(), mapThreads*w.each)
	w.load()
	w.store()
	return &kernels{uses: &w.uses, entries: []*entry{e}, blocks: []int{ceil(ir.Count(w.dims), mapThreads*w.each)}}
}

// declare writes parameters and constants, and renders the code.
func (w *mapWriter) declare() {
	e, u := w.e, &w.uses
	last := len(w.s.dims) - 1
	for _, i := range w.loads {
		e.pointer(fmt.Sprintf("in%d", i), w.ins[i], emit.Read(i))
	}
	for i, o := range w.outs {
		e.pointer(fmt.Sprintf("out%d", i), o, emit.Write(i))
	}
	e.number("points", ir.Count(w.dims))
	e.args(&w.m.Code)
	if w.some() {
		e.number("size", w.s.dims[0])
	}
	w.code = u.Code(&w.m.Code, emit.Spelling{
		Prefix: "v",
		Load: func(slot int) string {
			x := fmt.Sprintf("x%d[u]", slot)
			if w.packed(w.ins[slot]) {
				x += ".x[k]"
			}
			return u.Get(w.ins[slot].Type, x)
		},
		Index: func(slot int) string {
			o := w.positions[slot]
			x := fmt.Sprintf("(i64)at_p%d[u]", slot)
			if o.Offset != 0 {
				x += " + " + e.number(fmt.Sprintf("p%d_from", slot), o.Offset)
			}
			if w.pack > 1 && o.Strides[last] != 0 {
				x += " + k * " + e.number(fmt.Sprintf("p%d_step", slot), o.Strides[last])
			}
			return x
		},
	}, w.m.Value...)
	e.f("%s", w.code.Head)
}

// forEach opens a loop over the packs of a thread that exist.
func (w *mapWriter) forEach() {
	w.e.f("#pragma unroll\nfor (int u = 0; u < %d; u++) {\nconst %s i = first + u * %d;\nif (i >= (%s)points) continue;\n",
		w.each, w.e.index(), mapThreads, w.e.index())
	if w.some() {
		w.e.f("const int left = (int)min((i64)%d, size - (i64)i * %d);\n", w.pack, w.pack)
	}
}

// load asks for all that a thread reads, and keeps where it will store: none
// of it is used before all of it is under way.
func (w *mapWriter) load() {
	e := w.e
	for _, i := range w.loads {
		t := emit.Memory(w.ins[i].Type)
		if w.packed(w.ins[i]) {
			t = fmt.Sprintf("pack<%s, %d>", t, w.pack)
		}
		e.f("%s x%d[%d];\n", t, i, w.each)
	}
	for i := range w.outs {
		e.f("%s at_out%d[%d];\n", e.at(), i, w.each)
	}
	for i := range w.positions {
		e.f("%s at_p%d[%d];\n", e.at(), i, w.each)
	}
	w.forEach()
	coords := e.point("c", "i", w.dims)
	if last := len(coords) - 1; w.pack > 1 {
		e.f("const %s along = %s * %d;\n", e.index(), coords[last], w.pack)
		coords[last] = "along"
	}
	for _, i := range w.loads {
		o := w.ins[i]
		from := fmt.Sprintf("in%d + (%s)", i, e.position(fmt.Sprintf("in%d", i), coords, o.Strides))
		switch {
		case w.packed(o) && w.some():
			e.f("x%d[u] = left == %d ? load_pack<%d>(%s) : load_some<%d>(%s, left);\n", i, w.pack, w.pack, from, w.pack, from)
		case w.packed(o):
			e.f("x%d[u] = load_pack<%d>(%s);\n", i, w.pack, from)
		default:
			e.f("x%d[u] = *(%s);\n", i, from)
		}
	}
	for i, o := range w.outs {
		e.f("at_out%d[u] = %s;\n", i, e.position(fmt.Sprintf("out%d", i), coords, o.Strides))
	}
	for i, o := range w.positions {
		e.f("at_p%d[u] = %s;\n", i, e.position(fmt.Sprintf("p%d", i), coords, o.Strides))
	}
	e.f("}\n")
}

// store computes and stores.
func (w *mapWriter) store() {
	e, m := w.e, w.m
	w.forEach()
	value := func(i int) string { return w.uses.Put(w.outs[i].Type, w.code.Names[m.Value[i]]) }
	if w.pack == 1 {
		e.f("%s", w.code.Body)
		for i := range w.outs {
			e.f("out%d[at_out%d[u]] = %s;\n", i, i, value(i))
		}
		e.f("}\n")
		return
	}
	// What is only copied stays packed.
	var computed []int
	for i, o := range w.outs {
		if in := m.Instrs[m.Value[i]]; in.Kind == ir.Load && w.packed(w.ins[in.Slot]) {
			e.f("const pack<%s, %d>& y%d = x%d[u];\n", emit.Memory(o.Type), w.pack, i, in.Slot)
			continue
		}
		e.f("pack<%s, %d> y%d;\n", emit.Memory(o.Type), w.pack, i)
		computed = append(computed, i)
	}
	if computed != nil {
		e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) {\n%s", w.pack, w.code.Body)
		for _, i := range computed {
			e.f("y%d.x[k] = %s;\n", i, value(i))
		}
		e.f("}\n")
	}
	for i := range w.outs {
		if w.some() {
			e.f("if (left < %d) store_some<%d>(out%d + at_out%d[u], y%d, left); else ", w.pack, w.pack, i, i, i)
		}
		e.f("store_pack<%d>(out%d + at_out%d[u], y%d);\n", w.pack, i, i, i)
	}
	e.f("}\n")
}

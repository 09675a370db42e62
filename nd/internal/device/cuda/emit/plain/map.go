package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
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
func generateMap(m *kern.Map, card emit.Card) (*emit.Module, error) {
	if kern.Count(m.Dims) == 0 {
		return &emit.Module{}, nil
	}
	ops := append(append(append([]kern.Operand(nil), m.In...), m.Positions...), m.Out...)
	main := len(m.In) + len(m.Positions)
	s := newSpace(m.Dims, ops...)
	s.forward(main)
	s.order(main)
	s.join()
	if d := turnedAxis(s, m); d >= 0 {
		return generateTiles(m, s, d)
	}
	w := &mapWriter{m: m, s: s}
	w.pack = packOf(s, len(m.In), main)
	w.shape(card)
	return w.module()
}

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

type mapWriter struct {
	m    *kern.Map
	s    *space
	pack int // neighbours at once
	each int // packs of a thread

	points int // packs in all
	dims   []int
}

// shape decides how packs are spread over threads.
func (w *mapWriter) shape(card emit.Card) {
	w.dims = append([]int(nil), w.s.dims...)
	if last := len(w.dims) - 1; last >= 0 {
		w.dims[last] = ceil(w.dims[last], w.pack)
	}
	w.points = kern.Count(w.dims)
	bytes := 0
	for i, o := range w.s.ops[:len(w.m.In)] {
		if last := len(w.s.dims) - 1; last >= 0 && w.s.ops[i].Strides[last] == 1 {
			bytes += o.Type.Size() * w.pack
		} else {
			bytes += o.Type.Size()
		}
	}
	w.each = 1
	// A small map would rather use more multiprocessors.
	for w.each < 4 && bytes > 0 && 2*w.each*bytes <= flightBytes && w.points >= 2*w.each*mapThreads*4*max(card.Processors, 1) {
		w.each *= 2
	}
}

func (w *mapWriter) module() (*emit.Module, error) {
	var u emit.Uses
	u.Part("pack")
	u.Part("quotient")
	e := &entry{name: "map", threads: mapThreads, wide: w.s.isWide()}
	m, s := w.m, w.s
	last := len(s.dims) - 1
	ins, outs := s.ops[:len(m.In)], s.ops[len(m.In)+len(m.Positions):]
	positions := s.ops[len(m.In) : len(m.In)+len(m.Positions)]
	loads := emit.Needed(&m.Code, m.Value...)
	for _, i := range loads {
		e.pointer(fmt.Sprintf("in%d", i), ins[i], emit.Read(i))
	}
	for i, o := range outs {
		e.pointer(fmt.Sprintf("out%d", i), o, emit.Write(i))
	}
	e.number("points", w.points)
	e.args(&m.Code)

	packed := func(o kern.Operand) bool { return last >= 0 && o.Strides[last] == 1 && w.pack > 1 }
	code := u.Code(&m.Code, emit.Spelling{
		Prefix: "v",
		Load: func(slot int) string {
			x := fmt.Sprintf("x%d[u]", slot)
			if packed(ins[slot]) {
				x += ".x[k]"
			}
			return u.Get(ins[slot].Type, x)
		},
		Index: func(slot int) string {
			o := positions[slot]
			x := fmt.Sprintf("(i64)at_p%d[u]", slot)
			if o.Offset != 0 {
				x += " + " + e.number(fmt.Sprintf("p%d_from", slot), o.Offset)
			}
			if last >= 0 && w.pack > 1 && o.Strides[last] != 0 {
				x += " + k * " + e.number(fmt.Sprintf("p%d_step", slot), o.Strides[last])
			}
			return x
		},
	}, m.Value...)
	e.f("%s", code.Head)

	// A pack at the end of a line of one dimension may be a part of one.
	some := last == 0 && w.pack > 1
	if some {
		e.number("size", s.dims[0])
	}
	e.f("const %s first = (%s)blockIdx.x * %d + threadIdx.x;\n", e.index(), e.index(), mapThreads*w.each)
	for _, i := range loads {
		t := emit.Memory(ins[i].Type)
		if packed(ins[i]) {
			t = fmt.Sprintf("pack<%s, %d>", t, w.pack)
		}
		e.f("%s x%d[%d];\n", t, i, w.each)
	}
	for i := range outs {
		e.f("%s at_out%d[%d];\n", e.at(), i, w.each)
	}
	for i := range positions {
		e.f("%s at_p%d[%d];\n", e.at(), i, w.each)
	}
	e.f("#pragma unroll\nfor (int u = 0; u < %d; u++) {\nconst %s i = first + u * %d;\nif (i >= (%s)points) continue;\n", w.each, e.index(), mapThreads, e.index())
	coords := e.point("c", "i", w.dims)
	if last >= 0 && w.pack > 1 {
		e.f("const %s along = %s * %d;\n", e.index(), coords[last], w.pack)
		coords[last] = "along"
	}
	if some {
		e.f("const int left = (int)min((i64)%d, size - (i64)along);\n", w.pack)
	}
	for _, i := range loads {
		from := fmt.Sprintf("in%d + (%s)", i, e.position(fmt.Sprintf("in%d", i), coords, ins[i].Strides))
		switch {
		case packed(ins[i]) && some:
			e.f("x%d[u] = left == %d ? load_pack<%d>(%s) : load_some<%d>(%s, left);\n", i, w.pack, w.pack, from, w.pack, from)
		case packed(ins[i]):
			e.f("x%d[u] = load_pack<%d>(%s);\n", i, w.pack, from)
		default:
			e.f("x%d[u] = *(%s);\n", i, from)
		}
	}
	for i, o := range outs {
		e.f("at_out%d[u] = %s;\n", i, e.position(fmt.Sprintf("out%d", i), coords, o.Strides))
	}
	for i, o := range positions {
		e.f("at_p%d[u] = %s;\n", i, e.position(fmt.Sprintf("p%d", i), coords, o.Strides))
	}
	e.f("}\n#pragma unroll\nfor (int u = 0; u < %d; u++) {\nconst %s i = first + u * %d;\nif (i >= (%s)points) continue;\n", w.each, e.index(), mapThreads, e.index())
	if w.pack > 1 {
		// What is only copied stays packed.
		copied := func(i int) (int, bool) {
			in := m.Instrs[m.Value[i]]
			return in.Slot, in.Kind == kern.Load && packed(ins[in.Slot])
		}
		computes := false
		for i, o := range outs {
			if slot, ok := copied(i); ok {
				e.f("const pack<%s, %d>& y%d = x%d[u];\n", emit.Memory(o.Type), w.pack, i, slot)
			} else {
				e.f("pack<%s, %d> y%d;\n", emit.Memory(o.Type), w.pack, i)
				computes = true
			}
		}
		if computes {
			e.f("#pragma unroll\nfor (int k = 0; k < %d; k++) {\n%s", w.pack, code.Body)
			for i, o := range outs {
				if _, ok := copied(i); !ok {
					e.f("y%d.x[k] = %s;\n", i, u.Put(o.Type, code.Names[m.Value[i]]))
				}
			}
			e.f("}\n")
		}
		if some {
			e.f("const int left = (int)min((i64)%d, size - (i64)i * %d);\n", w.pack, w.pack)
		}
		for i := range outs {
			if some {
				e.f("if (left < %d) store_some<%d>(out%d + at_out%d[u], y%d, left); else ", w.pack, w.pack, i, i, i)
			}
			e.f("store_pack<%d>(out%d + at_out%d[u], y%d);\n", w.pack, i, i, i)
		}
	} else {
		e.f("%s", code.Body)
		for i, o := range outs {
			e.f("out%d[at_out%d[u]] = %s;\n", i, i, u.Put(o.Type, code.Names[m.Value[i]]))
		}
	}
	e.f("}\n")
	mod, err := module(&u, "", e)
	if err != nil {
		return nil, err
	}
	mod.Steps = []emit.Step{e.step(ceil(w.points, mapThreads*w.each))}
	return mod, nil
}

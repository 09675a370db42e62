package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
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

// mapKernels is the kernel of a map that has points. A thread computes some
// packs: neighbours along the last dimension that are loaded and stored at once.
func mapKernels(m *ir.Map, target Target) *kernels {
	ops := append(append(append([]ir.Operand(nil), m.In...), m.Positions...), m.Out...)
	main := len(m.In) + len(m.Positions)
	s := newSpace(m.Dims, ops...)
	s.forward(main)
	s.order(main)
	s.join()
	if d := turnedAxis(s, m); d >= 0 {
		return tileKernels(m, s, d, target)
	}
	w := &mapWriter{m: m, s: s, target: target, ins: s.ops[:len(m.In)], positions: s.ops[len(m.In):main], outs: s.ops[main:]}
	w.loads, w.shown = Needed(&m.Code, m.Value...), ShownBy(&m.Code, m.Value...)
	w.pack = packOf(s, len(m.In), main)
	for w.pack > 1 && w.pack*target.weight(&m.Code) > mostWeight {
		w.pack /= 2
	}
	w.shape(target)
	return w.kernels()
}

// weight is about how many instructions a code makes of one point.
func (t Target) weight(c *ir.Code) int {
	n := 0
	for _, in := range c.Instrs {
		switch {
		case in.Kind != ir.Apply:
		case in.Op == scalar.RandNormal && !t.Wide:
			n += mostWeight // doubles made of words
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
		pack = aligned(pack, append([]int{o.Offset}, o.Strides[:last]...)...)
	}
	if last > 0 {
		pack = aligned(pack, s.dims[last])
	}
	return pack
}

// aligned halves a pack until all numbers are multiples of it.
func aligned(pack int, numbers ...int) int {
	for _, n := range numbers {
		for ; n%pack != 0; pack /= 2 {
		}
	}
	return pack
}

// mapWriter makes a map's kernel.
type mapWriter struct {
	m *ir.Map
	s *space
	e *entry

	target Target

	ins, positions, outs []ir.Operand  // of s
	loads                []int         // the inputs that are needed
	shown                map[int]Shown // what tells where they are

	pack int   // neighbours at once
	each int   // packs of a thread
	dims []int // in packs

	code         *pointCode
	in, out      []build.Val // pointers
	x            []build.Val // what was loaded: by pack, and by neighbour where packed
	atOut, atPos []build.Val // positions, by pack
	points       build.Val
	begin        build.Val
}

// shape decides how packs are spread over threads.
func (w *mapWriter) shape(target Target) {
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
	for w.each < 4 && 2*w.each*w.pack*target.weight(&w.m.Code) <= mostWeight && bytes > 0 && 2*w.each*bytes <= flightBytes &&
		ir.Count(w.dims) >= 2*w.each*mapThreads*4*max(target.Processors, 1) {
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
	w.e = w.target.newEntry("map", mapThreads, w.s.isWide())
	w.declare()
	w.begin = w.e.first(w.each)
	w.load()
	w.store()
	k := &kernels{}
	k.add(w.e, ceil(ir.Count(w.dims), mapThreads*w.each))
	return k
}

// declare makes parameters, constants and arrays.
func (w *mapWriter) declare() {
	e := w.e
	w.in, w.x = make([]build.Val, len(w.ins)), make([]build.Val, len(w.ins))
	for _, i := range w.loads {
		w.in[i] = e.pointer(fmt.Sprintf("in%d", i), w.ins[i], read(i))
	}
	w.out = lists.Make(len(w.outs), func(i int) build.Val { return e.pointer(fmt.Sprintf("out%d", i), w.outs[i], write(i)) })
	w.points = e.size("points", ir.Count(w.dims))
	w.code = e.code(&w.m.Code, "v", w.m.Value...)
	for _, i := range w.loads {
		dims := []int{w.each}
		if w.packed(w.ins[i]) {
			dims = append(dims, w.pack)
		}
		w.x[i] = e.Array(fmt.Sprintf("x%d", i), MemoryOf(w.ins[i].Type), dims...)
	}
	w.atOut = lists.Make(len(w.outs), func(i int) build.Val { return e.Array(fmt.Sprintf("at_out%d", i), ktree.Scalar(e.at()), w.each) })
	w.atPos = lists.Make(len(w.positions), func(i int) build.Val { return e.Array(fmt.Sprintf("at_p%d", i), ktree.Scalar(e.at()), w.each) })
}

// forEach runs body for the packs of a thread that exist; left is how many
// neighbours the pack has, where that may be less than all.
func (w *mapWriter) forEach(body func(u, i, left build.Val)) {
	e := w.e
	e.Each("u", w.each, func(u build.Val) {
		i := e.Let("i", w.begin.Add(u.To(e.index()).Mul(mapThreads)))
		e.If(i.Lt(w.points), func() {
			var left build.Val
			if w.some() {
				left = e.Let("left", build.Min(e.number("size", w.s.dims[0]).Sub(i.To(e.at()).Mul(w.pack)), w.pack).To(ktree.Int))
			}
			body(u, i, left)
		})
	})
}

// load asks for all that a thread reads, and keeps where it will store: none
// of it is used before all of it is under way, but what tells which of the rest is looked at.
func (w *mapWriter) load() {
	e := w.e
	at := func(i build.Val) []build.Val {
		coords := e.point("c", i, w.dims)
		if last := len(coords) - 1; w.pack > 1 {
			coords[last] = e.Let("along", coords[last].Mul(w.pack))
		}
		return coords
	}
	w.forEach(func(u, i, left build.Val) {
		coords := at(i)
		for _, i := range w.loads {
			if _, ok := w.shown[i]; !ok {
				w.ask(i, u, coords, left)
			}
		}
		for i, o := range w.outs {
			e.Set(w.atOut[i].At(u), e.position(fmt.Sprintf("out%d", i), coords, o.Strides))
		}
		for i, o := range w.positions {
			e.Set(w.atPos[i].At(u), e.position(fmt.Sprintf("p%d", i), coords, o.Strides))
		}
	})
	if len(w.shown) > 0 {
		w.forEach(func(u, i, left build.Val) { w.askShown(u, at(i), left) })
	}
}

// ask loads an input for pack u.
func (w *mapWriter) ask(i int, u build.Val, coords []build.Val, left build.Val) {
	e, o := w.e, w.ins[i]
	from := e.Let("from", e.position(fmt.Sprintf("in%d", i), coords, o.Strides))
	switch {
	case w.packed(o) && w.some():
		e.IfElse(left.Eq(w.pack), func() { e.Move(w.x[i].At(u, 0), w.in[i].At(from), w.pack) }, func() {
			e.Each("k", w.pack, func(k build.Val) {
				e.Set(w.x[i].At(u, k), k.Lt(left).Choose(w.in[i].At(from.Add(k.To(e.at()))), Nothing(o.Type)))
			})
		})
	case w.packed(o):
		e.Move(w.x[i].At(u, 0), w.in[i].At(from), w.pack)
	default:
		e.Set(w.x[i].At(u), w.in[i].At(from))
	}
}

// askShown loads the inputs that a mask shows somewhere in pack u.
func (w *mapWriter) askShown(u build.Val, coords []build.Val, left build.Val) {
	e := w.e
	any := map[Shown]build.Val{}
	for _, i := range w.loads {
		s, ok := w.shown[i]
		if !ok {
			continue
		}
		if _, ok := any[s]; !ok {
			any[s] = e.Var("shown", build.Bool(false))
			e.Each("k", w.pack, func(k build.Val) {
				c := e.code(&w.m.Code, "s", s.By).at(w.leaves(u, k))
				e.Set(any[s], any[s].OrElse(s.Any(c)))
			})
		}
		e.IfElse(any[s], func() { w.ask(i, u, coords, left) }, func() {
			if !w.packed(w.ins[i]) {
				e.Set(w.x[i].At(u), Nothing(w.ins[i].Type))
				return
			}
			e.Each("k", w.pack, func(k build.Val) { e.Set(w.x[i].At(u, k), Nothing(w.ins[i].Type)) })
		})
	}
}

// values computes what is stored at neighbour k of pack u.
func (w *mapWriter) values(u, k build.Val) []Num { return w.code.at(w.leaves(u, k)) }

// leaves is what the code finds there.
func (w *mapWriter) leaves(u, k build.Val) Leaves {
	e, last := w.e, len(w.s.dims)-1
	return Leaves{
		Load: func(slot int) Num {
			x := w.x[slot].At(u)
			if w.packed(w.ins[slot]) {
				x = x.At(k)
			}
			return Get(w.ins[slot].Type, x)
		},
		Index: func(slot int) build.Val {
			o := w.positions[slot]
			x := w.atPos[slot].At(u).To(ktree.Long)
			if o.Offset != 0 {
				x = x.Add(e.numberOf(fmt.Sprintf("p%d_from", slot), o.Offset, ktree.Long))
			}
			switch {
			case w.pack == 1 || o.Strides[last] == 0:
			case o.Strides[last] == 1: // 2^26 uniform numbers take an H200 169 us instead of 181
				x = x.Add(k.To(ktree.Long))
			default:
				x = x.Add(k.To(ktree.Long).Mul(e.numberOf(fmt.Sprintf("p%d_step", slot), o.Strides[last], ktree.Long)))
			}
			return x
		},
	}
}

// store computes and stores.
func (w *mapWriter) store() {
	e, m := w.e, w.m
	w.forEach(func(u, i, left build.Val) {
		if w.pack == 1 {
			for i, v := range w.values(u, build.Val{}) {
				e.Set(w.out[i].At(w.atOut[i].At(u)), Put(w.outs[i].Type, v))
			}
			return
		}
		// What is only copied stays packed.
		y, computed := make([]build.Val, len(w.outs)), false
		for i, o := range w.outs {
			if in := m.Instrs[m.Value[i]]; in.Kind == ir.Load && w.packed(w.ins[in.Slot]) {
				y[i] = w.x[in.Slot].At(u)
				continue
			}
			y[i] = e.Array(fmt.Sprintf("y%d", i), MemoryOf(o.Type), w.pack)
			computed = true
		}
		if computed {
			e.Each("k", w.pack, func(k build.Val) {
				for i, v := range w.values(u, k) {
					if in := m.Instrs[m.Value[i]]; in.Kind != ir.Load || !w.packed(w.ins[in.Slot]) {
						e.Set(y[i].At(k), Put(w.outs[i].Type, v))
					}
				}
			})
		}
		for i := range w.outs {
			to := e.Let("to", w.atOut[i].At(u))
			whole := func() { e.Move(w.out[i].At(to), y[i].At(0), w.pack) }
			if !w.some() {
				whole()
				continue
			}
			e.IfElse(left.Lt(w.pack), func() {
				e.Each("k", w.pack, func(k build.Val) {
					e.If(k.Lt(left), func() { e.Set(w.out[i].At(to.Add(k.To(e.at()))), y[i].At(k)) })
				})
			}, whole)
		}
	})
}

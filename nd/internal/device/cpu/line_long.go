package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// longWork runs an FFT with a map on either side over lines that outgrow the
// caches: the transform asks for its input tile by tile and hands its bins on
// tile by tile, so the maps cost no pass over memory of their own.
type longWork struct {
	p       *ir.Line
	plan    tiledPlan
	solo    *team // of one: tiles are not split again
	load    edge
	store   edge      // its work is nil if the FFT writes a buffer
	dst     ir.SlotID // the FFT's output slot
	operand []int     // by slot in a buffer: place in the launch
	at      int       // offset of the FFT's output in its slot
}

// edge is a map before or behind the transform, over one tile of a line.
type edge struct {
	work  work
	slots []ir.SlotID // reads first; tileSlot for the tile itself
	ops   []ir.Operand
}

// tileSlot stands for a tile of the input on its way to the transform.
const tileSlot = -1

func (d *Device) compileLong(p *ir.Line, long *ir.Long) (work, error) {
	f := long.FFT.Program.(*ir.FFT)
	w := &longWork{p: p, solo: d.solo, dst: long.FFT.Writes[0], operand: make([]int, len(p.Slots)), at: f.Out.Offset}
	next := 0
	for _, kind := range []ir.SlotKind{ir.InSlot, ir.OutSlot} {
		for i, s := range p.EachSlot() {
			if s.Kind == kind {
				w.operand[i] = next
				next++
			}
		}
	}
	var err error
	if w.plan, err = d.newTiledPlan(f, f.N); err != nil {
		return nil, err
	}
	load, reads := ir.CopyOf(f.In, f.InNeeded()), long.FFT.Reads
	if long.Load != nil {
		load, reads = long.Load.Program.(*ir.Map), long.Load.Reads
	}
	if w.load, err = d.compileEdge(load, reads, []ir.SlotID{tileSlot}, w.plan.loadTile()); err != nil {
		return nil, err
	}
	if s := long.Store; s != nil {
		w.store, err = d.compileEdge(s.Program.(*ir.Map), s.Reads, s.Writes, w.plan.storeTile())
	}
	return w, err
}

// compileEdge restates a map over a tile. A load writes its one output, the tile,
// row behind row.
func (d *Device) compileEdge(whole *ir.Map, reads, writes []ir.SlotID, t transform.Tile) (edge, error) {
	m := *whole
	over := func(list []ir.Operand) []ir.Operand {
		return lists.Map(list, func(o ir.Operand) ir.Operand {
			return ir.Operand{Type: o.Type, Strides: []int{o.Strides[0] * t.Step, o.Strides[0]}}
		})
	}
	e := edge{slots: slices.Concat(reads, writes), ops: slices.Concat(m.In, m.Out)}
	m.Dims, m.In, m.Out = []int{t.Rows, t.Count}, over(m.In), over(m.Out)
	if writes[0] == tileSlot {
		m.Out[0].Strides[0] = t.Count
	}
	var err error
	e.work, err = d.compileMap(&m)
	return e, err
}

func (w *longWork) run(l *launch) error {
	return l.team.do(w.p.Lines(), l.s, func(i int, s *scratch) error { return w.line(l, s, i) })
}

// line runs line i.
func (w *longWork) line(l *launch, s *scratch, i int) error {
	index := scratchOf[int](s, len(w.p.Outer))
	locate(index, w.p.Outer, i)
	start := make([]unsafe.Pointer, len(w.p.Slots))
	for k, slot := range w.p.EachSlot() {
		if slot.Kind == ir.LocalSlot {
			continue
		}
		at := slot.Offset + lists.Dot(index, slot.Strides)
		start[k] = unsafe.Add(l.mem[w.operand[k]], at*slot.Type.Size())
	}
	if out := w.p.Slots[w.dst]; out.Kind == ir.LocalSlot {
		start[w.dst] = s.pointer(out.Len * out.Type.Size())
	}
	stage := launch{team: w.solo, s: l.team.take(), args: l.args, ctx: l.ctx}
	defer l.team.put(stage.s)
	var failed error
	tile := func(e *edge, first int, memory unsafe.Pointer) {
		stage.mem = stage.mem[:0]
		for k, slot := range e.slots {
			if slot == tileSlot {
				stage.mem = append(stage.mem, memory)
				continue
			}
			o := &e.ops[k]
			stage.mem = append(stage.mem, unsafe.Add(start[slot], (o.Offset+first*o.Strides[0])*o.Type.Size()))
		}
		stage.s.reset()
		if err := e.work.run(&stage); err != nil && failed == nil {
			failed = err
		}
	}
	var store transform.Store
	if w.store.work != nil {
		store = func(first int) { tile(&w.store, first, nil) }
	}
	out := w.p.Slots[w.dst].Type.Size()
	w.plan.tiled(unsafe.Add(start[w.dst], w.at*out), s.numbers(w.plan.tiledBytes()),
		func(dst unsafe.Pointer, first int) { tile(&w.load, first, dst) }, store)
	return failed
}

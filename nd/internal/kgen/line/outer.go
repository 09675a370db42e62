package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// outer is the lines of a program and how groups share them. Groups take tiles
// of neighbours along one dimension, or, where no dimension has whole tiles,
// whatever lines follow each other.
type outer struct {
	dims    []int       // collapsed, outermost first
	strides [][]int     // by slot in a buffer, then dimension; nil for others
	margins [][]int     // by slot with a margin: how it moves
	tile    int         // the dimension that tiles are along, -1 for all
	columns bool        // neighbouring lines are neighbours in memory: threads follow them
	turned  bool        // threads follow lines the other way for the results
	index   []build.Val // of the thread's line, by dimension
	turnedX build.Val   // along tile, where threads have changed places
}

// outerOf drops dimensions of one line and joins those that every slot walks
// as one.
func outerOf(p *ir.Line) outer {
	o := outer{strides: make([][]int, len(p.Slots)), margins: make([][]int, len(p.Slots)), tile: -1}
	var walks []ir.Operand
	var kept []*[]int // what the strides of each become
	for i, s := range p.EachSlot() {
		if s.Kind != ir.LocalSlot {
			walks, kept = append(walks, ir.Operand{Strides: s.Strides}), append(kept, &o.strides[i])
		}
		if s.Margin != nil {
			walks, kept = append(walks, ir.Operand{Strides: s.Margin.Strides}), append(kept, &o.margins[i])
		}
	}
	space := ir.NewSpace(p.Outer, walks...)
	space.Join()
	o.dims = space.Dims
	for i, to := range kept {
		*to = space.Operands[i].Strides
	}
	if len(o.dims) == 0 {
		o.dims = []int{1}
		for _, to := range kept {
			*to = []int{0}
		}
	}
	return o
}

// manyBytes is how much of an operand does not stay near while all of it is read: a
// third of the second-level cache of an H200. A convolution of 16 x 768 lines of
// 16384 samples read 1.6 GB of spectra there that are 100 MB.
const manyBytes = 16 << 20

// gather lets lines that share an operand follow each other where there is so much of
// it that it would be read from memory again for each of them.
func (o *outer) gather(p *ir.Line) {
	most, shared := manyBytes-1, []int(nil)
	for i, s := range p.EachSlot() {
		if s.Kind != ir.InSlot || s.Margin != nil {
			continue
		}
		bytes, times := s.Len*s.Type.Size(), 1
		for d, n := range o.dims {
			if o.strides[i][d] != 0 {
				bytes *= n
			} else {
				times *= n
			}
		}
		if times > 1 && bytes > most {
			most, shared = bytes, o.strides[i]
		}
	}
	if shared == nil {
		return
	}
	var order []int
	for _, last := range []bool{false, true} {
		for d := range o.dims {
			if (shared[d] == 0) == last {
				order = append(order, d)
			}
		}
	}
	lists := append([][]int{o.dims}, o.strides...)
	for _, list := range append(lists, o.margins...) {
		if list != nil {
			was := slices.Clone(list)
			for to, from := range order {
				list[to] = was[from]
			}
		}
	}
}

// choose picks the dimension of tiles: the last, whose lines are neighbours in
// memory, unless a quarter of the threads would idle there. Lines that share an
// operand are elsewhere, but reading it once per tile saves less than lines far
// apart cost.
func (o *outer) choose(lines int) {
	n := o.dims[len(o.dims)-1]
	if tiles := (n + lines - 1) / lines; 4*n >= 3*tiles*lines {
		o.tile = len(o.dims) - 1
	}
}

// columnsOf is the dimension along which a transform's lines lie side by side,
// if its elements do not; -1 if there is none.
func (o *outer) columnsOf(slot ir.SlotID, along int) int {
	if along == 1 || along == -1 {
		return -1
	}
	for d, n := range o.dims {
		if o.strides[slot][d] == 1 && n >= 4 {
			return d
		}
	}
	return -1
}

// begin finds which line a thread works on, and the pointers to it. Sizes and
// strides are parameters.
func (k *kernel) begin() {
	o := &k.outer
	k.seat()
	limit := func(name string, n int) build.Val { return k.number(name, n).To(ktree.Uint) }
	var rest, x build.Val
	if k.cluster > 0 {
		k.live, rest = build.Bool(true), k.Let("rest", k.Group().Div(k.cluster))
	} else if o.tile >= 0 {
		n := limit("n0", o.dims[o.tile])
		tiles := limit("tiles", (o.dims[o.tile]+k.lines-1)/k.lines)
		rest = k.Let("rest", k.Group().Div(tiles))
		first := k.Let("first", k.Group().Rem(tiles).Mul(k.lines))
		lineOf := func(row build.Val) (live, x build.Val) {
			at := k.Let("at", first.Add(row.To(ktree.Uint)))
			live = k.Let("live", at.Lt(n))
			return live, k.Let("x", live.Choose(at, n.Sub(1)))
		}
		k.live, x = lineOf(k.row)
		if o.turned {
			k.live2, o.turnedX = lineOf(k.row2)
		}
	} else {
		n := limit("n", ir.Count(o.dims))
		at := k.Let("at", k.Group().Mul(k.lines).Add(k.row.To(ktree.Uint)))
		k.live = k.Let("live", at.Lt(n))
		rest = k.Let("rest", k.live.Choose(at, n.Sub(1)))
	}
	o.index = make([]build.Val, len(o.dims))
	for d := len(o.dims) - 1; d >= 0; d-- { // the last is the fastest
		if d == o.tile {
			o.index[d] = x
			continue
		}
		if d == 0 || d == 1 && o.tile == 0 {
			o.index[d] = rest
			continue
		}
		n := limit(fmt.Sprintf("m%d", d), o.dims[d])
		o.index[d] = k.Let("y", rest.Rem(n))
		rest = k.Let("rest", rest.Div(n))
	}
	k.pointers()
}

// seat finds a thread's place in its group.
func (k *kernel) seat() {
	k.AtStart(func() {
		across := func(name string) build.Val { return k.Let(name, k.Thread().Rem(k.lines).To(ktree.Int)) }
		down := func(name string) build.Val { return k.Let(name, k.Thread().Div(k.lines).To(ktree.Int)) }
		if k.outer.columns {
			k.row, k.t = across("row"), down("t")
		} else {
			k.row, k.t = k.Let("row", k.Thread().Div(k.threads).To(ktree.Int)), k.Let("t", k.threadOfLine().To(ktree.Int))
		}
		if k.outer.turned && k.outer.columns {
			k.row2, k.t2 = k.Let("row2", k.Thread().Div(k.threads).To(ktree.Int)), k.Let("t2", k.threadOfLine().To(ktree.Int))
		} else if k.outer.turned {
			k.row2, k.t2 = across("row2"), down("t2")
		}
	})
}

// threadOfLine is a thread's number among those of its line. Where a group has one
// line it is that in the group, and a mask that changes nothing tells compilers
// how far it goes: without it they keep fewer addresses and store half as wide.
func (k *kernel) threadOfLine() build.Val {
	if k.lines == 1 && k.threads > 1 && k.threads&(k.threads-1) == 0 {
		return k.Thread().And(k.threads - 1)
	}
	return k.Thread().Rem(k.threads)
}

// pointers finds where a line's slots are.
func (k *kernel) pointers() {
	for i, s := range k.p.EachSlot() {
		if s.Kind != ir.LocalSlot && !k.isSum(i) {
			k.locate(i, s)
		}
	}
}

// locate finds where a slot's line is.
func (k *kernel) locate(i ir.SlotID, s ir.Slot) {
	o, kind := &k.outer, k.positions()
	sum := k.number(fmt.Sprintf("o%d", i), s.Offset)
	for d, x := range o.index {
		if o.strides[i][d] == 0 {
			continue
		}
		if d == o.tile && o.turned && s.Kind == ir.OutSlot {
			x = o.turnedX
		}
		sum = sum.Add(x.To(kind).Mul(k.number(fmt.Sprintf("q%d_%d", i, d), o.strides[i][d])))
	}
	k.offsets[i] = k.Let("offset", sum)
	k.at[i] = k.Let(fmt.Sprintf("s%d", i), k.buffers[k.bufferOf(i)].Plus(k.offsets[i]))
	if s.Margin == nil {
		return
	}
	sum = k.number(fmt.Sprintf("from%d", i), -s.Margin.From)
	for d, x := range o.index {
		if o.margins[i][d] != 0 {
			sum = sum.Add(x.To(kind).Mul(k.number(fmt.Sprintf("r%d_%d", i, d), o.margins[i][d])))
		}
	}
	k.runs[i], k.lengths[i] = k.Let("run", sum), k.number(fmt.Sprintf("to%d", i), s.Margin.To-s.Margin.From)
	if s.Margin.Rule == ir.Constant {
		c := &ir.Code{Instrs: []ir.Instr{{Kind: ir.Const, Type: s.Type, Slot: s.Margin.Fill}}}
		k.fills[i] = k.codes().At(c, "fill", kgen.Leaves{}, 0)[0]
	}
}

// groups is the size of the grid.
func (k *kernel) groups() int {
	o := &k.outer
	if k.cluster > 0 {
		return ir.Count(o.dims) * k.cluster
	}
	if o.tile < 0 {
		return (ir.Count(o.dims) + k.lines - 1) / k.lines
	}
	return (o.dims[o.tile] + k.lines - 1) / k.lines * (ir.Count(o.dims) / o.dims[o.tile])
}

// function makes the kernel's function and its launch.
func (k *kernel) function(body func()) {
	k.open(k.lines*k.threads, k.resident, k.pitch*k.lines)
	k.begin()
	body()
	k.close(k.groups())
}

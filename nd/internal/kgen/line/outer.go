package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
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
	woven   bool        // groups with the same tile of different lines follow each other
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
	order := append(lists.Where(len(shared), func(d int) bool { return shared[d] != 0 }), lists.Where(len(shared), func(d int) bool { return shared[d] == 0 })...)
	for _, list := range slices.Concat([][]int{o.dims}, o.strides, o.margins) {
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
	k.seat()
	k.turnTo(k.Group())
}

// turnTo finds the lines of a group, and the pointers to them.
func (k *kernel) turnTo(group build.Val) {
	o := &k.outer
	k.group = group
	k.live, o.index = k.lineOf(group, k.row)
	if o.turned {
		tile, _ := k.tileOf(group)
		k.live2, o.turnedX = k.alongTile(tile, k.row2)
	}
	k.pointers()
}

// size is a parameter, as what groups are counted in.
func (k *kernel) size(name string, n int) build.Val { return k.number(name, n).To(ktree.Uint) }

// tiles is how many there are along their dimension.
func (k *kernel) tiles() int { return (k.outer.dims[k.outer.tile] + k.lines - 1) / k.lines }

// tileOf is which tile of its dimension a group has, and where in the dimensions beside
// that one it is.
func (k *kernel) tileOf(group build.Val) (tile, rest build.Val) {
	o, tiles, beside := &k.outer, k.tiles(), k.groupsOfTile()
	switch {
	case len(o.dims) == 1:
		return group, build.Val{}
	case o.woven:
		return k.quotient(group, "beside", beside), k.remainder(group, "beside", beside)
	}
	return k.remainder(group, "tiles", tiles), k.quotient(group, "tiles", tiles)
}

// groupsOfTile is how many groups have the same tile.
func (k *kernel) groupsOfTile() int { return ir.Count(k.outer.dims) / k.outer.dims[k.outer.tile] }

// divides reports kernels that find their lines by divisions, and store under a condition:
// crowded ones with a block on a multiprocessor, real lines by themselves and passes over long
// lines. On an H200 8192 float32 take 1.09 times a copy so, and 1.14 without, 2^20 complex128
// 2.20 and 2.32; but complex lines of 4099 take 2.68 so, and 2.64 without, circular convolutions
// of 16x768x16384 616 us so, and 585 without.
func (k *kernel) divides() bool {
	x := k.ffts[0]
	return k.crowded() && k.threads >= 512 || len(k.p.Stages) < 2 && (x == nil || isReal(x.f))
}

// quotient is a number of less than 2^31 divided by a parameter, by way of its reciprocal:
// a division of what a compiler does not know takes five times as many instructions.
func (k *kernel) quotient(number build.Val, name string, by int) build.Val {
	if k.divides() {
		return number.Div(k.size(name, by))
	}
	m, shift := kgen.Divisor(by)
	return build.Apply(ktree.MulHi, number, k.size(name+"_m", m)).Add(number).Shr(k.size(name+"_s", shift))
}

// remainder is what is left of such a number that is divided by a parameter.
func (k *kernel) remainder(number build.Val, name string, by int) build.Val {
	if k.divides() {
		return number.Rem(k.size(name, by))
	}
	return number.Sub(k.quotient(number, name, by).Mul(k.size(name, by)))
}

// alongTile is where along its dimension a row of a tile is, and whether it is
// one of the program's.
func (k *kernel) alongTile(tile, row build.Val) (live, x build.Val) {
	if k.lines == 1 && !k.divides() {
		return build.Bool(true), k.Let("x", tile)
	}
	n := k.size("n0", k.outer.dims[k.outer.tile])
	at := k.Let("at", tile.Mul(k.lines).Add(row.To(ktree.Uint)))
	live = k.Let("live", at.Lt(n))
	return live, k.Let("x", live.Choose(at, n.Sub(1)))
}

// lineOf is the line that a row of a group has, by dimension, and whether it is one of
// the program's.
func (k *kernel) lineOf(group, row build.Val) (live build.Val, index []build.Val) {
	o := &k.outer
	var rest, x build.Val
	if k.cluster > 0 {
		live, rest = build.Bool(true), k.Let("rest", group.Div(k.cluster))
	} else if o.tile >= 0 {
		var tile build.Val
		if tile, rest = k.tileOf(group); len(o.dims) > 1 {
			rest = k.Let("rest", rest)
		}
		live, x = k.alongTile(tile, row)
	} else {
		n := k.size("n", ir.Count(o.dims))
		at := k.Let("at", group.Mul(k.lines).Add(row.To(ktree.Uint)))
		live = k.Let("live", at.Lt(n))
		rest = k.Let("rest", live.Choose(at, n.Sub(1)))
	}
	index = make([]build.Val, len(o.dims))
	if k.indices(index, 0, len(index), o.tile, rest); o.tile >= 0 {
		index[o.tile] = x
	}
	return live, index
}

// last is the index of the thread's line along the last dimension, as an Int.
func (o *outer) last() build.Val { return o.index[len(o.index)-1].To(ktree.Int) }

// indices are those of some dimensions but one, the last the fastest, of a number.
func (k *kernel) indices(index []build.Val, from, to, but int, number build.Val) {
	for d := to - 1; d >= from; d-- {
		switch {
		case d == but:
		case d == from || d == from+1 && but == from:
			index[d] = number
		default:
			index[d], number = k.divided(number, fmt.Sprintf("m%d", d), k.outer.dims[d])
		}
	}
}

// divided is what is left of a number that is divided by a parameter, and the quotient.
func (k *kernel) divided(number build.Val, name string, by int) (rest, quotient build.Val) {
	n := k.size(name, by)
	if k.divides() {
		rest = k.Let("y", number.Rem(n))
		return rest, k.Let("rest", number.Div(n))
	}
	quotient = k.Let("rest", k.quotient(number, name, by))
	return k.Let("y", number.Sub(quotient.Mul(n))), quotient
}

// seat finds a thread's place in its group.
func (k *kernel) seat() {
	seat := func(across bool, row, t string) (build.Val, build.Val) {
		if across {
			return k.Let(row, k.Thread().Rem(k.lines).To(ktree.Int)), k.Let(t, k.Thread().Div(k.lines).To(ktree.Int))
		}
		return k.Let(row, k.Thread().Div(k.threads).To(ktree.Int)), k.Let(t, k.threadOfLine().To(ktree.Int))
	}
	k.AtStart(func() {
		k.row, k.t = seat(k.outer.columns, "row", "t")
		if k.outer.turned {
			k.row2, k.t2 = seat(!k.outer.columns, "row2", "t2")
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

// offsetOf is where in its buffer a line of a slot begins.
func (k *kernel) offsetOf(i ir.SlotID, s ir.Slot, index []build.Val) build.Val {
	o, sum := &k.outer, k.number(fmt.Sprintf("o%d", i), s.Offset)
	for d, x := range index {
		if o.strides[i][d] == 0 {
			continue
		}
		if d == o.tile && o.turned && s.Kind == ir.OutSlot {
			x = o.turnedX
		}
		sum = sum.Add(x.To(k.positions()).Mul(k.number(fmt.Sprintf("q%d_%d", i, d), o.strides[i][d])))
	}
	return sum
}

// locate finds where a slot's line is.
func (k *kernel) locate(i ir.SlotID, s ir.Slot) {
	o, kind := &k.outer, k.positions()
	k.offsets[i] = k.Let("offset", k.offsetOf(i, s, o.index))
	k.at[i] = k.Let(fmt.Sprintf("s%d", i), k.buffers[k.bufferOf(i)].Plus(k.offsets[i]))
	if s.Margin == nil {
		return
	}
	sum := k.number(fmt.Sprintf("from%d", i), -s.Margin.From)
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

// askAhead calls ahead, if it was not called before.
func (k *kernel) askAhead() {
	if k.ahead != nil {
		k.ahead()
		k.ahead = nil
	}
}

// lookAhead asks for the lines of a group that runs later to be brought near, where a
// recipe says so: behind the group's own loads, which come first.
func (k *kernel) lookAhead() {
	by := 0
	for _, x := range k.ffts {
		by = max(by, x.split.Ahead)
	}
	if k.outer.columns {
		return
	}
	k.later(by, func(index []build.Val) {
		for i, s := range k.p.EachSlot() {
			if s.Kind == ir.InSlot && s.Margin == nil && !slices.Contains(k.outer.strides[i], 0) && k.contiguous(i) {
				from := k.offsetOf(i, s, index)
				k.Prefetch(k.buffers[k.bufferOf(i)].At(from), s.Len+(k.p.Segments-1)*s.Segment)
				if k.pair != nil {
					k.Prefetch(k.buffers[k.bufferOf(i)].At(from.Add(k.apart(i))), s.Len)
				}
			}
		}
	})
}

// later makes what a thread of each line does for that of the group which comes so many
// groups of a multiprocessor later, if there is one.
func (k *kernel) later(by int, do func(index []build.Val)) {
	if by == 0 || k.target.Arch < 90 {
		return // such cards alone have Prefetch
	}
	groups := by * k.target.Processors
	groups -= groups % max(k.cluster, 1) // whole clusters
	group := k.group.Add(groups)
	k.If(k.t.Eq(0).AndThen(group.Lt(k.size("groups", k.groups()))), func() {
		_, index := k.lineOf(group, k.row)
		do(index)
	})
}

// contiguous reports that all who read a slot read elements which follow each other.
func (k *kernel) contiguous(slot ir.SlotID) bool {
	return !slices.ContainsFunc(k.slots[slot].Readers, func(u ir.Use) bool {
		return ir.Reads(k.p.Stages[u.Stage].Program)[u.Operand].Along() != 1
	})
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
	return k.tiles() * k.groupsOfTile()
}

// function makes the kernel's function and its launch.
func (k *kernel) function(body func()) {
	k.open(k.lines*k.threads, k.resident, k.pitch*k.lines)
	k.begin()
	k.carryIn()
	body()
	k.carryOut()
	k.close(k.groups())
}

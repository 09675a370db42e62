package line

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

// rows is a line program of maps and reductions alone, as a softmax is. Each thread has the same
// elements in all stages, those whose lanes of a sum it has, and keeps them in registers: lines are
// read once, and threads meet in reductions only.
type rows struct {
	*kernel
	n     int // elements of a line
	pack  int // neighbours that are loaded at once
	lanes int // of a sum, that a thread has
	cells [][]cell
	kept  map[rowValue][][]kgen.Num // by cell
	again map[rowValue]bool         // what more than one stage reads
	shown map[rowValue]rowMask      // what tells where it is looked at
}

// rowValue names the elements of a slot from an offset on.
type rowValue struct {
	slot   ir.SlotID
	offset int
}

// mostRegisters is how many 32-bit registers a thread may take, of rowRegisters that threads of a
// row have together; spareRegisters of them are not for elements of the row.
const mostRegisters, spareRegisters, rowRegisters = 128, 32, 1 << 16

// Rows reports a program of maps and reductions whose lines are read once.
func Rows(p *ir.Line, target kgen.Target) bool {
	return rowsOf(newUnit(target).kernel(p)) != nil
}

// rowsOf gives nil for programs that are none.
func rowsOf(k *kernel) *rows {
	p := k.p
	if p.Segments != 1 || len(p.Frames) > 0 || len(p.Sums()) > 0 {
		return nil
	}
	r := &rows{kernel: k, kept: map[rowValue][][]kgen.Num{}, again: map[rowValue]bool{}}
	reductions := 0
	for _, s := range p.Stages {
		n := 0
		switch q := s.Program.(type) {
		case *ir.Map:
			n = q.Dims[0]
			if s.First != nil {
				return nil
			}
		case *ir.Reduce:
			n = q.Dims[0]
			if reductions++; n == 1 || q.Op == ir.ArgMax || q.Op == ir.ArgMin {
				return nil
			}
		default:
			return nil
		}
		if n == 1 {
			continue
		}
		if r.n == 0 {
			r.n = n
		}
		if n != r.n { // as of an outer product of sums
			return nil
		}
	}
	k.slots = p.Uses()
	if reductions == 0 || r.n < 2 {
		return nil
	}
	r.pack = 2 - r.n%2
	words, ok := r.words()
	for r.lanes = order.LanesEach; ok && r.lanes >= r.pack; r.lanes /= 2 {
		threads := order.Lanes(r.n) / r.lanes
		if threads > k.target.GroupThreads() {
			break
		}
		if each := (r.n + threads - 1) / threads; words*each+spareRegisters <= min(mostRegisters, rowRegisters/threads) {
			k.threads = threads
			return r
		}
	}
	return nil
}

// words is how many 32-bit words of each element are kept at the same time, at most; false if lines
// are read or written in ways that registers do not serve.
func (r *rows) words() (most int, ok bool) {
	p := r.p
	type life struct{ first, last, reads int }
	lives := map[rowValue]*life{}
	live := func(v rowValue, stage int) *life {
		if lives[v] == nil {
			lives[v] = &life{first: stage}
		}
		lives[v].last = stage
		return lives[v]
	}
	for at, s := range p.Stages {
		in, out := r.operands(s)
		for i, o := range in {
			switch slot := p.Slots[s.Reads[i]]; {
			case slot.Margin != nil:
				return 0, false
			case o.Along() == 1 && (slot.Kind == ir.InSlot || o.Offset == 0):
				v := rowValue{s.Reads[i], o.Offset}
				if live(v, at).reads++; lives[v].reads == 2 && slot.Kind == ir.InSlot {
					r.again[v] = true
				}
			case slot.Kind != ir.InSlot && (o.Along() != 0 || slot.Len > 1):
				return 0, false // another thread has it
			}
		}
		for i, o := range out {
			if kept := len(r.slots[s.Writes[i]].Readers) > 0; !kept {
				continue
			}
			if o.Offset != 0 || points(s) > 1 && o.Along() != 1 {
				return 0, false
			}
			if points(s) > 1 {
				live(rowValue{slot: s.Writes[i]}, at)
			}
		}
	}
	for at := range p.Stages {
		kept, begun, ended := 0, 0, 0
		for v, l := range lives {
			slot := p.Slots[v.slot]
			if l.first > at || at > l.last || slot.Kind == ir.InSlot && l.reads < 2 {
				continue
			}
			switch words := (slot.Type.Size() + 3) / 4; {
			case l.first == at:
				begun += words
			case l.last == at:
				ended += words
			default:
				kept += words
			}
		}
		most = max(most, kept+max(begun, ended)) // an element begins where another one ends
	}
	return most, true
}

// points is how many a stage gives for each line.
func points(s ir.Stage) int {
	if m, ok := s.Program.(*ir.Map); ok {
		return m.Dims[0]
	}
	return 1
}

// operands lists those of a stage along the line, by read and by write.
func (r *rows) operands(s ir.Stage) (in, out []ir.Operand) {
	switch q := s.Program.(type) {
	case *ir.Map:
		return q.In, q.Out
	case *ir.Reduce:
		return append(append(in, q.In...), atPoint(q.Post.In)...), atPoint([]ir.Operand{q.Out})
	}
	return nil, nil
}

// atPoint is operands of one point as such along the line.
func atPoint(list []ir.Operand) (out []ir.Operand) {
	for _, o := range list {
		o.Strides = []int{0}
		out = append(out, o)
	}
	return out
}

// function makes the kernel.
func (r *rows) function() error {
	if err := r.share(); err != nil {
		return err
	}
	r.findShown()
	r.kernel.function(func() {
		r.findCells()
		for i, s := range r.p.Stages {
			switch q := s.Program.(type) {
			case *ir.Map:
				r.mapped(s, q)
			case *ir.Reduce:
				r.reduced(i, s, q)
			}
		}
	})
	return nil
}

// findCells finds the thread's elements, for each part of a sum: turn by turn, and in each turn
// all of its lanes.
func (r *rows) findCells() {
	part, lanes := order.PartOf(r.n), order.Lanes(r.n)
	for from := 0; from < r.n; from += part {
		var list []cell
		for base := from; base < min(from+part, r.n); base += lanes {
			for lane := 0; lane < r.lanes; lane += r.pack {
				c := cell{place{at: raised(r.t, base/r.pack+lane/r.pack*r.threads)}, r.pack}
				if c.element(0).lo() >= r.n {
					c = cell{} // nobody has it
				} else {
					c, c.at.ok = r.clamped(c, r.n)
				}
				list = append(list, c)
			}
		}
		r.cells = append(r.cells, list)
	}
}

// each calls f with the cells that there are, numbered.
func (r *rows) each(f func(i int, c cell)) {
	i := 0
	for _, part := range r.cells {
		for _, c := range part {
			if c.width > 0 {
				f(i, c)
			}
			i++
		}
	}
}

// values is what an operand reads at a cell.
func (r *rows) values(slot ir.SlotID, o ir.Operand, i int, c cell) []kgen.Num {
	v := rowValue{slot, o.Offset}
	_, point := r.scalars[slot]
	if o.Along() != 1 || point || !r.again[v] && r.kept[v] == nil {
		return r.load(slot, o, i, c)
	}
	if r.kept[v] == nil {
		r.kept[v] = make([][]kgen.Num, r.count())
	}
	if r.kept[v][i] == nil {
		r.kept[v][i] = r.load(slot, o, i, c)
	}
	return r.kept[v][i]
}

// count is how many cells there are.
func (r *rows) count() int {
	n := 0
	for _, part := range r.cells {
		n += len(part)
	}
	return n
}

// mapped makes a map, of lines or of what there is one of for each.
func (r *rows) mapped(s ir.Stage, m *ir.Map) {
	if m.Dims[0] == 1 {
		point := origin()
		v := r.code(&m.Code, func(i int) []kgen.Num { return r.read(s.Reads[i], m.In[i], point) }, point, m.Value)
		for i, slot := range s.Writes {
			r.pointWritten(slot, m.Out[i], v[i][0])
		}
		return
	}
	for _, slot := range s.Writes {
		r.kept[rowValue{slot: slot}] = make([][]kgen.Num, r.count())
	}
	r.each(func(at int, c cell) {
		v := r.code(&m.Code, func(i int) []kgen.Num { return r.values(s.Reads[i], m.In[i], at, c) }, c, m.Value)
		for i, slot := range s.Writes {
			if r.p.Slots[slot].Kind == ir.OutSlot {
				r.write(slot, m.Out[i], c, v[i], c.at.ok)
			}
			if len(r.slots[slot].Readers) > 0 {
				for j := range v[i] {
					v[i][j].Re = kgen.Rounded(r.p.Slots[slot].Type, v[i][j].Re)
					v[i][j] = kgen.Named(r.Kernel, "y", v[i][j])
				}
				r.kept[rowValue{slot: slot}][at] = v[i]
			}
		}
	})
}

// pointWritten takes what there is one of for each line: every thread has it, one stores it.
func (r *rows) pointWritten(slot ir.SlotID, o ir.Operand, v kgen.Num) {
	if r.p.Slots[slot].Kind == ir.OutSlot {
		r.write(slot, o, origin(), []kgen.Num{v}, r.t.Eq(0))
	}
	if len(r.slots[slot].Readers) > 0 {
		v.Re = kgen.Rounded(r.p.Slots[slot].Type, v.Re)
		r.scalars[slot] = kgen.Named(r.Kernel, "each", v)
	}
}

// reduced makes a reduction along the line, in the order that it has as a step of its own.
func (r *rows) reduced(i int, s ir.Stage, q *ir.Reduce) {
	t := q.Instrs[q.Value].Type
	f := folding{r.kernel, q.Op, summed(t)}
	at := 0
	var parts []kgen.Num
	for _, part := range r.cells {
		l := lanes{width: r.pack, threads: r.threads, values: repeated(f.none(), r.lanes)}
		for j, c := range part {
			if c.width > 0 {
				v := r.code(&q.Code, func(i int) []kgen.Num { return r.values(s.Reads[i], q.In[i], at, c) }, c, []ir.ValueID{q.Value})[0]
				for w := range v {
					if lane := j*r.pack%r.lanes + w; c.at.ok.IsNil() {
						l.values[lane] = f.join(l.values[lane], v[w])
					} else {
						l.values[lane] = f.join(l.values[lane], r.chosen(c.at.ok, v[w], f.none()))
					}
				}
			}
			at++
		}
		parts = append(parts, f.fold(l))
	}
	v := f.ofParts(parts)
	v.Re = kgen.Rounded(t, v.Re)
	r.pointWritten(s.Writes[0], q.Out, r.ended(s, q, kgen.Named(r.Kernel, "total", v)))
}

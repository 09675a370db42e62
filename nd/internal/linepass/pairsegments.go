package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// PairSegments takes segments of real samples two at a time where all that is wanted of them is
// the sum of the powers of their spectra, as in Welch's method, and fast says so of their
// transform. Two segments are one complex line, x + iy, and of its transform Z the powers are
// enough: those of both at bin k are (|Z_k|^2 + |Z_(n-k)|^2) / 2, and the sum over all pairs is
// taken before that. So lines are not packed and nothing is untangled.
//
// Unlike the other passes it rounds other numbers: errors of a segment are those of the louder
// one of its pair. An infinity or NaN reaches the sum that it is part of, and nothing else.
func PairSegments(p *ir.Line, fast func(*ir.FFT) bool) *ir.Line {
	if w := powersOf(p); w != nil && fast(w.fft()) {
		return w.inPairs()
	}
	return p
}

// powers is a line program that adds up the powers of the spectra of segments, and
// where it does: stages from the first of a segment up to the transform, and the one behind
// that, which adds up.
type powers struct {
	*ir.Line
	first, at int
	bins      int
}

func (w *powers) fft() *ir.FFT { return w.Stages[w.at].Program.(*ir.FFT) }

// powersOf is nil for other programs.
func powersOf(p *ir.Line) *powers {
	w := &powers{Line: p, first: slices.IndexFunc(p.Stages, func(s ir.Stage) bool { return s.Each })}
	w.at = slices.IndexFunc(p.Stages, func(s ir.Stage) bool { return s.First != nil }) - 1
	if p.Segments < 2 || len(p.Shared) > 0 || w.first < 0 || w.at < w.first || w.at+2 < len(p.Stages) && p.Stages[w.at+2].Each {
		return nil
	}
	f, ok := p.Stages[w.at].Program.(*ir.FFT)
	if !ok || f.Kind != ir.FFTRealForward || f.N < 4 || f.In.Type != elem.Float32 || !f.Plain() || f.Window != nil || f.Planes || f.Out.Along() != 1 || f.Out.Offset != 0 {
		return nil
	}
	w.bins = f.OutLen()
	if !w.movable() || !w.addsPowers() {
		return nil
	}
	return w
}

// movable reports that what comes before the transform can be done for any segment: it writes
// nothing but slots of its own, and reads segments that are all there.
func (w *powers) movable() bool {
	uses := w.Uses()
	for i := w.first; i <= w.at; i++ {
		s := w.Stages[i]
		if i < w.at && ofMap(s.Program) == nil && ofReduce(s.Program) == nil {
			return false
		}
		for _, slot := range s.Reads {
			if w.Slots[slot].Segment < 0 || w.Slots[slot].Segment > 0 && w.Slots[slot].Margin != nil {
				return false
			}
		}
		for _, slot := range s.Writes {
			u := uses[slot]
			if w.Slots[slot].Kind != ir.LocalSlot || slices.ContainsFunc(u.Writers, func(j int) bool { return j < w.first || j > w.at }) ||
				slices.ContainsFunc(u.Readers, func(r ir.Use) bool { return r.Stage < w.first || r.Stage > w.at+1 }) {
				return false
			}
		}
	}
	// What is transformed lies in memory, or a map makes it for nobody else.
	in := w.Stages[w.at].Reads[0]
	if w.Slots[in].Kind == ir.InSlot {
		return true
	}
	u := uses[in]
	if len(u.Writers) != 1 || len(u.Readers) != 1 || u.Writers[0] < w.first {
		return false
	}
	m, ok := w.Stages[u.Writers[0]].Program.(*ir.Map)
	o := w.fft().In
	return ok && len(m.Out) == 1 && m.Out[0].Along() == 1 && o.Along() == 1 && m.Out[0].Offset == o.Offset && m.Dims[0] >= min(w.fft().InLen, w.fft().N)
}

// addsPowers reports that all that is wanted of the spectra is the sum of their powers, behind
// the segments.
func (w *powers) addsPowers() bool {
	s := w.Stages[w.at+1]
	first, ok := s.First.(*ir.Map)
	if !ok || s.Combine != ir.Sum || len(first.Out) != 1 || len(first.In) != 1 || len(s.Reads) != 2 || len(s.Writes) != 1 || s.Reads[1] != s.Writes[0] {
		return false
	}
	v := first.Instrs[first.Value[0]]
	whole := first.Dims[0] == w.bins && first.In[0].Along() == 1 && first.In[0].Offset == 0 && first.Out[0].Along() == 1 && first.Out[0].Offset == 0
	if !whole || v.Kind != ir.Apply || v.Op != scalar.AbsSquared || first.Instrs[v.A].Kind != ir.Load || s.Reads[0] != w.Stages[w.at].Writes[0] {
		return false
	}
	uses := w.Uses()
	spectrum, sum := uses[s.Reads[0]], uses[s.Writes[0]]
	return len(spectrum.Writers) == 1 && len(spectrum.Readers) == 1 && w.Slots[s.Writes[0]].Kind == ir.LocalSlot && len(sum.Writers) == 1
}

// inPairs is the program that takes two segments at a time. The first of an odd number comes
// before them, by itself.
func (w *powers) inPairs() *ir.Line {
	q := &paired{Line: *w.Line, from: w, single: -1}
	q.Slots, q.Stages = slices.Clone(w.Slots), slices.Clone(w.Stages[:w.first])
	odd := w.Segments % 2
	if odd == 1 {
		q.alone()
	}
	q.together(odd)
	to, behind := w.behind()
	q.folded(to)
	q.Stages = append(q.Stages, behind...)
	for i, s := range w.Slots {
		if s.Segment != 0 {
			q.Slots[i].Len, q.Slots[i].Segment = s.Len+(1+odd)*s.Segment, 2*s.Segment
		}
	}
	q.Segments = w.Segments / 2
	return q.withoutUnused()
}

// paired is such a program in the making.
type paired struct {
	ir.Line
	from   *powers
	single ir.SlotID // the powers of a segment by itself; -1 for none
	sum    ir.SlotID // of the powers of pairs, at all n bins
}

// moved is the program of stage i for the segment that lies by segments further on, and what
// it reads: slots of names instead of those that they stand for.
func (q *paired) moved(i, by int, names map[ir.SlotID]ir.SlotID) (ir.Program, []ir.SlotID) {
	s := q.from.Stages[i]
	p := ir.Clone(s.Program)
	move := func(list []ir.Operand, slots []ir.SlotID) {
		for k := range list {
			list[k].Offset += by * q.from.Slots[slots[k]].Segment
		}
	}
	if m := ofMap(p); m != nil {
		move(m.In, s.Reads)
	} else if r := ofReduce(p); r != nil {
		move(r.In, s.Reads)
		move(r.Post.In, s.Reads[len(r.In):])
	} else { // the transform
		p.(*ir.FFT).In.Offset += by * q.from.Slots[s.Reads[0]].Segment
	}
	reads := lists.Map(s.Reads, func(slot ir.SlotID) ir.SlotID {
		if other, ok := names[slot]; ok {
			return other
		}
		return slot
	})
	return p, reads
}

// copied is stage i for the segment that lies by segments further on. What it writes gets
// slots of its own, and names.
func (q *paired) copied(i, by int, names map[ir.SlotID]ir.SlotID) ir.Stage {
	p, reads := q.moved(i, by, names)
	writes := lists.Map(q.from.Stages[i].Writes, func(slot ir.SlotID) ir.SlotID {
		if _, ok := names[slot]; !ok {
			names[slot] = q.AddSlot(q.from.Slots[slot])
		}
		return names[slot]
	})
	return ir.Stage{Program: p, Reads: reads, Writes: writes}
}

// alone makes the first segment by itself.
func (q *paired) alone() {
	w := q.from
	names := map[ir.SlotID]ir.SlotID{}
	for i := w.first; i <= w.at; i++ {
		q.Stages = append(q.Stages, q.copied(i, 0, names))
	}
	power := w.Stages[w.at+1].First
	q.single = q.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: elem.Float32, Len: w.bins})
	q.Stages = append(q.Stages, ir.Stage{Program: power, Reads: []ir.SlotID{names[w.Stages[w.at].Writes[0]]}, Writes: []ir.SlotID{q.single}})
}

// together makes pairs of segments, from the one numbered first on.
func (q *paired) together(first int) {
	w := q.from
	var names [2]map[ir.SlotID]ir.SlotID // of what each of a pair has for itself
	for k := range names {
		names[k] = map[ir.SlotID]ir.SlotID{}
		for i := w.first; i < w.at; i++ {
			if w.makesLine(i) {
				continue
			}
			s := q.copied(i, first+k, names[k])
			s.Each = true
			q.Stages = append(q.Stages, s)
		}
	}
	n, whole := w.fft().N, ir.Operand{Type: elem.Complex64, Strides: []int{1}}
	f := *w.fft()
	f.Kind, f.Powers, f.In, f.Out = ir.FFTComplex, true, whole, whole
	line := q.pair(first, names)
	spectrum := q.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: elem.Complex64, Len: n})
	q.sum = q.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: elem.Float32, Len: n})
	add := w.Stages[w.at+1]
	power, more := ir.Clone(add.First).(*ir.Map), ir.Clone(add.Program).(*ir.Map)
	power.Dims, more.Dims = []int{n}, []int{n}
	q.Stages = append(q.Stages,
		ir.Stage{Program: &f, Reads: []ir.SlotID{line}, Writes: []ir.SlotID{spectrum}, Each: true},
		ir.Stage{First: power, Program: more, Combine: ir.Sum, Reads: []ir.SlotID{spectrum, q.sum}, Writes: []ir.SlotID{q.sum}, Each: true})
}

// makesLine reports the map that makes what is transformed.
func (w *powers) makesLine(stage int) bool {
	return slices.Contains(w.Stages[stage].Writes, w.Stages[w.at].Reads[0])
}

// pair makes two segments one complex line, and gives its slot.
func (q *paired) pair(first int, names [2]map[ir.SlotID]ir.SlotID) ir.SlotID {
	w := q.from
	at := w.first
	for at < w.at && !w.makesLine(at) {
		at++
	}
	code := &ir.Rewriter[ir.SlotID]{}
	part := func(k int) ir.ValueID {
		p, reads := q.moved(at, first+k, names[k])
		m := ofMap(p)
		if m == nil { // segments are transformed as they lie in memory
			return code.Load(reads[0], p.(*ir.FFT).In)
		}
		from := ir.Copying[ir.SlotID]{To: code, From: &m.Code, Load: func(in ir.Instr) ir.ValueID { return code.Load(reads[in.Slot], m.In[in.Slot]) }}
		return from.Value(m.Value[0])
	}
	z := code.Append(ir.Instr{Kind: ir.Apply, Op: scalar.MakeComplex, Type: elem.Complex64, A: part(0), B: part(1)})
	n := min(w.fft().InLen, w.fft().N)
	slot := q.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: elem.Complex64, Len: n})
	q.Stages = append(q.Stages, ir.Stage{Each: true, Reads: code.Sources, Writes: []ir.SlotID{slot},
		Program: &ir.Map{Dims: []int{n}, Code: code.Code, Out: []ir.Operand{{Type: elem.Complex64, Strides: []int{1}}}, Value: []ir.ValueID{z}}})
	return slot
}

// behind is the slot that wants the sum, and the stages that follow: one that only copies the
// sum is not needed.
func (w *powers) behind() (to ir.SlotID, stages []ir.Stage) {
	sum, uses := w.Stages[w.at+1].Writes[0], w.Uses()
	stages = w.Stages[w.at+2:]
	if len(stages) == 0 || len(uses[sum].Readers) > 2 { // the sum itself is one
		return sum, stages
	}
	s := stages[0]
	m, ok := s.Program.(*ir.Map)
	if !ok || !IsCopy(m) || s.Reads[0] != sum || len(uses[s.Writes[0]].Writers) > 1 || m.Dims[0] != w.bins ||
		!m.In[0].Equal(m.Out[0]) || m.Out[0].Along() != 1 || m.Out[0].Offset != 0 {
		return sum, stages
	}
	return s.Writes[0], stages[1:]
}

// folded makes powers of real segments of those of pairs: bin 0, which is its own image, and
// the others.
func (q *paired) folded(to ir.SlotID) {
	w := q.from
	n, r := w.fft().N, elem.Float32
	fold := func(from, count int, value func(code *ir.Rewriter[ir.SlotID]) ir.ValueID) {
		code := &ir.Rewriter[ir.SlotID]{}
		v := value(code)
		if q.single >= 0 {
			alone := code.Load(q.single, ir.Operand{Type: r, Offset: from, Strides: []int{1}})
			v = code.Append(ir.Instr{Kind: ir.Apply, Op: scalar.Add, Type: r, A: v, B: alone})
		}
		q.Stages = append(q.Stages, ir.Stage{Reads: code.Sources, Writes: []ir.SlotID{to},
			Program: &ir.Map{Dims: []int{count}, Code: code.Code, Out: []ir.Operand{{Type: r, Offset: from, Strides: []int{1}}}, Value: []ir.ValueID{v}}})
	}
	fold(0, 1, func(code *ir.Rewriter[ir.SlotID]) ir.ValueID {
		return code.Load(q.sum, ir.Operand{Type: r, Strides: []int{1}})
	})
	fold(1, w.bins-1, func(code *ir.Rewriter[ir.SlotID]) ir.ValueID {
		bin := code.Load(q.sum, ir.Operand{Type: r, Offset: 1, Strides: []int{1}})
		image := code.Load(q.sum, ir.Operand{Type: r, Offset: n - 1, Strides: []int{-1}})
		two := code.Append(ir.Instr{Kind: ir.Apply, Op: scalar.Cast, Type: r, A: code.Position(ir.Operand{Type: elem.Int64, Offset: 2, Strides: []int{0}})})
		both := code.Append(ir.Instr{Kind: ir.Apply, Op: scalar.Add, Type: r, A: bin, B: image})
		return code.Append(ir.Instr{Kind: ir.Apply, Op: scalar.Div, Type: r, A: both, B: two})
	})
}

// withoutUnused is the program without the slots that only its segments by themselves had.
func (q *paired) withoutUnused() *ir.Line {
	uses := q.Uses()
	var slots []ir.Slot
	number := lists.Make(len(q.Slots), func(i int) ir.SlotID {
		if q.Slots[i].Kind == ir.LocalSlot && len(uses[i].Readers)+len(uses[i].Writers) == 0 {
			return -1
		}
		slots = append(slots, q.Slots[i])
		return ir.SlotID(len(slots) - 1)
	})
	renumber := func(list []ir.SlotID) []ir.SlotID {
		return lists.Map(list, func(slot ir.SlotID) ir.SlotID { return number[slot] })
	}
	for i, s := range q.Stages {
		q.Stages[i].Reads, q.Stages[i].Writes = renumber(s.Reads), renumber(s.Writes)
	}
	q.Slots = slots
	return &q.Line
}

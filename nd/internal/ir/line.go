package ir

import (
	"iter"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Line is stages over every line of Outer.
type Line struct {
	Outer    []int
	Segments int // how often stages with Each run per line, at least 1
	Slots    []Slot
	// Shared is stages that run before any line, once for all that read the same. They
	// read inputs and write shared slots.
	Shared []Stage
	Stages []Stage // those with Each are neighbours
	// Frames numbers lines for stages that add them where they overlap: line i
	// is frame number sum of i[k]*Frames[k]. The last dimensions number frames, in
	// row-major order; those with 0 choose where to add.
	Frames []int
}

// IsAlike reports a slot in a buffer of which all lines read the same.
func (s *Slot) IsAlike() bool {
	return s.Kind == InSlot && s.Margin == nil && s.Segment == 0 && !slices.ContainsFunc(s.Strides, func(step int) bool { return step != 0 })
}

// OnChip reports a slot that is in no buffer.
func (s *Slot) OnChip() bool { return s.Kind == LocalSlot || s.Kind == SharedSlot }

// SlotID is the position of a slot in Line.Slots.
type SlotID int

// AddSlot gives the program another slot.
func (p *Line) AddSlot(s Slot) SlotID {
	p.Slots = append(p.Slots, s)
	return SlotID(len(p.Slots) - 1)
}

// EachSlot goes through the slots.
func (p *Line) EachSlot() iter.Seq2[SlotID, Slot] {
	return func(yield func(SlotID, Slot) bool) {
		for i, s := range p.Slots {
			if !yield(SlotID(i), s) {
				return
			}
		}
	}
}

// SlotKind is where a slot lies.
type SlotKind uint8

const (
	InSlot     SlotKind = iota // in a buffer, read
	OutSlot                    // in a buffer, written
	LocalSlot                  // on chip; contents do not outlive the line
	SharedSlot                 // on chip, the same for all lines that read the same: stages of Shared fill it
)

// Slot is where one line lies.
type Slot struct {
	Kind SlotKind
	Type elem.Type
	// Len is how many elements the stages may touch: positions [0, Len) of a
	// Local, and at most that many of a line in a buffer, counting gaps.
	Len int
	// Offset, Strides (one per dimension of Outer) and Segment say where a
	// line in a buffer starts; stages add their own offsets.
	Offset  int
	Strides []int
	Segment int
	// Margin, if not nil, is for an In whose lines reach beyond what is there.
	Margin *Margin
}

// Stage is a program over one line: a *Map over one dimension, a
// *Reduce of one inner dimension to one point, a *FFT of one line, a
// *Butterfly of one line, whose W is all of a slot that lines share, a
// *Scan or a *Sort over one dimension, or a *Overlap of one frame
// to an Out that all frames share, of which there are Count. Constants name arguments of
// the launch of the whole program.
type Stage struct {
	Program Program
	Reads   []SlotID // in the order of Program.Reads
	Writes  []SlotID
	Each    bool // runs once per segment
	// First, if not nil, runs instead of Program in the first segment. It
	// binds the first of Reads only, so that an accumulation starts without
	// reading what is not there yet. The stage is then a reduction by Combine
	// over the segments, and a device that reduces in another order than one
	// after the other may start anew with First at any segment and combine
	// what it has: the bits are those of the same Reduce.
	First   Program
	Combine ReduceOp
}

func (p *Line) Name() string { return "line" }

// Accesses lists the slots in buffers, over Outer, then the segment, then the
// element; with a margin, the runs that lie there.
func (p *Line) Accesses() []Access {
	var list []Access
	for _, kind := range []SlotKind{InSlot, OutSlot} {
		for _, s := range p.Slots {
			if s.Kind == kind {
				list = append(list, p.Access(s))
			}
		}
	}
	return list
}

// Extent is the lines, and the segments of each.
func (p *Line) Extent() []int { return with(p.Outer, p.Segments) }

func (p *Line) key(k *keyer) {
	k.ints(p.Outer)
	k.ints(p.Frames)
	k.ints([]int{p.Segments, len(p.Slots), len(p.Shared), len(p.Stages)})
	for _, s := range p.Slots {
		k.ints([]int{int(s.Kind), int(s.Type), s.Len, s.Offset, s.Segment})
		k.ints(s.Strides)
		if m := s.Margin; m != nil {
			k.ints([]int{m.From, m.To, int(m.Rule), m.Fill})
			k.ints(m.Strides)
		} else {
			k.ints(nil)
		}
	}
	for _, s := range slices.Concat(p.Shared, p.Stages) {
		k.ints([]int{flag(s.Each), flag(s.First != nil), int(s.Combine)})
		appendInts(k, s.Reads)
		appendInts(k, s.Writes)
		if s.First != nil {
			k.program(s.First)
		}
		k.program(s.Program)
	}
}

func (p *Line) clone() Program { return p }

// spaces is nothing: a device decides which lines are neighbours.
func (p *Line) spaces(func(*Space)) {}

// Operand is a slot in a buffer as an operand over Program.Dims.
func (s Slot) Operand() Operand {
	strides := append(append([]int(nil), s.Strides...), s.Segment, 1)
	return Operand{Type: s.Type, Offset: s.Offset, Strides: strides}
}

// Lines is the number of lines.
func (p *Line) Lines() int { return Count(p.Outer) }

// Dims is the index space of a slot's operand.
func (p *Line) Dims(s Slot) []int {
	return append(append([]int(nil), p.Outer...), p.Segments, s.Len)
}

func (p *Line) Ops() float64 {
	n := 0.0
	for _, s := range p.Stages {
		if s.Each {
			n += s.Program.Ops() * float64(p.Segments)
		} else {
			n += s.Program.Ops()
		}
	}
	return n * float64(p.Lines())
}

// Alone is the transform as a line program of one stage.
func (p *FFT) Alone() *Line {
	n := len(p.Outer)
	slot := func(kind SlotKind, o Operand, count int) Slot {
		return Slot{Kind: kind, Type: o.Type, Len: count, Offset: o.Offset, Strides: o.Strides[:n]}
	}
	f := *p
	f.Outer = nil
	f.In = Operand{Type: p.In.Type, Strides: p.In.Strides[n:]}
	f.Out = Operand{Type: p.Out.Type, Strides: p.Out.Strides[n:]}
	return &Line{
		Outer: p.Outer, Segments: 1,
		Slots:  []Slot{slot(InSlot, p.In, min(p.InLen, p.InNeeded())), slot(OutSlot, p.Out, p.OutLen())},
		Stages: []Stage{{Program: &f, Reads: []SlotID{0}, Writes: []SlotID{1}}},
	}
}

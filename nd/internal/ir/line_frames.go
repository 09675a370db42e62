package ir

import (
	"errors"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Frame is the number of a line as a frame.
func (p *Line) Frame(index []int) int { return lists.Dot(index, p.Frames) }

// FrameDims is how many dimensions of Outer, the last ones, number frames.
func (p *Line) FrameDims() int {
	n := 0
	for k := len(p.Frames) - 1; k >= 0 && p.Frames[k] != 0; k-- {
		n++
	}
	return n
}

// Sums lists the stages that add lines where they overlap: the last ones.
func (p *Line) Sums() []Stage {
	for i, s := range p.Stages {
		if _, ok := s.Program.(*Overlap); ok {
			return p.Stages[i:]
		}
	}
	return nil
}

// Feeding marks the stages that compute what is added where lines overlap.
func (p *Line) Feeding() []bool {
	needed, stages := make([]bool, len(p.Slots)), make([]bool, len(p.Stages))
	for _, s := range p.Sums() {
		needed[s.Reads[0]] = true
	}
	for i := len(p.Stages) - len(p.Sums()) - 1; i >= 0; i-- {
		for _, w := range p.Stages[i].Writes {
			stages[i] = stages[i] || needed[w]
		}
		if stages[i] {
			for _, r := range p.Stages[i].Reads {
				needed[r] = true
			}
		}
	}
	return stages
}

// verifyFrames checks that frames are numbered in row-major order, and that what
// is added comes last, from lines on chip: a device may compute those of a frame
// more than once.
func (p *Line) verifyFrames() error {
	sums := p.Sums()
	if len(sums) == 0 {
		return nil
	}
	if p.Segments != 1 || len(p.Frames) != len(p.Outer) {
		return errors.New("frames of segments, or without numbers")
	}
	if len(p.Outer) > 0 && p.FrameDims() == 0 {
		return errors.New("every line is the only frame of its sum")
	}
	for k, f := range p.Frames {
		want := 0
		if k >= len(p.Outer)-p.FrameDims() {
			want = Count(p.Outer[k+1:])
		}
		if f != want {
			return errors.New("frames are not numbered in the order of lines")
		}
	}
	for i, feeds := range p.Feeding() {
		for _, w := range p.Stages[i].Writes {
			if feeds && p.Slots[w].Kind != LocalSlot {
				return errors.New("a stage before an overlap writes an output")
			}
		}
	}
	for _, s := range sums {
		o, ok := s.Program.(*Overlap)
		if !ok {
			return errors.New("a stage behind an overlap")
		}
		if o.Size > 1 && o.In.Strides[len(o.In.Strides)-1] != 1 {
			return errors.New("an overlap of elements that are not neighbours on chip")
		}
		out := p.Slots[s.Writes[0]]
		if p.Slots[s.Reads[0]].Kind != LocalSlot || out.Kind != OutSlot || out.Offset < 0 {
			return errors.New("an overlap of something else than a line on chip, or to something else than an output")
		}
		for k, f := range p.Frames {
			if f != 0 && out.Strides[k] != 0 {
				return errors.New("frames have sums of their own")
			}
		}
	}
	return nil
}

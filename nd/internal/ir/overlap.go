package ir

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Overlap adds frames where they overlap, for every point of Outer. Frame t is
// at turn t/Phases and phase t%Phases, and there are Count of them; it begins
// Hop elements behind the one before. The result begins Skip elements behind the
// first frame and has Length: element s is the sum of element s+Skip-t*Hop of
// all frames that have one, and 0 where none has. A device chooses the order of
// additions, the same every time.
//
// Where frames lie by phase, and a phase without gaps, elements that are added
// to neighbours are neighbours.
type Overlap struct {
	Outer                    []int
	Turns, Phases, Size      int
	Count, Hop, Skip, Length int
	In                       Operand // over Outer, turn, phase, element
	Out                      Operand // over Outer, element
}

func (*Overlap) Name() string { return "overlap" }

func (*Overlap) String() string { return "overlap_add" }

func (o *Overlap) Extent() []int { return o.InDims() }

func (o *Overlap) Accesses() []Access { return inAndOut(o.In, o.InDims(), o.Out, o.OutDims()) }

func (o *Overlap) key(k *keyer) {
	k.ints(o.Outer)
	k.operands(o.In, o.Out)
	k.ints([]int{o.Turns, o.Phases, o.Size, o.Count, o.Hop, o.Skip, o.Length})
}

func (o *Overlap) clone() Program { c := *o; return &c }

func (o *Overlap) spaces(visit func(*Space)) { o.Outer = outside(o.Outer, visit, &o.In, &o.Out) }

// InDims and OutDims are the index spaces of the operands.
func (o *Overlap) InDims() []int {
	return append(append([]int(nil), o.Outer...), o.Turns, o.Phases, o.Size)
}

func (o *Overlap) OutDims() []int { return append(append([]int(nil), o.Outer...), o.Length) }

func (o *Overlap) Ops() float64 {
	return float64(Count(o.Outer)) * float64(min(o.Count, o.Turns*o.Phases)) * float64(o.Size)
}

// Frames are the first frame that reaches element s of the result, and the one
// behind the last; there may be none.
func (o *Overlap) Frames(s int) (first, end int) {
	at := s + o.Skip
	first = 0
	if at >= o.Size {
		first = min(o.Count, (at-o.Size+o.Hop)/o.Hop)
	}
	return first, max(first, min(o.Count, at/o.Hop+1))
}

// Overlaps reports types that frames are added in.
func Overlaps(t elem.Type) bool { return (t.IsFloat() || t.IsComplex()) && !t.IsHalf() }

func (o *Overlap) Verify() error {
	if o.Hop < 1 || o.Skip < 0 || o.Size < 0 || o.Length < 0 || o.Count < 0 || o.Phases < 1 ||
		len(o.In.Strides) != len(o.Outer)+3 || len(o.Out.Strides) != len(o.Outer)+1 || o.In.Type != o.Out.Type || !Overlaps(o.In.Type) {
		return fmt.Errorf("ir: overlap: %d frames of %d, %d apart, in %d turns of %d, %v, to %d behind %d, %v",
			o.Count, o.Size, o.Hop, o.Turns, o.Phases, o.In, o.Length, o.Skip, o.Out)
	}
	return verifyDims(o.Outer)
}

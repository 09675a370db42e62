package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// PadMode says where the elements of padding come from.
type PadMode = graph.PadMode

const (
	PadConstant = graph.PadConstant // one value
	PadReflect  = graph.PadReflect  // mirrored, the edge not repeated
	PadEdge     = graph.PadEdge     // the edge, repeated
	PadWrap     = graph.PadWrap     // the array again, from its other end
)

// Pad says how to pad; the zero value pads with zeros.
type Pad struct {
	Mode  PadMode
	Value any // PadConstant: a number as in AddScalar; nil is 0
}

// Margin is how many elements to add at the two ends of an axis.
type Margin struct{ Before, After int }

// Pad adds elements around an array, with one margin for each axis.
//
// An axis must have more elements than reflection adds; wrapping adds any number.
func (a *Array) Pad(p Pad, margins ...Margin) *Array {
	if bad := unusable("pad", a); bad != nil {
		return bad
	}
	if len(margins) != a.NDim() {
		return failed("pad", fmt.Errorf("%d margins for shape %v", len(margins), a.node.Shape), a)
	}
	var value scalar.Arg
	if p.Value != nil {
		var err error
		if value, err = constant(a.node.Type, p.Value); err != nil {
			return failed("pad", err, a)
		}
	}
	before, after := make([]int, len(margins)), make([]int, len(margins))
	for i, m := range margins {
		before[i], after[i] = m.Before, m.After
	}
	if p.Mode == PadWrap {
		return a.padWrap(before, after)
	}
	n, err := graph.NewPad(a.node, p.Mode, before, after, value)
	return built("pad", n, err, a)
}

// PadAxis adds elements at the ends of one axis.
func (a *Array) PadAxis(axis int, m Margin, p Pad) *Array {
	if bad := unusable("pad", a); bad != nil {
		return bad
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err != nil {
		return failed("pad", err, a)
	}
	margins := make([]Margin, a.NDim())
	margins[axis] = m
	return a.Pad(p, margins...)
}

// padWrap pads by whole copies first: a pad node wraps around once at most,
// and copies do not change where the wrapping continues.
func (a *Array) padWrap(before, after []int) *Array {
	out := a
	counts := make([]int, len(before))
	tile := false
	for i, n := range a.node.Shape {
		most := max(before[i], after[i])
		counts[i] = 1
		if n > 0 && most > n {
			counts[i] = (most + n - 1) / n
			tile = true
		}
	}
	// Negative or oversized margins are left to the rule that names them.
	if tile {
		if _, err := shape.Size(counts); err == nil {
			out = a.Tile(counts...)
		}
	}
	if out.err != nil {
		return named("pad", out)
	}
	n, err := graph.NewPad(out.node, PadWrap, before, after, scalar.Arg{})
	if err != nil || !tile {
		return built("pad", n, err, a)
	}
	// The copies lengthened the middle: keep what was asked for.
	ranges := make([]Range, len(before))
	for i, length := range a.node.Shape {
		ranges[i] = Range{Stop: before[i] + length + after[i]}
	}
	return named("pad", (&Array{node: n}).Slice(ranges...))
}

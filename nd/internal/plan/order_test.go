package plan

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A line program runs where its last step stood, which must not be after
// somebody else has added to what its first step began.
func TestLinesLeaveScatterAfterItsBase(t *testing.T) {
	m := maker{t}
	x, index, updates := m.data(elem.Complex128, 7, 3), m.data(elem.Int64, 4, 3), m.data(elem.Complex128, 4, 3)
	sum := m.node(graph.NewScatterAdd(m.op(scalar.Conj, x), index, updates, 0, nil))
	y := m.node(graph.NewFFT(sum, graph.FFTAttr{Axis: 1, N: 3, Scale: 1}))
	p, err := Make(graphOf(sum, m.op(scalar.AbsSquared, y)), chip, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
}

// Counting and random numbers are computed where they are used, unless they
// are seen through a reshape that positions cannot express.
func TestPositionsThroughReshape(t *testing.T) {
	m := maker{t}
	for name, source := range map[string]*graph.Node{
		"iota":   m.node(graph.NewIota(graph.Place{}, 1, []int{4, 6})),
		"random": m.node(graph.NewRandom(graph.Place{}, scalar.RandBits, elem.Uint32, 7, []int{4, 6})),
	} {
		for _, c := range []struct {
			dims  []int
			steps int
		}{{[]int{6, 2, 2}, 1}, {[]int{24}, 2}} {
			turned := m.node(graph.NewTranspose(source, nil))
			p, err := Make(graphOf(m.op(scalar.Neg, m.node(graph.NewReshape(turned, c.dims)))), chip, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Verify(); err != nil {
				t.Fatal(err)
			}
			if len(p.Steps) != c.steps {
				t.Errorf("%s as %v: %d steps, want %d", name, c.dims, len(p.Steps), c.steps)
			}
		}
	}
}

// What computes an empty operand of a concatenation has nobody to wait for it.
func TestEmptyOperandsLeaveNoSteps(t *testing.T) {
	m := maker{t}
	x := m.data(elem.Float64, 3)
	other := m.node(graph.NewMap(scalar.Neg, m.data(elem.Float64, 0)))
	sorted := m.node(graph.NewSort(other, graph.SortAttr{Axis: 0}))
	p, err := Make(graphOf(m.node(graph.NewConcat(0, x, sorted))), chip, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 1 {
		t.Errorf("%d steps, want the copy of x alone", len(p.Steps))
	}
}

// The type of retyped elements is the BitCast's, whatever type the views have
// that show the result of a map on them.
func TestBitCastBelowViewsOfAnotherType(t *testing.T) {
	m := maker{t}
	bits := m.node(graph.NewBitCast(m.data(elem.Int32, 6), elem.Uint32))
	numbers := m.node(graph.NewCast(m.op(scalar.Neg, bits), elem.Float32))
	back := m.node(graph.NewSlice(numbers, []int{5}, []int{-1}, []int{6}))
	p, err := Make(graphOf(m.op(scalar.Exp, back)), chip, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	if o := ir.Reads(p.Steps[0].Program)[0]; len(p.Steps) != 1 || o.Type != elem.Uint32 {
		t.Errorf("%d steps, the first reads %v", len(p.Steps), o)
	}
}

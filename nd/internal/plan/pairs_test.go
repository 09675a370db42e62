package plan

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Powers of real segments are added up two at a time where the device says so, and nothing
// else is wanted of the segments' spectra.
func TestSegmentsInPairs(t *testing.T) {
	m := maker{t}
	type node = *graph.Node
	const n, hop = 32, 16
	signal := func(segments int) node { return m.data(elem.Float32, 3, n+(segments-1)*hop) }
	frames := func(x node, size, hop int) node { return m.node(graph.NewFrames(x, 1, size, hop)) }
	window := m.data(elem.Float32, n)
	power := func(f node, size int) node { return m.op(scalar.AbsSquared, m.rfft(f, size)) }
	sum := func(x node) node { return m.node(graph.NewReduce(graph.Sum, x, []int{1})) }
	mean := func(x node, k int) node { return m.op(scalar.Mul, sum(x), m.constant(1/float64(k), elem.Float32)) }
	centred := func(f node, segments int) node {
		a := m.op(scalar.Mul, m.node(graph.NewReduce(graph.Sum, f, []int{2})), m.constant(1.0/n, elem.Float32))
		return m.op(scalar.Sub, f, m.node(graph.NewReshape(a, []int{3, segments, 1})))
	}
	windowed := func(f node) node { return m.op(scalar.Mul, f, window) }
	welch := func(segments int) node {
		return mean(power(windowed(centred(frames(signal(segments), n, hop), segments)), n), segments)
	}
	spectra := m.rfft(windowed(frames(signal(4), n, hop)), n)
	for _, c := range []struct {
		name    string
		results []node
		pairs   int // that a program takes; 0 if segments are taken by themselves
	}{
		{"eight segments", []node{welch(8)}, 4},
		{"two", []node{welch(2)}, 1},
		{"five: one by itself", []node{welch(5)}, 2},
		{"three", []node{welch(3)}, 1},
		{"no mean", []node{mean(power(windowed(frames(signal(6), n, hop)), n), 6)}, 3},
		{"no window", []node{sum(power(frames(signal(6), n, hop), n))}, 3},
		{"no window, an odd number", []node{sum(power(frames(signal(7), n, hop), n))}, 3},
		{"apart from each other", []node{mean(power(frames(m.data(elem.Float32, 3, 345), 40, 50), 40), 7)}, 3},
		{"followed by zeros", []node{sum(power(windowed(frames(signal(4), n, hop)), 2*n))}, 2},
		{"an odd length", []node{sum(power(frames(signal(4), 31, hop), 31))}, 2},
		{"one after the other", []node{sum(power(m.data(elem.Float32, 3, 4, n), n))}, 2},
		{"the greatest behind it", []node{m.node(graph.NewSort(welch(8), graph.SortAttr{Axis: 1, Descending: true, K: 3}))}, 4},
		{"one segment", []node{welch(1)}, 0},
		{"spectra are wanted", []node{spectra, sum(m.op(scalar.AbsSquared, spectra))}, 0},
		{"magnitudes", []node{sum(m.op(scalar.Abs, m.rfft(frames(signal(4), n, hop), n)))}, 0},
		{"weighted powers", []node{sum(m.op(scalar.Mul, power(frames(signal(4), n, hop), n), m.data(elem.Float32, 17)))}, 0},
		{"the greatest power", []node{m.node(graph.NewReduce(graph.Max, power(frames(signal(4), n, hop), n), []int{1}))}, 0},
		{"float64", []node{sum(power(m.data(elem.Float64, 3, 4, n), n))}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := graphOf(c.results...)
			info := chip
			info.PairSegments = func(int, int, int) bool { return true }
			p, err := Make(g, info, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if k := pairsOf(p); k != c.pairs {
				t.Fatalf("%d pairs of segments, want %d:\n%v", k, c.pairs, p.Notes)
			}
			before, err := Make(g, chip, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if pairsOf(before) > 0 || len(before.Steps) != len(p.Steps) {
				t.Errorf("%d steps instead of %d", len(p.Steps), len(before.Steps))
			}
			sameResults(t, g, p, before)
		})
	}
}

// pairsOf is how many pairs of segments a program of the plan takes.
func pairsOf(p *Plan) int {
	for _, s := range p.Steps {
		line, ok := s.Program.(*ir.Line)
		if !ok {
			continue
		}
		for _, stage := range line.Stages {
			if f, ok := stage.Program.(*ir.FFT); ok && f.Powers {
				return line.Segments
			}
		}
	}
	return 0
}

package plan

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Causal convolutions have bins a quarter lower where the device says so, and nothing else is
// wanted of their spectra.
func TestQuarterBins(t *testing.T) {
	m := maker{t}
	const batch, channels, l = 4, 3, 16
	type node = *graph.Node
	x, gate := m.data(elem.Float32, batch, channels, l), m.data(elem.Float32, batch, channels, l)
	k, bias := m.data(elem.Float32, channels, l), m.data(elem.Float32, channels, 1)
	bins := m.data(elem.Complex64, channels, l+1)
	wide := m.data(elem.Float64, batch, channels, l)
	conv := func(x, k node, n, to int) node {
		return m.crop(m.irfft(m.op(scalar.Mul, m.rfft(x, n), m.rfft(k, n)), n), 0, to)
	}
	spectrum := m.rfft(k, 2*l)
	by := func(x node, mode accum.Mode) node {
		there := func(x node) node {
			return m.node(graph.NewFFT(x, graph.FFTAttr{Kind: graph.FFTRealForward, Axis: len(x.Shape) - 1, N: 2 * l, Scale: 1, Mode: mode}))
		}
		product := m.op(scalar.Mul, there(x), there(k))
		return m.crop(m.node(graph.NewFFT(product, graph.FFTAttr{Kind: graph.FFTRealInverse, Inverse: true, Axis: 2, N: 2 * l, Scale: 1. / 2 / l, Mode: mode})), 0, l)
	}
	for _, c := range []struct {
		name    string
		results []node
		quarter int // transforms
	}{
		{"a convolution", []node{conv(x, k, 2*l, l)}, 3},
		{"fewer results", []node{conv(x, k, 2*l, l-5)}, 3},
		{"of gated samples, with a bias and a gate", []node{m.op(scalar.Mul, m.op(scalar.Add, conv(m.op(scalar.Mul, x, gate), k, 2*l, l), bias), gate)}, 3},
		{"two with filters of their own", []node{conv(x, k, 2*l, l), conv(gate, m.op(scalar.Mul, k, k), 2*l, l)}, 6},
		{"a longer transform", []node{conv(x, k, 3*l, l)}, 3},
		{"more results", []node{conv(x, k, 2*l, l+1)}, 0},
		{"a shorter transform", []node{conv(x, k, 2*l-2, l-1)}, 0},
		{"an odd transform", []node{conv(x, k, 2*l+1, l)}, 0},
		{"a circular one", []node{conv(x, k, l, l/2)}, 0},
		{"bins that are given", []node{m.crop(m.irfft(m.op(scalar.Mul, m.rfft(x, 2*l), bins), 2*l), 0, l)}, 0},
		{"bins that are a result", []node{m.crop(m.irfft(m.op(scalar.Mul, m.rfft(x, 2*l), spectrum), 2*l), 0, l), spectrum}, 0},
		{"a filter of two", []node{m.crop(m.irfft(m.op(scalar.Mul, m.rfft(x, 2*l), spectrum), 2*l), 0, l), m.crop(m.irfft(m.op(scalar.Mul, m.rfft(gate, 2*l), spectrum), 2*l), 0, l)}, 5},
		{"a filter of two, one of which wants more", []node{m.crop(m.irfft(m.op(scalar.Mul, m.rfft(x, 2*l), spectrum), 2*l), 0, l), m.crop(m.irfft(m.op(scalar.Mul, m.rfft(gate, 2*l), spectrum), 2*l), 0, l+1)}, 0},
		{"another map", []node{m.crop(m.irfft(m.op(scalar.Add, m.rfft(x, 2*l), m.rfft(k, 2*l)), 2*l), 0, l)}, 0},
		{"a correlation", []node{m.crop(m.irfft(m.op(scalar.Mul, m.rfft(x, 2*l), m.op(scalar.Conj, m.rfft(k, 2*l))), 2*l), 0, l)}, 0},
		{"transforms that may be fast", []node{by(x, accum.Fast)}, 3},
		{"compensated transforms", []node{by(x, accum.Compensated)}, 0},
		{"gated samples, fast", []node{by(m.op(scalar.Mul, x, gate), accum.Fast)}, 0},
		{"float64", []node{conv(wide, m.data(elem.Float64, channels, l), 2*l, l)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := graphOf(c.results...)
			info := chip
			info.QuarterBins = func(n, lines int, fast bool) bool { return true }
			info.QuarterRows = func(n int) int { return n / 8 * 2 } // 16 in 4 rows
			p, err := Make(g, info, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := quarters(p); n != c.quarter {
				t.Fatalf("%d transforms with bins a quarter lower, want %d:\n%v", n, c.quarter, p.Notes)
			}
			before, err := Make(g, chip, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if quarters(before) > 0 || len(before.Steps) != len(p.Steps) {
				t.Errorf("%d steps instead of %d", len(p.Steps), len(before.Steps))
			}
			sameResults(t, g, p, before)
		})
	}
}

// sameResults runs two plans of a graph of float32 and compares what they give.
func sameResults(t *testing.T, g *Graph, p, before *Plan) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	var leaves [][]byte
	for _, l := range g.Leaves {
		leaves = append(leaves, randomBytes(g.Nodes[l.Node], r))
	}
	got, want := run(t, g, p, leaves), run(t, g, before, leaves)
	for i := range want {
		typ := p.Results[i].Type
		for j := range len(want[i]) / typ.Size() {
			a, b := reference.Load(typ, got[i], j).Num, reference.Load(typ, want[i], j).Num
			if d := math.Hypot(real(a-b), imag(a-b)); !(d <= 1e-5*(1+math.Abs(real(b)))) {
				t.Fatalf("element %d of result %d is %v, want %v", j, i, a, b)
			}
		}
	}
}

// Few lines transform their filter themselves, with the bits of many: products are of a line and
// its filter, in this order, whoever transforms it.
func TestQuarterBinsOfFewLines(t *testing.T) {
	m := maker{t}
	const batch, channels, l = 2, 3, 16
	x, k := m.data(elem.Float32, batch, channels, l), m.data(elem.Float32, channels, l)
	a, b := m.rfft(x, 2*l), m.rfft(k, 2*l)
	for name, product := range map[string]*graph.Node{"line by filter": m.op(scalar.Mul, a, b), "filter by line": m.op(scalar.Mul, b, a)} {
		g := graphOf(m.crop(m.irfft(product, 2*l), 0, l))
		var results [2][][]byte
		for i, repeat := range []int{0, 1 << 30} {
			info := chip
			info.QuarterBins = func(int, int, bool) bool { return true }
			info.Figures.FFTOpsPerNs, info.RepeatBytes = 10, repeat
			p, err := Make(g, info, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := quarters(p); n != 3 || len(p.Steps) != 2-i {
				t.Errorf("%s: %d transforms with bins a quarter lower in %d steps:\n%v", name, n, len(p.Steps), p.Notes)
			}
			r := rand.New(rand.NewPCG(3, 4))
			var leaves [][]byte
			for _, l := range g.Leaves {
				leaves = append(leaves, randomBytes(g.Nodes[l.Node], r))
			}
			results[i] = run(t, g, p, leaves)
		}
		if !bytes.Equal(results[0][0], results[1][0]) {
			t.Errorf("%s: few lines have other bits than many", name)
		}
	}
}

// quarters counts transforms with bins a quarter lower.
func quarters(p *Plan) int {
	n := 0
	count := func(q ir.Program) {
		if f, ok := q.(*ir.FFT); ok && f.Quarter() {
			n++
		}
	}
	for _, s := range p.Steps {
		count(s.Program)
		if line, ok := s.Program.(*ir.Line); ok {
			for _, stage := range line.Stages {
				count(stage.Program)
			}
		}
	}
	return n
}

// Fast convolutions transform their filters themselves where the device takes that.
func TestFiltersOfFastConvolutions(t *testing.T) {
	m := maker{t}
	const batch, channels, l = 4, 3, 16
	type node = *graph.Node
	x := m.data(elem.Float32, batch, channels, l)
	k, half := m.data(elem.Float32, channels, l), m.data(elem.Float16, channels, l)
	there := func(x node, mode accum.Mode) node {
		return m.node(graph.NewFFT(x, graph.FFTAttr{Kind: graph.FFTRealForward, Axis: len(x.Shape) - 1, N: 2 * l, Scale: 1, Mode: mode}))
	}
	by := func(x, bins node, mode accum.Mode) node {
		product := m.op(scalar.Mul, there(x, mode), bins)
		return m.crop(m.node(graph.NewFFT(product, graph.FFTAttr{Kind: graph.FFTRealInverse, Inverse: true, Axis: 2, N: 2 * l, Scale: 1. / 2 / l, Mode: mode})), 0, l)
	}
	bins := there(k, accum.Fast)
	for _, c := range []struct {
		name    string
		refuses bool
		results []node
		steps   int
	}{
		{"a filter for each channel", false, []node{by(x, bins, accum.Fast)}, 1},
		{"fewer taps", false, []node{by(x, there(m.crop(k, 0, l-2), accum.Fast), accum.Fast)}, 1},
		{"of halves", false, []node{by(x, there(m.node(graph.NewCast(half, elem.Float32)), accum.Fast), accum.Fast)}, 1},
		{"refused", true, []node{by(x, bins, accum.Fast)}, 2},
		{"not fast", false, []node{by(x, there(k, accum.Pairwise), accum.Pairwise)}, 2},
		{"a filter of two", false, []node{by(x, bins, accum.Fast), by(m.op(scalar.Mul, x, x), bins, accum.Fast)}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := graphOf(c.results...)
			info := chip
			info.QuarterBins = func(n, lines int, fast bool) bool { return true }
			refuses := func(p *ir.Line) error {
				if err := p.Verify(); err != nil || c.refuses && len(p.Shared) > 0 {
					return cmp.Or(err, device.ErrUnsupported)
				}
				return nil
			}
			p, err := Make(g, info, Options{Refuses: refuses})
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Steps) != c.steps {
				t.Errorf("%d steps, want %d", len(p.Steps), c.steps)
			}
			before, err := Make(g, chip, Options{})
			if err != nil {
				t.Fatal(err)
			}
			sameResults(t, g, p, before)
		})
	}
}

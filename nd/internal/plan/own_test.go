package plan

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Few lines transform the filter that they share themselves, many have it transformed
// before them. Bits are the same.
func TestOwnSpectra(t *testing.T) {
	m := maker{t}
	const channels, n = 3, 16
	for _, c := range []struct {
		name   string
		lines  []int // in front of the channels
		filter []int
		steps  int
		gpu    bool
	}{
		{"few lines", []int{2}, []int{channels, n}, 1, true},
		{"two axes of lines", []int{2, 2}, []int{channels, n}, 1, true},
		{"a filter for all channels", []int{2}, []int{n}, 1, true},
		{"a filter for every line", nil, []int{channels, n}, 1, true},
		{"many lines", []int{4096}, []int{channels, n}, 2, true},
		{"on a processor", []int{2}, []int{channels, n}, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			shape := append(c.lines, channels, n)
			x, k := m.data(elem.Float32, shape...), m.data(elem.Float32, c.filter...)
			g := graphOf(m.irfft(m.op(scalar.Mul, m.rfft(x, 2*n), m.rfft(k, 2*n)), 2*n))
			var results [2][][]byte
			for i, own := range []bool{false, true} {
				info := chip
				info.Figures.FFTOpsPerNs = 10
				if own && c.gpu {
					info.RepeatBytes = 1 << 30
				}
				p, err := Make(g, info, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if own && len(p.Steps) != c.steps {
					t.Errorf("%d steps, want %d", len(p.Steps), c.steps)
				}
				r := rand.New(rand.NewPCG(3, 4))
				var leaves [][]byte
				for _, l := range g.Leaves {
					leaves = append(leaves, randomBytes(g.Nodes[l.Node], r))
				}
				results[i] = run(t, g, p, leaves)
			}
			if !bytes.Equal(results[0][0], results[1][0]) {
				t.Error("the result depends on who transforms the filter")
			}
		})
	}
}

// What else reads the spectrum of a filter, or is it, has it computed once.
func TestSharedSpectraStay(t *testing.T) {
	m := maker{t}
	const n = 16
	x, k := m.data(elem.Float32, 2, 3, n), m.data(elem.Float32, 3, n)
	h := m.rfft(k, 2*n)
	conv := func(h *graph.Node) *graph.Node {
		return m.irfft(m.op(scalar.Mul, m.rfft(x, 2*n), h), 2*n)
	}
	part := m.crop(h, 1, 8) // bins from the second on
	for name, outputs := range map[string][]*graph.Node{
		"a result":  {conv(h), h},
		"some bins": {m.op(scalar.Mul, m.rfft(m.crop(x, 0, 14), 14), m.node(graph.NewBroadcast(part, []int{2, 3, 8})))},
	} {
		t.Run(name, func(t *testing.T) {
			info := chip
			info.Figures.FFTOpsPerNs, info.RepeatBytes = 10, 1<<30
			p, err := Make(graphOf(outputs...), info, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Steps) != 2 {
				t.Errorf("%d steps, want the transform of the filter and the lines", len(p.Steps))
			}
		})
	}
}

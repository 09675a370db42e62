package plan

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A gradient that waits for a norm of all spectra makes them again from the samples,
// where that much less is stored. Bits are the same.
func TestRepeated(t *testing.T) {
	m := maker{t}
	const lines, n = 64, 64
	gain, shape := m.data(elem.Float32, lines, 1), m.data(elem.Float32, 1, n)
	all := func(x *graph.Node, dims ...int) *graph.Node { return m.node(graph.NewBroadcast(x, dims)) }
	z := m.rfft(m.op(scalar.Mul, all(gain, lines, n), all(shape, lines, n)), n)
	modulus := m.op(scalar.Sqrt, m.op(scalar.AbsSquared, z))
	off := m.op(scalar.Log, modulus)
	sums := m.node(graph.NewReduce(graph.Sum, off, []int{1}))
	norm := m.node(graph.NewReduce(graph.Sum, sums, []int{0}))
	pull := m.op(scalar.Div, m.op(scalar.Mul, off, all(norm, lines, n/2+1)), modulus)
	back := m.irfft(m.op(scalar.Mul, z, m.node(graph.NewCast(pull, elem.Complex64))), n)
	g := graphOf(norm, back)
	var results [2][][]byte
	var written [2]int
	for i, from := range []int{0, lines * n} {
		info := chip
		info.Figures.OpsPerNs, info.Figures.FFTOpsPerNs, info.RepeatBytes = 100, 100, from
		p, err := Make(g, info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		written[i] = p.stored()
		r := rand.New(rand.NewPCG(3, 4))
		var leaves [][]byte
		for _, l := range g.Leaves {
			leaves = append(leaves, randomBytes(g.Nodes[l.Node], r))
		}
		results[i] = run(t, g, p, leaves)
	}
	if least := lines * (n/2 + 1) * 8; written[0]-written[1] < least {
		t.Errorf("%d and %d bytes are stored: want %d fewer", written[0], written[1], least)
	}
	for k := range results[0] {
		if !bytes.Equal(results[0][k], results[1][k]) {
			t.Errorf("output %d depends on what is computed again", k)
		}
	}
}

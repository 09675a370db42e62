package plan

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A gradient that waits for the loss needs what the loss was made of: it reads
// the spectrum, and makes the modulus again rather than have it stored, unless
// operations are dear. Bits are the same.
func TestRemade(t *testing.T) {
	m := maker{t}
	x, y := m.data(elem.Float32, 64, 64), m.data(elem.Float32, 64, 33)
	z := m.rfft(x, 64)
	modulus := m.op(scalar.Sqrt, m.op(scalar.Maximum, m.op(scalar.AbsSquared, z), m.constant(0.25, elem.Float32)))
	off, apart := m.op(scalar.Sub, modulus, y), m.op(scalar.Sub, m.op(scalar.Log, modulus), y)
	sum := func(n *graph.Node) *graph.Node {
		lines := m.node(graph.NewReduce(graph.Sum, m.op(scalar.AbsSquared, n), []int{1}))
		return m.node(graph.NewReduce(graph.Sum, lines, []int{0}))
	}
	loss := m.op(scalar.Add, sum(off), sum(apart))
	pull := m.op(scalar.Div, m.op(scalar.Mul, m.op(scalar.Mul, off, apart), loss), modulus)
	back := m.irfft(m.op(scalar.Mul, z, m.node(graph.NewCast(pull, elem.Complex64))), 64)
	g := graphOf(loss, back)
	cheap, dear := chip, chip
	cheap.Figures.OpsPerNs, cheap.Figures.LaunchNs = 100, 1
	dear.Figures.OpsPerNs, dear.Figures.LaunchNs = 1, 1
	var results [2][][]byte
	for i, c := range []struct {
		info string
		want int // float32 arrays as large as the spectrum that are stored
	}{{"cheap operations", 0}, {"dear operations", 3}} {
		info := cheap
		if i == 1 {
			info = dear
		}
		p, err := Make(g, info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		stored := 0
		for _, b := range p.Buffers {
			if !b.Leaf && b.Bytes == 64*33*4 {
				stored++
			}
		}
		if stored != c.want {
			for _, s := range p.Steps {
				t.Logf("%s: %v %v -> %v", s.Label, s.Program, s.Reads, s.Writes)
			}
			t.Errorf("%s: %d moduli or differences are stored, want %d", c.info, stored, c.want)
		}
		r := rand.New(rand.NewPCG(3, 4))
		var leaves [][]byte
		for _, l := range g.Leaves {
			leaves = append(leaves, randomBytes(g.Nodes[l.Node], r))
		}
		results[i] = run(t, g, p, leaves)
	}
	for k := range results[0] {
		if !bytes.Equal(results[0][k], results[1][k]) {
			t.Errorf("output %d depends on what is made again", k)
		}
	}
}

// What is made again comes from the same numbers: not from halves, which were
// rounded when they were stored.
func TestRemadeOfStoredHalves(t *testing.T) {
	a := &ir.Map{Dims: []int{8}, Code: ir.Code{In: []ir.Operand{{Type: elem.Float16, Strides: []int{1}}}, Instrs: []ir.Instr{
		{Kind: ir.Load, Type: elem.Float16}, {Kind: ir.Apply, Op: scalar.Neg, Type: elem.Float16},
	}}, Out: []ir.Operand{{Type: elem.Float16, Strides: []int{1}}}, Value: []ir.ValueID{1}}
	b := &ir.Map{Dims: []int{8}, Code: ir.Code{In: []ir.Operand{a.In[0], a.In[0]}, Instrs: []ir.Instr{
		{Kind: ir.Load, Type: elem.Float16}, {Kind: ir.Load, Type: elem.Float16, Slot: 1}, {Kind: ir.Apply, Op: scalar.Add, Type: elem.Float16, A: 0, B: 1},
	}}, Out: a.Out, Value: []ir.ValueID{2}}
	p := &Plan{Buffers: []Buffer{{Leaf: true}, {Bytes: 16}, {Bytes: 16}}, Results: []Result{{Buffer: 2}}, Steps: []Step{
		{Program: a, Reads: []BufferID{0}, Writes: []BufferID{1}, parts: []StepID{0}}, {Program: b, Reads: []BufferID{0, 1}, Writes: []BufferID{2}, parts: []StepID{1}},
	}}
	if remake(p, p, chip.Figures, defaultMaxOps) {
		t.Errorf("made again: %v", p.Steps[1].Program)
	}
}

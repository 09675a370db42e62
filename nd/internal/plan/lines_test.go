package plan

import (
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// maker builds graphs in tests; the first error ends the test.
type maker struct{ t testing.TB }

func (m maker) node(n *graph.Node, err error) *graph.Node {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
	return n
}

func (m maker) data(t elem.Type, dims ...int) *graph.Node {
	return m.node(graph.NewData(graph.Place{}, t, dims))
}

func (m maker) op(op scalar.Op, in ...*graph.Node) *graph.Node {
	dims := in[0].Shape
	for _, n := range in {
		if len(n.Shape) > len(dims) {
			dims = n.Shape
		}
	}
	for i, n := range in {
		in[i] = m.node(graph.NewBroadcast(n, dims))
	}
	return m.node(graph.NewMap(op, in...))
}

func (m maker) rfft(x *graph.Node, n int) *graph.Node {
	return m.node(graph.NewFFT(x, graph.FFTAttr{Kind: graph.FFTRealForward, Axis: len(x.Shape) - 1, N: n, Scale: 1}))
}

func (m maker) irfft(x *graph.Node, n int) *graph.Node {
	return m.node(graph.NewFFT(x, graph.FFTAttr{Kind: graph.FFTRealInverse, Inverse: true, Axis: len(x.Shape) - 1, N: n, Scale: 1 / float64(n)}))
}

// pad puts a constant around the last axis.
func (m maker) pad(x *graph.Node, before, after int, v float64) *graph.Node {
	b, a := make([]int, len(x.Shape)), make([]int, len(x.Shape))
	b[len(b)-1], a[len(a)-1] = before, after
	return m.node(graph.NewPad(x, graph.PadConstant, b, a, scalar.ArgOf(x.Type, complex(v, 0))))
}

func (m maker) crop(x *graph.Node, from, n int) *graph.Node {
	start, step, dims := make([]int, len(x.Shape)), make([]int, len(x.Shape)), append([]int(nil), x.Shape...)
	for i := range step {
		step[i] = 1
	}
	start[len(start)-1], dims[len(dims)-1] = from, n
	return m.node(graph.NewSlice(x, start, step, dims))
}

// count is 0, 1, 2, ... along an axis, as float64.
func (m maker) count(axis int, dims ...int) *graph.Node {
	return m.node(graph.NewCast(m.node(graph.NewIota(graph.Place{}, axis, dims)), elem.Float64))
}

func (m maker) constant(v float64, t elem.Type) *graph.Node {
	return m.node(graph.NewFull(graph.Place{}, t, scalar.ArgOf(t, complex(v, 0)), nil))
}

// graphOf is what the scheduler makes of nodes that hold nothing.
func graphOf(outputs ...*graph.Node) *Graph {
	g := &Graph{Nodes: graph.Topological(nil, outputs...)}
	at := map[*graph.Node]NodeID{}
	for i, n := range g.Nodes {
		at[n] = NodeID(i)
		g.Leaf = append(g.Leaf, -1)
		var in []NodeID
		for _, x := range n.In() {
			in = append(in, at[x])
		}
		g.In = append(g.In, in)
		if n.Op == graph.Data {
			g.Leaf[i] = len(g.Leaves)
			g.Leaves = append(g.Leaves, Leaf{Node: NodeID(i), View: shape.Contiguous(n.Shape)})
		}
	}
	for _, n := range outputs {
		g.Outputs = append(g.Outputs, at[n])
	}
	return g
}

// run executes a plan by the reference and gives the results' bytes, which
// are contiguous in these tests.
func run(t *testing.T, g *Graph, p *Plan, leaves [][]byte) [][]byte {
	t.Helper()
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	mem := make([][]byte, len(p.Buffers))
	for i, b := range p.Buffers {
		if b.Leaf {
			mem[i] = leaves[i]
		} else {
			mem[i] = make([]byte, b.Bytes)
		}
	}
	bind := func(list []BufferID) [][]byte {
		var out [][]byte
		for _, b := range list {
			out = append(out, mem[b])
		}
		return out
	}
	for i, s := range p.Steps {
		var args []scalar.Arg
		for _, a := range s.Args {
			args = append(args, g.Nodes[a.Node].Args[a.Index])
		}
		if err := reference.Run(s.Program, bind(s.Reads), bind(s.Writes), args); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	var out [][]byte
	for _, r := range p.Results {
		out = append(out, mem[r.Buffer])
	}
	return out
}

func randomBytes(n *graph.Node, r *rand.Rand) []byte {
	b := make([]byte, n.Len()*n.Type.Size())
	for i := range n.Len() {
		if n.Type.IsComplex() {
			reference.Store(reference.Complex(n.Type, complex(r.NormFloat64(), r.NormFloat64())), b, i)
		} else {
			reference.Store(reference.Float(n.Type, r.NormFloat64()), b, i)
		}
	}
	return b
}

var chip = device.Info{Name: "test", LineBytes: 64 << 10, Margins: true, Figures: device.Figures{
	CopyBytesPerNs: 10, OpsPerNs: 10, GemmOpsPerNs: 10, LaunchNs: 1000, SyncNs: 1000,
}}

func TestLinePrograms(t *testing.T) {
	cases := []struct {
		name  string
		build func(m maker) []*graph.Node
		steps int // of the fused plan
		lines int // of them line programs
	}{
		{"circular convolution", func(m maker) []*graph.Node {
			x, h, bias := m.data(elem.Float64, 3, 4, 12), m.data(elem.Complex128, 4, 7), m.data(elem.Float64, 4, 1)
			y := m.irfft(m.op(scalar.Mul, m.rfft(x, 12), h), 12)
			return []*graph.Node{m.op(scalar.Add, y, bias)}
		}, 1, 1},
		{"causal convolution", func(m maker) []*graph.Node {
			x, k, d := m.data(elem.Float64, 2, 3, 10), m.data(elem.Float64, 3, 5), m.data(elem.Float64, 3, 1)
			y := m.irfft(m.op(scalar.Mul, m.rfft(x, 16), m.rfft(k, 16)), 16)
			return []*graph.Node{m.op(scalar.Add, m.crop(y, 0, 10), m.op(scalar.Mul, x, d))}
		}, 2, 1}, // the filter's spectrum is shared by the batch: once, by itself
		{"gates", func(m maker) []*graph.Node {
			x, in, out, h := m.data(elem.Float64, 2, 8), m.data(elem.Float64, 2, 8), m.data(elem.Float64, 2, 8), m.data(elem.Complex128, 5)
			y := m.irfft(m.op(scalar.Mul, m.rfft(m.op(scalar.Mul, x, in), 8), h), 8)
			return []*graph.Node{m.op(scalar.Mul, y, out)}
		}, 1, 1},
		{"two transforms each way", func(m maker) []*graph.Node {
			x, h := m.data(elem.Float64, 5, 9), m.data(elem.Complex128, 5)
			y := m.irfft(m.op(scalar.Mul, m.rfft(x, 9), h), 9)
			z := m.irfft(m.op(scalar.Mul, m.rfft(m.op(scalar.Tanh, y), 9), h), 9)
			return []*graph.Node{z}
		}, 1, 1},
		{"periodogram with detrending", func(m maker) []*graph.Node {
			x, w := m.data(elem.Float64, 4, 16), m.data(elem.Float64, 16)
			mean := m.node(graph.NewReduce(graph.Sum, x, []int{1}))
			mean = m.op(scalar.Mul, mean, m.constant(1.0/16, elem.Float64))
			centred := m.op(scalar.Sub, x, m.node(graph.NewReshape(mean, []int{4, 1})))
			return []*graph.Node{m.op(scalar.AbsSquared, m.rfft(m.op(scalar.Mul, centred, w), 16))}
		}, 1, 1},
		{"average over overlapping segments", func(m maker) []*graph.Node {
			x, w := m.data(elem.Float64, 3, 80), m.data(elem.Float64, 32)
			f := m.node(graph.NewFrames(x, 1, 32, 16)) // 3, 4, 32
			p := m.op(scalar.AbsSquared, m.rfft(m.op(scalar.Mul, f, w), 32))
			s := m.node(graph.NewReduce(graph.Sum, p, []int{1}))
			return []*graph.Node{m.op(scalar.Mul, s, m.constant(0.25, elem.Float64))}
		}, 1, 1},
		{"top of an averaged spectrum", func(m maker) []*graph.Node {
			x := m.data(elem.Float64, 2, 24)
			f := m.node(graph.NewFrames(x, 1, 8, 4))
			p := m.node(graph.NewReduce(graph.Max, m.op(scalar.Abs, m.rfft(f, 8)), []int{1}))
			return []*graph.Node{m.node(graph.NewSort(p, graph.SortAttr{Axis: 1, Arg: true, Descending: true, K: 3}))}
		}, 1, 1},
		{"the spectrum is wanted too", func(m maker) []*graph.Node {
			x, h := m.data(elem.Float64, 3, 8), m.data(elem.Complex128, 5)
			s := m.op(scalar.Mul, m.rfft(x, 8), h)
			return []*graph.Node{s, m.irfft(s, 8)}
		}, 1, 1},
		{"bins weighted by their number", func(m maker) []*graph.Node {
			x := m.data(elem.Float64, 3, 16)
			k := m.op(scalar.Add, m.count(0, 9), m.constant(0.5, elem.Float64))
			return []*graph.Node{m.op(scalar.Mul, m.op(scalar.AbsSquared, m.rfft(x, 16)), k)}
		}, 1, 1},
		{"lines weighted by their number", func(m maker) []*graph.Node {
			x := m.data(elem.Float64, 3, 16)
			k := m.count(0, 3, 1)
			return []*graph.Node{m.op(scalar.Mul, m.op(scalar.AbsSquared, m.rfft(x, 16)), k)}
		}, 2, 0},
		{"along the first axis", func(m maker) []*graph.Node {
			x, w := m.data(elem.Complex128, 12, 5), m.data(elem.Complex128, 12, 1)
			y := m.node(graph.NewFFT(m.op(scalar.Mul, x, w), graph.FFTAttr{Axis: 0, N: 12, Scale: 1}))
			return []*graph.Node{m.op(scalar.AbsSquared, y)}
		}, 1, 1},
		{"lines mixed in between", func(m maker) []*graph.Node {
			x := m.data(elem.Complex128, 6, 6)
			y := m.node(graph.NewFFT(x, graph.FFTAttr{Axis: 1, N: 6, Scale: 1}))
			return []*graph.Node{m.node(graph.NewFFT(y, graph.FFTAttr{Axis: 0, N: 6, Scale: 1}))}
		}, 2, 0},
		{"frames that begin before the signal", func(m maker) []*graph.Node {
			x, w := m.data(elem.Float64, 3, 50), m.data(elem.Float64, 8)
			f := m.node(graph.NewFrames(m.pad(x, 7, 3, 0.5), 1, 8, 2))
			return []*graph.Node{m.op(scalar.AbsSquared, m.rfft(m.op(scalar.Mul, f, w), 8))}
		}, 1, 1},
		{"a part of frames that end behind the signal", func(m maker) []*graph.Node {
			x := m.data(elem.Float64, 50)
			f := m.node(graph.NewFrames(m.crop(m.pad(x, 0, 9, 2), 5, 54), 0, 8, 3))
			return []*graph.Node{m.op(scalar.AbsSquared, m.rfft(f, 8))}
		}, 1, 1},
		{"a padded signal that is wanted too", func(m maker) []*graph.Node {
			x := m.pad(m.data(elem.Float64, 50), 7, 0, 0)
			return []*graph.Node{x, m.op(scalar.AbsSquared, m.rfft(m.node(graph.NewFrames(x, 0, 8, 1)), 8))}
		}, 3, 1},
		{"whole lines that are padded", func(m maker) []*graph.Node {
			x := m.pad(m.data(elem.Float64, 5, 6), 2, 0, 0)
			return []*graph.Node{m.op(scalar.AbsSquared, m.rfft(x, 8))}
		}, 1, 1}, // on chip
		{"frames across padded rows", func(m maker) []*graph.Node {
			x := m.pad(m.data(elem.Float64, 5, 10), 2, 0, 0)
			f := m.node(graph.NewFrames(m.node(graph.NewReshape(x, []int{60})), 0, 8, 4))
			return []*graph.Node{m.op(scalar.AbsSquared, m.rfft(f, 8))}
		}, 3, 1},
		{"a sum of lines that go on", func(m maker) []*graph.Node {
			x := m.data(elem.Float64, 40, 8)
			z := m.rfft(x, 8)
			p := m.node(graph.NewReduce(graph.Max, m.op(scalar.AbsSquared, z), []int{1}))
			sum := m.node(graph.NewReduce(graph.Sum, p, []int{0}))
			return []*graph.Node{sum, m.irfft(m.op(scalar.Mul, z, z), 8)}
		}, 2, 1}, // the sum runs behind the lines
		{"a neighbour of another line", func(m maker) []*graph.Node {
			x := m.data(elem.Float64, 4, 8)
			y := m.op(scalar.AbsSquared, m.rfft(x, 8)) // 4, 5
			flat := m.node(graph.NewReshape(y, []int{20}))
			return []*graph.Node{m.op(scalar.Sub, m.crop(flat, 1, 19), m.crop(flat, 0, 19))}
		}, 2, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			outputs := c.build(maker{t})
			g := graphOf(outputs...)
			fused, err := Make(g, chip, Options{})
			if err != nil {
				t.Fatal(err)
			}
			apart, err := Make(g, chip, Options{NoLines: true})
			if err != nil {
				t.Fatal(err)
			}
			lines := 0
			for _, s := range fused.Steps {
				if _, ok := s.Program.(*ir.Line); ok {
					lines++
				}
			}
			if len(fused.Steps) != c.steps || lines != c.lines {
				for _, s := range fused.Steps {
					t.Logf("%s: %s %v", s.Label, s.Program.Name(), s.Program)
				}
				t.Fatalf("%d steps with %d line programs, want %d with %d", len(fused.Steps), lines, c.steps, c.lines)
			}
			r := rand.New(rand.NewPCG(1, 2))
			var leaves [][]byte
			for _, l := range g.Leaves {
				leaves = append(leaves, randomBytes(g.Nodes[l.Node], r))
			}
			want, got := run(t, g, apart, leaves), run(t, g, fused, leaves)
			for k, n := range outputs {
				for i := range n.Len() {
					a, b := reference.Load(n.Type, want[k], i), reference.Load(n.Type, got[k], i)
					if !near(a, b) {
						t.Fatalf("output %d element %d: fused %v, apart %v", k, i, b, a)
					}
				}
			}
		})
	}
}

// near allows for sums taken in another order.
func near(a, b reference.Value) bool {
	return a.Int == b.Int && cmplx.Abs(a.Num-b.Num) <= 1e-12*(1+cmplx.Abs(a.Num))
}

// Segments run one after the other, so a sum over all lines there are is left
// to a step of its own, which every worker can take part in.
func TestSumOfManyLinesStaysApart(t *testing.T) {
	m := maker{t}
	info := chip
	info.Workers = 4
	for _, c := range []struct{ batch, lines, steps int }{{1, 1000, 2}, {8, 1000, 1}, {1, 8, 1}} {
		x := m.data(elem.Float64, c.batch, c.lines, 64)
		power := m.op(scalar.AbsSquared, m.rfft(x, 64))
		p, err := Make(graphOf(m.node(graph.NewReduce(graph.Sum, power, []int{1}))), info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Steps) != c.steps {
			t.Errorf("%d x %d lines: %d steps, want %d", c.batch, c.lines, len(p.Steps), c.steps)
		}
	}
}

func TestLongLinesStayApart(t *testing.T) {
	m := maker{t}
	x, h := m.data(elem.Float64, 2, 1<<14), m.data(elem.Complex128, 1<<13+1)
	p, err := Make(graphOf(m.irfft(m.op(scalar.Mul, m.rfft(x, 1<<14), h), 1<<14)), chip, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 3 || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "not fused") {
		t.Fatalf("%d steps, notes %q", len(p.Steps), p.Notes)
	}
}

// Normal numbers are drawn in the launch that transforms them, but not where float64
// is emulated.
func TestEmulatedDrawsStayApart(t *testing.T) {
	m := maker{t}
	for _, c := range []struct {
		types []elem.Type
		steps int
	}{{[]elem.Type{elem.Float32, elem.Complex64}, 2}, {elem.All[:], 1}} {
		info := chip
		info.Types = c.types
		x := m.node(graph.NewRandom(graph.Place{}, scalar.RandNormal, elem.Float32, 7, []int{64}))
		p, err := Make(graphOf(m.op(scalar.AbsSquared, m.rfft(m.op(scalar.Mul, x, m.data(elem.Float32, 64)), 64))), info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Steps) != c.steps {
			t.Errorf("%v: %d steps, want %d", c.types, len(p.Steps), c.steps)
		}
	}
}

package kgen_test

import (
	"bytes"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Every kernel computes what the reference does, run by the processor.
func TestSimulatedKernels(t *testing.T) {
	for _, c := range programs() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkSimulated(t, c.make(1), few)
			checkSimulated(t, c.make(1), gpu)
		})
	}
}

// Arrays of more than 2^31 elements have kernels with 64-bit positions, which
// small ones can try out too.
func TestSimulatedWideKernels(t *testing.T) {
	defer kgen.SetNarrowMost(1)()
	for _, c := range programs() {
		if wideToo[c.name] {
			t.Run(c.name, func(t *testing.T) { checkSimulated(t, c.make(1), few) })
		}
	}
}

// spans are how many elements the operands of a program have.
func spans(p ir.Program) (reads, writes []int) {
	span := func(o ir.Operand, dims ...int) int {
		_, hi := o.Span(dims)
		return hi
	}
	switch p := p.(type) {
	case *ir.Map:
		for _, o := range p.In {
			reads = append(reads, span(o, p.Dims...))
		}
		writes = []int{span(p.Out[0], p.Dims...)}
	case *ir.Reduce:
		reads = []int{span(p.In[0], p.Dims...), span(p.Post.In[0], p.Outer()...)}
		writes = []int{span(p.Out, p.Outer()...)}
	case *ir.Scan:
		reads, writes = []int{ir.Count(p.Dims)}, []int{ir.Count(p.Dims)}
	case *ir.Sort:
		n := ir.Count(p.Dims)
		reads = []int{n}
		for range ir.Writes(p) {
			writes = append(writes, n/p.Dims[len(p.Dims)-1]*p.Keep)
		}
	case *ir.Gather:
		reads, writes = []int{p.AxisLen * p.AxisStride, p.Dims[0]}, []int{span(p.Out, p.Dims...)}
	case *ir.Scatter:
		reads, writes = []int{span(p.Updates, p.Dims...), p.Dims[0]}, []int{p.AxisLen * p.AxisStride}
	case *ir.Overlap:
		reads, writes = []int{span(p.In, p.InDims()...)}, []int{span(p.Out, p.OutDims()...)}
	case *ir.Gemm:
		b := ir.Count(p.Batch)
		reads, writes = []int{b * p.M * p.K, b * p.K * p.N}, []int{b * p.M * p.N}
	}
	return reads, writes
}

func checkSimulated(t *testing.T, p ir.Program, target kgen.Target) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(o ir.Operand, n int) []byte {
		b := make([]byte, n*o.Type.Size())
		for i := range n {
			z := complex(2*rng.Float64()-1, 2*rng.Float64()-1)
			if !o.Type.IsFloat() && !o.Type.IsComplex() {
				z *= 11 // as far as the indices may go
			}
			reference.Store(reference.Cast(o.Type, reference.Complex(elem.Complex128, z)), b, i)
		}
		return b
	}
	counts, outs := spans(p)
	var reads, got, want [][]byte
	for i, o := range ir.Reads(p) {
		reads = append(reads, random(o, counts[i]))
	}
	for i, o := range ir.Writes(p) {
		base := random(o, outs[i])
		got, want = append(got, base), append(want, bytes.Clone(base))
	}
	m, err := kgen.Generate(p, target)
	if err != nil {
		t.Fatal(err)
	}
	if cell, err := simulate.Run(m, reads, got, nil, true); err != nil || cell[0] != 0 {
		t.Fatal(err, cell)
	}
	if err := reference.Run(p, reads, want, nil); err != nil {
		t.Fatal(err)
	}
	for i, o := range ir.Writes(p) {
		for k := range outs[i] {
			g, w := reference.Load(o.Type, got[i], k), reference.Load(o.Type, want[i], k)
			if w.Float64() != w.Float64() && g.Float64() != g.Float64() {
				continue // the root of a negative sum
			}
			if off := cmplx.Abs(g.Num - w.Num); g.Int != w.Int || math.IsNaN(off) || off > closeTo(p, o.Type)*(1+cmplx.Abs(w.Num)) {
				t.Fatalf("element %d: %v, want %v", k, g, w)
			}
		}
	}
}

// A sum has the same bits however its operand lies, and those of the order it
// is known by: what is fused with it may change how it is added up.
func TestSumsDoNotDependOnLayout(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, dims := range [][]int{{5, 7}, {5, 90}, {3, 1000}, {2, 9000}, {1, 60_000}} {
		values := make([]float32, ir.Count(dims))
		for i := range values {
			values[i] = rng.Float32() - 0.3
		}
		want := make([]float32, dims[0])
		for i := range want {
			want[i] = order.SumOfLine(values[i*dims[1] : (i+1)*dims[1]])
		}
		for _, l := range []struct{ offset, step int }{{0, 1}, {1, 1}, {2, 1}, {3, 3}} {
			p := reduceOf(ir.Sum, elem.Float32, 1, dims, l.step*dims[1], l.step)
			p.In[0].Offset = l.offset
			in := make([]float32, l.offset+l.step*len(values))
			for i, v := range values {
				in[l.offset+i*l.step] = v
			}
			if got := sums(t, p, in); !slices.Equal(got, want) {
				t.Errorf("sums of %v from %d in steps of %d have other bits", dims, l.offset, l.step)
			}
		}
	}
}

// The same for sums of windows that overlap: short ones that slide by an element have kernels of their own.
func TestSumsOfWindowsAreThoseOfLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct{ n, hop, step int }{{2, 1, 1}, {5, 1, 1}, {16, 1, 1}, {33, 1, 1}, {64, 1, 1}, {65, 1, 1}, {64, 2, 1}, {40, 1, -1}} {
		const results = 700
		_, reach := operand(elem.Float32, 0, c.hop, max(c.step, -c.step)).Span([]int{results, c.n})
		values := make([]float32, reach)
		for i := range values {
			values[i] = rng.Float32() - 0.3
		}
		p := reduceOf(ir.Sum, elem.Float32, 1, []int{results, c.n}, c.hop, c.step)
		if c.step < 0 {
			p.In[0].Offset = c.n - 1
		}
		want, window := make([]float32, results), make([]float32, c.n)
		for i := range want {
			for k := range window {
				window[k] = values[p.In[0].Offset+i*c.hop+k*c.step]
			}
			want[i] = order.SumOfLine(window)
		}
		if got := sums(t, p, values); !slices.Equal(got, want) {
			t.Errorf("sums of windows of %d, by %d, in steps of %d, have other bits", c.n, c.hop, c.step)
		}
	}
}

// The same for sums over pairs of lines, as distances are, all of some with all of others: a thread has
// results of one and the same line.
func TestSumsOfPairsAreThoseOfLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	f32 := elem.Float32
	for _, c := range []struct {
		batch, some, others, n, gap int
		pairs                       bool
	}{{1, 513, 512, 3, 0, true}, {1, 520, 513, 32, 0, true}, {2, 300, 450, 5, 3, true}, {3, 30, 3000, 16, 0, true}, {1, 260, 1024, 8, 1, true}, {1, 40, 50, 8, 0, false}} {
		line := c.n + c.gap
		draw := func(n int) []float32 {
			x := make([]float32, n)
			for i := range x {
				x[i] = rng.Float32() - 0.3
			}
			return x
		}
		x, y := draw(c.batch*c.some*line), draw(c.others*line)
		dims := []int{c.batch, c.some, c.others, c.n}
		p := &ir.Reduce{Dims: dims, Inner: 1, Op: ir.Sum, Value: 3, Out: ir.Contiguous(f32, dims[:3])}
		p.In = []ir.Operand{operand(f32, 0, c.some*line, line, 0, 1), operand(f32, 0, 0, 0, line, 1)}
		p.Instrs = []ir.Instr{{Kind: ir.Load, Type: f32}, {Kind: ir.Load, Slot: 1, Type: f32},
			{Kind: ir.Apply, Op: scalar.Sub, Type: f32, A: 0, B: 1}, {Kind: ir.Apply, Op: scalar.Mul, Type: f32, A: 2, B: 2}}
		p.Post.Instrs = []ir.Instr{{Kind: ir.Acc, Type: f32}}
		m, err := kgen.Generate(p, few)
		if err != nil {
			t.Fatal(err)
		}
		if pairs := m.Kernels[0].Name == "pairs"; pairs != c.pairs {
			t.Errorf("%v: kernel %s", c, m.Kernels[0].Name)
		}
		out, want := make([]float32, ir.Count(dims[:3])), make([]float32, c.n)
		if _, err := simulate.Run(m, [][]byte{elem.Bytes(x), elem.Bytes(y)}, [][]byte{elem.Bytes(out)}, nil, true); err != nil {
			t.Fatal(err)
		}
		for at, got := range out {
			i, j := at/c.others, at%c.others
			for k := range want {
				d := x[i*line+k] - y[j*line+k]
				want[k] = d * d
			}
			if sum := order.SumOfLine(want); sum != got {
				t.Fatalf("%v: result %d is %g, want %g", c, at, got, sum)
			}
		}
	}
}

// The same for sums over rows.
func TestSumsOfRowsAreChains(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, dims := range [][]int{{40, 64}, {33, 65}, {1028, 1000}, {24, 9000}, {8, 300_000}} {
		values := make([]float32, ir.Count(dims))
		for i := range values {
			values[i] = rng.Float32() - 0.3
		}
		want, column := make([]float32, dims[0]), make([]float32, dims[1])
		for i := range want {
			for k := range column {
				column[k] = values[k*dims[0]+i]
			}
			want[i] = order.SumOfRows(column)
		}
		if got := sums(t, reduceOf(ir.Sum, elem.Float32, 1, dims, 1, dims[0]), values); !slices.Equal(got, want) {
			t.Errorf("sums of %d columns of %d have other bits", dims[0], dims[1])
		}
	}
}

// sums runs a reduction simulated; nothing is added to its results.
func sums(t *testing.T, p *ir.Reduce, in []float32) []float32 {
	t.Helper()
	m, err := kgen.Generate(p, few)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, ir.Count(p.Outer()))
	if _, err := simulate.Run(m, [][]byte{elem.Bytes(in), make([]byte, 4*len(out))}, [][]byte{elem.Bytes(out)}, nil, false); err != nil {
		t.Fatal(err)
	}
	return out
}

// Draws are the very bits of the reference, normal numbers included.
func TestSimulatedDraws(t *testing.T) {
	dims := []int{30, 1000}
	args := []scalar.Arg{{0x0123456789abcdef}, {math.MaxUint64 - 4, 200}}
	m := &ir.Map{Dims: dims}
	m.Positions = []ir.Operand{ir.Contiguous(elem.Int64, dims)}
	m.Instrs = []ir.Instr{{Kind: ir.Index, Type: elem.Int64}}
	var got, want [][]byte
	for _, d := range []struct {
		op scalar.Op
		t  elem.Type
	}{
		{scalar.RandBits, elem.Uint32}, {scalar.RandUniform, elem.Float32}, {scalar.RandUniform, elem.BFloat16}, {scalar.RandUniform, elem.Float64},
		{scalar.RandNormal, elem.Float64}, {scalar.RandNormal, elem.Float32}, {scalar.RandNormal, elem.Float16}, {scalar.RandInt, elem.Int64}, {scalar.RandInt, elem.Uint8},
	} {
		m.Value = append(m.Value, m.Last()+1)
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: d.op, Type: d.t})
		m.Out = append(m.Out, ir.Contiguous(d.t, dims))
		got, want = append(got, make([]byte, 30000*d.t.Size())), append(want, make([]byte, 30000*d.t.Size()))
	}
	mod, err := kgen.Generate(m, few)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := simulate.Run(mod, nil, got, args, true); err != nil {
		t.Fatal(err)
	}
	if err := reference.Run(m, nil, want, args); err != nil {
		t.Fatal(err)
	}
	for i, v := range m.Value {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("%s of %s differs from the reference", m.Instrs[v].Op, m.Out[i].Type)
		}
	}
}

// closeTo is how far sums may be off, relative to their size: these are of
// numbers around 0, so that they stay small beside the sum of magnitudes.
func closeTo(p ir.Program, t elem.Type) float64 {
	switch p.(type) {
	case *ir.Reduce, *ir.Scan, *ir.Gemm, *ir.Overlap:
	default:
		return 0
	}
	switch t.Real() {
	case elem.Float16, elem.BFloat16:
		return 1e-2
	case elem.Float64:
		return 1e-13
	}
	return 2e-5
}

// The conformance suite, on the machine.
func TestSimulatedConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the suite lane by lane")
	}
	devicetest.Run(t, func() device.Device {
		return &simulate.Device{Generate: func(p ir.Program) (*kgen.Module, error) { return kgen.Generate(p, h200) }}
	})
}

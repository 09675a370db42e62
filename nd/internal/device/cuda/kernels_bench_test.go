package cuda

import (
	"context"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// work is a program to be timed. Bytes are what it must read and write once,
// so that GB/s compares with a copy; Ops, where not 0, are what it computes.
type work struct {
	name    string
	program ir.Program
	indices int // axis length of the second operand's indices, if not 0
}

// chained is a map of the first operand, or of the first two.
func chained(dims []int, in []ir.Operand, out ir.Operand, ops ...scalar.Op) *ir.Map {
	m := &ir.Map{Dims: dims, Out: []ir.Operand{out}}
	for i, o := range in {
		m.In = append(m.In, o)
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Load, Type: o.Type, Slot: i})
	}
	for _, op := range ops {
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: op, Type: out.Type, A: ir.ValueID(max(len(m.Instrs)-len(in), 0)), B: ir.ValueID(len(in) - 1)})
	}
	m.Value = []ir.ValueID{m.Last()}
	return m
}

func reduced(op ir.ReduceOp, t elem.Type, dims, strides []int, outer int) *ir.Reduce {
	out := t
	if op >= ir.ArgMax {
		out = elem.Int64
	}
	r := &ir.Reduce{Dims: dims, Inner: len(dims) - outer, Op: op}
	r.In = []ir.Operand{{Type: t, Strides: strides}}
	r.Instrs = []ir.Instr{{Kind: ir.Load, Type: t}}
	r.Post.Instrs = []ir.Instr{{Kind: ir.Acc, Type: out}}
	r.Out = ir.Contiguous(out, dims[:outer])
	return r
}

func square(t elem.Type, n int) *ir.Gemm {
	o := ir.Contiguous(t, []int{n, n})
	return &ir.Gemm{M: n, N: n, K: n, A: o, B: o, Out: o}
}

func works() []work {
	const f, n = elem.Float32, 1 << 28
	flat := func(t elem.Type, n int) ir.Operand { return ir.Contiguous(t, []int{n}) }
	side := []int{16384, 16384}
	turned := ir.Operand{Type: f, Strides: []int{1, 16384}}
	bias := ir.Operand{Type: f, Strides: []int{0, 1}}
	line := []int{1 << 14, 1 << 12}
	many := []int{1 << 24}
	index := ir.Contiguous(elem.Int32, many)
	return []work{
		{"map/copy", chained([]int{n}, []ir.Operand{flat(f, n)}, flat(f, n)), 0},
		{"map/copy uint8", chained([]int{n}, []ir.Operand{flat(elem.Uint8, n)}, flat(elem.Uint8, n)), 0},
		{"map/copy offset", chained([]int{n - 1}, []ir.Operand{{Type: f, Offset: 1, Strides: []int{1}}}, flat(f, n-1)), 0},
		{"map/add", chained([]int{n}, []ir.Operand{flat(f, n), flat(f, n)}, flat(f, n), scalar.Add), 0},
		{"map/exp float16", chained([]int{n}, []ir.Operand{flat(elem.Float16, n)}, flat(elem.Float16, n), scalar.Exp), 0},
		{"map/sin", chained([]int{n}, []ir.Operand{flat(f, n)}, flat(f, n), scalar.Sin), 0},
		{"map/bias", chained(side, []ir.Operand{ir.Contiguous(f, side), bias}, ir.Contiguous(f, side), scalar.Add), 0},
		{"map/transpose", chained(side, []ir.Operand{turned}, ir.Contiguous(f, side)), 0},
		{"map/transpose float16", chained(side, []ir.Operand{{Type: elem.Float16, Strides: []int{1, 16384}}}, ir.Contiguous(elem.Float16, side)), 0},
		{"reduce/all", reduced(ir.Sum, f, []int{n}, []int{1}, 0), 0},
		{"reduce/rows", reduced(ir.Sum, f, []int{1 << 18, 1 << 10}, []int{1 << 10, 1}, 1), 0},
		{"reduce/short rows", reduced(ir.Sum, f, []int{1 << 24, 16}, []int{16, 1}, 1), 0},
		{"reduce/columns", reduced(ir.Sum, f, side, []int{1, 16384}, 1), 0},
		{"reduce/max float16", reduced(ir.Max, elem.Float16, []int{n}, []int{1}, 0), 0},
		{"reduce/argmax", reduced(ir.ArgMax, f, []int{1 << 16, 1 << 12}, []int{1 << 12, 1}, 1), 0},
		{"scan/one line", &ir.Scan{Dims: []int{n}, In: flat(f, n), Out: flat(f, n)}, 0},
		{"scan/lines", &ir.Scan{Dims: line, In: ir.Contiguous(f, line), Out: ir.Contiguous(f, line)}, 0},
		{"sort/one line", &ir.Sort{Dims: many, Keep: 1 << 24, In: flat(f, 1<<24), Values: new(flat(f, 1<<24))}, 0},
		{"sort/lines", &ir.Sort{Dims: []int{1 << 14, 1 << 10}, Keep: 1 << 10, In: ir.Contiguous(f, []int{1 << 14, 1 << 10}), Values: new(ir.Contiguous(f, []int{1 << 14, 1 << 10}))}, 0},
		{"sort/top 8", &ir.Sort{Dims: line, Keep: 8, In: ir.Contiguous(f, line), Places: new(ir.Contiguous(elem.Int64, []int{1 << 14, 8}))}, 0},
		{"gather/elements", &ir.Gather{Dims: many, Data: ir.Operand{Type: f, Strides: []int{0}}, Index: index, Out: flat(f, 1<<24), AxisStride: 1, AxisLen: 1 << 24}, 1 << 24},
		{"gather/rows", &ir.Gather{Dims: []int{1 << 18, 256}, Data: ir.Operand{Type: f, Strides: []int{0, 1}}, Index: ir.Operand{Type: elem.Int32, Strides: []int{1, 0}}, Out: ir.Contiguous(f, []int{1 << 18, 256}), AxisStride: 256, AxisLen: 1 << 18}, 1 << 18},
		{"scatter/elements", &ir.Scatter{Dims: many, Updates: flat(f, 1<<24), Index: index, Out: ir.Operand{Type: f, Strides: []int{0}}, AxisStride: 1, AxisLen: 1 << 20}, 1 << 20},
		{"gemm/float32", square(f, 4096), 0},
		{"gemm/float32 small", square(f, 512), 0},
		{"gemm/float64", square(elem.Float64, 4096), 0},
		{"gemm/complex64", square(elem.Complex64, 4096), 0},
		{"gemm/float16", square(elem.Float16, 8192), 0},
		{"gemm/bfloat16", square(elem.BFloat16, 8192), 0},
	}
}

// bytesOf is how many bytes an operand of a work takes, generously.
func bytesOf(w work, o ir.Operand, write bool) int {
	n := 1 << 28
	switch p := w.program.(type) {
	case *ir.Gemm:
		n = p.M * p.N
	case *ir.Scatter:
		if n = ir.Count(p.Dims); write {
			n = p.AxisLen
		}
	case *ir.Gather:
		n = 1 << 26
	case *ir.Reduce:
		if write {
			n = ir.Count(p.Outer())
		}
	default:
		if m, ok := p.(*ir.Map); ok {
			n = ir.Count(m.Dims) + 1
		}
	}
	return n * o.Type.Size()
}

// BenchmarkKernels times the kernels of every kind of program over memory
// larger than the caches: GB/s of what must be moved, TFLOP/s of products.
func BenchmarkKernels(b *testing.B) {
	if _, err := Count(); err != nil {
		b.Skip(err)
	}
	for _, w := range works() {
		b.Run(w.name, func(b *testing.B) { benchKernel(b, w) })
	}
}

func benchKernel(b *testing.B, w work) {
	d := openGPU(b)
	x := newBench(b, d)
	l := device.Launch{Kernel: x.kernel(w.program), Label: device.Label{Op: w.name}}
	moved := 0
	for i, o := range ir.Reads(w.program) {
		l.Reads = append(l.Reads, x.filled(o.Type, bytesOf(w, o, false), w.indices*i))
	}
	for _, o := range ir.Writes(w.program) {
		l.Writes = append(l.Writes, x.filled(o.Type, bytesOf(w, o, true), 0))
	}
	switch p := w.program.(type) {
	case *ir.Map:
		for _, o := range append(ir.Reads(p), ir.Writes(p)...) {
			moved += o.Touched(p.Dims) * o.Type.Size()
		}
	case *ir.Reduce:
		moved = ir.Count(p.Dims)*p.In[0].Type.Size() + ir.Count(p.Outer())*p.Out.Type.Size()
	case *ir.Scan:
		moved = 2 * ir.Count(p.Dims) * p.In.Type.Size()
	case *ir.Sort:
		moved = ir.Count(p.Dims) * p.In.Type.Size()
		for _, o := range ir.Writes(p) {
			moved += ir.Count(p.Dims) / p.Dims[len(p.Dims)-1] * p.Keep * o.Type.Size()
		}
	case *ir.Gather:
		moved = 2 * ir.Count(p.Dims) * p.Out.Type.Size()
	case *ir.Scatter:
		moved = ir.Count(p.Dims) * (p.Updates.Type.Size() + p.Index.Type.Size())
	}
	for range 3 {
		x.q.Launch(l)
	}
	x.wait()
	best := time.Duration(1 << 62)
	for b.Loop() {
		const times = 10
		start := time.Now()
		for range times {
			x.q.Launch(l)
		}
		x.wait()
		best = min(best, time.Since(start)/times)
	}
	b.ReportMetric(float64(best.Nanoseconds())/1e6, "ms")
	if g, ok := w.program.(*ir.Gemm); ok {
		b.ReportMetric(g.Ops()/float64(best.Nanoseconds())/1e3, "TFLOP/s")
		return
	}
	b.ReportMetric(float64(moved)/float64(best.Nanoseconds()), "GB/s")
}

func (b *bench) wait() {
	if err := b.q.Record().Wait(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// filled is a buffer of random numbers, or of indices below a length.
func (b *bench) filled(t elem.Type, bytes, indices int) device.Buffer {
	b.Helper()
	buf, err := b.dev.Alloc(bytes)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { b.dev.Free(buf) })
	op, args := scalar.RandUniform, []scalar.Arg{{1}, {0, uint64(indices)}}
	if indices > 0 {
		op = scalar.RandInt
	} else if t.IsComplex() {
		t = t.Real()
	} else if !t.IsFloat() {
		op, t = scalar.RandBits, elem.Uint32
	}
	dims := []int{bytes / t.Size()}
	m := &ir.Map{Dims: dims, Out: []ir.Operand{ir.Contiguous(t, dims)}, Value: []ir.ValueID{1}}
	m.Positions = []ir.Operand{ir.Contiguous(elem.Int64, dims)}
	m.Instrs = []ir.Instr{{Kind: ir.Index, Type: elem.Int64}, {Kind: ir.Apply, Op: op, Type: t, A: 0}}
	b.q.Launch(device.Launch{Kernel: b.kernel(m), Writes: []device.Buffer{buf}, Args: args})
	return buf
}

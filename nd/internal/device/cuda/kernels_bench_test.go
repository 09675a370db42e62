package cuda

import (
	"context"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// work is a program to be timed. Bytes are what it must read and write once,
// so that GB/s compares with a copy; Ops, where not 0, are what it computes.
type work struct {
	name    string
	program kern.Program
	indices int // axis length of the second operand's indices, if not 0
}

// chained is a map of the first operand, or of the first two.
func chained(dims []int, in []kern.Operand, out kern.Operand, ops ...scalar.Op) *kern.Map {
	m := &kern.Map{Dims: dims, Out: []kern.Operand{out}}
	for i, o := range in {
		m.In = append(m.In, o)
		m.Instrs = append(m.Instrs, kern.Instr{Kind: kern.Load, Type: o.Type, Slot: i})
	}
	for _, op := range ops {
		m.Instrs = append(m.Instrs, kern.Instr{Kind: kern.Apply, Op: op, Type: out.Type, A: max(len(m.Instrs)-len(in), 0), B: len(in) - 1})
	}
	m.Value = []int{len(m.Instrs) - 1}
	return m
}

func reduced(op kern.ReduceOp, t elem.Type, dims, strides []int, outer int) *kern.Reduce {
	out := t
	if op >= kern.ArgMax {
		out = elem.Int64
	}
	r := &kern.Reduce{Dims: dims, Inner: len(dims) - outer, Op: op}
	r.In = []kern.Operand{{Type: t, Strides: strides}}
	r.Instrs = []kern.Instr{{Kind: kern.Load, Type: t}}
	r.Post.Instrs = []kern.Instr{{Kind: kern.Acc, Type: out}}
	r.Out = kern.Contiguous(out, dims[:outer])
	return r
}

func square(t elem.Type, n int) *kern.Gemm {
	o := kern.Contiguous(t, []int{n, n})
	return &kern.Gemm{M: n, N: n, K: n, A: o, B: o, Out: o}
}

func works() []work {
	const f, n = elem.Float32, 1 << 28
	flat := func(t elem.Type, n int) kern.Operand { return kern.Contiguous(t, []int{n}) }
	side := []int{16384, 16384}
	turned := kern.Operand{Type: f, Strides: []int{1, 16384}}
	bias := kern.Operand{Type: f, Strides: []int{0, 1}}
	line := []int{1 << 14, 1 << 12}
	many := []int{1 << 24}
	index := kern.Contiguous(elem.Int32, many)
	return []work{
		{"map/copy", chained([]int{n}, []kern.Operand{flat(f, n)}, flat(f, n)), 0},
		{"map/copy uint8", chained([]int{n}, []kern.Operand{flat(elem.Uint8, n)}, flat(elem.Uint8, n)), 0},
		{"map/copy offset", chained([]int{n - 1}, []kern.Operand{{Type: f, Offset: 1, Strides: []int{1}}}, flat(f, n-1)), 0},
		{"map/add", chained([]int{n}, []kern.Operand{flat(f, n), flat(f, n)}, flat(f, n), scalar.Add), 0},
		{"map/exp float16", chained([]int{n}, []kern.Operand{flat(elem.Float16, n)}, flat(elem.Float16, n), scalar.Exp), 0},
		{"map/sin", chained([]int{n}, []kern.Operand{flat(f, n)}, flat(f, n), scalar.Sin), 0},
		{"map/bias", chained(side, []kern.Operand{kern.Contiguous(f, side), bias}, kern.Contiguous(f, side), scalar.Add), 0},
		{"map/transpose", chained(side, []kern.Operand{turned}, kern.Contiguous(f, side)), 0},
		{"map/transpose float16", chained(side, []kern.Operand{{Type: elem.Float16, Strides: []int{1, 16384}}}, kern.Contiguous(elem.Float16, side)), 0},
		{"reduce/all", reduced(kern.Sum, f, []int{n}, []int{1}, 0), 0},
		{"reduce/rows", reduced(kern.Sum, f, []int{1 << 18, 1 << 10}, []int{1 << 10, 1}, 1), 0},
		{"reduce/short rows", reduced(kern.Sum, f, []int{1 << 24, 16}, []int{16, 1}, 1), 0},
		{"reduce/columns", reduced(kern.Sum, f, side, []int{1, 16384}, 1), 0},
		{"reduce/max float16", reduced(kern.Max, elem.Float16, []int{n}, []int{1}, 0), 0},
		{"reduce/argmax", reduced(kern.ArgMax, f, []int{1 << 16, 1 << 12}, []int{1 << 12, 1}, 1), 0},
		{"scan/one line", &kern.Scan{Dims: []int{n}, In: flat(f, n), Out: flat(f, n)}, 0},
		{"scan/lines", &kern.Scan{Dims: line, In: kern.Contiguous(f, line), Out: kern.Contiguous(f, line)}, 0},
		{"sort/one line", &kern.Sort{Dims: many, Keep: 1 << 24, In: flat(f, 1<<24), Out: flat(f, 1<<24)}, 0},
		{"sort/lines", &kern.Sort{Dims: []int{1 << 14, 1 << 10}, Keep: 1 << 10, In: kern.Contiguous(f, []int{1 << 14, 1 << 10}), Out: kern.Contiguous(f, []int{1 << 14, 1 << 10})}, 0},
		{"sort/top 8", &kern.Sort{Dims: line, Keep: 8, Arg: true, In: kern.Contiguous(f, line), Out: kern.Contiguous(elem.Int64, []int{1 << 14, 8})}, 0},
		{"gather/elements", &kern.Gather{Dims: many, Data: kern.Operand{Type: f, Strides: []int{0}}, Index: index, Out: flat(f, 1<<24), AxisStride: 1, AxisLen: 1 << 24}, 1 << 24},
		{"gather/rows", &kern.Gather{Dims: []int{1 << 18, 256}, Data: kern.Operand{Type: f, Strides: []int{0, 1}}, Index: kern.Operand{Type: elem.Int32, Strides: []int{1, 0}}, Out: kern.Contiguous(f, []int{1 << 18, 256}), AxisStride: 256, AxisLen: 1 << 18}, 1 << 18},
		{"scatter/elements", &kern.Scatter{Dims: many, Updates: flat(f, 1<<24), Index: index, Out: kern.Operand{Type: f, Strides: []int{0}}, AxisStride: 1, AxisLen: 1 << 20}, 1 << 20},
		{"gemm/float32", square(f, 4096), 0},
		{"gemm/float32 small", square(f, 512), 0},
		{"gemm/float64", square(elem.Float64, 4096), 0},
		{"gemm/complex64", square(elem.Complex64, 4096), 0},
		{"gemm/float16", square(elem.Float16, 8192), 0},
		{"gemm/bfloat16", square(elem.BFloat16, 8192), 0},
	}
}

// bytesOf is how many bytes an operand of a work takes, generously.
func bytesOf(w work, o kern.Operand, write bool) int {
	n := 1 << 28
	switch p := w.program.(type) {
	case *kern.Gemm:
		n = p.M * p.N
	case *kern.Scatter:
		if n = kern.Count(p.Dims); write {
			n = p.AxisLen
		}
	case *kern.Gather:
		n = 1 << 26
	case *kern.Reduce:
		if write {
			n = kern.Count(p.Outer())
		}
	default:
		if m, ok := p.(*kern.Map); ok {
			n = kern.Count(m.Dims) + 1
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
	l := device.Launch{Kernel: x.kernel(w.program), Label: w.name}
	moved := 0
	for i, o := range w.program.Reads() {
		l.Reads = append(l.Reads, x.filled(o.Type, bytesOf(w, o, false), w.indices*i))
	}
	for _, o := range w.program.Writes() {
		l.Writes = append(l.Writes, x.filled(o.Type, bytesOf(w, o, true), 0))
	}
	switch p := w.program.(type) {
	case *kern.Map:
		for _, o := range append(p.Reads(), p.Writes()...) {
			moved += o.Touched(p.Dims) * o.Type.Size()
		}
	case *kern.Reduce:
		moved = kern.Count(p.Dims)*p.In[0].Type.Size() + kern.Count(p.Outer())*p.Out.Type.Size()
	case *kern.Scan:
		moved = 2 * kern.Count(p.Dims) * p.In.Type.Size()
	case *kern.Sort:
		moved = kern.Count(p.Dims)*p.In.Type.Size() + kern.Count(p.Dims)/p.Dims[len(p.Dims)-1]*p.Keep*p.Out.Type.Size()
	case *kern.Gather:
		moved = 2 * kern.Count(p.Dims) * p.Out.Type.Size()
	case *kern.Scatter:
		moved = kern.Count(p.Dims) * (p.Updates.Type.Size() + p.Index.Type.Size())
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
	if g, ok := w.program.(*kern.Gemm); ok {
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
	m := &kern.Map{Dims: dims, Out: []kern.Operand{kern.Contiguous(t, dims)}, Value: []int{1}}
	m.Positions = []kern.Operand{kern.Contiguous(elem.Int64, dims)}
	m.Instrs = []kern.Instr{{Kind: kern.Index, Type: elem.Int64}, {Kind: kern.Apply, Op: op, Type: t, A: 0}}
	b.q.Launch(device.Launch{Kernel: b.kernel(m), Writes: []device.Buffer{buf}, Args: args})
	return buf
}

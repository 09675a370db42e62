package cpu_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// The yardsticks of these benchmarks are BenchmarkCopy and BenchmarkRead.
// Compare within one run, and by the best of several: go test -bench . -count 6

const big = 64 << 20 // elements

// bench launches a program over fresh buffers b.N times.
func bench(b *testing.B, bytes int, p ir.Program, args ...scalar.Arg) {
	dev := cpu.Open(cpu.Options{})
	defer dev.Close()
	k, err := dev.Compile(p)
	if err != nil {
		b.Fatal(err)
	}
	q, err := dev.NewQueue()
	if err != nil {
		b.Fatal(err)
	}
	l := device.Launch{Kernel: k, Args: args, Label: device.Label{Op: b.Name()}}
	for _, o := range ir.Reads(p) {
		l.Reads = append(l.Reads, filled(b, dev, q, o))
	}
	for _, o := range ir.Writes(p) {
		l.Writes = append(l.Writes, filled(b, dev, q, o))
	}
	run := func() {
		q.Launch(l)
		if err := q.Record().Wait(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	run()
	if err := l.Writes[0].Err(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(bytes))
	for b.Loop() {
		run()
	}
}

// operandBytes is enough for every operand of these benchmarks.
func filled(b *testing.B, dev device.Device, q device.Queue, o ir.Operand) device.Buffer {
	n := 1 + o.Offset
	for _, s := range o.Strides {
		n = max(n, s)
	}
	buf, err := dev.Alloc(max(n, big) * o.Type.Size())
	if err != nil {
		b.Fatal(err)
	}
	data := make([]float32, buf.Bytes()/4)
	for i := range data {
		data[i] = float32(i%1000) * 0.001
	}
	q.Write(buf, elem.Bytes(data))
	return buf
}

// halves runs f on both halves of n elements at once, as both yardsticks do.
func halves(n int, f func(from, to int)) {
	var wait sync.WaitGroup
	wait.Go(func() { f(0, n/2) })
	f(n/2, n)
	wait.Wait()
}

func BenchmarkCopy(b *testing.B) {
	x, y := make([]float32, big), make([]float32, big)
	for i := range x {
		x[i], y[i] = 1, 2
	}
	b.SetBytes(8 * big)
	for b.Loop() {
		halves(big, func(from, to int) { copy(y[from:to], x[from:to]) })
	}
}

func BenchmarkRead(b *testing.B) {
	x := make([]float32, big)
	for i := range x {
		x[i] = 1
	}
	b.SetBytes(4 * big)
	for b.Loop() {
		readAll(x)
	}
}

// readAll adds 64-bit words, eight sums side by side, on both halves at once.
func readAll(x []float32) uint64 {
	words := elem.Slice[int64](elem.Bytes(x))
	var sums [2]int64
	halves(len(words), func(from, to int) {
		half := min(from, 1)
		var s [8]int64
		for ; from < to; from += 8 {
			v := (*[8]int64)(words[from:])
			s[0], s[1], s[2], s[3] = s[0]+v[0], s[1]+v[1], s[2]+v[2], s[3]+v[3]
			s[4], s[5], s[6], s[7] = s[4]+v[4], s[5]+v[5], s[6]+v[6], s[7]+v[7]
		}
		sums[half] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]
	})
	return uint64(sums[0] + sums[1])
}

// chain is y = ((((x+a)*b-x)*c+a)*b ...): eight operations, one input.
func chain(n int) *ir.Map {
	dims := []int{n}
	f := ir.Contiguous(elem.Float32, dims)
	m := &ir.Map{Dims: dims, Code: ir.Code{In: []ir.Operand{f}}, Out: []ir.Operand{f}}
	m.Instrs = []ir.Instr{{Kind: ir.Load, Type: elem.Float32}, {Kind: ir.Const, Type: elem.Float32}}
	last := ir.ValueID(0)
	for i, op := range []scalar.Op{scalar.Add, scalar.Mul, scalar.Sub, scalar.Mul, scalar.Maximum, scalar.Add, scalar.Mul, scalar.Minimum} {
		other := ir.ValueID(1)
		if i%3 == 2 {
			other = 0
		}
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: op, Type: elem.Float32, A: last, B: other})
		last = m.Last()
	}
	m.Value = []ir.ValueID{last}
	return m
}

func BenchmarkChain(b *testing.B) {
	bench(b, 8*big, chain(big), scalar.ArgOf(elem.Float32, 1.5))
}

func copyProgram(dims []int, in, out ir.Operand) *ir.Map {
	return &ir.Map{
		Dims: dims,
		Code: ir.Code{In: []ir.Operand{in}, Instrs: []ir.Instr{{Kind: ir.Load, Type: in.Type}}},
		Out:  []ir.Operand{out}, Value: []ir.ValueID{0},
	}
}

func BenchmarkDeviceCopy(b *testing.B) {
	f := ir.Contiguous(elem.Float32, []int{big})
	bench(b, 8*big, copyProgram([]int{big}, f, f))
}

func BenchmarkTransposedCopy(b *testing.B) {
	dims := []int{8192, 8192}
	in := ir.Operand{Type: elem.Float32, Strides: []int{1, 8192}}
	bench(b, 8*big, copyProgram(dims, in, ir.Contiguous(elem.Float32, dims)))
}

func reduction(dims []int, inner int, op ir.ReduceOp, in ir.Operand) *ir.Reduce {
	r := &ir.Reduce{Dims: dims, Inner: inner, Op: op}
	r.Code = ir.Code{In: []ir.Operand{in}, Instrs: []ir.Instr{{Kind: ir.Load, Type: in.Type}}}
	result := in.Type
	if op >= ir.ArgMax {
		result = elem.Int64
	}
	r.Post = ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: result}}}
	r.Out = ir.Contiguous(result, r.Outer())
	return r
}

func BenchmarkSum(b *testing.B) {
	bench(b, 4*big, reduction([]int{big}, 1, ir.Sum, ir.Contiguous(elem.Float32, []int{big})))
}

func BenchmarkSumRows(b *testing.B) {
	dims := []int{8192, 8192}
	bench(b, 4*big, reduction(dims, 1, ir.Sum, ir.Contiguous(elem.Float32, dims)))
}

func BenchmarkSumColumns(b *testing.B) {
	dims := []int{8192, 8192}
	bench(b, 4*big, reduction(dims, 1, ir.Sum, ir.Operand{Type: elem.Float32, Strides: []int{1, 8192}}))
}

func BenchmarkSmallLaunch(b *testing.B) {
	b.ReportAllocs()
	bench(b, 8*64, chain(64), scalar.ArgOf(elem.Float32, 1.5))
}

func fftProgram(lines, n int, columns bool) *ir.FFT {
	o := ir.Contiguous(elem.Complex64, []int{lines, n})
	if columns {
		o.Strides = []int{1, lines}
	}
	return &ir.FFT{Outer: []int{lines}, N: n, InLen: n, Scale: 1, In: o, Out: o}
}

func BenchmarkFFT(b *testing.B) {
	for _, n := range []int{64, 1024, 16384} {
		for _, columns := range []bool{false, true} {
			lines := (4 << 20) / n
			b.Run(fmt.Sprintf("n=%d/columns=%t", n, columns), func(b *testing.B) { bench(b, 16*lines*n, fftProgram(lines, n, columns)) })
		}
	}
}

func BenchmarkScan(b *testing.B) {
	dims := []int{4096, 4096}
	for name, in := range map[string]ir.Operand{
		"rows": ir.Contiguous(elem.Float32, dims), "columns": {Type: elem.Float32, Strides: []int{1, 4096}},
	} {
		b.Run(name, func(b *testing.B) { bench(b, 8*4096*4096, &ir.Scan{Dims: dims, Op: ir.Sum, In: in, Out: in}) })
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{64, 4096, 1 << 20} {
		dims := []int{(1 << 20) / n, n}
		o := ir.Contiguous(elem.Float32, dims)
		b.Run(fmt.Sprint(n), func(b *testing.B) { bench(b, 8<<20, &ir.Sort{Dims: dims, Keep: n, In: o, Values: new(o)}) })
	}
	dims := []int{256, 4096}
	o := ir.Contiguous(elem.Float32, dims)
	b.Run("top16", func(b *testing.B) {
		bench(b, 4<<20, &ir.Sort{Dims: dims, Keep: 16, In: o, Values: new(ir.Contiguous(elem.Float32, []int{256, 16}))})
	})
}

// BenchmarkMixedLayouts adds a matrix and the transpose of another.
func BenchmarkMixedLayouts(b *testing.B) {
	dims := []int{4096, 4096}
	x := ir.Contiguous(elem.Float32, dims)
	p := &ir.Map{Dims: dims, Code: ir.Code{
		In: []ir.Operand{x, {Type: elem.Float32, Strides: []int{1, 4096}}},
		Instrs: []ir.Instr{
			{Kind: ir.Load, Type: elem.Float32}, {Kind: ir.Load, Type: elem.Float32, Slot: 1},
			{Kind: ir.Apply, Op: scalar.Add, Type: elem.Float32, A: 0, B: 1},
		}}, Out: []ir.Operand{x}, Value: []ir.ValueID{2}}
	bench(b, 12*4096*4096, p)
}

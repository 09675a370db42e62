// Command instructions does a piece of work some number of times, for its
// executed instructions to be counted under emulation; count.sh does that.
//
//	instructions WORK TIMES
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/chain"
	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/internal/simd/median"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: instructions WORK TIMES"))
	}
	times, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fail(err)
	}
	run, err := work(os.Args[1])
	if err != nil {
		fail(err)
	}
	for range times {
		run()
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// work is a function that does a piece of work: c64, c128, r32 or r64 and a
// length for a transform, or a length and how many lines (15x64) for a batch; pass32, lead32, turn32, short32 or the same with 64 for a
// kernel; chain32 or chain64 and a length for eight operations on
// each element; gemm32 or gemm64 and a side for a product of squares; median and
// the size of a window that slides over 4096 samples.
func work(name string) (func(), error) {
	kind, size, _ := strings.Cut(name, ":")
	size, lines, many := strings.Cut(size, "x")
	n, err := strconv.Atoi(size)
	count := 1
	if err == nil && many {
		count, err = strconv.Atoi(lines)
	}
	if err != nil {
		return nil, fmt.Errorf("instructions: %s: %w", name, err)
	}
	switch kind {
	case "c64":
		return complexes[complex64](n, count)
	case "c128":
		return complexes[complex128](n, count)
	case "r32":
		return reals[float32, complex64](n, count)
	case "r64":
		return reals[float64, complex128](n, count)
	case "pass32", "lead32", "turn32", "short32":
		return kernel[float32](strings.TrimSuffix(kind, "32"), n)
	case "pass64", "lead64", "turn64", "short64":
		return kernel[float64](strings.TrimSuffix(kind, "64"), n)
	case "chain32":
		return chained(chain.F32(simd.Active()), n), nil
	case "chain64":
		return chained(chain.F64(simd.Active()), n), nil
	case "gemm32":
		return product[float32](n), nil
	case "gemm64":
		return product[float64](n), nil
	case "median":
		return medians(n), nil
	}
	return nil, fmt.Errorf("instructions: no work %q", name)
}

func complexes[C fft.Complex](n, count int) (func(), error) {
	p, err := fft.NewPlan[C](n)
	if err != nil {
		return nil, err
	}
	x, y := make([]C, n*count), make([]C, n*count)
	for i := range x {
		x[i] = C(complex(math.Sin(float64(i)), math.Cos(float64(2*i))))
	}
	if count > 1 {
		return func() { p.ForwardBatch(y, x, fft.Batch{Count: count}) }, nil
	}
	return func() { p.Forward(y, x) }, nil
}

func reals[R fft.Float, C fft.Complex](n, count int) (func(), error) {
	p, err := fft.NewRealPlan[R, C](n)
	if err != nil {
		return nil, err
	}
	x, y := make([]R, n*count), make([]C, (n/2+1)*count)
	for i := range x {
		x[i] = R(math.Sin(float64(i)))
	}
	if count > 1 {
		return func() { p.ForwardBatch(y, x, fft.Batch{Count: count}) }, nil
	}
	return func() { p.Forward(y, x) }, nil
}

// chained is |sqrt((x*a + y)^2) - b|*y + a: eight operations, a load and a store.
func chained[T chain.Float](m chain.Machine[T], n int) func() {
	x, y, out := make([]T, n), make([]T, n), make([]T, n)
	for i := range x {
		x[i], y[i] = T(i%7), T(i%5)
	}
	a, b := T(1.5), T(0.25)
	at := func(p *T) unsafe.Pointer { return unsafe.Pointer(p) }
	code := []chain.Instr{
		{Op: chain.Load, Addr: at(&x[0])},
		{Op: chain.MulScalar, Addr: at(&a)},
		{Op: chain.Add, Addr: at(&y[0])},
		{Op: chain.Square},
		{Op: chain.Sqrt},
		{Op: chain.SubScalar, Addr: at(&b)},
		{Op: chain.Abs},
		{Op: chain.Mul, Addr: at(&y[0])},
		{Op: chain.AddScalar, Addr: at(&a)},
		{Op: chain.Store, Addr: at(&out[0])},
	}
	return func() { m.Run(code, n/m.Group*m.Group) }
}

func product[T float32 | float64](n int) func() {
	square := func() gemm.Matrix[T] {
		m := gemm.Matrix[T]{Data: make([]T, n*n), Row: n, Col: 1}
		for i := range m.Data {
			m.Data[i] = T(i%11) - 5
		}
		return m
	}
	a, b, c := square(), square(), square()
	return func() { gemm.Mul(n, n, n, c, a, b, nil) }
}

func medians(size int) func() {
	x := make([]float64, 4096)
	for i := range x {
		x[i] = math.Sin(float64(i * i))
	}
	dst, slide := make([]float64, len(x)-size+1), median.For(simd.Active())
	return func() { slide(dst, x, size) }
}

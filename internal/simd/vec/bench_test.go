package vec

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// benchmarkLevels reports the bytes that a kernel reads and writes per second,
// on blocks that fit L1 and on slices that fit no cache.
func benchmarkLevels(b *testing.B, name string, bytes int, run func(t *Table, n int, stream bool)) {
	for _, c := range []struct {
		name   string
		n      int
		stream bool
	}{{"block", 2048, false}, {"stream", 1 << 23, true}} {
		for _, l := range simd.Available() {
			b.Run(fmt.Sprintf("%s/%s/%v", name, c.name, l), func(b *testing.B) {
				b.SetBytes(int64(c.n * bytes))
				for b.Loop() {
					run(For(l), c.n, c.stream)
				}
			})
		}
	}
}

func BenchmarkReal(b *testing.B) {
	const n = 1 << 23
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	truths := make([]bool, n)
	for i := range x {
		x[i], y[i] = float32(i%1000)*0.013+0.1, float32(i%77)
	}
	for _, k := range binaries {
		benchmarkLevels(b, k.name, 12, func(t *Table, n int, stream bool) { k.f32(t).VV(z[:n], x, y, stream) })
	}
	benchmarkLevels(b, "add scalar", 8, func(t *Table, n int, stream bool) { t.F32.Add.VS(z[:n], x, 3, stream) })
	benchmarkLevels(b, "less", 9, func(t *Table, n int, stream bool) { t.F32.Less.VV(truths[:n], x, y, stream) })
	benchmarkLevels(b, "where", 13, func(t *Table, n int, stream bool) { t.F32.Where.VV(z[:n], truths, x, y, stream) })
	for _, k := range plainUnaries {
		benchmarkLevels(b, k.name, 8, func(t *Table, n int, stream bool) { k.f32(t)(z[:n], x, stream) })
	}
	for _, k := range elementary {
		benchmarkLevels(b, k.name, 8, func(t *Table, n int, stream bool) { k.f32(t)(z[:n], x, stream) })
	}
}

func BenchmarkElementaryFloat64(b *testing.B) {
	const n = 1 << 23
	x, z := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = float64(i%1000)*0.013 + 0.1
	}
	for _, k := range elementary {
		benchmarkLevels(b, k.name, 16, func(t *Table, n int, stream bool) { k.f64(t)(z[:n], x, stream) })
	}
}

func BenchmarkReduce(b *testing.B) {
	const n = 1 << 23
	x := make([]float32, n)
	var keep float32
	benchmarkLevels(b, "sum", 4, func(t *Table, n int, _ bool) { keep += t.F32.Sum(x[:n]) })
	benchmarkLevels(b, "largest", 4, func(t *Table, n int, _ bool) { keep += t.F32.Largest(x[:n]) })
	if keep > 0 {
		b.Log(keep)
	}
}

func BenchmarkComplex(b *testing.B) {
	const n = 1 << 23
	x, y, z := make([]complex64, n), make([]complex64, n), make([]complex64, n)
	r := make([]float32, n)
	benchmarkLevels(b, "mul", 24, func(t *Table, n int, s bool) { t.C64.Mul.VV(z[:n], x, y, s) })
	benchmarkLevels(b, "mul real", 20, func(t *Table, n int, s bool) { t.C64.MulReal(z[:n], x, r, s) })
	benchmarkLevels(b, "abs", 12, func(t *Table, n int, s bool) { t.C64.Abs(r[:n], x, s) })
	benchmarkLevels(b, "abs squared", 12, func(t *Table, n int, s bool) { t.C64.AbsSquared(r[:n], x, s) })
	benchmarkLevels(b, "real", 12, func(t *Table, n int, s bool) { t.C64.Real(r[:n], x, s) })
	benchmarkLevels(b, "make", 16, func(t *Table, n int, s bool) { t.C64.Make(z[:n], r, r, s) })
}

func BenchmarkConvert(b *testing.B) {
	const n = 1 << 23
	f, h, i := make([]float32, n), make([]uint16, n), make([]int32, n)
	benchmarkLevels(b, "f16 to f32", 6, func(t *Table, n int, s bool) { t.Convert.F32FromF16(f[:n], h, s) })
	benchmarkLevels(b, "f32 to f16", 6, func(t *Table, n int, s bool) { t.Convert.F16FromF32(h[:n], f, s) })
	benchmarkLevels(b, "f32 to bf16", 6, func(t *Table, n int, s bool) { t.Convert.BF16FromF32(h[:n], f, s) })
	benchmarkLevels(b, "f32 to i32", 8, func(t *Table, n int, s bool) { t.Convert.I32FromF32(i[:n], f, s) })
}

func BenchmarkMove(b *testing.B) {
	const n = 1 << 26
	x, y := make([]byte, n), make([]byte, n)
	for _, l := range simd.Available() {
		for _, stream := range []bool{false, true} {
			b.Run(fmt.Sprintf("copy/%v/stream=%v", l, stream), func(b *testing.B) {
				b.SetBytes(2 * n)
				for b.Loop() {
					For(l).Move.Copy(y, x, stream)
				}
			})
		}
	}
}

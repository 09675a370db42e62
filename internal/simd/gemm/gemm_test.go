package gemm

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// sealed marks elements that a product must leave alone.
const sealed = -77

func random[T Element](rng *rand.Rand) T {
	var v any
	switch any(*new(T)).(type) {
	case float32:
		v = float32(rng.NormFloat64())
	case float64:
		v = rng.NormFloat64()
	case complex64:
		v = complex(float32(rng.NormFloat64()), float32(rng.NormFloat64()))
	case complex128:
		v = complex(rng.NormFloat64(), rng.NormFloat64())
	}
	return v.(T)
}

func wide[T Element](v T) complex128 {
	switch v := any(v).(type) {
	case float32:
		return complex(float64(v), 0)
	case float64:
		return complex(v, 0)
	case complex64:
		return complex128(v)
	case complex128:
		return v
	}
	panic("unreachable")
}

// layout lays a matrix out in memory in one of a few ways.
type layout int

const (
	rowMajor layout = iota
	colMajor
	gaps     // rows with room between them
	strided  // neither rows nor columns contiguous
	mirrored // both strides negative
	layouts
)

func (l layout) String() string {
	return [...]string{"rows", "columns", "gaps", "strided", "mirrored"}[l]
}

func lay[T Element](l layout, rows, cols int) Matrix[T] {
	switch l {
	case colMajor:
		return Matrix[T]{Data: make([]T, rows*cols+1), Row: 1, Col: rows}
	case gaps:
		return Matrix[T]{Data: make([]T, rows*(cols+3)+5), Offset: 5, Row: cols + 3, Col: 1}
	case strided:
		return Matrix[T]{Data: make([]T, rows*cols*6+1), Row: 3 * cols, Col: 2}
	case mirrored:
		return Matrix[T]{Data: make([]T, rows*cols+1), Offset: max(rows*cols-1, 0), Row: -cols, Col: -1}
	}
	return Matrix[T]{Data: make([]T, rows*cols+1), Row: cols, Col: 1}
}

func testProduct[T Element](t *testing.T, level simd.Level, m, n, k int, lc, la, lb layout, p Parallel) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(m*1000+n), uint64(k)))
	a, b, c := lay[T](la, m, k), lay[T](lb, k, n), lay[T](lc, m, n)
	for i := range a.Data {
		a.Data[i] = random[T](rng)
	}
	for i := range b.Data {
		b.Data[i] = random[T](rng)
	}
	for i := range c.Data {
		c.Data[i] = sealed
	}
	MulAt(level, m, n, k, c, a, b, p)
	eps := 0x1p-23
	switch any(*new(T)).(type) {
	case float64, complex128:
		eps = 0x1p-52
	}
	inside := map[int]bool{}
	for i := range m {
		for j := range n {
			var want complex128
			var size float64
			for q := range k {
				x, y := wide(a.Data[a.Offset+i*a.Row+q*a.Col]), wide(b.Data[b.Offset+q*b.Row+j*b.Col])
				want += x * y
				size += cmplx.Abs(x) * cmplx.Abs(y)
			}
			at := c.Offset + i*c.Row + j*c.Col
			inside[at] = true
			if d := cmplx.Abs(wide(c.Data[at]) - want); !(d <= eps*size*math.Sqrt(float64(k)+4)) {
				t.Fatalf("%v %dx%dx%d c %v a %v b %v: (%d, %d) = %v, want %v", level, m, n, k, lc, la, lb, i, j, c.Data[at], want)
			}
		}
	}
	for i, v := range c.Data {
		if !inside[i] && v != sealed {
			t.Fatalf("%v %dx%dx%d c %v: wrote outside, at %d", level, m, n, k, lc, i)
		}
	}
}

func allTypes(t *testing.T, level simd.Level, m, n, k int, lc, la, lb layout, p Parallel) {
	t.Helper()
	testProduct[float32](t, level, m, n, k, lc, la, lb, p)
	testProduct[float64](t, level, m, n, k, lc, la, lb, p)
	testProduct[complex64](t, level, m, n, k, lc, la, lb, p)
	testProduct[complex128](t, level, m, n, k, lc, la, lb, p)
}

func eachLevel(t *testing.T, f func(t *testing.T, level simd.Level)) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) { f(t, l) })
	}
}

func TestMulSizes(t *testing.T) {
	eachLevel(t, func(t *testing.T, level simd.Level) {
		for m := range 31 {
			for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40} {
				allTypes(t, level, m, n, (m*7+n*3)%12, rowMajor, rowMajor, rowMajor, nil)
			}
		}
		for k := range 20 {
			allTypes(t, level, 5, 6, k, rowMajor, rowMajor, rowMajor, nil)
		}
	})
}

func TestMulLayouts(t *testing.T) {
	eachLevel(t, func(t *testing.T, level simd.Level) {
		for lc := range layouts {
			for la := range layouts {
				for lb := range layouts {
					allTypes(t, level, 17, 35, 19, lc, la, lb, nil)
					allTypes(t, level, 1, 5, 4, lc, la, lb, nil)
					allTypes(t, level, 5, 1, 4, lc, la, lb, nil)
				}
			}
		}
	})
}

// spread runs tasks on goroutines of their own.
func spread(tasks int, run func(int)) {
	var wait sync.WaitGroup
	for t := range tasks {
		wait.Go(func() { run(t) })
	}
	wait.Wait()
}

// Blocks of depth, of rows and of columns meet at their borders.
func TestMulBlocks(t *testing.T) {
	eachLevel(t, func(t *testing.T, level simd.Level) {
		for _, s := range [][3]int{{150, 130, 515}, {9, 2070, 7}, {4100, 5, 3}, {33, 1050, 300}} {
			testProduct[float32](t, level, s[0], s[1], s[2], rowMajor, colMajor, rowMajor, nil)
			testProduct[complex128](t, level, s[0], s[1], s[2], gaps, rowMajor, colMajor, spread)
		}
	})
}

// The bits do not depend on how tasks run, nor on where in c an element is.
// A product that is added to c is that of Mul, and c, rounded.
func TestAddMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	draw := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = rng.NormFloat64()
		}
		return list
	}
	for _, s := range [][3]int{{1, 1, 1}, {3, 17, 5}, {40, 33, 70}, {20, 20, 600}} {
		m, n, k := s[0], s[1], s[2]
		a, b := Matrix[float64]{Data: draw(m * k), Row: k, Col: 1}, Matrix[float64]{Data: draw(k * n), Row: 1, Col: k}
		c, product := Matrix[float64]{Data: draw(m * (n + 2)), Row: n + 2, Col: 1}, Matrix[float64]{Data: make([]float64, m*(n+2)), Row: n + 2, Col: 1}
		before := append([]float64(nil), c.Data...)
		Mul(m, n, k, product, a, b, nil)
		AddMul(m, n, k, c, a, b, nil)
		for i, v := range c.Data {
			if math.Abs(v-before[i]-product.Data[i]) > 1e-13*float64(k) || i%(n+2) >= n && v != before[i] {
				t.Fatalf("%v: %g at %d, was %g, the product is %g", s, v, i, before[i], product.Data[i])
			}
		}
	}
}

func TestMulDeterministic(t *testing.T) {
	eachLevel(t, func(t *testing.T, level simd.Level) {
		const m, n, k = 131, 600, 333
		rng := rand.New(rand.NewPCG(1, 1))
		a, b := lay[float32](rowMajor, m, k), lay[float32](rowMajor, k, n)
		for i := range a.Data {
			a.Data[i] = random[float32](rng)
		}
		for i := range b.Data {
			b.Data[i] = random[float32](rng)
		}
		one, two := lay[float32](rowMajor, m, n), lay[float32](rowMajor, m, n)
		MulAt(level, m, n, k, one, a, b, nil)
		MulAt(level, m, n, k, two, a, b, spread)
		for i := range one.Data {
			if one.Data[i] != two.Data[i] {
				t.Fatalf("element %d: %v alone, %v in parallel", i, one.Data[i], two.Data[i])
			}
		}
		part := lay[float32](rowMajor, 3, n)
		MulAt(level, 3, n, k, part, Matrix[float32]{Data: a.Data, Offset: 50 * k, Row: k, Col: 1}, b, nil)
		for i, v := range part.Data[:3*n] {
			if v != one.Data[50*n+i] {
				t.Fatalf("element %d of rows 50..52: %v alone, %v in the whole", i, v, one.Data[50*n+i])
			}
		}
	})
}

func TestMulOutside(t *testing.T) {
	good := lay[float32](rowMajor, 4, 4)
	for name, bad := range map[string]Matrix[float32]{
		"short":    {Data: make([]float32, 15), Row: 4, Col: 1},
		"offset":   {Data: make([]float32, 16), Offset: 1, Row: 4, Col: 1},
		"backward": {Data: make([]float32, 16), Row: -4, Col: 1},
		"empty":    {Row: 4, Col: 1},
	} {
		for i := range 3 {
			operands := [3]Matrix[float32]{good, good, good}
			operands[i] = bad
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s operand %d: no panic", name, i)
					}
				}()
				Mul(4, 4, 4, operands[0], operands[1], operands[2], nil)
			}()
		}
	}
}

func TestMulAllocates(t *testing.T) {
	a := lay[float32](rowMajor, 64, 64)
	c := lay[float32](rowMajor, 64, 64)
	if n := testing.AllocsPerRun(100, func() { Mul(64, 64, 64, c, a, a, nil) }); n >= 1 {
		t.Errorf("a small product allocates %v times", n)
	}
}

func BenchmarkMul(b *testing.B) {
	for _, n := range []int{8, 16, 32, 64, 128, 256, 512, 1024} {
		for _, l := range simd.Available() {
			b.Run(fmt.Sprintf("float32/%d/%v", n, l), func(b *testing.B) { benchmark[float32](b, l, n) })
			b.Run(fmt.Sprintf("float64/%d/%v", n, l), func(b *testing.B) { benchmark[float64](b, l, n) })
		}
	}
}

func benchmark[T Element](b *testing.B, level simd.Level, n int) {
	x, y, c := lay[T](rowMajor, n, n), lay[T](rowMajor, n, n), lay[T](rowMajor, n, n)
	for i := range x.Data {
		x.Data[i], y.Data[i] = 1, 2
	}
	for b.Loop() {
		MulAt(level, n, n, n, c, x, y, nil)
	}
	b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()*1e-9, "GFlop/s")
}

// BenchmarkMulWide is products of few rows and many columns, such as those of convolutions.
func BenchmarkMulWide(b *testing.B) {
	for _, s := range [][3]int{{16, 2048, 144}, {32, 2048, 144}, {64, 512, 288}, {64, 4096, 64}, {100, 1000, 1000}, {139, 4096, 300}, {256, 256, 32}, {256, 32, 256}} {
		m, n, k := s[0], s[1], s[2]
		b.Run(fmt.Sprint(s), func(b *testing.B) {
			x, c := lay[float32](rowMajor, m, k), lay[float32](rowMajor, m, n)
			y := make([]Matrix[float32], max(1, 8<<20/(k*n))) // from memory
			for i := range y {
				y[i] = lay[float32](rowMajor, k, n)
			}
			least := time.Hour
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				Mul(m, n, k, c, x, y[i%len(y)], nil)
				least = min(least, time.Since(start))
			}
			b.ReportMetric(2*float64(m)*float64(n)*float64(k)/float64(least.Nanoseconds()), "most-GFlop/s")
		})
	}
}

// A product of few rows, which reads b where it lies, has the bits of the same rows among many, for
// which b is packed.
func TestMulFewRows(t *testing.T) {
	for _, level := range simd.Available() {
		fewRows[float32](t, level)
		fewRows[float64](t, level)
	}
}

func fewRows[T Element](t *testing.T, level simd.Level) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	for _, size := range [][2]int{{1, 1}, {32, 300}, {64, 256}, {77, 513}, {2100, 40}} {
		n, k := size[0], size[1]
		const many = 40
		a, b, all := lay[T](rowMajor, many, k), lay[T](gaps, k, n), lay[T](rowMajor, many, n)
		for i := range a.Data {
			a.Data[i] = random[T](rng)
		}
		for i := range b.Data {
			b.Data[i] = random[T](rng)
		}
		MulAt(level, many, n, k, all, a, b, nil)
		for _, m := range []int{1, 2, 4, 6, 7, 12, 14, 15} {
			few := lay[T](rowMajor, m, n)
			MulAt(level, m, n, k, few, a, b, nil)
			for i := range m * n {
				if few.Data[few.Offset+i] != all.Data[all.Offset+i] {
					t.Fatalf("%v %T: element %d of %d rows, %dx%d, differs from that of %d rows", level, few.Data[0], i, m, k, n, many)
				}
			}
		}
	}
}

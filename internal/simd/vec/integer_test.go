package vec

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestIntegerLevels(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		p := For(simd.Portable)
		testInteger(t, "uint8", &p.U8, &table.U8)
		testInteger(t, "int8", &p.I8, &table.I8)
		testInteger(t, "int16", &p.I16, &table.I16)
		testInteger(t, "int32", &p.I32, &table.I32)
		testInteger(t, "uint32", &p.U32, &table.U32)
		testInteger(t, "int64", &p.I64, &table.I64)
	})
}

// integersOf is a mix of extremes, small numbers and others.
func integersOf[T Int](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		switch rng.IntN(4) {
		case 0: // 0, -1, and those around the greatest and the least
			x[i] = T(rng.IntN(3)-1) ^ T(rng.IntN(2))<<(8*unsafe.Sizeof(x[i])-1)
		case 1:
			x[i] = T(rng.IntN(9) - 4)
		default:
			x[i] = T(rng.Uint64())
		}
	}
	return x
}

func testInteger[T Int](t *testing.T, name string, want, got *Integer[T]) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range append(lengths(), 511, 513) {
		x, y := integersOf[T](rng, n+1)[1:], integersOf[T](rng, n+1)[1:]
		at := func(s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
		for op, k := range map[string][2]Lanes{
			"add": {want.Add, got.Add}, "sub": {want.Sub, got.Sub}, "mul": {want.Mul, got.Mul},
			"max": {want.Max, got.Max}, "min": {want.Min, got.Min}, "neg": {want.Neg, got.Neg}, "abs": {want.Abs, got.Abs},
		} {
			a := make([]T, n)
			k[0](at(a), at(x), at(y), n)
			b := guard(n, 3, T(77))
			k[1](at(b.slice()), at(x), at(y), n)
			inX, inY := slices.Clone(x), slices.Clone(y)
			k[1](at(inX), at(inX), at(y), n)
			k[1](at(inY), at(x), at(inY), n)
			for where, r := range map[string][]T{"apart": b.slice(), "in x": inX, "in y": inY} {
				if !slices.Equal(a, r) {
					t.Fatalf("%s of %d %s, %s: got %v, want %v", op, n, name, where, r, a)
				}
			}
			b.check(t)
		}
		for op, k := range map[string][2]Lanes{
			"equal": {want.Equal, got.Equal}, "not equal": {want.NotEqual, got.NotEqual},
			"less": {want.Less, got.Less}, "less or equal": {want.LessEqual, got.LessEqual},
			"greater": {want.Greater, got.Greater}, "greater or equal": {want.GreaterEqual, got.GreaterEqual},
		} {
			a, b := make([]uint8, n), guard(n, 1, uint8(77))
			k[0](unsafe.Pointer(unsafe.SliceData(a)), at(x), at(y), n)
			k[1](unsafe.Pointer(unsafe.SliceData(b.slice())), at(x), at(y), n)
			if r := b.slice(); !slices.Equal(a, r) {
				t.Fatalf("%s of %d %s: got %v, want %v", op, n, name, r, a)
			}
			b.check(t)
		}
		if n == 0 {
			continue
		}
		for op, k := range map[string][2]func([]T) T{
			"sum": {want.Sum, got.Sum}, "largest": {want.Largest, got.Largest}, "least": {want.Least, got.Least},
		} {
			for range 3 {
				if a, b := k[0](x), k[1](x); a != b {
					t.Fatalf("%s of %d %s: got %v, want %v", op, n, name, b, a)
				}
				x[rng.IntN(n)] = integersOf[T](rng, 1)[0]
			}
		}
	}
}

func TestChooseLevels(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		testChoose[uint8](t, For(simd.Portable).Choose1, table.Choose1)
		testChoose[uint16](t, For(simd.Portable).Choose2, table.Choose2)
	})
}

func testChoose[T uint8 | uint16](t *testing.T, want, got Choose) {
	rng := rand.New(rand.NewPCG(4, 4))
	at := func(s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
	for _, n := range lengths() {
		cond, x, y, a := make([]uint8, n), make([]T, n), make([]T, n), make([]T, n)
		for i := range cond {
			cond[i], x[i], y[i] = uint8(max(0, rng.IntN(512)-256)), T(rng.Uint32()), T(rng.Uint32())
		}
		b := guard(n, 1, T(77))
		want(at(a), unsafe.Pointer(unsafe.SliceData(cond)), at(x), at(y), n)
		got(at(b.slice()), unsafe.Pointer(unsafe.SliceData(cond)), at(x), at(y), n)
		if r := b.slice(); !slices.Equal(a, r) {
			t.Fatalf("%d of %d bytes: got %v, want %v", n, unsafe.Sizeof(a[0]), r, a)
		}
		b.check(t)
	}
}

func TestQuotients(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		testQuotients(t, &table.U8, 1<<8)
		testQuotients(t, &table.I8, 1<<8)
		testQuotients(t, &table.I16, 1<<16)
		testQuotients(t, &table.I32, 1<<12)
		testQuotients(t, &table.U32, 1<<12)
	})
}

// testQuotients divides all integers of a type, or random ones and those around multiples.
func testQuotients[T Int](t *testing.T, k *Integer[T], count int) {
	rng := rand.New(rand.NewPCG(6, 6))
	x := make([]T, count+1)
	got := make([]T, len(x))
	for trial := range 256 {
		y := T(trial - 128)
		if trial%2 == 1 {
			y = integersOf[T](rng, 1)[0]
		}
		if y+1 < 3 && y+1 >= 0 { // -1, 0 and 1
			continue
		}
		for i := range x {
			x[i] = T(i)
			if count == 1<<12 {
				x[i] = T(rng.Uint64())
				if i%2 == 0 {
					x[i] = x[i]/y*y + T(rng.IntN(3)) - 1
				}
			}
		}
		if !k.Quotients(unsafe.Pointer(&got[0]), unsafe.Pointer(&x[0]), y, len(x)) {
			t.Fatal("no quotients")
		}
		for i := range x {
			if got[i] != x[i]/y {
				t.Fatalf("%d / %d = %d, got %d (%T)", x[i], y, x[i]/y, got[i], y)
			}
		}
	}
}

package vec

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestCastLevels(t *testing.T) {
	sizes := map[string]int{"uint8": 1, "int8": 1, "int16": 2, "int32": 4, "uint32": 4, "int64": 8, "float32": 4, "float64": 8}
	levels(t, func(t *testing.T, table *Table) {
		rng := rand.New(rand.NewPCG(5, 5))
		for key, want := range For(simd.Portable).Casts {
			to, from := sizes[key[0]], sizes[key[1]]
			for _, n := range append(lengths(), 511, 513) {
				x := make([]byte, n*from+from)[from:]
				for i := range n {
					v := rng.Uint64() >> rng.IntN(64)
					switch rng.IntN(3) {
					case 0: // near an end of some type
						v = 1<<(7+rng.IntN(8)*8) + uint64(rng.IntN(3)) - 1
					case 1:
						v = -v
					}
					if scale := []float32{1, 13, 255, 32767, 0x1p31, 0x1p32, 0x1p40, 0x1p63}[rng.IntN(8)]; key[1] == "float32" {
						v = uint64(math.Float32bits(values[float32](rng, 1)[0] * scale))
					} else if key[1] == "float64" {
						near := values[float64](rng, 1)[0] * float64(scale)
						if rng.IntN(2) == 0 {
							near = []float64{127, 255, 32767, -32768, 0x1p31, 0x1p32, -0x1p32, 0x1p52, 0x1p53, 0x1p63, -0x1p63}[rng.IntN(11)]
							near += float64(rng.IntN(5)-2) / 2
						}
						v = math.Float64bits(near)
					}
					copy(x[i*from:], unsafe.Slice((*byte)(unsafe.Pointer(&v)), from))
				}
				a, b := make([]byte, n*to), guard(n*to, to, uint8(77))
				at := func(s []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }
				want(at(a), at(x), n)
				table.Casts[key](at(b.slice()), at(x), n)
				if !bytes.Equal(a, b.slice()) {
					t.Fatalf("%d of %v: %x gives %x, want %x", n, key, x, b.slice(), a)
				}
				b.check(t)
				if to == from {
					table.Casts[key](at(x), at(x), n)
					if !bytes.Equal(a, x) {
						t.Fatalf("%d of %v in place: %x, want %x", n, key, x, a)
					}
				}
			}
		}
	})
}

func TestTruncated(t *testing.T) {
	for x, want := range map[float32][3]int{
		-1e10: {-128, 0, -32768}, -32769: {-128, 0, -32768}, -128.9: {-128, 0, -128}, -1.5: {-1, 0, -1}, 0.9: {0, 0, 0}, 127.9: {127, 127, 127},
		128: {127, 128, 128}, 256: {127, 255, 256}, 32767.9: {127, 255, 32767}, 3e38: {127, 255, 32767},
		float32(math.Inf(1)): {127, 255, 32767}, float32(math.Inf(-1)): {-128, 0, -32768}, float32(math.NaN()): {},
	} {
		var i8 int8
		var u8 uint8
		var i16 int16
		truncated[int8, float32](unsafe.Pointer(&i8), unsafe.Pointer(&x), 1)
		truncated[uint8, float32](unsafe.Pointer(&u8), unsafe.Pointer(&x), 1)
		truncated[int16, float32](unsafe.Pointer(&i16), unsafe.Pointer(&x), 1)
		if got := [3]int{int(i8), int(u8), int(i16)}; got != want {
			t.Errorf("%v became %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float32][2]int64{
		-1.5: {0, -1}, 0.9: {0, 0}, 0x1p31: {1 << 31, 1 << 31}, 0x1.fffffep31: {1<<32 - 1<<8, 1<<32 - 1<<8}, 0x1p32: {1<<32 - 1, 1 << 32},
		-0x1.8p33: {0, -3 << 32}, 0x1.fffffep62: {1<<32 - 1, 1<<63 - 1<<39}, 0x1p63: {1<<32 - 1, math.MaxInt64}, -0x1p63: {0, math.MinInt64},
		-0x1p64: {0, math.MinInt64}, float32(math.Inf(1)): {1<<32 - 1, math.MaxInt64}, float32(math.Inf(-1)): {0, math.MinInt64}, float32(math.NaN()): {},
	} {
		var u32 uint32
		var i64 int64
		truncatedWide[uint32, float32](unsafe.Pointer(&u32), unsafe.Pointer(&x), 1)
		truncatedWide[int64, float32](unsafe.Pointer(&i64), unsafe.Pointer(&x), 1)
		if got := [2]int64{int64(u32), i64}; got != want {
			t.Errorf("%v became %v, want %v", x, got, want)
		}
	}
}

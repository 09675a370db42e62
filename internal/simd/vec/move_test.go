package vec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

var sizes = []int{1, 2, 4, 8, 16}

// noise is n random bytes, aligned to 64.
func noise(rng *rand.Rand, n int) []byte {
	b := aligned(n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func aligned(n int) []byte {
	b := make([]byte, n+64)
	skip := int(-uintptr(unsafe.Pointer(&b[0])) % 64)
	return b[skip : skip+n : skip+n]
}

func TestTranspose(t *testing.T) {
	for _, l := range simd.Available() {
		t.Run(l.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 1))
			turn := For(l).Move.Transpose
			for _, size := range sizes {
				for trial := range 400 {
					rows, cols := rng.IntN(40), rng.IntN(40)
					if trial%40 == 0 {
						cols = 1100
					}
					across, down := cols+rng.IntN(5), rows+rng.IntN(5)
					if trial%40 == 1 { // rows of dst that are claimed, the last block in part
						cols, down = 50+rng.IntN(40), 1<<20/40/size+rng.IntN(3)
						rows = min(1100, rng.IntN(1+3000/size))
						across = cols
					}
					shift := rng.IntN(3) * size
					if trial%3 == 0 { // aligned, so that stores may stream
						down, shift = (rows+63)&^63, 0
					}
					src := noise(rng, rows*across*size+size)
					dst := noise(rng, shift+(cols+1)*down*size+64)
					want := bytes.Clone(dst)
					for r := range rows {
						for c := range cols {
							copy(want[shift+(c*down+r)*size:][:size], src[(r*across+c)*size:][:size])
						}
					}
					turn(size, unsafe.Pointer(&dst[shift]), unsafe.Pointer(&src[0]), down, across, rows, cols, trial%2 == 0)
					if !bytes.Equal(dst, want) {
						t.Fatalf("size %d, %dx%d, strides %d and %d: wrong", size, rows, cols, across, down)
					}
				}
			}
		})
	}
}

func TestGatherScatter(t *testing.T) {
	for _, l := range simd.Available() {
		rng := rand.New(rand.NewPCG(2, 2))
		move := For(l).Move
		const start = 5 * 1000 * 16
		src := noise(rng, 2*start+32)
		for _, size := range sizes {
			for stride := -5; stride <= 5; stride++ {
				for _, n := range lengths() {
					dst := noise(rng, n*size+size)
					want := bytes.Clone(dst)
					for i := range n {
						copy(want[i*size:][:size], src[start+i*stride*size:][:size])
					}
					move.Gather(size, unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[start]), stride, n)
					if !bytes.Equal(dst, want) {
						t.Fatalf("%v: gather size %d stride %d n %d: wrong", l, size, stride, n)
					}
					if n > 70 || stride == 0 {
						continue
					}
					want = bytes.Clone(src)
					for i := range n {
						copy(want[start+i*stride*size:][:size], dst[i*size:][:size])
					}
					move.Scatter(size, unsafe.Pointer(&src[start]), unsafe.Pointer(&dst[0]), stride, n)
					if !bytes.Equal(src, want) {
						t.Fatalf("%v: scatter size %d stride %d n %d: wrong", l, size, stride, n)
					}
				}
			}
		}
	}
}

func TestCopyFill(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, l := range simd.Available() {
		move := For(l).Move
		for _, n := range append(lengths(), 5000) {
			for _, stream := range []bool{false, true} {
				src := noise(rng, n)
				dst := guard[byte](n, rng.IntN(70), 42)
				move.Copy(dst.slice(), src, stream)
				dst.check(t)
				if !bytes.Equal(dst.slice(), src) {
					t.Fatalf("%v: copy of %d, stream %v: wrong", l, n, stream)
				}
				four, eight := guard[uint32](n, rng.IntN(17), 42), guard[uint64](n, rng.IntN(9), 42)
				move.Fill4(four.slice(), 0xdeadbeef, stream)
				move.Fill8(eight.slice(), 0xdeadbeefcafe, stream)
				four.check(t)
				eight.check(t)
				for i := range n {
					if four.slice()[i] != 0xdeadbeef || eight.slice()[i] != 0xdeadbeefcafe {
						t.Fatalf("%v: fill of %d, stream %v: wrong at %d", l, n, stream, i)
					}
				}
			}
		}
	}
}

func BenchmarkTranspose(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, side := range []int{256, 4096} {
		src, dst := noise(rng, side*side*4), aligned(side*side*4)
		b.Run(fmt.Sprintf("%d/copy", side), func(b *testing.B) {
			b.SetBytes(int64(2 * len(src)))
			for b.Loop() {
				copy(dst, src)
			}
		})
		for _, l := range simd.Available() {
			for _, size := range sizes {
				for _, stream := range []bool{false, true} {
					n := side
					for n*n*size > len(src) {
						n /= 2
					}
					b.Run(fmt.Sprintf("%d/size%d/%v/stream=%v", side, size, l, stream), func(b *testing.B) {
						b.SetBytes(int64(2 * n * n * size))
						for b.Loop() {
							For(l).Move.Transpose(size, unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), n, n, n, n, stream)
						}
					})
				}
			}
		}
	}
}

package transform

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lines of a batch have the bits of lines by themselves, whether they go in lanes or not.
func TestLanesKeepBits(t *testing.T) {
	for _, level := range simd.Available() {
		lanesKeepBits[complex64](t, level)
		lanesKeepBits[complex128](t, level)
		realLanesKeepBits[float32, complex64](t, level)
		realLanesKeepBits[float64, complex128](t, level)
	}
}

// lanesCount is several vectors of lines, one, half a one, and a few more.
const lanesCount = 4*16 + 16 + 8 + 3

func lanesKeepBits[C Complex](t *testing.T, level simd.Level) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 2; n <= 320; n++ {
		p, err := New[C](recipe.For(n, Target[C](level)), level)
		if err != nil {
			t.Fatal(err)
		}
		if p.lanes == nil && (p.whole == nil || p.whole.many == nil) {
			continue
		}
		p = p.Scaled([]float64{1, 0.3}[n%2])
		srcDist, dstDist := n+n%3, n+n%4
		src, dst := make([]C, lanesCount*srcDist), make([]C, lanesCount*dstDist)
		fill(rng, src)
		scratch := make([]C, max(p.BatchScratchLen(lanesCount), p.ScratchLen()))
		line := make([]C, n)
		for _, inverse := range []bool{false, true} {
			p.Batch(dst, src, scratch, lanesCount, dstDist, srcDist, inverse)
			for i := range lanesCount {
				if inverse {
					p.Inverse(line, src[i*srcDist:], scratch)
				} else {
					p.Forward(line, src[i*srcDist:], scratch)
				}
				if at := differing(line, dst[i*dstDist:]); at >= 0 {
					t.Fatalf("%v %T n=%d inverse %v: element %d of line %d differs from that of a line by itself", level, line[0], n, inverse, at, i)
				}
			}
		}
		p.Batch(src, src, scratch, lanesCount, srcDist, srcDist, true)
		for i := range lanesCount {
			if at := differing(dst[i*dstDist:][:n], src[i*srcDist:]); at >= 0 {
				t.Fatalf("%v %T n=%d: in place element %d of line %d differs", level, line[0], n, at, i)
			}
		}
	}
}

func realLanesKeepBits[R Float, C Complex](t *testing.T, level simd.Level) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 2; n <= 320; n++ {
		p, err := NewReal[R, C](recipe.ForReal(n, Target[C](level)), level)
		if err != nil {
			t.Fatal(err)
		}
		if p.lanes == nil {
			continue
		}
		p = p.Scaled([]float64{1, 0.3}[n/2%2])
		binDist, sampleDist := p.Bins()+n/2%3, n+2*(n/2%2)
		bins, samples := make([]C, lanesCount*binDist), make([]R, lanesCount*sampleDist)
		fill(rng, bins)
		scratch := make([]C, max(p.BatchScratchLen(lanesCount), p.ScratchLen()))
		p.InverseBatch(samples, bins, scratch, lanesCount, sampleDist, binDist)
		for i := range lanesCount {
			line := make([]R, n)
			p.Inverse(line, bins[i*binDist:], scratch)
			if at := differing(line, samples[i*sampleDist:]); at >= 0 {
				t.Fatalf("%v %T n=%d: sample %d of line %d differs from that of a line by itself", level, line[0], n, at, i)
			}
		}
		p.ForwardBatch(bins, samples, scratch, lanesCount, binDist, sampleDist)
		for i := range lanesCount {
			line := make([]C, p.Bins())
			p.Forward(line, samples[i*sampleDist:], scratch)
			if at := differing(line, bins[i*binDist:]); at >= 0 {
				t.Fatalf("%v %T n=%d: bin %d of line %d differs from that of a line by itself", level, samples[0], n, at, i)
			}
		}
	}
}

func fill[C Complex](rng *rand.Rand, x []C) {
	for i := range x {
		x[i] = C(complex(rng.NormFloat64(), rng.NormFloat64()))
	}
}

// differing is the first element of want that got has not, bit by bit, or -1.
func differing[T any](want, got []T) int {
	size := int(unsafe.Sizeof(want[0]))
	bytes := func(x []T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(want)*size) }
	for i, b := range bytes(want) {
		if bytes(got)[i] != b {
			return i / size
		}
	}
	return -1
}

package transform

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// Lines with a recipe for lines by themselves have the same bits wherever they lie, and batches of
// them, which have another recipe, agree with them up to rounding.
func TestLinesAlone(t *testing.T) {
	for _, level := range simd.Available() {
		for _, n := range []int{1 << 13, 1 << 14, 44100} {
			t.Run(fmt.Sprintf("%v/complex64/%d", level, n), func(t *testing.T) { checkAlone[float32, complex64](t, n, level) })
		}
		for _, n := range []int{1 << 14, 1 << 16, 22050} {
			t.Run(fmt.Sprintf("%v/complex128/%d", level, n), func(t *testing.T) { checkAlone[float64, complex128](t, n, level) })
		}
	}
}

func checkAlone[R Float, C Complex](t *testing.T, n int, level simd.Level) {
	const count = 2
	target := Target[C](level)
	p, err := New[C](recipe.Alone(n, target), level)
	if err != nil {
		t.Fatal(err)
	}
	if level == simd.AVX2 && p.batch == p.line {
		t.Error("batches run as lines by themselves")
	}
	real, err := NewReal[R, C](recipe.ForReal(2*n, target), level)
	if err != nil {
		t.Fatal(err)
	}
	samples := make([]R, 2*count*n)
	for i := range samples {
		samples[i] = R(i*i%1009)/1009 - .5
	}
	src := pairs[R, C](samples)
	scratch := make([]C, max(p.ScratchLen(), p.BatchScratchLen(count), real.ScratchLen(), real.BatchScratchLen(count)))
	room := make([]C, n+1+cacheLine)
	there := unsafe.Slice((*C)(aligned(unsafe.Pointer(&room[0]))), n+1)
	together := make([]C, count*(n+1))
	for _, inverse := range []bool{false, true} {
		run := p.Forward
		if inverse {
			run = p.Inverse
		}
		p.Batch(together, src, scratch, count, n, n, inverse)
		for i := range count {
			from := src[i*n:][:n]
			run(there[:n], from, scratch)
			want := slices.Clone(there[:n])
			run(there[1:], from, scratch)
			if !slices.Equal(there[1:], want) {
				t.Errorf("inverse %t: other bits between cache lines", inverse)
			}
			copy(there, from)
			run(there[:n], there[:n], scratch)
			if !slices.Equal(there[:n], want) {
				t.Errorf("inverse %t: other bits in place", inverse)
			}
			if e := apart[R](together[i*n:][:n], want); !(e < roundings(p.shape.size)) {
				t.Errorf("inverse %t: line %d of a batch differs by %g", inverse, i, e)
			}
		}
	}
	bins := real.Bins()
	real.ForwardBatch(together, samples, scratch, count, bins, 2*n)
	for i := range count {
		real.Forward(there, samples[2*i*n:][:2*n], scratch)
		if e := apart[R](together[i*bins:][:bins], there); !(e < roundings(p.shape.size)) {
			t.Errorf("real line %d of a batch differs by %g", i, e)
		}
	}
}

// roundings bounds how far apart two transforms of components of the given bytes are.
func roundings(size int) float64 {
	if size == 4 {
		return 5e-7
	}
	return 1e-15
}

// apart is the norm of the difference of two lines beside that of the second.
func apart[R Float, C Complex](got, want []C) float64 {
	var off, all float64
	for i := range got {
		a, b := unpack[R](got[i])
		c, d := unpack[R](want[i])
		off += math.Pow(float64(a-c), 2) + math.Pow(float64(b-d), 2)
		all += math.Pow(float64(c), 2) + math.Pow(float64(d), 2)
	}
	return math.Sqrt(off / all)
}

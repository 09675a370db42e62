package fft

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// layouts are batches worth trying for lines of n elements: packed, apart,
// interleaved, odd strides, overlapping frames.
func layouts(n int) map[string]Batch {
	return map[string]Batch{
		"none":         {},
		"one":          {Count: 1},
		"packed":       {Count: 5},
		"many":         {Count: 37},
		"apart":        {Count: 19, DstDist: n + 3, SrcDist: n + 1},
		"interleaved":  {Count: 18, DstStride: 18, DstDist: 1, SrcStride: 18, SrcDist: 1},
		"columns":      {Count: 7, DstStride: 9, DstDist: 1, SrcStride: 11, SrcDist: 1},
		"to columns":   {Count: 33, DstStride: 33, DstDist: 1},
		"from columns": {Count: 17, SrcStride: 17, SrcDist: 1},
		"odd strides":  {Count: 6, DstStride: 3, SrcStride: 5},
		"both":         {Count: 4, DstStride: 5, DstDist: 1, SrcStride: 3, SrcDist: 3*n + 7},
		"woven":        {Count: 3, DstStride: 6, DstDist: 2, SrcStride: 6, SrcDist: 2},
		"frames":       {Count: 20, SrcDist: max(1, n/4)},
	}
}

// extent is how many elements a layout needs.
func extent(length, count, stride, dist int) int {
	s := newSide(length, stride, dist)
	return max(0, count-1)*s.dist + (length-1)*s.stride + 1
}

func TestBatchesEqualSingleLines(t *testing.T) {
	processors(t, 3)
	for _, level := range simd.Available() {
		for _, n := range []int{1, 2, 7, 8, 15, 16, 30, 60, 64, 101, 179, 256, 2048} {
			if testing.Short() && n > 64 {
				continue
			}
			t.Run(fmt.Sprintf("%v/%d", level, n), func(t *testing.T) {
				for name, b := range layouts(n) {
					checkBatch[complex64](t, n, name, b, level)
					checkBatch[complex128](t, n, name, b, level)
					checkRealBatch[float32, complex64](t, n, name, b, level)
					checkRealBatch[float64, complex128](t, n, name, b, level)
				}
			})
		}
	}
}

func checkBatch[C Complex](t *testing.T, n int, name string, b Batch, level simd.Level) {
	t.Helper()
	for _, threads := range []int{1, 3} {
		p, err := NewPlan[C](n, Options{Norm: NormOrtho, Threads: threads, level: level + 1})
		if err != nil {
			t.Fatal(err)
		}
		bar := 4 * bar[C](n, p.transform.Recipe())
		const guard = 99
		src := narrowed[C](uniform(extent(n, b.Count, b.SrcStride, b.SrcDist)))
		dst := slices.Repeat([]C{guard}, extent(n, b.Count, b.DstStride, b.DstDist)+5)
		if err := p.ForwardBatch(dst, src, b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		l := b.lines(n, n)
		written := map[int]bool{}
		line, want, got := make([]C, n), make([]C, n), make([]C, n)
		for i := range b.Count {
			for j := range n {
				line[j] = src[i*l.src.dist+j*l.src.stride]
				at := i*l.dst.dist + j*l.dst.stride
				got[j] = dst[at]
				written[at] = true
			}
			if err := p.Forward(want, line); err != nil {
				t.Fatal(err)
			}
			if d := distanceOf(got, want); !(d <= bar) {
				t.Errorf("%s: line %d of %d differs from a single transform by %.3g", name, i, b.Count, d)
			}
		}
		for i, v := range dst {
			if !written[i] && v != guard {
				t.Fatalf("%s: element %d of dst is in no line, but was written", name, i)
			}
		}
		// Back in place, with dst's layout on both sides.
		in := Batch{Count: b.Count, DstStride: b.DstStride, DstDist: b.DstDist, SrcStride: b.DstStride, SrcDist: b.DstDist}
		if err := p.InverseBatch(dst, dst, in); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range b.Count {
			for j := range n {
				line[j] = src[i*l.src.dist+j*l.src.stride]
				got[j] = dst[i*l.dst.dist+j*l.dst.stride]
			}
			if d := distanceOf(got, line); !(d <= bar) {
				t.Errorf("%s: line %d back in place is off by %.3g", name, i, d)
			}
		}
	}
}

func checkRealBatch[R Float, C Complex](t *testing.T, n int, name string, b Batch, level simd.Level) {
	t.Helper()
	for _, threads := range []int{1, 2} {
		p, err := NewRealPlan[R, C](n, Options{Threads: threads, level: level + 1})
		if err != nil {
			t.Fatal(err)
		}
		bins := p.Bins()
		if b.DstDist == n+3 {
			b.DstDist = bins + 3
		}
		bar := 2.5 * bar[C](n, p.real.Recipe())
		src := realPart[R](uniform(extent(n, b.Count, b.SrcStride, b.SrcDist)))
		dst := make([]C, extent(bins, b.Count, b.DstStride, b.DstDist))
		if err := p.ForwardBatch(dst, src, b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		l := b.lines(bins, n)
		line, want, got := make([]R, n), make([]C, bins), make([]C, bins)
		for i := range b.Count {
			gather(line, src[i*l.src.dist:], l.src, 1)
			gather(got, dst[i*l.dst.dist:], l.dst, 1)
			if err := p.Forward(want, line); err != nil {
				t.Fatal(err)
			}
			if d := distanceOf(got, want); !(d <= bar) {
				t.Errorf("%s: real line %d differs from a single transform by %.3g", name, i, d)
			}
		}
		if l.src.dist < n && l.src.stride == 1 {
			continue // frames overlap: nothing to come back to
		}
		back := make([]R, len(src))
		if err := p.InverseBatch(back, dst, Batch{
			Count: b.Count, SrcStride: b.DstStride, SrcDist: b.DstDist, DstStride: b.SrcStride, DstDist: b.SrcDist,
		}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range b.Count {
			for j := range n {
				at := i*l.src.dist + j*l.src.stride
				if d := float64(back[at] - src[at]); d > 20*bar || d < -20*bar {
					t.Fatalf("%s: real line %d sample %d came back as %v, want %v", name, i, j, back[at], src[at])
				}
			}
		}
	}
}

// The number of goroutines must not show in the result.
func TestThreadsGiveTheSameBits(t *testing.T) {
	processors(t, 8)
	for _, level := range simd.Available() {
		for _, c := range []struct{ n, count int }{
			{64, 1024}, {100, 333}, {1000, 50}, {2048, 1}, {2048, 41}, {4096, 64}, {1009, 40}, {1 << 17, 1}, {1 << 18, 1}, {99991, 1}, {120000, 1},
		} {
			if testing.Short() && c.n*c.count > 1<<16 {
				continue
			}
			var first []complex64
			x := narrowed[complex64](uniform(c.n * c.count))
			for _, threads := range []int{1, 2, 3, 8} {
				p, err := NewPlan[complex64](c.n, Options{Threads: threads, level: level + 1})
				if err != nil {
					t.Fatal(err)
				}
				y := make([]complex64, len(x))
				if err := p.ForwardBatch(y, x, Batch{Count: c.count}); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = y
				} else {
					same(t, fmt.Sprintf("%v: %d lines of %d on %d threads", level, c.count, c.n, threads), y, first)
				}
				if c.count == 1 {
					if err := p.Forward(y, x); err != nil {
						t.Fatal(err)
					}
					same(t, fmt.Sprintf("%v: a line of %d on %d threads", level, c.n, threads), y, first)
				}
			}
		}
	}
}

// The same for long real lines, there and back.
func TestThreadsGiveTheSameBitsOfRealLines(t *testing.T) {
	processors(t, 4)
	for _, level := range simd.Available() {
		for _, n := range []int{1 << 15, 1 << 18, 120000, 99991} {
			if testing.Short() && n > 1<<15 {
				continue
			}
			x := realPart[float32](uniform(n))
			var first []complex64
			var firstBack []float32
			for _, threads := range []int{1, 2, 4} {
				p, err := NewRealPlan[float32, complex64](n, Options{Threads: threads, level: level + 1})
				if err != nil {
					t.Fatal(err)
				}
				bins, back := make([]complex64, p.Bins()), make([]float32, n)
				if err := p.Forward(bins, x); err != nil {
					t.Fatal(err)
				}
				if err := p.Inverse(back, bins); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first, firstBack = bins, back
				}
				same(t, fmt.Sprintf("%v: %d samples on %d threads", level, n, threads), bins, first)
				if !slices.Equal(back, firstBack) {
					t.Errorf("%v: %d samples back on %d threads have other bits", level, n, threads)
				}
			}
		}
	}
}

// FuzzBatch tries layouts of any kind: those that are accepted must equal
// single transforms and write nothing else, the others must be errors.
func FuzzBatch(f *testing.F) {
	f.Add(uint8(8), 3, 1, 8, 1, 8, uint16(100), uint16(100))
	f.Add(uint8(5), 4, 4, 1, 4, 1, uint16(20), uint16(20))
	f.Add(uint8(1), math.MaxInt/2+1, math.MaxInt/2+1, math.MaxInt/2+1, 1, 1, uint16(9), uint16(9))
	f.Add(uint8(3), -1, 0, 0, 0, 0, uint16(9), uint16(9))
	f.Add(uint8(7), 2, -1, 3, 1, 7, uint16(50), uint16(50))
	f.Fuzz(func(t *testing.T, length uint8, count, dstStride, dstDist, srcStride, srcDist int, dstLen, srcLen uint16) {
		n := int(length)%40 + 1
		p, err := NewPlan[complex128](n)
		if err != nil {
			t.Fatal(err)
		}
		src := uniform(int(srcLen) % 5000)
		const guard = 99
		dst := slices.Repeat([]complex128{guard}, int(dstLen)%5000)
		b := Batch{Count: count, DstStride: dstStride, DstDist: dstDist, SrcStride: srcStride, SrcDist: srcDist}
		if err := p.ForwardBatch(dst, src, b); err != nil {
			for _, v := range dst {
				if v != guard {
					t.Fatalf("%+v: error %v, but dst was written", b, err)
				}
			}
			return
		}
		l := b.lines(n, n)
		written := map[int]bool{}
		line, want := make([]complex128, n), make([]complex128, n)
		for i := range count {
			for j := range n {
				line[j] = src[i*l.src.dist+j*l.src.stride]
			}
			if err := p.Forward(want, line); err != nil {
				t.Fatal(err)
			}
			for j := range n {
				at := i*l.dst.dist + j*l.dst.stride
				if written[at] {
					t.Fatalf("%+v: element %d belongs to two lines", b, at)
				}
				written[at] = true
				if d := dst[at] - want[j]; real(d)*real(d)+imag(d)*imag(d) > 1e-24 {
					t.Fatalf("%+v: line %d bin %d is %v, want %v", b, i, j, dst[at], want[j])
				}
			}
		}
		for i, v := range dst {
			if !written[i] && v != guard {
				t.Fatalf("%+v: element %d is in no line, but was written", b, i)
			}
		}
	})
}

func TestCollide(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		s := side{length: 1 + rng.IntN(12), stride: 1 + rng.IntN(14), dist: 1 + rng.IntN(14)}
		count := 1 + rng.IntN(12)
		seen, want := map[int]bool{}, false
		for b := range count {
			for i := range s.length {
				at := b*s.dist + i*s.stride
				want = want || seen[at]
				seen[at] = true
			}
		}
		if got := s.collide(count); got != want {
			t.Fatalf("%d lines of %+v: collide %t, want %t", count, s, got, want)
		}
	}
}

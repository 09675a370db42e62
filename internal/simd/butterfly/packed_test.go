package butterfly

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestPackedLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		packedAgree[float32](t, level, 4e-5)
		packedAgree[float64](t, level, 8e-14)
	}
}

func packedAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(5, uint64(level)))
	found := 0
	for n := 2; n <= 2*MaxWhole; n += 2 {
		for _, inverse := range []bool{false, true} {
			kernel, layout, bins := Packed[R](level, n, inverse)
			if kernel == nil {
				continue
			}
			found++
			var twin Kernel
			switch {
			case layout.Along != nil:
				bins = layout.Lanes
				twin = PortablePacked[R](n, layout, bins)
				if inverse {
					twin = PortableUnpacked[R](n, layout, bins)
				}
			case inverse:
				twin = PortableUnpacked[R](n, layout, bins)
			case layout.Rows == 0:
				layout.Rows = n // all of its table
				twin = PortableFolded[R](n, Lanes(level, 8*sizeof[R]()))
			default:
				twin = PortablePacked[R](n, layout, bins)
			}
			for trial := range 4 {
				p := Pass{Rows: 1 + trial, InRow: n + trial, OutRow: n/2 + 1 + 3*trial,
					Twiddle: randomTable[R](rng, n-n/layout.Rows+1), Factors: randomTable[R](rng, n/2)}
				q := p
				if layout.Along != nil {
					p.Twiddle, q.Twiddle = wholeTables[R](rng, n/2, layout)
					p.Factors, q.Factors = nil, halfRoots[R](n, inverse, bins)
				}
				if inverse {
					p.InRow, p.OutRow = p.OutRow, p.InRow
					q.InRow, q.OutRow = p.InRow, p.OutRow
				}
				// Elements of either kind have room for two components.
				src, got := newField[R](rng, p.Rows*p.InRow), newField[R](rng, p.Rows*p.OutRow)
				want := field[R]{append([]R(nil), got.data...)}
				scale := []float64{1, 0.7}[trial&1]
				sr, si := src.planes(Interleaved, false)
				gr, gi := got.planes(Interleaved, false)
				wr, wi := want.planes(Interleaved, false)
				kernel(&p, gr, gi, sr, si, scale)
				twin(&q, wr, wi, sr, si, scale)
				if d := got.far(want); !(d <= tolerance) {
					t.Errorf("%v %T n=%d inverse=%t: differs by %g", level, R(0), n, inverse, d)
				}
			}
		}
	}
	if level >= simd.AVX2 && found < 6 {
		t.Errorf("%v %T: %d kernels", level, R(0), found)
	}
}

// halfRoots are the Factors of portable code, see [Packed].
func halfRoots[R Float](n int, inverse bool, bins []int) unsafe.Pointer {
	order, w := roots.Of(n), make([]R, n/2)
	for i := range n / 4 {
		re, im := order.At(i)
		at := i/len(bins)*2*len(bins) + slices.Index(bins, i%len(bins))
		if w[at], w[at+len(bins)] = R(re/2), R(im/2); inverse {
			w[at], w[at+len(bins)] = R(-re), R(im)
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

// Packed lines have the same bits wherever they are, and however many there are. What is infinite stays
// apart from the imaginary parts of the bins that are real.
func TestPackedPlaces(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		packedPlaced[float32](t, level)
		packedPlaced[float64](t, level)
	}
}

func packedPlaced[R Float](t *testing.T, level simd.Level) {
	rng := rand.New(rand.NewPCG(6, uint64(level)))
	for n := 2; n <= 2*MaxWhole; n += 2 {
		for _, inverse := range []bool{false, true} {
			kernel, layout, _ := Packed[R](level, n, inverse)
			if kernel == nil || layout.Along == nil {
				continue
			}
			p := Pass{Rows: 1, Twiddle: TiltedTable[R](n/2, layout)}
			x := random[R](rng, n+2)
			room := make([]R, 3*n+256)
			first := (-int(uintptr(unsafe.Pointer(&room[0]))) & 63) / sizeof[R]() // begins a cache line
			size := n + 2
			if inverse {
				size = n
				x[1], x[n+1] = R(math.Inf(1)), R(math.NaN())
			}
			var want []R
			for i, skip := range []int{0, 2, 1, -1} {
				dst, src := room[first+max(skip, 0):][:size+8], x
				clear(dst)
				if skip < 0 {
					copy(dst, x)
					src = dst
				}
				kernel(&p, unsafe.Pointer(&dst[0]), unsafe.Pointer(&dst[1-bit(inverse)]), unsafe.Pointer(&src[0]), unsafe.Pointer(&src[bit(inverse)]), 1)
				if i == 0 {
					want = slices.Clone(dst[:size])
				} else if !slices.Equal(dst[:size], want) {
					t.Errorf("%v %T n=%d inverse %t: other bits in place %d", level, R(0), n, inverse, skip)
				}
				if skip >= 0 && slices.Max(dst[size:]) != 0 {
					t.Errorf("%v %T n=%d inverse %t: writes behind the line", level, R(0), n, inverse)
				}
			}
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

package butterfly

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestWholeLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		wholesAgree[float32](t, level, 2e-5)
		wholesAgree[float64](t, level, 4e-14)
	}
}

func wholesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(3, uint64(level)))
	for n := 2; n <= MaxWhole; n++ {
		kernel, layout := Whole[R](level, n)
		if kernel == nil {
			continue
		}
		for trial := range 4 {
			p := Pass{Rows: 1 + trial, InRow: n + trial, OutRow: n + 3*trial}
			var plain unsafe.Pointer
			p.Twiddle, plain = wholeTables[R](rng, n, layout)
			src, got := newField[R](rng, p.Rows*p.InRow), newField[R](rng, p.Rows*p.OutRow)
			want := field[R]{append([]R(nil), got.data...)}
			scale := []float64{1, 0.7}[trial&1]
			sr, si := src.planes(Interleaved, trial&1 == 0)
			other := trial&2 == 0
			if mixed := layout.Lanes[2] != 2; mixed {
				other = trial&1 == 0
			}
			gr, gi := got.planes(Interleaved, other)
			wr, wi := want.planes(Interleaved, other)
			kernel(&p, gr, gi, sr, si, scale)
			q := p
			q.Twiddle = plain
			PortableWhole[R](n, layout)(&q, wr, wi, sr, si, scale)
			if d := got.far(want); !(d <= tolerance) {
				t.Errorf("%v %T n=%d %+v: differs by %g", level, R(0), n, p, d)
			}
		}
	}
}

// Whole lines have the same bits in place, and wherever their destination begins.
func TestWholePlaces(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		wholesPlaced[float32](t, level)
		wholesPlaced[float64](t, level)
	}
}

func wholesPlaced[R Float](t *testing.T, level simd.Level) {
	rng := rand.New(rand.NewPCG(4, uint64(level)))
	for n := 2; n <= MaxWhole; n++ {
		kernel, layout := Whole[R](level, n)
		if kernel == nil {
			continue
		}
		for _, inverse := range []bool{false, true} {
			p := Pass{Rows: 2, InRow: n, OutRow: n}
			p.Twiddle, _ = wholeTables[R](rng, n, layout)
			x := random[R](rng, 4*n)
			room := make([]R, 4*n+256)
			first := (-int(uintptr(unsafe.Pointer(&room[0]))) & 63) / sizeof[R]() // begins a cache line
			var want []R
			for i, skip := range []int{0, 2, 1, -1} {
				dst, src := room[first+max(skip, 0):][:4*n], x
				if skip < 0 {
					copy(dst, x)
					src = dst
				}
				re, im := 0, 1
				if inverse {
					re, im = im, re
				}
				kernel(&p, unsafe.Pointer(&dst[re]), unsafe.Pointer(&dst[im]), unsafe.Pointer(&src[re]), unsafe.Pointer(&src[im]), 1)
				if i == 0 {
					want = slices.Clone(dst)
				} else if !slices.Equal(dst, want) {
					t.Errorf("%v %T n=%d inverse %t: other bits in place %d", level, R(0), n, inverse, skip)
				}
			}
		}
	}
}

// wholeTables are the tables of a kernel and of portable code: random numbers in place of the roots,
// the same where a column has two lanes, or the roots where a table has their tangents.
func wholeTables[R Float](rng *rand.Rand, n int, l Layout) (kernel, portable unsafe.Pointer) {
	lanes := len(l.Lanes)
	entries := 2 * (l.Rows - 1) * (n / l.Rows / l.Width() * lanes)
	table := unsafe.Slice((*R)(randomTable[R](rng, entries)), entries)
	portable = unsafe.Pointer(unsafe.SliceData(table))
	if !l.Tilted {
		if l.Lanes[0] == l.Lanes[1] {
			for i := 1; i < len(table); i += 2 {
				table[i] = table[i-1]
			}
		}
		return portable, portable
	}
	order := roots.Of(n)
	for i := 0; i < entries; i += 2 * lanes {
		vector := i / (2 * lanes)
		row, first := vector%(l.Rows-1)+1, vector/(l.Rows-1)*l.Width()
		for lane, c := range l.Lanes {
			re, im := order.At(row * (first + c))
			table[i+lane], table[i+lanes+lane] = R(re), R(im)
		}
	}
	return TiltedTable[R](n, l), portable
}

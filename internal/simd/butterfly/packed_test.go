package butterfly

import (
	"math/rand/v2"
	"testing"

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
				if inverse {
					p.InRow, p.OutRow = p.OutRow, p.InRow
				}
				// Elements of either kind have room for two components.
				src, got := newField[R](rng, p.Rows*p.InRow), newField[R](rng, p.Rows*p.OutRow)
				want := field[R]{append([]R(nil), got.data...)}
				scale := []float64{1, 0.7}[trial&1]
				sr, si := src.planes(Interleaved, false)
				gr, gi := got.planes(Interleaved, false)
				wr, wi := want.planes(Interleaved, false)
				kernel(&p, gr, gi, sr, si, scale)
				twin(&p, wr, wi, sr, si, scale)
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

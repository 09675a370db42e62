package butterfly

import (
	"math/rand/v2"
	"testing"

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
			p := Pass{Rows: 1 + trial, InRow: n + trial, OutRow: n + 3*trial,
				Twiddle: randomTable[R](rng, 2*(n-n/layout.Rows))}
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
			PortableWhole[R](n, layout)(&p, wr, wi, sr, si, scale)
			if d := got.far(want); !(d <= tolerance) {
				t.Errorf("%v %T n=%d %+v: differs by %g", level, R(0), n, p, d)
			}
		}
	}
}

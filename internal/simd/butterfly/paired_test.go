package butterfly

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestPairedLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		pairedAgree[float32](t, level, 1e-6)
		pairedAgree[float64](t, level, 2e-15)
	}
}

func pairedAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(6, uint64(level)))
	n := Lanes(level, 8*sizeof[R]())
	for radix := 2; radix <= MaxRadix; radix++ {
		kernel := Paired[R](level, radix)
		if kernel == nil {
			continue
		}
		for trial := range 8 {
			p := Pass{Rows: 1 + trial%4, Cols: n, InRow: n, InLeg: (1 + trial%4) * n, OutRow: n / 2 * radix, OutLeg: n / 2}
			p.Beside = p.Rows*p.OutRow + rng.IntN(3)
			src, got := newField[R](rng, radix*p.InLeg), newField[R](rng, 2*p.Beside)
			want := field[R]{append([]R(nil), got.data...)}
			sr, si := src.planes(Split, false)
			gr, gi := got.planes(Interleaved, trial >= 4)
			wr, wi := want.planes(Interleaved, trial >= 4)
			scale := []float64{1, 0.75}[trial%2]
			kernel(&p, gr, gi, sr, si, scale)
			PortablePaired[R](n, radix)(&p, wr, wi, sr, si, scale)
			if d := got.far(want); !(d <= tolerance) {
				t.Errorf("%v %T radix %d %+v: differs by %g", level, R(0), radix, p, d)
			}
		}
	}
}

package butterfly

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestBesideLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		besidesAgree[float32](t, level, 1e-6)
		besidesAgree[float64](t, level, 2e-15)
	}
}

func besidesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(6, uint64(level)))
	lanes := Lanes(level, 8*sizeof[R]())
	for _, m := range []int{2, 3, 4, 8, 15, 32} {
		for _, cols := range []int{1, lanes, 3 * lanes, 3*lanes + 1} {
			in, out := cols+rng.IntN(2), cols+rng.IntN(2)
			p := Pass{Rows: m / 2, Cols: cols, InRow: in, InLeg: (m - 2) * in, OutRow: out, OutLeg: (m - 2) * out,
				Twiddle: randomTable[R](rng, m)}
			src, got := newField[R](rng, m*in), newField[R](rng, m*out)
			want := field[R]{append([]R(nil), got.data...)}
			sr, si := src.planes(Split, false)
			gr, gi := got.planes(Split, false)
			wr, wi := want.planes(Split, false)
			Beside[R](level, cols)(&p, gr, gi, sr, si, 0.5)
			PortableBeside[R]()(&p, wr, wi, sr, si, 0.5)
			if d := got.far(want); !(d <= tolerance) {
				t.Errorf("%v %T m=%d cols=%d: differs by %g", level, R(0), m, cols, d)
			}
			if cols%lanes == 0 && in == cols && out == cols {
				Beside[R](level, cols)(&p, sr, si, sr, si, 0.5)
				for i := range (m - 1) * cols {
					if *at[R](sr, i) != *at[R](gr, i) || *at[R](si, i) != *at[R](gi, i) {
						t.Fatalf("%v %T m=%d cols=%d: in place differs at %d", level, R(0), m, cols, i)
					}
				}
			}
			p = Pass{Rows: 1, Cols: cols}
			Ends[R](level, cols)(&p, gr, gi, wr, wi, 1)
			for q := range cols {
				if x, y := *at[R](wr, q), *at[R](wi, q); *at[R](gr, q) != x+y || *at[R](gi, q) != x-y {
					t.Fatalf("%v %T cols=%d: ends differ at %d", level, R(0), cols, q)
				}
			}
		}
	}
}

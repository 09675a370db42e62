package butterfly

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestTimesLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		timesAgree[float32](t, level, 1e-6)
		timesAgree[float64](t, level, 2e-15)
	}
}

func timesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(5, uint64(level)))
	for n := 1; n < 60; n++ {
		for form := range 4 {
			load, store := Form(form&1), Form(form>>1)
			kernel, lanes := Times[R](level, load, store, n)
			p := Pass{Rows: 1, Cols: n, Twiddle: randomTable[R](rng, 2*lanes*len(Tiles(n, lanes)))}
			src, got := newField[R](rng, n), newField[R](rng, n)
			want := field[R]{append([]R(nil), got.data...)}
			scale := []float64{1, 0.3}[n&1]
			sr, si := src.planes(load, n&2 != 0)
			gr, gi := got.planes(store, n&4 != 0)
			wr, wi := want.planes(store, n&4 != 0)
			kernel(&p, gr, gi, sr, si, scale)
			PortableTimes[R](lanes, load, store)(&p, wr, wi, sr, si, scale)
			if d := got.far(want); !(d <= tolerance) {
				t.Errorf("%v %T n=%d load %v store %v: differs by %g", level, R(0), n, load, store, d)
			}
		}
	}
}

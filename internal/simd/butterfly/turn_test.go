package butterfly

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestLeadAndTurnLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		turnsAgree[float32](t, level, 1e-5)
		turnsAgree[float64](t, level, 2e-14)
	}
}

func randomTable[R Float](rng *rand.Rand, n int) unsafe.Pointer {
	w := make([]R, n)
	for i := range w {
		w[i] = R(rng.Float64() - .5)
	}
	return unsafe.Pointer(&w[0])
}

func turnsAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(2, uint64(level)))
	n := Lanes(level, 8*sizeof[R]())
	compare := func(name string, p Pass, load Form, kernel, twin Kernel, in, out int) {
		t.Helper()
		src, got := newField[R](rng, in), newField[R](rng, out)
		want := field[R]{append([]R(nil), got.data...)}
		sr, si := src.planes(load, rng.IntN(2) == 0)
		gr, gi := got.planes(Split, false)
		wr, wi := want.planes(Split, false)
		kernel(&p, gr, gi, sr, si, 1)
		twin(&p, wr, wi, sr, si, 1)
		if d := got.far(want); !(d <= tolerance) {
			t.Errorf("%v %T %s %+v: differs by %g", level, R(0), name, p, d)
		}
	}
	for range 20 {
		cols := n + rng.IntN(3*n)
		tiles := len(Tiles(cols, n))
		p := Pass{Cols: cols, InLeg: cols + rng.IntN(3), Twiddle: randomTable[R](rng, tiles*2*(n-1)*n)}
		p.Factors = randomTable[R](rng, tiles*2*(n-1))
		for _, load := range []Form{Split, Interleaved} {
			for _, product := range []bool{false, true} {
				for _, half := range []bool{false, true} {
					v := LeadKind{load, product, half}
					in := n*p.InLeg + 3
					if half {
						in = (n/2-1)*p.InLeg + cols // nothing behind is read
					}
					compare("lead", p, load, Lead[R](level, v), PortableLead[R](n, v), in, cols*n)
				}
			}
		}
		rows := n + rng.IntN(3*n)
		tiles *= len(Tiles(rows, n))
		p = Pass{Rows: rows, Cols: cols, InLeg: cols + rng.IntN(3), OutLeg: rows + rng.IntN(3),
			Twiddle: randomTable[R](rng, tiles*2*n*n), Factors: randomTable[R](rng, tiles*2*n)}
		for _, product := range []bool{false, true} {
			compare("turn", p, Split, Turn[R](level, product), PortableTurn[R](n, product), rows*p.InLeg, cols*p.OutLeg)
		}
	}
}

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
		for _, radix := range []int{n, max(n/2, 2), 2 * n, 4 * n} { // NEON has two float64 in a vector
			p := Pass{Cols: cols, InLeg: cols + rng.IntN(3), Twiddle: randomTable[R](rng, tiles*2*(radix-1)*n)}
			p.Factors = randomTable[R](rng, tiles*2*(radix-1))
			for form := range 8 {
				v := LeadKind{Radix: radix, Load: Form(form & 1), Product: form&2 != 0, Half: form&4 != 0}
				kernel, lanes := Lead[R](level, v)
				if kernel == nil {
					if radix == n {
						t.Errorf("%v %T: no lead %+v", level, R(0), v)
					}
					continue
				}
				in := radix*p.InLeg + 3
				if v.Half {
					in = (radix/2-1)*p.InLeg + cols // nothing behind is read
				}
				compare("lead", p, v.Load, kernel, PortableLead[R](lanes, v), in, cols*radix)
			}
		}
		for radix := 2; radix <= MaxRadix; radix++ {
			kernel := Doubled[R](level, radix)
			if kernel == nil {
				continue
			}
			cols := n / 2 * (2 + rng.IntN(5))
			p := Pass{Cols: cols, InLeg: cols + rng.IntN(3), Twiddle: randomTable[R](rng, len(Tiles(cols, n))*2*(radix-1)*n)}
			compare("doubled", p, Split, kernel, PortableDoubled[R](n, radix), radix*p.InLeg, cols*radix)
		}
		if kernel := PairedLead[R](level); kernel != nil {
			p := Pass{Cols: cols, InLeg: cols + rng.IntN(3), Twiddle: randomTable[R](rng, len(Tiles(cols, n/2))*(n/2-1)*n)}
			p.Beside = n/2*p.InLeg + rng.IntN(3)
			compare("paired lead", p, Interleaved, kernel, PortablePairedLead[R](n), p.Beside+n/2*p.InLeg, cols*n)
		}
		rows := n + rng.IntN(3*n)
		tiles *= len(Tiles(rows, n))
		p := Pass{Rows: rows, Cols: cols, InLeg: cols + rng.IntN(3), OutLeg: rows + rng.IntN(3),
			Twiddle: randomTable[R](rng, tiles*2*n*n), Factors: randomTable[R](rng, tiles*2*n)}
		for _, product := range []bool{false, true} {
			compare("turn", p, Split, Turn[R](level, product), PortableTurn[R](n, product), rows*p.InLeg, cols*p.OutLeg)
		}
	}
}

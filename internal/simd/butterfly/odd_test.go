package butterfly

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// One kernel does what portable code does at every odd radix.
func TestOddPassesAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		oddsAgree[float32](t, level, 2e-6)
		oddsAgree[float64](t, level, 4e-15)
	}
}

func oddsAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(2, uint64(level)))
	lanes := Lanes(level, 8*sizeof[R]())
	for radix := 5; radix <= MaxRadix; radix += 2 {
		for _, form := range []Form{Split, Interleaved} {
			load, store := form, form
			kernel, portable := vectorOdd(level, 8*sizeof[R](), load, store), Portable[R](radix, load, store)
			if kernel == nil {
				t.Fatalf("%v has no kernel", level)
			}
			for trial := range 8 {
				p := Pass{Rows: 1 + rng.IntN(3), Cols: lanes + rng.IntN(2*lanes), Factors: OddTable[R](radix)}
				p.InRow, p.OutRow = p.Cols+rng.IntN(3), p.Cols+rng.IntN(3)
				p.InLeg, p.OutLeg = p.Rows*p.InRow+rng.IntN(3), p.Rows*p.OutRow+rng.IntN(3)
				scale := 1.0
				if trial&2 != 0 {
					scale = 0.3
				}
				src := newField[R](rng, radix*p.InLeg+p.Cols)
				dst := newField[R](rng, radix*p.OutLeg+p.Cols)
				want := field[R]{append([]R(nil), dst.data...)}
				inRe, inIm := src.planes(load, trial&1 != 0)
				outRe, outIm := dst.planes(store, trial&4 != 0)
				wantRe, wantIm := want.planes(store, trial&4 != 0)
				kernel(&p, outRe, outIm, inRe, inIm, scale)
				portable(&p, wantRe, wantIm, inRe, inIm, scale)
				if far := dst.far(want); !(far <= tolerance) {
					t.Errorf("%v %T radix %d load %v store %v %+v: off by %g", level, R(0), radix, load, store, p, far)
				}
			}
		}
	}
}

// Lines of odd lengths are what portable code makes of them, in place too.
func TestPrimeLinesAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		primesAgree[float32](t, level, 2e-6)
		primesAgree[float64](t, level, 4e-15)
	}
}

func primesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(3, uint64(level)))
	lanes := Lanes(level, 8*sizeof[R]())
	for n := 17; n <= MaxRadix; n += 2 {
		for form := range 4 {
			load, store := Form(form&1), Form(form>>1)
			kernel, portable := Prime[R](level, load, store), Portable[R](n, load, store)
			for trial := range 8 {
				p := Pass{Rows: 1 + rng.IntN(3), Cols: 1, InLeg: 1, OutLeg: 1, InRow: n + rng.IntN(4), OutRow: n + rng.IntN(4)}
				scale := 1.0
				if trial&2 != 0 {
					scale = 0.3
				}
				src, dst := newField[R](rng, p.Rows*p.InRow+lanes), newField[R](rng, p.Rows*p.OutRow+lanes)
				want := field[R]{append([]R(nil), dst.data...)}
				inRe, inIm := src.planes(load, trial&1 != 0)
				outRe, outIm := dst.planes(store, trial&4 != 0)
				wantRe, wantIm := want.planes(store, trial&4 != 0)
				portable(&p, wantRe, wantIm, inRe, inIm, scale)
				p.Factors = PrimeTable[R](level, n)
				kernel(&p, outRe, outIm, inRe, inIm, scale)
				if far := dst.far(want); !(far <= tolerance) {
					t.Errorf("%v %T %d load %v store %v %+v: off by %g", level, R(0), n, load, store, p, far)
				}
			}
			if load != store {
				continue
			}
			p := Pass{Rows: 2, Cols: 1, InLeg: 1, OutLeg: 1, InRow: n, OutRow: n, Factors: PrimeTable[R](level, n)}
			src, apart := newField[R](rng, 2*n), newField[R](rng, 2*n)
			re, im := src.planes(load, false)
			toRe, toIm := apart.planes(load, false)
			kernel(&p, toRe, toIm, re, im, 1)
			kernel(&p, re, im, re, im, 1)
			src.data[0], src.data[len(src.data)-2], src.data[len(src.data)-1] = apart.data[0], apart.data[len(src.data)-2], apart.data[len(src.data)-1]
			if src.far(apart) != 0 {
				t.Errorf("%v %T %d: another result in place", level, R(0), n)
			}
		}
	}
}

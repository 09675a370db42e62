package butterfly

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// field is a plane pair with guards around it.
type field[R Float] struct{ data []R }

func newField[R Float](rng *rand.Rand, elements int) field[R] {
	f := field[R]{make([]R, 2*elements+3)}
	for i := range f.data {
		f.data[i] = R(rng.Float64() - .5)
	}
	return f
}

// planes lays re and im into the field, off any alignment.
func (f field[R]) planes(form Form, swap bool) (re, im unsafe.Pointer) {
	re, im = unsafe.Pointer(&f.data[1]), unsafe.Pointer(&f.data[2])
	if form == Split {
		im = unsafe.Pointer(&f.data[1+(len(f.data)-3)/2])
	}
	if swap {
		re, im = im, re
	}
	return re, im
}

// far is the largest difference of two fields.
func (f field[R]) far(g field[R]) float64 {
	worst := 0.0
	for i := range f.data {
		worst = math.Max(worst, math.Abs(float64(f.data[i])-float64(g.data[i])))
	}
	return worst
}

func TestPassLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		t.Run(fmt.Sprint(level), func(t *testing.T) {
			passesAgree[float32](t, level, 1e-6)
			passesAgree[float64](t, level, 2e-15)
		})
	}
}

func TestMixedLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		mixedAgree[float32](t, level, 1e-6)
		mixedAgree[float64](t, level, 2e-15)
	}
}

func mixedAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(16, uint64(level)))
	lanes := leadLanes(level, 8*sizeof[R]())
	for trial := range 200 {
		radix, cols := 2+trial%(MaxRadix-1), len(lanes)*(1+rng.IntN(3))
		p := Pass{Rows: 1 + rng.IntN(3), Cols: cols, InRow: cols + rng.IntN(3), OutRow: cols + rng.IntN(3)}
		p.InLeg, p.OutLeg = p.Rows*p.InRow+rng.IntN(3), p.Rows*p.OutRow+rng.IntN(3)
		src, got := newField[R](rng, radix*p.InLeg+3), newField[R](rng, radix*p.OutLeg+3)
		want := field[R]{append([]R(nil), got.data...)}
		sr, si := src.planes(Split, rng.IntN(2) == 0)
		swap, scale := rng.IntN(2) == 0, []float64{1, 0.3}[rng.IntN(2)]
		gr, gi := got.planes(Interleaved, swap)
		wr, wi := want.planes(Interleaved, swap)
		Mixed[R](level, radix)(&p, gr, gi, sr, si, scale)
		PortableMixed[R](lanes, radix)(&p, wr, wi, sr, si, scale)
		if d := got.far(want); !(d <= tolerance*float64(radix)) {
			t.Errorf("%v %T radix %d %+v: differs by %g", level, R(0), radix, p, d)
		}
	}
}

func passesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(1, uint64(level)))
	lanes := Lanes(level, 8*sizeof[R]())
	for radix := 2; radix <= MaxRadix; radix++ {
		for form := range 4 {
			load, store := Form(form&1), Form(form>>1)
			for trial := range 16 {
				p := Pass{Rows: 1 + rng.IntN(3), Cols: 1 + rng.IntN(3*lanes)}
				kernel := vector(level, 8*sizeof[R](), radix, load, store)
				if p.Cols < lanes {
					kernel = vectorPartial(level, 8*sizeof[R](), radix, load, store)
				}
				if kernel == nil {
					continue
				}
				p.InRow, p.OutRow = p.Cols+rng.IntN(3), p.Cols+rng.IntN(3)
				p.InLeg, p.OutLeg = p.Rows*p.InRow+rng.IntN(3), p.Rows*p.OutRow+rng.IntN(3)
				scale := 1.0
				if trial&1 != 0 && store == Split {
					w := make([]R, 2*(radix-1)*p.Rows)
					for i := range w {
						w[i] = R(rng.Float64() - .5)
					}
					p.Twiddle = unsafe.Pointer(&w[0])
				} else if trial&2 != 0 {
					scale = 0.3
				}
				src := newField[R](rng, radix*p.InLeg+3)
				got := newField[R](rng, radix*p.OutLeg+3)
				want := field[R]{append([]R(nil), got.data...)}
				inSwap, outSwap := rng.IntN(2) == 0, rng.IntN(2) == 0
				sr, si := src.planes(load, inSwap)
				gr, gi := got.planes(store, outSwap)
				wr, wi := want.planes(store, outSwap)
				kernel(&p, gr, gi, sr, si, scale)
				Portable[R](radix, load, store)(&p, wr, wi, sr, si, scale)
				if d := got.far(want); !(d <= tolerance*float64(radix)) {
					t.Errorf("%T radix %d load %v store %v %+v: differs by %g", R(0), radix, load, store, p, d)
				}
			}
		}
	}
}

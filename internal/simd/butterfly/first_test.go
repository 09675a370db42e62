package butterfly

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestFirstLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		firstAgrees[float32](t, level, 1e-6)
		firstAgrees[float64](t, level, 2e-15)
	}
}

func firstAgrees[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(7, uint64(level)))
	lanes := Lanes(level, 8*sizeof[R]())
	for radix := 3; radix <= 15; radix += 2 {
		kernel, kept := First[R](level, radix), radix/2+1
		if kernel == nil {
			t.Fatalf("%v: no kernel of radix %d", level, radix)
		}
		for trial := range 16 {
			p := Pass{Rows: 1 + rng.IntN(3), Cols: lanes + rng.IntN(3*lanes)}
			p.InRow, p.OutRow = p.Cols+rng.IntN(3), p.Cols+rng.IntN(3)
			p.InLeg, p.OutLeg = p.Rows*p.InRow+rng.IntN(3), p.Rows*p.OutRow+rng.IntN(3)
			if trial&1 != 0 {
				w := make([]R, 2*(kept-1)*p.Rows)
				for i := range w {
					w[i] = R(rng.Float64() - .5)
				}
				p.Twiddle = unsafe.Pointer(&w[0])
			}
			src := newField[R](rng, radix*p.InLeg+3)
			got := newField[R](rng, kept*p.OutLeg+3)
			want := field[R]{append([]R(nil), got.data...)}
			sr, _ := src.planes(Split, false)
			gr, gi := got.planes(Split, false)
			wr, wi := want.planes(Split, false)
			kernel(&p, gr, gi, sr, sr, 1)
			PortableFirst[R](radix)(&p, wr, wi, sr, sr, 1)
			if d := got.far(want); !(d <= tolerance*float64(radix)) {
				t.Errorf("%v %T radix %d %+v: differs by %g", level, R(0), radix, p, d)
			}
		}
	}
}

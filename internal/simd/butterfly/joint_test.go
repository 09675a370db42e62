package butterfly

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestJointLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		jointAgree[float32](t, level, 3e-6)
		jointAgree[float64](t, level, 6e-15)
	}
}

func jointAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	lead := JointLead[R](level)
	if lead == nil {
		return
	}
	rng := rand.New(rand.NewPCG(9, uint64(level)))
	n := Lanes(level, 8*sizeof[R]()) / 2
	check := func(kernel, twin Kernel, p *Pass, in, out, exchanged int, scale float64) {
		t.Helper()
		src, got := newField[R](rng, in), newField[R](rng, out)
		want := field[R]{append([]R(nil), got.data...)}
		sr, si := src.planes(Interleaved, exchanged&1 != 0)
		gr, gi := got.planes(Interleaved, exchanged&2 != 0)
		wr, wi := want.planes(Interleaved, exchanged&2 != 0)
		kernel(p, gr, gi, sr, si, scale)
		twin(p, wr, wi, sr, si, scale)
		if d := got.far(want); !(d <= tolerance) {
			t.Errorf("%v %T %+v exchanged %d: differs by %g", level, R(0), *p, exchanged, d)
		}
	}
	for _, cols := range []int{n, n + 1, 2*n - 1, 2 * n, 5*n + 3} {
		var w []R
		for range Tiles(cols, n) {
			for range 2 * (n - 1) * n {
				v := R(rng.Float64() - 0.5)
				w = append(w, v, v)
			}
		}
		p := Pass{Cols: cols, InLeg: cols, Twiddle: unsafe.Pointer(&w[0])}
		for exchanged := range 2 {
			check(lead, PortableJointLead[R](n), &p, n*cols, n*cols, exchanged, 1)
		}
	}
	for radix := 3; radix <= MaxRadix; radix += 2 {
		kernel := Joint[R](level, radix)
		if kernel == nil {
			continue
		}
		for _, cols := range []int{n, 3 * n} {
			rows := 3
			p := Pass{Rows: rows, Cols: cols, InRow: cols, InLeg: rows * cols, OutRow: radix * cols, OutLeg: cols}
			for exchanged := range 2 {
				check(kernel, Portable[R](radix, Interleaved, Interleaved), &p, rows*radix*cols, rows*radix*cols, 2*exchanged, []float64{1, 0.3}[exchanged])
			}
			p.Twiddle = randomTable[R](rng, 2*(radix-1)*rows)
			check(kernel, Portable[R](radix, Interleaved, Interleaved), &p, rows*radix*cols, rows*radix*cols, 0, 1)
		}
	}
}

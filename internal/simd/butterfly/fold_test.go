package butterfly

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestFoldLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		foldsAgree[float32](t, level, 1e-5)
		foldsAgree[float64](t, level, 2e-14)
	}
}

func foldsAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(17, uint64(level)))
	bits := 8 * sizeof[R]()
	n, lanes, found := Lanes(level, bits), leadLanes(level, bits), 0
	for i := range 4 {
		half, product := i&1 != 0, i&2 != 0
		kernel := RealLead[R](level, half, product)
		if kernel == nil {
			continue
		}
		for tiles := 1; tiles < 4; tiles++ {
			found++
			cols := tiles * n
			p := Pass{Cols: cols, InLeg: cols + rng.IntN(3), Twiddle: randomTable[R](rng, tiles*2*n*n), Factors: randomTable[R](rng, tiles*2*n)}
			read := 2*n*p.InLeg + 3
			if half {
				read = (n-1)*p.InLeg + cols // nothing behind is read
			}
			src, first, got := newField[R](rng, read), newField[R](rng, cols), newField[R](rng, cols*n)
			firstWant, want := field[R]{append([]R(nil), first.data...)}, field[R]{append([]R(nil), got.data...)}
			sr, _ := src.planes(Split, false)
			gr, gi := got.planes(Split, false)
			wr, wi := want.planes(Split, false)
			kernel(&p, gr, gi, sr, unsafe.Pointer(&first.data[1]), 1)
			PortableRealLead[R](lanes, half, product)(&p, wr, wi, sr, unsafe.Pointer(&firstWant.data[1]), 1)
			if d := max(got.far(want), first.far(firstWant)); !(d <= tolerance) {
				t.Errorf("%v %T real lead, half %t, product %t, %+v: differs by %g", level, R(0), half, product, p, d)
			}
		}
	}
	for radix := 2; radix <= MaxRadix; radix++ {
		kernel := Fold[R](level, radix)
		if kernel == nil {
			continue
		}
		for rows := 1; rows < 4; rows++ {
			found++
			leg := rows + rng.IntN(3) // of vectors that go up and of those that go down
			p := Pass{Rows: rows, InRow: radix*n + rng.IntN(3), Cols: 2, InLeg: 2 * leg, OutRow: 4 * n, AheadOut: 4 * n * rng.IntN(2), OutLeg: 4 * n * leg, Twiddle: randomTable[R](rng, radix*leg)}
			src, got := newField[R](rng, rows*p.InRow), newField[R](rng, radix*leg*n)
			want := field[R]{append([]R(nil), got.data...)}
			sr, si := src.planes(Split, false)
			scale := []float64{1, 0.3}[rng.IntN(2)]
			down := 1 + 4*n*(leg-1) + 2*n
			kernel(&p, unsafe.Pointer(&got.data[1]), unsafe.Pointer(&got.data[down]), sr, si, scale)
			PortableFold[R](lanes, radix)(&p, unsafe.Pointer(&want.data[1]), unsafe.Pointer(&want.data[down]), sr, si, scale)
			if d := got.far(want); !(d <= tolerance*float64(radix)) {
				t.Errorf("%v %T fold of radix %d %+v: differs by %g", level, R(0), radix, p, d)
			}
		}
	}
	if (level == simd.AVX2 || level == simd.AVX512) && found < 6 {
		t.Errorf("%v %T: %d kernels", level, R(0), found)
	}
}

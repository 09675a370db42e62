package butterfly

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestUntangleLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		untanglesAgree[float32](t, level, 1e-6)
		untanglesAgree[float64](t, level, 2e-15)
	}
}

func untanglesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(4, uint64(level)))
	for m := 2; m < 200; m++ {
		kernel, lanes := Untangle[R](level, m)
		n := len(lanes)
		tiles := len(Tiles(m/2, n))
		p := Pass{Rows: tiles - 1, Cols: m/2 - n + 1, InLeg: m, Twiddle: randomTable[R](rng, tiles*2*n)}
		// Where two tiles overlap their tables hold the same factors.
		if tiles > 1 {
			w := unsafe.Slice((*R)(p.Twiddle), tiles*2*n)
			for lane, bin := range lanes {
				k := m/2 - n + 1 + bin
				if k-1 < (tiles-1)*n {
					from := (k-1)/n*2*n + slices.Index(lanes, (k-1)%n)
					w[(tiles-1)*2*n+lane], w[(tiles-1)*2*n+n+lane] = w[from], w[from+n]
				}
			}
		}
		src, got := newField[R](rng, m+1), newField[R](rng, m+1)
		want := field[R]{append([]R(nil), got.data...)}
		sr, si := src.planes(Interleaved, false)
		gr, gi := got.planes(Interleaved, false)
		wr, wi := want.planes(Interleaved, false)
		kernel(&p, gr, gi, sr, si, 0.5)
		PortableUntangle[R](lanes)(&p, wr, wi, sr, si, 0.5)
		if d := got.far(want); !(d <= tolerance) {
			t.Errorf("%v %T m=%d: differs by %g", level, R(0), m, d)
		}
		kernel(&p, sr, si, sr, si, 0.5)
		for i := 3; i <= 2*m; i++ {
			if src.data[i] != got.data[i] {
				t.Fatalf("%v %T m=%d: in place differs at %d", level, R(0), m, i)
			}
		}
	}
}

func TestUntanglePlanesLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		untangledPlanesAgree[float32](t, level, 1e-6)
		untangledPlanesAgree[float64](t, level, 2e-15)
	}
}

func untangledPlanesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(6, uint64(level)))
	for i := range 300 {
		m := 2 + i/2*2
		kernel, lanes := UntanglePlanes[R](level, m, i%2 == 1)
		if kernel == nil {
			continue
		}
		n := len(lanes)
		at := rng.Perm(m / n)
		for i := range at {
			at[i] *= n
		}
		p := Pass{Rows: m / 2 / n, InLeg: m, Twiddle: randomTable[R](rng, m), Factors: Places[R](at)}
		src, got := newField[R](rng, m), newField[R](rng, m+1)
		want := field[R]{append([]R(nil), got.data...)}
		sr, si := src.planes(Split, false)
		gr, gi := got.planes(Interleaved, false)
		wr, wi := want.planes(Interleaved, false)
		kernel(&p, gr, gi, sr, si, 1)
		PortableUntanglePlanes[R](lanes)(&p, wr, wi, sr, si, 1)
		if d := got.far(want); !(d <= tolerance) {
			t.Errorf("%v %T m=%d: differs by %g", level, R(0), m, d)
		}
	}
}

func TestUntangleSomeLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		untangledSomeAgree[float32](t, level, 1e-6)
		untangledSomeAgree[float64](t, level, 2e-15)
	}
}

func untangledSomeAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	kernel := UntangleSome[R](level)
	if kernel == nil {
		return
	}
	rng := rand.New(rand.NewPCG(7, uint64(level)))
	n := Lanes(level, 8*sizeof[R]())
	for range 200 {
		vectors := 2 * (1 + rng.IntN(20))
		m, first := vectors*n, rng.IntN(vectors/2)
		at := rng.Perm(vectors)
		for i := range at {
			at[i] *= n
		}
		p := Pass{
			Rows: 1 + rng.IntN(vectors/2-first), InLeg: m - 2*first*n,
			Twiddle: randomTable[R](rng, m), Factors: PlacesFrom(Places[R](at), first),
		}
		src, got := newField[R](rng, m), newField[R](rng, m+1)
		want := field[R]{append([]R(nil), got.data...)}
		sr, si := src.planes(Split, false)
		gr, gi := got.planes(Interleaved, false)
		wr, wi := want.planes(Interleaved, false)
		from := 2 * first * n * sizeof[R]()
		kernel(&p, unsafe.Add(gr, from), unsafe.Add(gi, from), sr, si, 1)
		PortableUntangleSome[R](n)(&p, unsafe.Add(wr, from), unsafe.Add(wi, from), sr, si, 1)
		if d := got.far(want); !(d <= tolerance) {
			t.Errorf("%v %T m=%d, %d vectors from %d on: differs by %g", level, R(0), m, p.Rows, first, d)
		}
	}
}

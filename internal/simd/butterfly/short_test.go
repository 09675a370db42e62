package butterfly

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestShortLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		shortsAgree[float32](t, level, 1e-5)
		shortsAgree[float64](t, level, 2e-14)
	}
}

func TestShortRealLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		for _, inverse := range []bool{false, true} {
			shortRealsAgree[float32](t, level, inverse, 1e-5)
			shortRealsAgree[float64](t, level, inverse, 2e-14)
		}
	}
}

func shortRealsAgree[R Float](t *testing.T, level simd.Level, inverse bool, tolerance float64) {
	rng := rand.New(rand.NewPCG(5, uint64(level)))
	for kind, find := range map[string]func(simd.Level, int, bool) Kernel{"short": ShortReal[R], "composed": ComposedReal[R]} {
		found := 0
		for n := 2; n <= MaxWhole; n++ {
			kernel := find(level, n, inverse)
			if kernel == nil {
				continue
			}
			found++
			for trial := range 20 { // a vector of lines and more
				p := Pass{Rows: 1 + trial, InRow: n + trial, OutRow: n + 3*trial}
				src, got := newField[R](rng, p.Rows*p.InRow), newField[R](rng, p.Rows*p.OutRow)
				want, lines := field[R]{slices.Clone(got.data)}, field[R]{slices.Clone(got.data)}
				scale := []float64{1, 0.7}[trial&1]
				sr, si := src.planes(Interleaved, false)
				gr, gi := got.planes(Interleaved, false)
				wr, wi := want.planes(Interleaved, false)
				kernel(&p, gr, gi, sr, si, scale)
				PortableShortReal[R](n, inverse)(&p, wr, wi, sr, si, scale)
				if d := got.far(want); !(d <= tolerance) {
					t.Errorf("%v %T %s n=%d inverse %v %+v: differs by %g", level, R(0), kind, n, inverse, p, d)
				}
				// A line is the same by itself and among others.
				in, out := 1, 2 // samples and bins
				if inverse {
					in, out = 2, 1
				}
				lr, li := lines.planes(Interleaved, false)
				for i := range p.Rows {
					from, to := in*i*p.InRow*sizeof[R](), out*i*p.OutRow*sizeof[R]()
					kernel(&Pass{Rows: 1}, unsafe.Add(lr, to), unsafe.Add(li, to), unsafe.Add(sr, from), unsafe.Add(si, from), scale)
				}
				if d := lines.far(got); d != 0 {
					t.Errorf("%v %T %s n=%d inverse %v %+v: one line differs from many by %g", level, R(0), kind, n, inverse, p, d)
				}
			}
		}
		if least := map[string]int{"short": 10, "composed": 6}[kind]; found < least {
			t.Errorf("%v %s: kernels for %d lengths", level, kind, found)
		}
	}
}

func shortsAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(4, uint64(level)))
	found := 0
	for n := 2; n <= MaxWhole; n++ {
		kernel := Short[R](level, n)
		for first := 2; first < n && kernel == nil; first++ {
			if n%first == 0 {
				kernel = Composed[R](level, []int{first, n / first})
			}
		}
		if kernel == nil {
			continue
		}
		found++
		for trial := range 12 {
			p := Pass{Rows: 1 + trial, InRow: n + trial, OutRow: n + 3*trial}
			src, got := newField[R](rng, p.Rows*p.InRow), newField[R](rng, p.Rows*p.OutRow)
			want := field[R]{append([]R(nil), got.data...)}
			scale := []float64{1, 0.7}[trial&1]
			exchanged := trial&2 == 0
			sr, si := src.planes(Interleaved, exchanged)
			gr, gi := got.planes(Interleaved, exchanged)
			wr, wi := want.planes(Interleaved, exchanged)
			kernel(&p, gr, gi, sr, si, scale)
			PortableShort[R](n)(&p, wr, wi, sr, si, scale)
			if d := got.far(want); !(d <= tolerance) {
				t.Errorf("%v %T n=%d %+v: differs by %g", level, R(0), n, p, d)
			}
			// A line is the same by itself and among others.
			lines := field[R]{append([]R(nil), got.data...)}
			for i := range p.Rows {
				one := Pass{Rows: 1}
				from, to := 2*i*p.InRow*sizeof[R](), 2*i*p.OutRow*sizeof[R]()
				lr, li := lines.planes(Interleaved, exchanged)
				kernel(&one, unsafe.Add(lr, to), unsafe.Add(li, to), unsafe.Add(sr, from), unsafe.Add(si, from), scale)
			}
			if d := lines.far(got); d != 0 {
				t.Errorf("%v %T n=%d %+v: one line differs from many by %g", level, R(0), n, p, d)
			}
			p.OutRow = p.InRow
			apart := field[R]{append([]R(nil), src.data...)}
			ar, ai := apart.planes(Interleaved, exchanged)
			kernel(&p, ar, ai, sr, si, scale)
			kernel(&p, sr, si, sr, si, scale)
			if d := src.far(apart); d != 0 {
				t.Errorf("%v %T n=%d: in place differs by %g", level, R(0), n, d)
			}
		}
	}
	if found < 20 {
		t.Errorf("%v: kernels for %d lengths", level, found)
	}
}

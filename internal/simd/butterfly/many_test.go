package butterfly

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestManyLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		maniesAgree[float32](t, level, 1e-5)
		maniesAgree[float64](t, level, 2e-14)
	}
}

func maniesAgree[R Float](t *testing.T, level simd.Level, tolerance float64) {
	rng := rand.New(rand.NewPCG(6, uint64(level)))
	for n := 2; n <= MaxWhole; n++ {
		for _, many := range Many[R](level, n) {
			for trial := range 8 {
				p := Pass{Rows: (1 + trial/4) * many.Lines, InRow: n + trial, OutRow: n + 3*trial}
				src, got := newField[R](rng, p.Rows*p.InRow), newField[R](rng, p.Rows*p.OutRow)
				want := field[R]{slices.Clone(got.data)}
				scale := []float64{1, 0.7}[trial&1]
				exchanged := trial&2 == 0
				sr, si := src.planes(Interleaved, exchanged)
				gr, gi := got.planes(Interleaved, exchanged)
				wr, wi := want.planes(Interleaved, exchanged)
				many.Kernel(&p, gr, gi, sr, si, scale)
				PortableShort[R](n)(&p, wr, wi, sr, si, scale)
				if d := got.far(want); !(d <= tolerance) {
					t.Errorf("%v %T n=%d %+v: differs by %g", level, R(0), n, p, d)
				}
				Short[R](level, n)(&p, wr, wi, sr, si, scale)
				if !slices.Equal(got.data, want.data) {
					t.Errorf("%v %T n=%d %+v: differs from lines by themselves", level, R(0), n, p)
				}
				p.OutRow = p.InRow
				apart := field[R]{slices.Clone(src.data)}
				ar, ai := apart.planes(Interleaved, exchanged)
				many.Kernel(&p, ar, ai, sr, si, scale)
				many.Kernel(&p, sr, si, sr, si, scale)
				if !slices.Equal(src.data, apart.data) {
					t.Errorf("%v %T n=%d: in place differs", level, R(0), n)
				}
			}
		}
	}
}

func TestManyRealLevelsAgree(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		for _, inverse := range []bool{false, true} {
			manyRealsAgree[float32](t, level, inverse, 1e-5)
			manyRealsAgree[float64](t, level, inverse, 2e-14)
		}
	}
}

func manyRealsAgree[R Float](t *testing.T, level simd.Level, inverse bool, tolerance float64) {
	rng := rand.New(rand.NewPCG(8, uint64(level)))
	for n := 2; n <= MaxWhole; n++ {
		for _, many := range ManyReal[R](level, n, inverse) {
			for trial := range 4 {
				p := Pass{Rows: (1 + trial/2) * many.Lines, InRow: n + 2 + trial, OutRow: n + 2 + 3*trial}
				src, got := newField[R](rng, p.Rows*p.InRow), newField[R](rng, p.Rows*p.OutRow)
				want := field[R]{slices.Clone(got.data)}
				scale := []float64{1, 0.7}[trial&1]
				sr, si := src.planes(Interleaved, false)
				gr, gi := got.planes(Interleaved, false)
				wr, wi := want.planes(Interleaved, false)
				many.Kernel(&p, gr, gi, sr, si, scale)
				PortableShortReal[R](n, inverse)(&p, wr, wi, sr, si, scale)
				if d := got.far(want); !(d <= tolerance) {
					t.Errorf("%v %T n=%d inverse %v %+v: differs by %g", level, R(0), n, inverse, p, d)
				}
				ShortReal[R](level, n, inverse)(&p, wr, wi, sr, si, scale)
				if !slices.Equal(got.data, want.data) {
					t.Errorf("%v %T n=%d inverse %v %+v: differs from lines by themselves", level, R(0), n, inverse, p)
				}
			}
		}
	}
}

func TestIntoLanes(t *testing.T) {
	for _, level := range simd.Available()[1:] {
		intoLanes[float32](t, level)
		intoLanes[float64](t, level)
	}
}

func intoLanes[R Float](t *testing.T, level simd.Level) {
	there, back := IntoLanes[R](level)
	if there == nil {
		t.Skip("no vector kernels at this level")
	}
	rng := rand.New(rand.NewPCG(7, uint64(level)))
	lanes := Lanes(level, 8*sizeof[R]())
	for cols := 16 / sizeof[R](); cols < 40; cols++ {
		rows := lanes * (1 + cols%3)
		p := Pass{Rows: rows, Cols: cols, InRow: cols + cols%4, OutLeg: rows + cols%5}
		src, got := newField[R](rng, rows*p.InRow), newField[R](rng, cols*p.OutLeg)
		want := slices.Clone(got.data)
		from := unsafe.Pointer(&src.data[0])
		there(&p, unsafe.Pointer(&got.data[0]), nil, from, nil, 1)
		PortableToLanes[R]()(&p, unsafe.Pointer(&want[0]), nil, from, nil, 1)
		if !slices.Equal(got.data, want) {
			t.Errorf("%v %T %+v: wrong rows", level, R(0), p)
		}
		q := Pass{Rows: rows, Cols: cols, InLeg: p.OutLeg, OutRow: p.InRow}
		lines, asked := newField[R](rng, rows*p.InRow), newField[R](rng, 0)
		asked.data = slices.Clone(lines.data)
		back(&q, unsafe.Pointer(&lines.data[0]), nil, unsafe.Pointer(&got.data[0]), nil, 1)
		PortableFromLanes[R]()(&q, unsafe.Pointer(&asked.data[0]), nil, unsafe.Pointer(&got.data[0]), nil, 1)
		if !slices.Equal(lines.data, asked.data) {
			t.Errorf("%v %T %+v: wrong lines", level, R(0), q)
		}
	}
}

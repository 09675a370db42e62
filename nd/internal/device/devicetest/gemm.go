package devicetest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// matrix lays out batch, rows and columns.
type matrix struct {
	name string
	lay  func(batch, rows, columns int) layout
}

var matrices = []matrix{
	{"row-major", func(_, r, c int) layout { return layout{strides: []int{r * c, c, 1}} }},
	{"column-major", func(_, r, c int) layout { return layout{strides: []int{r * c, 1, r}} }},
	{"padded rows", func(_, r, c int) layout { return layout{offset: 2, strides: []int{r * (c + 3), c + 3, 1}} }},
	{"backwards", func(b, r, c int) layout {
		return layout{offset: max(b*r*c-1, 0), strides: []int{-r * c, -c, -1}}
	}},
	{"spaced", func(_, r, c int) layout { return layout{strides: []int{3 * r * c, 3 * c, 3}} }},
}

// shared is a matrix that every product of the batch uses; only for reading.
var shared = matrix{"shared", func(_, r, c int) layout { return layout{strides: []int{0, c, 1}} }}

func testGemm(s *suite) {
	shapes := [][3]int{{1, 1, 1}, {2, 3, 4}, {5, 1, 7}, {1, 6, 9}, {16, 16, 16}, {17, 33, 65}, {40, 7, 130},
		{3, 4, 0}, {0, 4, 3}, {4, 0, 3}, {0, 0, 0}}
	for _, t := range s.having(elem.All[:]...) {
		if t == elem.Bool {
			continue
		}
		s.sub(t.String(), func(s *suite) {
			for _, shape := range shapes {
				s.sub(fmt.Sprint(shape), func(s *suite) { s.checkGemm(t, shape, nil, matrices[0], matrices[0], matrices[0]) })
			}
			for _, a := range append(matrices, shared) {
				for _, b := range append(matrices, shared) {
					out := matrices[(len(a.name)+len(b.name))%len(matrices)]
					s.sub(a.name+" x "+b.name+" = "+out.name, func(s *suite) {
						s.checkGemm(t, [3]int{9, 14, 11}, []int{3}, a, b, out)
					})
				}
			}
		})
	}
	for _, mode := range []accum.Mode{accum.Fast, accum.Compensated, accum.Exact} {
		s.sub(mode.String(), func(s *suite) { s.checkAccumulation(mode) })
	}
	for _, t := range s.having(elem.Float32, elem.Float64) {
		products := productsOfAxes(t)
		for _, name := range slices.Sorted(maps.Keys(products)) {
			s.sub(t.String()+"/"+name, func(s *suite) {
				p := products[name]
				reads := s.reads(p)
				s.check(p, reads, nil, nil, s.gemmTolerance(p, reads))
			})
		}
	}
	for _, t := range s.having(elem.Float32, elem.Float64, elem.Float16, elem.Complex64) {
		s.sub(t.String()+"/masked", func(s *suite) { s.checkMasked(t) })
	}
	s.sub("large", func(s *suite) {
		s.checkGemm(elem.Float32, [3]int{193, 170, 259}, nil, matrices[0], matrices[1], matrices[0])
	})
	s.sub("thin and long", func(s *suite) {
		s.checkGemm(elem.Float32, [3]int{50, 33800, 5}, nil, matrices[0], matrices[0], matrices[0])
		s.checkGemm(elem.Float32, [3]int{33800, 50, 5}, nil, matrices[0], matrices[0], matrices[0])
		of := func(strides ...int) ir.Operand { return ir.Operand{Type: elem.Float32, Strides: strides} }
		windows := ir.MatrixAxes{Rows: []int{2, 3}, Columns: []int{5, 6800}} // of 6 x 6802
		p := &ir.Gemm{M: 50, K: 6, N: 34000, A: of(6, 1), B: of(6802, 1, 6802, 1), AxesB: windows, Out: of(34000, 1)}
		reads := s.reads(p)
		s.check(p, reads, nil, nil, s.gemmTolerance(p, reads))
	})
}

// checkMasked checks products of which a band is read, and those with a factor that is alike outside a band: mostly 0, with
// another factor that is finite or is not.
func (s *suite) checkMasked(t elem.Type) {
	shape := [3]int{150, 70, 90}
	number := func(x float64) reference.Value {
		if t.IsComplex() {
			return reference.Complex(t, complex(x, 0))
		}
		return reference.Float(t, x)
	}
	for _, band := range []ir.Band{{From: -149, To: 0}, {From: 3, To: 69}, {From: -20, To: 5}, {From: 1, To: 0}} {
		s.sub("seen/"+band.String(), func(s *suite) {
			p := product(t, shape, []int{2}, matrices[0], matrices[1], matrices[0])
			p.Seen = &band
			reads := s.reads(p)
			tol := s.gemmTolerance(p, reads)
			tol.unseen = func(i int) bool { return i < 2*p.M*p.N && !band.Has(i/p.N%p.M, i%p.N) }
			s.check(p, reads, nil, nil, tol)
		})
	}
	for _, ofB := range []bool{false, true} {
		for _, along := range []bool{false, true} {
			for _, c := range [][2]float64{{0, 1}, {-0.5, 1}, {math.NaN(), 1}, {math.Copysign(0, -1), math.Inf(1)}} {
				value, other := c[0], c[1]
				s.sub(fmt.Sprintf("alike/%t %t %g %g", ofB, along, value, other), func(s *suite) {
					p := product(t, shape, nil, matrices[0], matrices[0], matrices[0])
					p.Alike = &ir.Alike{OfB: ofB, Band: ir.Band{From: -30, To: 10}, Along: along}
					reads := s.reads(p)
					alike, finite, at, rows, columns := reads[0], reads[1], (p.K-1)*p.N, p.M, p.K
					if ofB {
						alike, finite, at, rows, columns = reads[1], reads[0], p.K-1, p.K, p.N
					}
					for i := range rows * columns {
						if !p.Alike.Has(i/columns, i%columns) {
							reference.Store(number(value), alike, i)
						}
					}
					if other != 1 {
						reference.Store(number(other), finite, at)
					}
					s.check(p, reads, nil, nil, s.gemmTolerance(p, reads))
				})
			}
		}
	}
}

// productsOfAxes have factors whose rows or columns are several axes.
func productsOfAxes(t elem.Type) map[string]*ir.Gemm {
	of := func(offset int, strides ...int) ir.Operand {
		return ir.Operand{Type: t, Offset: offset, Strides: strides}
	}
	windows := ir.MatrixAxes{Rows: []int{2, 3, 3}, Columns: []int{5, 40}} // of 2 channels of 7 x 42
	turned := ir.MatrixAxes{Rows: windows.Columns, Columns: windows.Rows}
	return map[string]*ir.Gemm{
		"windows":            {Batch: []int{3}, M: 5, K: 18, N: 200, A: of(0, 0, 18, 1), B: of(0, 588, 294, 42, 1, 42, 1), AxesB: windows, Out: of(0, 1000, 200, 1)},
		"windows first":      {Batch: []int{3}, M: 200, K: 18, N: 5, A: of(2, 588, 42, 1, 294, 42, 1), AxesA: turned, B: of(0, 90, 5, 1), Out: of(0, 1000, 5, 1)},
		"windows by windows": {M: 18, K: 200, N: 18, A: of(0, 294, 42, 1, 42, 1), AxesA: windows, B: of(1, 42, 1, 294, 42, 1), AxesB: turned, Out: of(0, 1, 18)},
		"every other window, backwards": {M: 4, K: 18, N: 60, A: of(0, 18, 1), B: of(587, -294, -42, -1, -84, -2), Out: of(3, 60, 1),
			AxesB: ir.MatrixAxes{Rows: []int{2, 3, 3}, Columns: []int{3, 20}}},
		"rows only":   {M: 6, K: 7, N: 33, A: of(0, 20, 7, 1), AxesA: ir.MatrixAxes{Rows: []int{2, 3}}, B: of(0, 33, 1), Out: of(0, 33, 1)},
		"one row":     {M: 1, K: 18, N: 200, A: of(0, 18, 1), B: of(0, 294, 42, 1, 42, 1), AxesB: windows, Out: of(0, 200, 1)},
		"no products": {M: 3, K: 0, N: 6, A: of(0, 0, 1), B: of(0, 6, 3, 1), AxesB: ir.MatrixAxes{Columns: []int{2, 3}}, Out: of(0, 6, 1)},
	}
}

// product is one of a shape, M by N over K, or a batch of them.
func product(t elem.Type, shape [3]int, batch []int, a, b, out matrix) *ir.Gemm {
	m, n, k := shape[0], shape[1], shape[2]
	operand := func(x matrix, rows, columns int) ir.Operand {
		l := x.lay(ir.Count(batch), rows, columns)
		l.strides = l.strides[1-len(batch):]
		return l.operand(t)
	}
	return &ir.Gemm{Batch: batch, M: m, N: n, K: k, A: operand(a, m, k), B: operand(b, k, n), Out: operand(out, m, n)}
}

func (s *suite) checkGemm(t elem.Type, shape [3]int, batch []int, a, b, out matrix) {
	p := product(t, shape, batch, a, b, out)
	reads := s.reads(p)
	tol := exact
	if t.IsFloat() || t.IsComplex() {
		tol = s.gemmTolerance(p, reads)
	}
	s.check(p, reads, nil, nil, tol)
}

// gemmTolerance allows for each element what random roundings of a sum of k
// products come to, sqrt(k) of the sum of magnitudes, and some more.
func (s *suite) gemmTolerance(p *ir.Gemm, reads [][]byte) tolerance {
	t := p.A.Type.Real()
	q := *p
	q.A.Type, q.B.Type, q.Out.Type = t, t, t
	total := sync.OnceValue(func() []byte {
		out := blank(&q)
		s.reference(&q, [][]byte{magnitudes(p.A.Type, t, reads[0]), magnitudes(p.A.Type, t, reads[1])}, out)
		return out[0]
	})
	tol := tolerance{anyZero: true, slack: func(_, i int) float64 {
		return 2 * unit(t) * (8 + math.Sqrt(float64(p.K))) * reference.Load(t, total(), i).Float64()
	}}
	if t.IsHalf() {
		tol.ulp = 1
	}
	return tol
}

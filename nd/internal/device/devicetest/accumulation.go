package devicetest

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// checkAccumulation multiplies in a mode of accumulation: ordinary numbers in
// every type and layout, and lines that cancel, overflow, underflow or are not
// finite.
func (s *suite) checkAccumulation(mode accum.Mode) {
	for _, t := range s.having(elem.All[:]...) {
		if t == elem.Bool {
			continue
		}
		for _, root := range []bool{false, true} {
			if root && (mode != accum.Exact || !t.IsFloat()) {
				continue
			}
			s.sub(fmt.Sprint(t, " root ", root), func(s *suite) {
				for _, shape := range [][3]int{{1, 1, 1}, {3, 4, 5}, {1, 1, 300}, {2, 3, 0}, {0, 2, 3}} {
					s.checkSums(t, mode, root, shape, nil, matrices[0], matrices[0])
				}
				s.checkSums(t, mode, root, [3]int{4, 3, 7}, []int{2}, matrices[2], matrices[1])
				s.checkSums(t, mode, root, [3]int{4, 3, 7}, []int{2}, matrices[3], shared)
			})
		}
		if t.IsFloat() && mode == accum.Exact {
			s.sub(t.String()+" hard", func(s *suite) { s.checkHardSums(t) })
		}
	}
}

func (s *suite) checkSums(t elem.Type, mode accum.Mode, root bool, shape [3]int, batch []int, a, b matrix) {
	p := product(t, shape, batch, a, b, matrices[0])
	p.Mode, p.Root = mode, root
	reads := s.reads(p)
	tol := exact
	switch {
	case !t.IsFloat() && !t.IsComplex(), mode == accum.Exact:
	case mode == accum.Compensated:
		// The reference is as good; half types are rounded twice.
		tol = tolerance{anyZero: true, ulp: 1}
	default:
		tol = s.gemmTolerance(p, reads)
	}
	s.check(p, reads, nil, nil, tol)
}

// checkHardSums takes lines that only an exact sum gets right.
func (s *suite) checkHardSums(t elem.Type) {
	big, tiny := math.MaxFloat64, math.SmallestNonzeroFloat64
	switch t {
	case elem.Float32:
		big, tiny = math.MaxFloat32, math.SmallestNonzeroFloat32
	case elem.Float16:
		big, tiny = 65504, 0x1p-24
	case elem.BFloat16:
		big, tiny = 0x1.fep127, 0x1p-133
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, line := range []struct{ x, y []float64 }{
		{[]float64{1e4, 1, -1e4}, []float64{1e4, 1, 1e4}},
		{[]float64{big, big, -big}, []float64{big, 1, big}},
		{[]float64{big, big}, []float64{1, 1}},
		{[]float64{big, -big, tiny}, []float64{big, big, 1}},
		{[]float64{tiny, tiny, tiny}, []float64{0.5, 0.25, 0.25}},
		{[]float64{tiny, tiny}, []float64{0.5, 0}},
		{[]float64{inf, 1}, []float64{2, 3}},
		{[]float64{inf, inf}, []float64{1, -1}},
		{[]float64{inf}, []float64{0}},
		{[]float64{nan, 1}, []float64{1, 1}},
		{[]float64{-1, 1}, []float64{0, 0}},
	} {
		encoded := func(v []float64) []byte {
			values := lists.Make(len(v), func(i int) reference.Value { return reference.Float(t, v[i]) })
			return encode(t, values)
		}
		n := len(line.x)
		p := &ir.Gemm{M: 1, N: 1, K: n, A: ir.Contiguous(t, []int{1, n}), B: ir.Contiguous(t, []int{n, 1}), Out: ir.Contiguous(t, []int{1, 1}), Mode: accum.Exact}
		s.check(p, [][]byte{encoded(line.x), encoded(line.y)}, nil, nil, exact)
	}
}

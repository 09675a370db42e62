package devicetest

import (
	"fmt"
	"math"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// axisSpaces are index spaces whose last dimension is the axis, with where
// input and output lie.
func axisSpaces(lengths ...int) []struct {
	name    string
	dims    []int
	in, out layout
} {
	type space = struct {
		name    string
		dims    []int
		in, out layout
	}
	var out []space
	for _, n := range lengths {
		row := layout{strides: []int{1}}
		out = append(out, space{fmt.Sprintf("%d", n), []int{n}, row, row})
	}
	grid := []int{5, 3, 34}
	in, to := readLayouts(grid), layouts(grid)
	for i, l := range in {
		o := to[(2*i+1)%len(to)]
		out = append(out, space{l.name + " to " + o.name, grid, l, o})
	}
	flat := layout{strides: []int{0, 1}}
	return append(out, space{"no lines", []int{0, 4}, flat, flat}, space{"empty lines", []int{4, 0}, flat, flat})
}

// testScan runs sums and products along the axis.
func testScan(s *suite) {
	for _, op := range []ir.ReduceOp{ir.Sum, ir.Prod} {
		for _, t := range s.having(elem.All[:]...) {
			if !reducible(op, t) {
				continue
			}
			for _, sp := range axisSpaces(1, 2, 9, 257) {
				s.sub(fmt.Sprintf("%s/%s/%s", op, t, sp.name), func(s *suite) {
					p := &ir.Scan{Dims: sp.dims, Op: op, In: sp.in.operand(t), Out: sp.out.operand(t)}
					reads := s.inputs(sp.dims, ir.Reads(p))
					inexact := t.IsFloat() || t.IsComplex()
					if inexact && op == ir.Prod {
						reads[0] = nearOne(t, reads[0])
					}
					tol := exact
					if inexact {
						tol = s.scanTolerance(p, reads[0])
					}
					s.check(p, reads, nil, nil, tol)
				})
			}
		}
	}
}

// nearOne maps ordinary values to the neighbourhood of 1.
func nearOne(t elem.Type, data []byte) []byte {
	out := make([]byte, len(data))
	for i := range len(data) / t.Size() {
		z := reference.Cast(elem.Complex128, reference.Load(t, data, i)).Num
		reference.Store(reference.Cast(t, reference.Complex(elem.Complex128, 1+z/512)), out, i)
	}
	return out
}

// scanTolerance allows a rounding per element so far, of the sum of their
// magnitudes: a running sum is a sequence by nature.
func (s *suite) scanTolerance(p *ir.Scan, data []byte) tolerance {
	t := p.In.Type.Real()
	q := *p
	q.In.Type, q.Out.Type = t, t
	total := sync.OnceValue(func() []byte {
		out := blank(&q)
		s.reference(&q, [][]byte{magnitudes(p.In.Type, t, data)}, out)
		return out[0]
	})
	n := float64(p.Dims[len(p.Dims)-1])
	tol := tolerance{anyZero: true, slack: func(_, i int) float64 {
		return 4 * unit(t) * n * math.Abs(reference.Load(t, total(), i).Float64())
	}}
	if t.IsHalf() {
		tol.ulp = 1
	}
	return tol
}

// testSort orders values, or tells their order, with ties, NaN and zeros of
// both signs among them.
func testSort(s *suite) {
	for _, t := range s.having(elem.All[:]...) {
		if !t.IsOrdered() {
			continue
		}
		lengths := []int{1, 2, 3, 17, 64, 1000}
		if t == elem.Float32 || t == elem.Int64 {
			lengths = append(lengths, 5003)
		}
		for _, sp := range axisSpaces(lengths...) {
			s.sub(t.String()+"/"+sp.name, func(s *suite) {
				reads := s.inputs(sp.dims, []ir.Operand{sp.in.operand(t)})
				s.mixSpecials(t, reads[0])
				n := sp.dims[len(sp.dims)-1]
				for _, keep := range []int{n, (n + 2) / 3, min(n, 1), 0} {
					for _, descending := range []bool{false, true} {
						values, places := sp.out.operand(t), sp.out.operand(elem.Int64)
						p := ir.Sort{Dims: sp.dims, Descending: descending, Keep: keep, In: sp.in.operand(t), Values: &values}
						s.check(&p, reads, nil, nil, tolerance{anyZero: true})
						both := p
						both.Places = &places
						s.check(&both, reads, nil, nil, tolerance{anyZero: true})
						p.Values, p.Places = nil, &places
						s.check(&p, reads, nil, nil, exact)
					}
				}
			})
		}
	}
}

// mixSpecials overwrites a third of the elements with special values and a
// third with copies of the first, so that there are ties.
func (s *suite) mixSpecials(t elem.Type, data []byte) {
	corners := s.specials(t)
	first := reference.Load(t, data, 0)
	for i := 1; i < len(data)/t.Size(); i++ {
		switch s.rng.IntN(3) {
		case 0:
			reference.Store(corners[s.rng.IntN(len(corners))], data, i)
		case 1:
			reference.Store(first, data, i)
		}
	}
}

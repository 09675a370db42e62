package devicetest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
)

// indices makes n indices of type t into an axis, some negative.
func (s *suite) indices(t elem.Type, n, axis int) []byte {
	values := lists.Make(n, func(int) reference.Value { return reference.Integer(t, int64(s.rng.IntN(2*axis)-axis)) })
	return encode(t, values)
}

// gathers are ways for an index to replace an axis of length n of data that
// has 7 columns.
func gathers(t, index elem.Type) map[string]*ir.Gather {
	o := func(t elem.Type, offset int, strides ...int) ir.Operand {
		return ir.Operand{Type: t, Offset: offset, Strides: strides}
	}
	return map[string]*ir.Gather{
		"one axis":        {Dims: []int{33}, Data: o(t, 0, 0), Index: o(index, 0, 1), Out: o(t, 0, 1), AxisStride: 1, AxisLen: 12},
		"rows":            {Dims: []int{9, 7}, Data: o(t, 0, 0, 1), Index: o(index, 0, 1, 0), Out: o(t, 0, 7, 1), AxisStride: 7, AxisLen: 12},
		"columns":         {Dims: []int{12, 9}, Data: o(t, 0, 7, 0), Index: o(index, 0, 0, 1), Out: o(t, 0, 9, 1), AxisStride: 1, AxisLen: 7},
		"per element":     {Dims: []int{12, 9}, Data: o(t, 0, 7, 0), Index: o(index, 0, 9, 1), Out: o(t, 0, 9, 1), AxisStride: 1, AxisLen: 7},
		"backwards data":  {Dims: []int{9, 7}, Data: o(t, 83, 0, -1), Index: o(index, 8, -1, 0), Out: o(t, 3, 1, 9), AxisStride: -7, AxisLen: 12},
		"scalar index":    {Dims: []int{}, Data: o(t, 2), Index: o(index, 0), Out: o(t, 0), AxisStride: 7, AxisLen: 11},
		"no points":       {Dims: []int{0, 7}, Data: o(t, 0, 0, 1), Index: o(index, 0, 1, 0), Out: o(t, 0, 7, 1), AxisStride: 7, AxisLen: 12},
		"nothing to pick": {Dims: []int{0}, Data: o(t, 0, 0), Index: o(index, 0, 1), Out: o(t, 0, 1), AxisStride: 1, AxisLen: 0},
		"many":            {Dims: []int{20_003}, Data: o(t, 0, 0), Index: o(index, 0, 1), Out: o(t, 0, 1), AxisStride: 7, AxisLen: 12},
	}
}

func testGather(s *suite) {
	for _, t := range s.having(elem.All[:]...) {
		for _, index := range s.having(elem.Int32, elem.Int64) {
			for name, p := range gathers(t, index) {
				s.sub(fmt.Sprintf("%s/%s/%s", t, index, name), func(s *suite) {
					_, hi := p.Index.Span(p.Dims)
					reads := [][]byte{s.some(t, 12*7), s.indices(index, max(hi, 1), max(p.AxisLen, 1))}
					s.check(p, reads, nil, nil, exact)
				})
			}
		}
	}
	s.sub("out of range", func(s *suite) {
		p := gathers(elem.Float32, elem.Int64)["rows"]
		s.checkOutOfRange(p, [][]byte{s.some(elem.Float32, 84), s.indices(elem.Int64, 9, 12)}, blank(p), 9, 12)
	})
}

// checkOutOfRange puts indices that do not exist in first, middle and last
// place.
func (s *suite) checkOutOfRange(p ir.Program, reads, writes [][]byte, n, axis int) {
	s.Helper()
	for _, at := range []int{0, n / 2, n - 1} {
		for _, bad := range []int64{int64(axis), -int64(axis) - 1, 1 << 40, -1 << 62} {
			index := bytes.Clone(reads[1])
			reference.Store(reference.Integer(elem.Int64, bad), index, at)
			_, err := s.execute(s.compile(p), [][]byte{reads[0], index}, writes, nil)
			var e *ir.IndexError
			if !errors.As(err, &e) {
				s.Errorf("index %d at %d of an axis of %d: %v, want a *ir.IndexError", bad, at, axis, err)
			} else if e.Index != bad || e.Len != axis {
				s.Errorf("index %d of an axis of %d is reported as %v", bad, axis, e)
			}
		}
	}
}

// scatters are the reverse, into 12 rows of 7 columns.
func scatters(t, index elem.Type) map[string]*ir.Scatter {
	o := func(t elem.Type, offset int, strides ...int) ir.Operand {
		return ir.Operand{Type: t, Offset: offset, Strides: strides}
	}
	return map[string]*ir.Scatter{
		"one axis":   {Dims: []int{33}, Updates: o(t, 0, 1), Index: o(index, 0, 1), Out: o(t, 0, 0), AxisStride: 1, AxisLen: 12},
		"rows":       {Dims: []int{19, 7}, Axis: 0, Updates: o(t, 0, 7, 1), Index: o(index, 0, 7, 1), Out: o(t, 0, 0, 1), AxisStride: 7, AxisLen: 12},
		"columns":    {Dims: []int{12, 19}, Axis: 1, Updates: o(t, 0, 19, 1), Index: o(index, 0, 19, 1), Out: o(t, 0, 7, 0), AxisStride: 1, AxisLen: 7},
		"one index":  {Dims: []int{12, 19}, Axis: 1, Updates: o(t, 2, 0, 0), Index: o(index, 0, 0, 1), Out: o(t, 0, 7, 0), AxisStride: 1, AxisLen: 7},
		"whole rows": {Dims: []int{19, 7}, Axis: 0, Updates: o(t, 0, 7, 1), Index: o(index, 0, 1, 0), Out: o(t, 0, 0, 1), AxisStride: 7, AxisLen: 12},
		"backwards":  {Dims: []int{19, 7}, Axis: 0, Updates: o(t, 132, -7, -1), Index: o(index, 0, 1, 19), Out: o(t, 83, 0, -1), AxisStride: -7, AxisLen: 12},
		"no points":  {Dims: []int{0, 7}, Axis: 0, Updates: o(t, 0, 7, 1), Index: o(index, 0, 7, 1), Out: o(t, 0, 0, 1), AxisStride: 7, AxisLen: 12},
	}
}

// testScatter adds where the order of additions shows in the bits.
func testScatter(s *suite) {
	for _, t := range s.having(elem.All[1:]...) { // but for bool
		for _, index := range s.having(elem.Int32, elem.Int64) {
			for name, p := range scatters(t, index) {
				s.sub(fmt.Sprintf("%s/%s/%s", t, index, name), func(s *suite) {
					_, n := p.Updates.Span(p.Dims)
					_, hi := p.Index.Span(p.Dims)
					reads := [][]byte{s.some(t, max(n, 1)), s.indices(index, max(hi, 1), p.AxisLen)}
					s.check(p, reads, [][]byte{s.some(t, 12*7)}, nil, exact)
				})
			}
		}
	}
	s.sub("out of range", func(s *suite) {
		p := scatters(elem.Float32, elem.Int64)["one axis"]
		reads := [][]byte{s.some(elem.Float32, 33), s.indices(elem.Int64, 33, 12)}
		s.checkOutOfRange(p, reads, [][]byte{s.some(elem.Float32, 84)}, 33, 12)
		p = scatters(elem.Float32, elem.Int64)["whole rows"]
		reads = [][]byte{s.some(elem.Float32, 133), s.indices(elem.Int64, 19, 12)}
		s.checkOutOfRange(p, reads, [][]byte{s.some(elem.Float32, 84)}, 19, 12)
	})
}

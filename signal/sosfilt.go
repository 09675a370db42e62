package signal

import (
	"errors"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// A recursive filter goes from sample to sample, but it is linear: the outputs
// of a block of samples are a matrix times the samples plus a matrix times the
// state before them, and so is the state after them. So lines are cut into
// blocks, the state after each block from rest is computed for all at once,
// doubling steps carry states from block to block, and two products give the
// outputs. That is exact, runs at the speed of matrix products, and fuses and
// batches like any other graph.

// blockLen is the samples in a block: each costs as many multiplications per
// sample, and longer ones take fewer steps to carry states.
const blockLen = 64

// Filter runs x through the cascade from rest, along an axis, the last unless
// one is given, as scipy.signal.sosfilt.
func (s SOS) Filter(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	const op = "sosfilt"
	l, bad := along(op, x, first(axis), false)
	if bad != nil {
		return bad
	}
	y, _, err := s.filter(l.Array, nil)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	return l.back(y)
}

// FilterFrom runs x through the cascade along the last axis from a given
// state, and gives the state after it: a signal in parts is filtered as in one
// piece. For x of shape (..., samples) the state has shape
// (..., sections, 2); a nil one is rest.
func (s SOS) FilterFrom(x, state *nd.Array) (y, end *nd.Array) {
	const op = "sosfilt"
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad == nil && state != nil {
		bad = unusable(op, state)
	}
	if bad != nil {
		return bad, bad
	}
	lead := x.Shape()[:x.NDim()-1]
	if state != nil {
		want := append(append([]int{}, lead...), len(s), 2)
		if !broadcasts(state.Shape(), want) || state.DType() != x.DType() {
			bad = fail(op, "state is %s of shape %v: want %s of %v", state.DType(), state.Shape(), x.DType(), want)(x, state)
			return bad, bad
		}
		state = state.BroadcastTo(want...).Reshape(append(append([]int{}, lead...), 2*len(s))...)
	}
	y, end, err := s.filter(l.Array, state)
	if err != nil {
		bad = nd.Fail("signal", op, err, x)
		return bad, bad
	}
	return y, end.Reshape(append(append([]int{}, lead...), len(s), 2)...)
}

// filter is FilterFrom with the state in one axis.
func (s SOS) filter(x, state *nd.Array) (y, end *nd.Array, err error) {
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	n := x.Dim(-1)
	whole := n / blockLen * blockLen
	var parts []*nd.Array
	for _, part := range []struct{ from, to, block int }{{0, whole, blockLen}, {whole, n, n - whole}} {
		if part.from == part.to {
			continue
		}
		y, state, err = s.blocks(x.SliceAxis(-1, nd.Range{Start: part.from, Stop: part.to}), state, part.block)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, y)
	}
	return nd.Concat(-1, parts...), state, nil
}

// blocks filters whole blocks. State may be nil.
func (s SOS) blocks(x, state *nd.Array, size int) (y, end *nd.Array, err error) {
	order, count := 2*len(s), x.Dim(-1)/size
	respond, settle, ring, carry := s.matrices(size)
	lead := x.Shape()[:x.NDim()-1]
	shaped := func(tail ...int) []int { return append(append([]int{}, lead...), tail...) }
	cut := x.Reshape(shaped(count, size)...)

	y = cut.MatMul(constant(respond, x, size, size))
	after := cut.MatMul(constant(settle, x, size, order))
	if state != nil {
		at := state.Reshape(shaped(1, order)...)
		firstBlock := after.SliceAxis(-2, nd.Range{Stop: 1}).Add(at.MatMul(constant(carry, x, order, order)))
		after = nd.Concat(-2, firstBlock, after.SliceAxis(-2, nd.Range{Start: 1, Stop: nd.End}))
	}
	for step := 1; step < count; step *= 2 {
		if step > 1 {
			carry = square(carry, order)
		}
		if settled(carry) {
			break
		}
		if !finite(carry) {
			return nil, nil, errors.New("the filter is not stable: its response overflows")
		}
		earlier := after.SliceAxis(-2, nd.Range{Stop: -step}).MatMul(constant(carry, x, order, order))
		after = after.Add(earlier.PadAxis(-2, nd.Margin{Before: step}, nd.Pad{}))
	}
	before := after.SliceAxis(-2, nd.Range{Stop: -1})
	if state != nil {
		before = nd.Concat(-2, state.Reshape(shaped(1, order)...), before)
	} else {
		before = before.PadAxis(-2, nd.Margin{Before: 1}, nd.Pad{})
	}
	y = y.Add(before.MatMul(constant(ring, x, order, size)))
	end = after.SliceAxis(-2, nd.Range{Start: count - 1, Stop: nd.End}).Reshape(shaped(order)...)
	return y.Reshape(shaped(count * size)...), end, nil
}

// matrices is what a block of samples does, for row vectors: to outputs from
// samples and from the state before (respond, ring), to the state after from
// samples and from the state before (settle, carry). Each row is one run of the
// filter by its definition.
func (s SOS) matrices(size int) (respond, settle, ring, carry []float64) {
	order := 2 * len(s)
	line, state := make([]float64, size), make([]float64, order)
	for i := range size {
		clear(line)
		clear(state)
		line[i] = 1
		s.run(line, state)
		respond = append(respond, line...)
		settle = append(settle, state...)
	}
	for i := range order {
		clear(line)
		clear(state)
		state[i] = 1
		s.run(line, state)
		ring = append(ring, line...)
		carry = append(carry, state...)
	}
	return respond, settle, ring, carry
}

// square is the product of a matrix with itself.
func square(a []float64, n int) []float64 {
	b := make([]float64, n*n)
	for i := range n {
		for k := range n {
			for j := range n {
				b[i*n+j] += a[i*n+k] * a[k*n+j]
			}
		}
	}
	return b
}

// settled reports whether nothing of a state is left.
func settled(a []float64) bool {
	for _, v := range a {
		if math.Abs(v) > 1e-30 || math.IsNaN(v) {
			return false
		}
	}
	return true
}

func finite(a []float64) bool {
	for _, v := range a {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// FiltFilt is the options of SOS.FiltFilt.
type FiltFilt struct {
	// PadLen is by how many samples each end is continued, by turning the
	// signal around its last sample: 0 is three times the filter's taps, as in
	// SciPy, None is none.
	PadLen int
	Axis   nd.AxisChoice
}

// FiltFilt runs x through the cascade forwards and then backwards, as
// scipy.signal.sosfiltfilt: the phase stays as it is, and the gain is that of
// the filter squared.
func (s SOS) FiltFilt(x *nd.Array, opt ...FiltFilt) *nd.Array {
	const op = "filtfilt"
	o := first(opt)
	l, bad := along(op, x, o.Axis, false)
	if bad != nil {
		return bad
	}
	steady, err := s.Steady()
	if err != nil {
		return nd.Fail("signal", op, errors.Unwrap(err), x)
	}
	edge, n := o.PadLen, l.Dim(-1)
	switch edge {
	case 0:
		edge = s.edge()
	case None:
		edge = 0
	}
	if edge < 0 || edge >= n {
		return fail(op, "PadLen %d: want less than the %d samples", edge, n)(x)
	}
	y := oddExtension(l.Array, edge)
	flat := make([]float64, 0, 2*len(s))
	for _, v := range steady {
		flat = append(flat, v[0], v[1])
	}
	for range 2 {
		start := y.SliceAxis(-1, nd.Range{Stop: 1}).Mul(constant(flat, x))
		y, _, err = s.filter(y, start)
		if err != nil {
			return nd.Fail("signal", op, err, x)
		}
		y = y.Flip(-1)
	}
	return l.back(y.SliceAxis(-1, nd.Range{Start: edge, Stop: edge + n}))
}

// edge is SciPy's padding: three times the taps, not counting delays that
// every section has.
func (s SOS) edge() int {
	zeros, poles := 0, 0
	for _, c := range s {
		if c[2] == 0 {
			zeros++
		}
		if c[5] == 0 {
			poles++
		}
	}
	return 3 * (2*len(s) + 1 - min(zeros, poles))
}

// oddExtension continues a line at both ends by turning it around its last
// sample.
func oddExtension(x *nd.Array, edge int) *nd.Array {
	if edge == 0 {
		return x
	}
	n := x.Dim(-1)
	at := func(from, to int) *nd.Array { return x.SliceAxis(-1, nd.Range{Start: from, Stop: to}) }
	turn := func(around, part *nd.Array) *nd.Array { return around.MulScalar(2).Sub(part.Flip(-1)) }
	return nd.Concat(-1, turn(at(0, 1), at(1, edge+1)), x, turn(at(n-1, n), at(n-1-edge, n-1)))
}

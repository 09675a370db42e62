package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// gustafsson filters lines forwards and backwards from states that are chosen so
// that backwards and then forwards gives the same (Gustafsson 1996). count is how
// many samples at each end a state is taken to reach; all of them if that is less
// than half of the line.
func (f TF) gustafsson(x *nd.Array, count int) *nd.Array {
	n := x.Dim(-1)
	filter := f.cascade()
	run := func(x *nd.Array) *nd.Array {
		y, _ := filter.filter(x, nil)
		return y
	}
	back := func(x *nd.Array) *nd.Array { return run(x.Flip(-1)).Flip(-1) }
	both := back(run(x))
	if len(f.B) <= 1 && len(f.A) <= 1 { // a gain has no state
		return both
	}
	differ := run(back(x)).Sub(both)
	whole := count == 0 || n <= 2*count
	if whole {
		count = n
	}
	g := f.edges(count, whole)
	if !whole {
		differ = nd.Concat(-1, differ.SliceAxis(-1, nd.Range{Stop: count}), differ.SliceAxis(-1, nd.Range{Start: n - count, Stop: n}))
	}
	// The states of least squares, and what they add to the ends.
	rows := len(g.gains) / g.states
	added := differ.ExpandDims(-2).MatMul(constant(g.solve, x, rows, g.states)).MatMul(constant(g.gains, x, g.states, rows)).Squeeze(-2)
	if whole {
		return both.Add(added)
	}
	start, end := added.SliceAxis(-1, nd.Range{Stop: count}), added.SliceAxis(-1, nd.Range{Start: count, Stop: 2 * count})
	return both.Add(start.PadAxis(-1, nd.Margin{After: n - count}, nd.Pad{})).Add(end.PadAxis(-1, nd.Margin{Before: n - count}, nd.Pad{}))
}

// settled is after how many samples states add nothing to outputs that float64 holds, or 0 if
// that is not before the limit. It is measured, since poles that lie close together are not known
// to all their digits.
func (f TF) settled(limit int) int {
	const nothing = 0x1p-60
	_, a := f.filled()
	order := len(a) - 1
	z, most := make([]float64, order+1), 1.0
	if order > 0 {
		z[0] = 1
	}
	for t := range limit - order {
		out, size := z[0], 0.0
		for k := 1; k <= order; k++ {
			z[k-1] = z[k] - a[k]*out
			size = max(size, math.Abs(z[k-1]))
		}
		// A state that is left grows as the first did, at most.
		most = max(most, size)
		if size*most*float64(order) <= nothing {
			return t + 1 + order // a state of 1 in another place arrives that much later
		}
	}
	return 0
}

// edges is what states at both ends do to outputs.
type edges struct {
	solve  []float64 // (outputs, states): states from how the two orders differ
	gains  []float64 // (states, outputs): outputs from states
	states int
}

func (f TF) edges(count int, whole bool) edges {
	b, a := f.filled()
	order := len(b) - 1
	// Column k is the answer to a state of 1 in place k: that to place 0, later.
	observed := columns(count, order)
	first := make([]float64, order)
	first[0] = 1
	line(b, a, observed[0], first)
	for k := 1; k < order; k++ {
		copy(observed[k][min(k, count):], observed[0])
	}
	// The same, filtered on its way back.
	turned := columns(count, order)
	filtered := columns(count, order)
	for k := range observed {
		for i, v := range observed[k] {
			turned[k][count-1-i] = v
		}
		copy(filtered[k], turned[k])
		line(b, a, filtered[k], make([]float64, order))
	}
	rows := count
	if !whole {
		rows = 2 * count
	}
	at := func(half, i int) int {
		if whole {
			return i
		}
		return half*count + i
	}
	system, out := columns(rows, 2*order), columns(rows, 2*order)
	for k := range order {
		for i := range count {
			back := filtered[k][count-1-i]
			system[k][at(0, i)], out[k][at(0, i)] = back-observed[k][i], back
			system[order+k][at(1, i)], out[order+k][at(1, i)] = turned[k][i]-filtered[k][i], turned[k][i]
		}
	}
	// With system = U S V^T, states are V S^-1 U^T of the differences.
	v := jacobiColumns(system)
	scale, top := make([]float64, 2*order), 0.0
	for k, c := range system {
		scale[k] = dot(c, c)
		top = max(top, scale[k])
	}
	e := edges{solve: make([]float64, rows*2*order), gains: make([]float64, rows*2*order), states: 2 * order}
	const lost = 0x1p-52 // singular values below this part of the greatest are none
	for k := range system {
		if scale[k] <= top*lost*lost {
			continue
		}
		for i := range rows {
			e.solve[i*2*order+k] = system[k][i] / scale[k]
			sum := 0.0
			for j := range out {
				sum += v[k][j] * out[j][i]
			}
			e.gains[k*rows+i] = sum
		}
	}
	return e
}

func columns(rows, count int) [][]float64 {
	c := make([][]float64, count)
	for i := range c {
		c[i] = make([]float64, rows)
	}
	return c
}

// line filters samples in place from a state.
func line(b, a, x, state []float64) {
	z := append(state, 0)
	for t, in := range x {
		out := b[0]*in + z[0]
		for k := 1; k < len(b); k++ {
			z[k-1] = b[k]*in - a[k]*out + z[k]
		}
		x[t] = out
	}
}

func dot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// jacobiColumns turns columns in pairs until all are orthogonal, and gives what each
// is made of: column k becomes the sum over j of v[k][j] times the old column j.
func jacobiColumns(c [][]float64) (v [][]float64) {
	v = columns(len(c), len(c))
	for k := range v {
		v[k][k] = 1
	}
	for sweep, turned := 0, true; turned && sweep < 60; sweep++ {
		turned = false
		for p := range c {
			for q := p + 1; q < len(c); q++ {
				x, y, xy := dot(c[p], c[p]), dot(c[q], c[q]), dot(c[p], c[q])
				if math.Abs(xy) <= 0x1p-52*math.Sqrt(x*y) {
					continue
				}
				turned = true
				tau := (y - x) / (2 * xy)
				t := math.Copysign(1, tau) / (math.Abs(tau) + math.Hypot(1, tau))
				cos := 1 / math.Hypot(1, t)
				turn(c[p], c[q], cos, cos*t)
				turn(v[p], v[q], cos, cos*t)
			}
		}
	}
	return v
}

func turn(x, y []float64, cos, sin float64) {
	for i, v := range x {
		w := y[i]
		x[i], y[i] = cos*v-sin*w, sin*v+cos*w
	}
}

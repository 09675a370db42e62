package plan

import (
	"maps"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A causal convolution transforms real lines of n samples as lines of 2n, of which half is
// zeros, and drops half of what comes back. With bins a quarter lower (ir.FFTQuarterForward)
// lines of n do: what lies behind the first n samples is imaginary. A device says where that
// is faster. It rounds other numbers, so bits depend on whether it is done.

// causal is the steps of a causal convolution of n samples: the transforms of a signal and of
// a filter, their product, and the transform back, of which no more is read.
type causal struct {
	signal, filter, product, back StepID
	axis                          int // of the product: the bins
	n                             int
	fast                          bool // its transforms may be
}

// quarterBins is a plan before fusion whose causal convolutions have bins a quarter lower, by
// what fusing it gave and where that is fast for lines of n samples; nil if there are none.
func quarterBins(p, fused *Plan, fast func(n, lines int, fast bool) bool) *Plan {
	u, launch := usesOf(p), lineLaunches(p, fused)
	all := map[StepID]*causal{} // by product
	type key struct {
		n    int
		fast bool
	}
	keyOf := func(c *causal) key { return key{c.n, c.fast} }
	lines := map[key]int{} // of all, so that it does not matter how many streams share them
	for i := range p.Steps {
		c := causalAt(p, u, StepID(i))
		if c != nil && launch[c.signal] >= 0 && launch[c.signal] == launch[c.product] && launch[c.signal] == launch[c.back] &&
			(launch[c.signal] != launch[c.filter] || transformsAgain(p, c.signal) || transformsAgain(p, c.filter)) {
			all[c.product] = c
			lines[keyOf(c)] += ir.Count(p.Steps[i].Program.(*ir.FFT).Outer)
		}
	}
	maps.DeleteFunc(all, func(_ StepID, c *causal) bool { return !fast(c.n, lines[keyOf(c)], c.fast) })
	// A filter that several share has the bins that all of them want.
	for found := true; found; {
		found = false
		for _, c := range all {
			if slices.ContainsFunc(u.readers[p.Steps[c.filter].Writes[0]], func(r StepID) bool { return all[r] == nil || all[r].filter != c.filter || all[r].n != c.n }) {
				delete(all, c.product)
				found = true
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	made := p.Clone()
	for _, c := range all {
		c.restate(made)
	}
	return made
}

// transformsAgain reports a transform of lines of which several are the same: of the filter of
// few lines, that each of them transforms itself.
func transformsAgain(p *Plan, i StepID) bool {
	f := p.Steps[i].Program.(*ir.FFT)
	for d, n := range f.Outer {
		if n > 1 && f.In.Strides[d] == 0 {
			return true
		}
	}
	return false
}

const quarterLabel = " in quarter bins"

// restate makes the bins of a convolution those a quarter lower, in the buffers that it has.
func (c *causal) restate(p *Plan) {
	for _, i := range []StepID{c.signal, c.filter} {
		if f := p.Steps[i].Program.(*ir.FFT); f.Kind == ir.FFTRealForward { // several may share a filter
			f.Kind, f.N = ir.FFTQuarterForward, c.n
			p.Steps[i].Label += quarterLabel
		}
	}
	m := p.Steps[c.product].Program.(*ir.Map)
	m.Dims = slices.Clone(m.Dims)
	m.Dims[c.axis] = c.n
	f := p.Steps[c.back].Program.(*ir.FFT)
	f.Kind, f.N, f.InLen, f.Scale = ir.FFTQuarterInverse, c.n, c.n, 2*f.Scale
	p.Steps[c.back].Label += quarterLabel
}

// quarterRows puts bins a quarter lower in as many rows as the device wants them.
func (p *Plan) quarterRows(rows func(n int) int) {
	for i := range p.Steps {
		if f, ok := p.Steps[i].Program.(*ir.FFT); ok && f.Quarter() && rows != nil {
			f.Rows = rows(f.N)
		}
	}
}

// causalAt is the convolution whose transform back is step i; nil if it is none.
func causalAt(p *Plan, u *uses, i StepID) *causal {
	back, ok := p.Steps[i].Program.(*ir.FFT)
	if !ok || back.Kind != ir.FFTRealInverse || back.N%2 == 1 || back.InLen < back.InNeeded() || !plainSingle(back) || p.Steps[i].Adds ||
		!readsFirst(p, u, p.Steps[i].Writes[0], back) {
		return nil
	}
	c := &causal{signal: -1, filter: -1, back: i, n: back.N / 2, fast: back.Fast()}
	if c.product, ok = onlyWriter(p, u, p.Steps[i].Reads[0]); !ok || len(u.readers[p.Steps[i].Reads[0]]) != 1 {
		return nil
	}
	s := &p.Steps[c.product]
	m, ok := s.Program.(*ir.Map)
	if !ok || len(m.Value) != 1 || len(m.In) != 2 || len(s.Reads) != 2 || s.Reads[0] == s.Reads[1] {
		return nil
	}
	mul := m.Instrs[m.Value[0]]
	if len(m.Instrs) != 3 || mul.Kind != ir.Apply || mul.Op != scalar.Mul || m.Instrs[mul.A].Kind != ir.Load || m.Instrs[mul.B].Kind != ir.Load || mul.A == mul.B {
		return nil
	}
	c.axis = slices.IndexFunc(m.Out[0].Strides, func(n int) bool { return n == back.In.Along() })
	if c.axis < 0 || m.Dims[c.axis] != back.InNeeded() || m.Out[0].Offset != back.In.Offset {
		return nil
	}
	for k, b := range s.Reads {
		at, ok := onlyWriter(p, u, b)
		if !ok {
			return nil
		}
		f, ok := p.Steps[at].Program.(*ir.FFT)
		if !ok || f.Kind != ir.FFTRealForward || f.N != back.N || f.InLen > c.n || !plainSingle(f) || m.In[k].Strides[c.axis] != f.Out.Along() || m.In[k].Offset != f.Out.Offset {
			return nil
		}
		if ir.Count(f.Outer) == ir.Count(back.Outer) && c.signal < 0 && len(u.readers[b]) == 1 {
			c.signal, c.fast = at, c.fast && f.Fast()
		} else {
			c.filter = at
		}
	}
	if c.signal < 0 || c.filter < 0 || c.fast && c.gated(p, u) {
		return nil
	}
	return c
}

// gated reports samples that a map makes of several arrays. Pairs of such lines have no
// registers left for quarter bins, where numbers are samples.
func (c *causal) gated(p *Plan, u *uses) bool {
	at, ok := onlyWriter(p, u, p.Steps[c.signal].Reads[0])
	if !ok {
		return false
	}
	m, ok := p.Steps[at].Program.(*ir.Map)
	return ok && len(m.In) > 1
}

// plainSingle reports a transform of float32 as it is, which may be fast.
func plainSingle(f *ir.FFT) bool {
	return f.In.Type.Real() == elem.Float32 && f.Plain() && f.Window == nil && !f.Planes
}

// onlyWriter is the step that writes a buffer which no other step writes and that is no
// result.
func onlyWriter(p *Plan, u *uses, b BufferID) (StepID, bool) {
	if u.result[b] || len(u.writers[b]) != 1 || p.Steps[u.writers[b][0]].Adds {
		return 0, false
	}
	return u.writers[b][0], true
}

// readsFirst reports a buffer of lines of which maps alone read, and no more than the first
// half.
func readsFirst(p *Plan, u *uses, b BufferID, f *ir.FFT) bool {
	rows := f.Out.Strides[:len(f.Out.Strides)-1]
	if u.result[b] || len(u.writers[b]) != 1 || f.Out.Along() != 1 || f.Out.Offset != 0 || slices.ContainsFunc(rows, func(n int) bool { return n%f.N != 0 }) {
		return false
	}
	for _, r := range u.readers[b] {
		m, ok := p.Steps[r].Program.(*ir.Map)
		if !ok {
			return false
		}
		for k, read := range p.Steps[r].Reads {
			if read != b {
				continue
			}
			last := m.In[k].Offset % f.N
			for d, stride := range m.In[k].Strides {
				if stride%f.N != 0 || stride < 0 {
					last += max(stride, -stride*f.N) * (m.Dims[d] - 1) // backwards is too far
				}
			}
			if last >= f.N/2 {
				return false
			}
		}
	}
	return true
}

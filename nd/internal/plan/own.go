package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// The spectrum of a filter that the lines of a batch share is computed once, before
// them. Where lines are few, that launch takes longer than the transforms it saves: then
// every line transforms its filter itself, in the launch that needs it.

// ownSpectra is a plan before fusion whose lines transform for themselves what a launch
// of its own would transform for all of them, by what fusing it gave; nil if none do.
func ownSpectra(p, fused *Plan, f device.Figures) *Plan {
	u, launch := usesOf(p), lineLaunches(p, fused)
	var own *Plan
	for i, s := range p.Steps {
		t, ok := s.Program.(*ir.FFT)
		if !ok || !isTransform(t) || t.Window != nil || t.Planes || s.Adds || launch[i] >= 0 {
			continue
		}
		b := s.Writes[0]
		readers := u.readers[b]
		if u.result[b] || len(u.writers[b]) > 1 || len(readers) != 1 || launch[readers[0]] < 0 || p.Steps[readers[0]].Stream != s.Stream {
			continue
		}
		r := readers[0]
		m, ok := p.Steps[r].Program.(*ir.Map)
		k := slices.Index(p.Steps[r].Reads, b)
		if !ok || slices.Contains(p.Steps[r].Reads[k+1:], b) {
			continue
		}
		each, read := forEachLine(t, m.Dims, m.In[k])
		if each == nil || cost.Rank(each, f)-cost.Rank(t, f) > f.LaunchNs {
			continue
		}
		if own == nil {
			own = p.Clone()
		}
		made := own.addBuffer(Buffer{Node: p.Buffers[b].Node, Bytes: ir.Count(m.Dims) * read.Type.Size()})
		to, from := &own.Steps[i], &own.Steps[r]
		to.Program, to.Writes = each, []BufferID{made}
		to.Label += " for each line"
		from.Reads[k] = made
		mine := from.Program.(*ir.Map)
		mine.In = slices.Clone(mine.In)
		mine.In[k] = read
	}
	return own
}

// forEachLine is a transform for every line of a map that reads its result as o, by which
// several lines share one, and how the map then reads it; nil if o is not such lines.
func forEachLine(t *ir.FFT, dims []int, o ir.Operand) (*ir.FFT, ir.Operand) {
	n := len(t.Outer)
	along := make([]int, len(dims)) // by axis of the map: that of the transform, -1 if lines share
	taken := make([]bool, n+1)
	shared := false
	for d, size := range dims {
		along[d] = -1
		for j, stride := range t.Out.Strides {
			of := t.OutLen()
			if j < n {
				of = t.Outer[j]
			}
			if !taken[j] && size == of && o.Strides[d] == stride && stride != 0 {
				along[d] = j
			}
		}
		switch {
		case along[d] >= 0:
			taken[along[d]] = true
		case o.Strides[d] != 0:
			return nil, o
		default:
			shared = shared || size > 1
		}
	}
	for j := range taken {
		if !taken[j] && (j == n || t.Outer[j] != 1) {
			return nil, o
		}
	}
	if !shared || o.Offset != t.Out.Offset {
		return nil, o
	}
	each := *t
	each.Outer, each.In.Strides = nil, nil
	line := -1
	for d, j := range along {
		switch {
		case j == n:
			line = d
			continue
		case j >= 0:
			each.In.Strides = append(each.In.Strides, t.In.Strides[j])
		default:
			each.In.Strides = append(each.In.Strides, 0)
		}
		each.Outer = append(each.Outer, dims[d])
	}
	each.In.Strides = append(each.In.Strides, t.In.Strides[n])
	each.Out = operand(t.Out.Type, shape.Contiguous(append(slices.Clone(each.Outer), t.OutLen())))
	read := each.Out
	read.Strides = slices.Insert(slices.Clone(each.Out.Strides[:len(each.Outer)]), line, 1)
	return &each, read
}

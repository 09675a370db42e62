package transform

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// joint transforms interleaved lines whose lead has half the lanes, and never takes complex numbers
// apart: so rows are whole vectors, where planes have rows of half a vector.
type joint struct {
	shape
	n    int
	lead step
	tree *tree
}

// newJoint is nil for lines that run in planes, and if a kernel is missing.
func newJoint[R butterfly.Float](s shape, lead int, radices []int) *joint {
	cols, first := product(radices), butterfly.JointLead[R](s.level)
	target := recipe.Target{Bits: 8 * s.size, Lanes: butterfly.Lanes(s.level, 8*s.size)}
	if first == nil || !target.Joint(lead*cols) {
		return nil
	}
	j := &joint{shape: s, n: lead * cols, tree: newTree[R](s, radices, lead, lead, 0)}
	for i, r := range radices {
		kernel := butterfly.Joint[R](s.level, r)
		if kernel == nil {
			return nil
		}
		j.tree.steps[i].kernel[butterfly.Interleaved][butterfly.Interleaved] = kernel
	}
	var w []R
	for _, start := range butterfly.Tiles(cols, lead) {
		for leg := 1; leg < lead; leg++ {
			one := appendLanes[R](nil, roots.Of(j.n), leg*start, leg, lead)
			for _, v := range one {
				w = append(w, v, v)
			}
		}
	}
	j.lead.pass = &butterfly.Pass{Cols: cols, InLeg: cols, Twiddle: unsafe.Pointer(unsafe.SliceData(w))}
	j.lead.kernel[butterfly.Interleaved][butterfly.Interleaved] = first
	return j
}

// fits says that a line is interleaved on both sides.
func (j *joint) fits(dst, src view) bool {
	return j != nil && dst.form == butterfly.Interleaved && src.form == butterfly.Interleaved
}

func (j *joint) run(dst, src view, work unsafe.Pointer, scale float64) {
	j.runFrom(j.lead, dst, src, work, scale)
}

// runAsking is run for a line of a batch, whose lead asks for the result if that is long.
func (j *joint) runAsking(dst, src view, work unsafe.Pointer, scale float64) {
	if 2*j.n*j.size < askFrom {
		j.run(dst, src, work, scale)
		return
	}
	lead := step{j.lead.pass.CopyTo(work), j.lead.kernel}
	lead.pass.AheadIn = (int(uintptr(dst.lower())) - int(uintptr(src.lower()))) / (2 * j.size)
	j.runFrom(lead, dst, src, unsafe.Add(work, passBytes), scale)
}

func (j *joint) runFrom(lead step, dst, src view, work unsafe.Pointer, scale float64) {
	buffer := view{work, unsafe.Add(work, j.size), butterfly.Interleaved}
	lead.run(buffer, src, 1)
	j.tree.run(dst, buffer, scale)
	runtime.KeepAlive(j)
}

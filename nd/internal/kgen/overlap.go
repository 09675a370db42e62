package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

const overlapThreads = 256

// overlapKernels is a kernel with a thread for each element of the result.
// Threads of a simdgroup go through the frames that reach any of their elements,
// and each adds those that reach its own, in the order of order.FrameGroup: so
// neighbouring threads read neighbours. The others count as 0, which no sum that
// starts with 0 is changed by, so that loads need not wait for each other.
func overlapKernels(o *ir.Overlap, target Target) (*kernels, error) {
	dims := o.OutDims()
	if o.Count > o.Turns*o.Phases {
		return nil, fmt.Errorf("kgen: %d frames in %d turns of %d: %w", o.Count, o.Turns, o.Phases, device.ErrUnsupported)
	}
	last := len(dims) - 1
	s := &space{dims: dims, ops: []ir.Operand{o.Out, {Type: o.In.Type, Strides: make([]int, len(dims))}}}
	in := newSpace(o.InDims(), o.In)
	e := target.newEntry("overlap", overlapThreads, s.isWide() || in.isWide())
	e.apart, e.loose = true, true
	frames, out := e.pointer("frames", o.In, read(0)), e.pointer("out", o.Out, write(0))
	i := e.first(1)
	e.If(i.Lt(e.size("points", ir.Count(dims))), func() {
		coords := e.point("c", i, dims)
		start := e.Let("start", e.position("frame", coords[:last], o.In.Strides[:last]))
		n := func(name string, v int) build.Val { return e.number(name, v) }
		turnStep, elementStep := n("turn_step", o.In.Strides[last]), n("element_step", o.In.Strides[last+2])
		size, count, hop := n("size", o.Size), n("count", o.Count), n("hop", o.Hop)
		hops := func(x build.Val) build.Val { return e.quotient(x.To(e.index()), "hop", o.Hop).To(e.at()) }
		place := e.Let("place", coords[last].To(e.at()).Add(n("skip", o.Skip)))
		lane := e.Let("lane", e.Thread().Rem(32).To(e.at()))
		near := e.Let("near", place.Lt(lane).Choose(0, place.Sub(lane)))
		far := e.Let("far", place.Add(31).Sub(lane))
		first := e.Let("first", near.Ge(size).Choose(hops(near.Sub(size).Add(hop)), 0))
		end := e.Let("end", build.Min(hops(far).Add(1), count))
		element := e.Var("element", place.Sub(first.Mul(hop)))
		begin, step, wrap := first.Mul(turnStep), turnStep, func(build.Val) {}
		if o.Phases > 1 {
			phases, phaseStep := n("phases", o.Phases), n("phase_step", o.In.Strides[last+1])
			phase, back := e.Var("phase", first.Rem(phases)), e.Let("wrap", turnStep.Sub(phases.Mul(phaseStep)))
			begin, step = first.Div(phases).Mul(turnStep).Add(phase.Mul(phaseStep)), phaseStep
			wrap = func(from build.Val) {
				e.Set(phase, phase.Add(1))
				e.If(phase.Eq(phases), func() {
					e.Set(phase, 0)
					e.Set(from, from.Add(back))
				})
			}
		}
		from := e.Var("from", start.Add(begin).Add(element.Mul(elementStep)))
		step = e.Let("step", step.Sub(hop.Mul(elementStep)))
		sum := Variable(e.Kernel, "sum", ZeroOf(o.Out.Type))
		group := order.FrameGroup(o.Size, o.Hop)
		var all Num
		if group > 0 {
			all = Variable(e.Kernel, "all", ZeroOf(o.Out.Type))
		}
		e.For("t", first, end, 1, 4, func(t build.Val) {
			if group > 0 {
				e.If(t.Rem(group).Eq(0), func() {
					Assign(e.Kernel, all, all.added(sum))
					Assign(e.Kernel, sum, ZeroOf(o.Out.Type))
				})
			}
			x := e.Let("x", element.Ge(0).AndThen(element.Lt(size)).Choose(frames.At(from), Nothing(o.In.Type)))
			Assign(e.Kernel, sum, sum.added(Get(o.In.Type, x)))
			e.Set(element, element.Sub(hop))
			e.Set(from, from.Add(step))
			wrap(from)
		})
		if group > 0 {
			Assign(e.Kernel, sum, all.added(sum))
		}
		e.Set(out.At(e.position("out", coords, o.Out.Strides)), Put(o.Out.Type, sum))
	})
	k := &kernels{}
	k.add(e, ceil(ir.Count(dims), overlapThreads))
	return k, nil
}

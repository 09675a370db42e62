package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

const overlapThreads = 256

// generateOverlap writes a kernel with a thread for each element of the result.
// Threads of a warp go through the frames that reach any of their elements, and
// each adds those that reach its own, in the order of emit.FrameGroup: so
// neighbouring threads read neighbours. The others count as 0, which no sum that
// starts with 0 is changed by, so that loads need not wait for each other.
func generateOverlap(o *ir.Overlap) (*emit.Module, error) {
	dims := o.OutDims()
	if o.Count > o.Turns*o.Phases {
		return nil, fmt.Errorf("cuda: %d frames in %d turns of %d: %w", o.Count, o.Turns, o.Phases, device.ErrUnsupported)
	}
	if ir.Count(dims) == 0 {
		return &emit.Module{}, nil
	}
	last := len(dims) - 1
	s := &space{dims: dims, ops: []ir.Operand{o.Out, o.In}}
	in := newSpace(o.InDims(), o.In)
	t := o.Out.Type
	var u emit.Uses
	u.Part("quotient")
	e := &entry{name: "overlap", threads: overlapThreads, wide: s.isWide() || in.isWide(), apart: true, loose: true}
	e.pointer("frames", o.In, emit.Read(0))
	e.pointer("out", o.Out, emit.Write(0))
	e.number("points", ir.Count(dims))
	e.f("const %s i = (%s)blockIdx.x * %d + threadIdx.x;\nif (i >= (%s)points) return;\n", e.index(), e.index(), overlapThreads, e.index())
	coords := e.point("c", "i", dims)
	e.f("frames += %s;\n", e.position("frame", coords[:last], o.In.Strides[:last]))
	for _, p := range []struct {
		name  string
		value int
	}{
		{"turn_step", o.In.Strides[last]}, {"phase_step", o.In.Strides[last+1]}, {"element_step", o.In.Strides[last+2]},
		{"phases", o.Phases}, {"size", o.Size}, {"count", o.Count}, {"hop", o.Hop}, {"skip", o.Skip},
	} {
		e.number(p.name, p.value)
	}
	add := ir.Code{
		In: []ir.Operand{o.Out, o.In},
		Instrs: []ir.Instr{{Kind: ir.Load, Type: t}, {Kind: ir.Load, Type: t, Slot: 1},
			{Kind: ir.Apply, Op: scalar.Add, Type: t, A: 0, B: 1}},
	}
	code := u.Code(&add, emit.Spelling{Prefix: "v", Load: func(slot int) string {
		return []string{"sum", fmt.Sprintf("element >= 0 && element < (at)size ? %s : %s{}", u.Get(t, "frames[from]"), emit.Value(t))}[slot]
	}}, 2)
	grouped := u.Code(&add, emit.Spelling{Prefix: "w", Load: func(slot int) string { return []string{"all", "sum"}[slot] }}, 2)
	e.f(`typedef %s at;
const at place = (at)%s + (at)skip, lane = threadIdx.x %% 32;
const at near = place < lane ? 0 : place - lane, far = place + 31 - lane;
const at first = near >= (at)size ? (near - (at)size + (at)hop) / (at)hop : 0;
const at end = far / (at)hop + 1 < (at)count ? far / (at)hop + 1 : (at)count;
at phase = first %% (at)phases, element = place - first * (at)hop;
at from = first / (at)phases * (at)turn_step + phase * (at)phase_step + element * (at)element_step;
const at step = (at)phase_step - (at)hop * (at)element_step, wrap = (at)turn_step - (at)phases * (at)phase_step;
%s sum = {};
`, e.at(), coords[last], emit.Value(t))
	group, flush := emit.FrameGroup(o.Size, o.Hop), ""
	if group > 0 {
		e.f("%s all = {};\n", emit.Value(t))
		flush = fmt.Sprintf("if (t %% %d == 0) { %sall = %s; sum = {}; }\n", group, grouped.Body, grouped.Names[2])
	}
	e.f(`#pragma unroll 4
for (at t = first; t < end; t++) {
%s%ssum = %s;
element -= (at)hop;
from += step;
if (++phase == (at)phases) { phase = 0; from += wrap; }
}
`, flush, code.Body, code.Names[2])
	if group > 0 {
		e.f("{ %ssum = %s; }\n", grouped.Body, grouped.Names[2])
	}
	e.f("out[%s] = %s;\n", e.position("out", coords, o.Out.Strides), u.Put(t, "sum"))
	mod, err := module(&u, "", e)
	if err != nil {
		return nil, err
	}
	mod.Steps = []emit.Step{e.step(ceil(ir.Count(dims), overlapThreads))}
	return mod, nil
}

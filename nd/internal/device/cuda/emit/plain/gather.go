package plain

import (
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const gatherThreads = 256

// generateGather writes a kernel whose threads each pick one element, or a
// pack of neighbours that share an index.
func generateGather(g *ir.Gather) (*emit.Module, error) {
	if ir.Count(g.Dims) == 0 {
		return &emit.Module{}, nil
	}
	s := newSpace(g.Dims, g.Data, g.Index, g.Out)
	s.forward(2)
	s.order(2)
	s.join()
	data, index, out := s.ops[0], s.ops[1], s.ops[2]
	pack, last := 1, len(s.dims)-1
	if last >= 0 && data.Strides[last] == 1 && index.Strides[last] == 0 && out.Strides[last] == 1 {
		pack = accessBytes / out.Type.Size()
		all := append([]int{data.Offset, out.Offset, g.AxisStride, s.dims[last]}, data.Strides[:last]...)
		for _, n := range append(all, out.Strides[:last]...) {
			for ; n%pack != 0; pack /= 2 {
			}
		}
	}
	dims := append([]int(nil), s.dims...)
	if last >= 0 {
		dims[last] /= pack
	}
	var u emit.Uses
	u.Part("pack")
	u.Part("quotient")
	u.Part("index_fault")
	// The axis that the index walks is no dimension of the space.
	wide := s.isWide() || g.AxisLen*abs(g.AxisStride) > narrowMost/2
	e := &entry{name: "gather", threads: gatherThreads, wide: wide, apart: true, loose: true}
	e.pointer("data", data, emit.Read(0))
	e.pointer("index", index, emit.Read(1))
	e.pointer("out", out, emit.Write(0))
	e.param("u64* cell", emit.Fault())
	e.number("points", ir.Count(dims))
	e.f("const %s i = (%s)blockIdx.x * %d + threadIdx.x;\nif (i >= (%s)points) return;\n", e.index(), e.index(), gatherThreads, e.index())
	coords := e.point("c", "i", dims)
	if pack > 1 {
		e.f("const %s along = %s * %d;\n", e.index(), coords[last], pack)
		coords[last] = "along"
	}
	e.f("const i64 at = index[%s];\nconst i64 place = at < 0 ? at + length : at;\n", e.position("index", coords, index.Strides))
	e.f("if (place < 0 || place >= %s) { index_fault(cell, at); return; }\n", e.number("length", g.AxisLen))
	from := e.position("data", coords, data.Strides) + " + (" + e.at() + ")place * (" + e.at() + ")" + e.number("step", g.AxisStride)
	to := e.position("out", coords, out.Strides)
	e.f("store_pack<%d>(out + (%s), load_pack<%d>(data + (%s)));\n", pack, to, pack, from)
	mod, err := module(&u, "", e)
	if err != nil {
		return nil, err
	}
	mod.Steps = []emit.Step{e.step(ceil(ir.Count(dims), gatherThreads))}
	mod.Fault = indexFault("gather", g.AxisLen)
	return mod, nil
}

// indexFault reads what index_fault wrote.
func indexFault(op string, length int) func([4]uint64) error {
	return func(cell [4]uint64) error {
		return &ir.IndexError{Op: op, Index: int64(cell[1]), Len: length}
	}
}

package plain

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// tileFrom is the length of both dimensions from which a transpose goes
// through tiles.
const tileFrom = 16

// turnedAxis is the dimension along which some input lies in memory while the
// output lies along the last one, or -1.
func turnedAxis(s *space, m *ir.Map) int {
	last := len(s.dims) - 1
	out := s.ops[len(m.In)+len(m.Positions)]
	if last < 1 || s.dims[last] < tileFrom || out.Strides[last] != 1 {
		return -1
	}
	for _, i := range emit.Needed(&m.Code, m.Value...) {
		if st := s.ops[i].Strides; abs(st[last]) > 1 {
			if d := slices.Index(st, 1); d >= 0 && s.dims[d] >= tileFrom {
				return d
			}
		}
	}
	return -1
}

// tileKernels writes a map whose inputs lie along dimension d and whose
// output lies along the last. A block takes a square of the two: it loads
// those inputs along d into shared memory and computes along the last.
func tileKernels(m *ir.Map, s *space, d int) *kernels {
	var u emit.Uses
	u.Part("quotient")
	last := len(s.dims) - 1
	ins, outs := s.ops[:len(m.In)], s.ops[len(m.In)+len(m.Positions):]
	positions := s.ops[len(m.In) : len(m.In)+len(m.Positions)]
	loads := emit.Needed(&m.Code, m.Value...)
	turned := map[int]bool{}
	side, shared := 32, 0
	for _, i := range loads {
		if ins[i].Strides[d] == 1 && abs(ins[i].Strides[last]) > 1 {
			turned[i] = true
			shared += 33 * 32 * ins[i].Type.Size()
		}
	}
	if shared > 48<<10 { // what every card gives; the rest is read as it lies
		for _, i := range slices.Backward(loads) {
			if size := 33 * 32 * ins[i].Type.Size(); turned[i] && shared > 48<<10 {
				delete(turned, i)
				shared -= size
			}
		}
	}
	// Short elements take wider tiles, so that a row is still two sectors.
	if slices.IndexFunc(outs, func(o ir.Operand) bool { return o.Type.Size() > 2 }) < 0 && 4*shared <= 32<<10 {
		side = 64
	}

	e := &entry{name: "map", threads: 256, wide: s.isWide()}
	for _, i := range loads {
		e.pointer(fmt.Sprintf("in%d", i), ins[i], emit.Read(i))
	}
	for i, o := range outs {
		e.pointer(fmt.Sprintf("out%d", i), o, emit.Write(i))
	}
	e.args(&m.Code)
	code := u.Code(&m.Code, emit.Spelling{
		Prefix: "v",
		Load: func(slot int) string {
			if turned[slot] {
				return u.Get(ins[slot].Type, fmt.Sprintf("tile%d[x][y]", slot))
			}
			return u.Get(ins[slot].Type, fmt.Sprintf("in%d[from_in%d + (%s)y * (%s)step_in%d]", slot, slot, e.at(), e.at(), slot))
		},
		Index: func(slot int) string {
			o := positions[slot]
			return fmt.Sprintf("(i64)from_p%d + (i64)y * step_p%d + %s", slot, slot, e.number(fmt.Sprintf("p%d_from", slot), o.Offset))
		},
	}, m.Value...)
	e.f("%s", code.Head)
	for _, i := range loads {
		if turned[i] {
			e.share("%s tile%d[%d][%d]", emit.Memory(ins[i].Type), i, side, side+1)
		}
	}

	// Tiles are numbered row-major over the other dimensions, then d, then
	// the last.
	dims := slices.Clone(s.dims)
	dims[last], dims[d] = ceil(dims[last], side), ceil(dims[d], side)
	e.f("const %s block = blockIdx.x;\n", e.index())
	coords := e.point("c", "block", dims)
	e.f("const %s d0 = %s * %d, l0 = %s * %d;\n", e.index(), coords[d], side, coords[last], side)
	coords[d], coords[last] = "d0", "l0"
	e.f("const int x = threadIdx.x %% %d, row = threadIdx.x / %d;\n", side, side)
	e.f("const int rows = (int)min((i64)%d, %s - (i64)d0), width = (int)min((i64)%d, %s - (i64)l0);\n",
		side, e.number("d_size", s.dims[d]), side, e.number("l_size", s.dims[last]))
	step := 256 / side
	for _, i := range loads {
		if !turned[i] {
			continue
		}
		name := fmt.Sprintf("in%d", i)
		e.f("const %s from_%s = %s;\n", e.at(), name, e.position(name, coords, ins[i].Strides))
		along := e.number(name+"_l", ins[i].Strides[last])
		e.f("#pragma unroll\nfor (int r = 0; r < %d; r += %d) if (x < rows && r + row < width) tile%d[r + row][x] = %s[from_%s + x + (%s)(r + row) * (%s)%s];\n",
			side, step, i, name, name, e.at(), e.at(), along)
	}
	e.f("__syncthreads();\nif (x >= width) return;\n")
	start := func(name string, o ir.Operand) {
		e.f("const %s from_%s = %s + (%s)x * (%s)%s, step_%s = %s;\n", e.at(), name, e.position(name, coords, o.Strides),
			e.at(), e.at(), e.number(name+"_x", o.Strides[last]), name, e.number(name+"_y", o.Strides[d]))
	}
	for _, i := range loads {
		if !turned[i] {
			start(fmt.Sprintf("in%d", i), ins[i])
		}
	}
	for i, o := range positions {
		start(fmt.Sprintf("p%d", i), o)
	}
	for i, o := range outs {
		start(fmt.Sprintf("out%d", i), o)
	}
	e.f("#pragma unroll\nfor (int r = 0; r < %d; r += %d) {\nconst int y = r + row;\nif (y >= rows) continue;\n%s", side, step, code.Body)
	for i, o := range outs {
		e.f("out%d[from_out%d + (%s)y * step_out%d] = %s;\n", i, i, e.at(), i, u.Put(o.Type, code.Names[m.Value[i]]))
	}
	e.f("}\n")
	return &kernels{uses: &u, entries: []*entry{e}, blocks: []int{ir.Count(dims)}}
}

package kgen

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

const (
	// tileFrom is the length of both dimensions from which a transpose goes
	// through tiles.
	tileFrom = 16

	// tileBytes is the shared memory that every card gives.
	tileBytes = 48 << 10
)

// turnedAxis is the dimension along which some input lies in memory while the
// output lies along the last one, or -1.
func turnedAxis(s *space, m *ir.Map) int {
	last := len(s.dims) - 1
	out := s.ops[len(m.In)+len(m.Positions)]
	if last < 1 || s.dims[last] < tileFrom || out.Strides[last] != 1 {
		return -1
	}
	for _, i := range Needed(&m.Code, m.Value...) {
		if st := s.ops[i].Strides; abs(st[last]) > 1 {
			if d := slices.Index(st, 1); d >= 0 && s.dims[d] >= tileFrom {
				return d
			}
		}
	}
	return -1
}

// turnedInputs are the inputs that go through tiles, as far as there is room,
// and how long the side of a tile is.
func turnedInputs(ins, outs []ir.Operand, loads []int, d, last int) (turned map[int]bool, side int) {
	turned, side = map[int]bool{}, 32
	shared := 0
	for _, i := range loads {
		if ins[i].Strides[d] == 1 && abs(ins[i].Strides[last]) > 1 {
			turned[i] = true
			shared += 33 * 32 * ins[i].Type.Size()
		}
	}
	for _, i := range slices.Backward(loads) { // the rest is read as it lies
		if turned[i] && shared > tileBytes {
			delete(turned, i)
			shared -= 33 * 32 * ins[i].Type.Size()
		}
	}
	// Short elements take wider tiles, so that a row is still two sectors.
	if slices.IndexFunc(outs, func(o ir.Operand) bool { return o.Type.Size() > 2 }) < 0 && 4*shared <= 32<<10 {
		side = 64
	}
	return turned, side
}

// tileKernels makes a map whose inputs lie along dimension d and whose output
// lies along the last. A group takes a square of the two: it loads those inputs
// along d into shared memory and computes along the last.
func tileKernels(m *ir.Map, s *space, d int, target Target) *kernels {
	last := len(s.dims) - 1
	ins, outs := s.ops[:len(m.In)], s.ops[len(m.In)+len(m.Positions):]
	positions := s.ops[len(m.In) : len(m.In)+len(m.Positions)]
	loads := Needed(&m.Code, m.Value...)
	turned, side := turnedInputs(ins, outs, loads, d, last)

	e := target.newEntry("map", 256, s.isWide())
	in, tile := make([]build.Val, len(ins)), make([]build.Val, len(ins))
	for _, i := range loads {
		in[i] = e.pointer(fmt.Sprintf("in%d", i), ins[i], read(i))
	}
	out := lists.Make(len(outs), func(i int) build.Val { return e.pointer(fmt.Sprintf("out%d", i), outs[i], write(i)) })
	code := e.code(&m.Code, "v", m.Value...)
	for _, i := range loads {
		if turned[i] {
			tile[i] = e.Shared(fmt.Sprintf("tile%d", i), MemoryOf(ins[i].Type), side, side+1)
		}
	}

	// Tiles are numbered row-major over the other dimensions, then d, then
	// the last.
	dims := slices.Clone(s.dims)
	dims[last], dims[d] = ceil(dims[last], side), ceil(dims[d], side)
	coords := e.point("c", e.Group().To(e.index()), dims)
	coords[d], coords[last] = e.Let("d0", coords[d].Mul(side)), e.Let("l0", coords[last].Mul(side))
	tid := e.Thread().To(ktree.Int)
	x, row := e.Let("x", tid.Rem(side)), e.Let("row", tid.Div(side))
	within := func(name string, size int, from build.Val) build.Val {
		return e.Let(name, build.Min(e.number(name+"_size", size).Sub(from.To(e.at())), side).To(ktree.Int))
	}
	rows, width := within("rows", s.dims[d], coords[d]), within("width", s.dims[last], coords[last])
	step := 256 / side
	each := func(body func(r build.Val)) {
		e.For("r", build.Int(ktree.Int, 0), side, step, ktree.Fully, func(r build.Val) { body(e.Let("y", r.Add(row))) })
	}
	for _, i := range loads {
		if !turned[i] {
			continue
		}
		name := fmt.Sprintf("in%d", i)
		from := e.Let("from_"+name, e.position(name, coords, ins[i].Strides).Add(x.To(e.at())))
		along := e.number(name+"_l", ins[i].Strides[last])
		each(func(y build.Val) {
			e.If(x.Lt(rows).AndThen(y.Lt(width)), func() {
				e.Set(tile[i].At(y, x), in[i].At(from.Add(y.To(e.at()).Mul(along))))
			})
		})
	}
	e.Barrier()
	e.If(x.Lt(width), func() {
		// start is where an operand's column begins, and how far its rows are apart.
		start := func(name string, o ir.Operand) (from, step build.Val) {
			from = e.position(name, coords, o.Strides).Add(x.To(e.at()).Mul(e.number(name+"_x", o.Strides[last])))
			return e.Let("from_"+name, from), e.number(name+"_y", o.Strides[d])
		}
		starts := func(prefix string, list []ir.Operand, skip map[int]bool) (froms, steps []build.Val) {
			froms, steps = make([]build.Val, len(list)), make([]build.Val, len(list))
			for i, o := range list {
				if !skip[i] {
					froms[i], steps[i] = start(fmt.Sprintf("%s%d", prefix, i), o)
				}
			}
			return froms, steps
		}
		skip := map[int]bool{}
		for i := range ins {
			skip[i] = turned[i] || !slices.Contains(loads, i)
		}
		inFrom, inStep := starts("in", ins, skip)
		posFrom, posStep := starts("p", positions, nil)
		outFrom, outStep := starts("out", outs, nil)
		each(func(y build.Val) {
			e.If(y.Lt(rows), func() {
				at := func(from, step build.Val) build.Val { return from.Add(y.To(e.at()).Mul(step)) }
				values := code.at(Leaves{
					Load: func(slot int) Num {
						if turned[slot] {
							return Get(ins[slot].Type, tile[slot].At(x, y))
						}
						return Get(ins[slot].Type, in[slot].At(at(inFrom[slot], inStep[slot])))
					},
					Index: func(slot int) build.Val {
						from := e.numberOf(fmt.Sprintf("p%d_from", slot), positions[slot].Offset, ktree.Long)
						return at(posFrom[slot], posStep[slot]).To(ktree.Long).Add(from)
					},
				})
				for i, o := range outs {
					e.Set(out[i].At(at(outFrom[i], outStep[i])), Put(o.Type, values[i]))
				}
			})
		})
	})
	k := &kernels{}
	k.add(e, ir.Count(dims))
	return k
}

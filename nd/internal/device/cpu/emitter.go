package cpu

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// class says how often a value changes.
type class uint8

const (
	perLaunch class = iota
	perBlock
	perPoint
)

// value is what the compiler knows about an instruction's result.
type value struct {
	ptr    int
	typ    elem.Type // as held in a register: float32 for half types
	class  class
	vector int  // a copy of a uniform value in every element of a register, 0 if none
	pooled bool // ptr is a register that can be used again after the last use
	last   int  // the last instruction that uses it
}

// output is a value to store, and where.
type output struct {
	layout
	value  ir.ValueID
	mem    int
	stream bool // too big to stay in a cache
}

// emitter compiles a ir.Code.
type emitter struct {
	dev    *Device
	c      *code
	src    *ir.Code
	values []value
	free   map[int][]int // registers by element size
	err    error
}

// blockBytes is the size of a register in the widest type of a code: a few of
// them fit a first-level cache of 32 KiB, and the cost of a step's call is
// small against its work.
const blockBytes = 8 << 10

func operands(i ir.Instr) []ir.ValueID {
	if i.Kind != ir.Apply {
		return nil
	}
	return []ir.ValueID{i.A, i.B, i.C}[:i.Op.Arity()]
}

// place adds a pointer to the table.
func (e *emitter) place() int {
	e.c.places++
	return e.c.places - 1
}

// cell is memory for one number.
func (e *emitter) cell() int { return e.memory(16) }

func (e *emitter) memory(bytes int) int {
	p := e.place()
	e.c.fixed = append(e.c.fixed, place{p, e.c.memory})
	e.c.memory += (bytes + alignment - 1) &^ (alignment - 1)
	return p
}

// register is memory for a block of elements.
func (e *emitter) register(size int) int {
	if list := e.free[size]; len(list) > 0 {
		e.free[size] = list[:len(list)-1]
		return list[len(list)-1]
	}
	return e.memory(e.c.block * size)
}

func (e *emitter) release(ptr, size int) { e.free[size] = append(e.free[size], ptr) }

// recycle frees the registers whose last use was instruction i.
func (e *emitter) recycle(i int) {
	done := func(v int) {
		if x := &e.values[v]; x.last == i && x.pooled {
			x.pooled = false
			e.release(x.ptr, x.typ.Size())
		}
	}
	for _, v := range operands(e.src.Instrs[i]) {
		done(int(v))
	}
	done(i)
}

// mostRowBytes bounds the rows that are gathered once: they stay in a cache of the second level.
const mostRowBytes = 256 << 10

// reach classifies an operand.
func (e *emitter) reach(l *layout) (loadKind, class) {
	dims := e.c.dims
	if l.isConstant(dims) {
		return loadOnce, perLaunch
	}
	last := len(dims) - 1
	switch {
	case e.c.rows && l.strides[last] == 0:
		return loadDirect, perBlock
	case e.c.rows && l.strides[last] == 1, !e.c.rows && l.isContiguous(dims):
		return loadDirect, perPoint
	case e.c.tiles && l.strides[last-1] == 1 && l.strides[last] > 1:
		return loadTile, perPoint
	case e.c.sameRow(l, l.size):
		return loadRow, perPoint
	case e.c.repeats(l):
		return loadRepeat, perPoint
	}
	return loadGather, perPoint
}

// sameRow reports an operand, of elements of a size, that is the same in every row.
func (c *code) sameRow(l *layout, size int) bool {
	last := len(c.dims) - 1
	return c.rows && last > 0 && c.dims[last]*size <= mostRowBytes && l.isConstant(c.dims[:last])
}

// step appends a step of the given class.
func (e *emitter) step(cl class, run stepFunc, d int, args ...int) {
	s := step{run: run, d: d, one: cl != perPoint}
	for i, a := range args {
		*[]*int{&s.a, &s.b, &s.c}[i] = a
	}
	if cl == perLaunch {
		e.c.once = append(e.c.once, s)
	} else {
		e.c.steps = append(e.c.steps, s)
	}
}

// spread gives a uniform value as a vector.
func (e *emitter) spread(v *value) int {
	if v.class == perPoint {
		return v.ptr
	}
	if v.vector == 0 {
		v.vector = e.memory(e.c.block * v.typ.Size())
		s := step{run: fillStep(e.dev.vec, v.typ.Size(), false), d: v.vector, a: v.ptr}
		if v.class == perLaunch {
			e.c.once = append(e.c.once, s)
		} else {
			e.c.steps = append(e.c.steps, s)
		}
	}
	return v.vector
}

// widen turns a loaded half value into float32.
func (e *emitter) widen(v *value, t elem.Type) {
	raw, pooled := v.ptr, v.pooled
	v.ptr, v.typ, v.pooled = e.result(v.class, elem.Float32), elem.Float32, v.class == perPoint
	e.step(v.class, widenStep(e.dev.vec, t), v.ptr, raw)
	if pooled {
		e.release(raw, 2)
	}
}

// result is memory for a value of a class.
func (e *emitter) result(cl class, t elem.Type) int {
	if cl == perPoint {
		return e.register(t.Size())
	}
	return e.cell()
}

// usedAgain reports that something besides its output reads value i.
func (e *emitter) usedAgain(i int) bool {
	return lists.Any(len(e.values), func(k int) bool {
		return e.values[k].last >= 0 && slices.Contains(operands(e.src.Instrs[k]), ir.ValueID(i))
	})
}

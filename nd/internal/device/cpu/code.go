package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/chain"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// code is a ir.Code compiled to steps over blocks of points. A step names
// its operands by their place in a table of pointers that every worker has
// its own copy of, in a frame: a register, a constant, or memory of a buffer
// at the current block.
type code struct {
	codeShape
	vec    *vec.Table
	block  int // most points of a block
	places int // size of the table of pointers

	memory int     // bytes of registers and cells
	fixed  []place // where they are
	consts []literal
	keys   []key
	loads  []load
	once   []step // for values that are the same everywhere
	steps  []step
	stores []store
}

// codeShape is the space a code runs over and how it is cut into blocks.
type codeShape struct {
	dims  []int // normalised
	rows  bool  // a block never leaves the last dimension
	tiles bool  // operands that lie across come from tiles: see tileMap
	apart bool  // no output is the memory of an operand
}

// place is a pointer into the frame's own memory.
type place struct{ ptr, at int }

// literal is a launch argument that becomes a number in a cell.
type literal struct {
	ptr, arg int
	typ      elem.Type
}

// key is a launch argument that a random draw reads as it is.
type key struct{ ptr, arg int }

type loadKind uint8

const (
	loadOnce       loadKind = iota // one element for the whole launch
	loadDirect                     // elements used where they are; also one element per block
	loadGather                     // copied to a register
	loadTile                       // a row of a tile
	loadRow                        // the same row everywhere, gathered once for all blocks
	loadRepeat                     // the same few rows again and again, gathered once and repeated for a block
	positionOnce                   // int64 position, one for the launch
	positionBlock                  // one for the block
	positionEach                   // one for each point
	positionRow                    // the same row everywhere
	positionRepeat                 // the same few again and again
)

// load brings an operand's elements, or its positions, to each block.
type load struct {
	layout
	kind loadKind
	ptr  int
	mem  int // operand of the launch
	tile int // loadTile, loadRow: place of the whole tile or row; of a repeat, place of its elements
	lead int // of a repeat: the dimensions that it does not depend on
}

// store brings a register to an operand whose elements do not lie in order.
type store struct {
	layout
	ptr, mem int
}

type step struct {
	run        stepFunc
	d, a, b, c int
	one        bool // computes one element, whatever the block
	arithmetic
	chain *links // several steps in one; nothing else is set then
}

// frame is a worker's state while it runs a code.
type frame struct {
	ptr   []unsafe.Pointer
	mem   []unsafe.Pointer // of the launch
	index []int            // of the first point of the block
	walk  []int            // of a gather

	tileRow int // the current one

	chain [mostLinks]chain.Instr
}

// begin makes a frame in s and computes what stays the same.
func (c *code) begin(l *launch, s *scratch) *frame {
	f := s.newFrame(c.places, len(c.dims))
	f.mem = l.mem
	if c.memory > 0 {
		base := s.pointer(c.memory)
		for _, p := range c.fixed {
			f.ptr[p.ptr] = unsafe.Add(base, p.at)
		}
	}
	for _, k := range c.consts {
		putConstant(f.ptr[k.ptr], k.typ, l.args[k.arg])
	}
	for _, k := range c.keys {
		f.ptr[k.ptr] = unsafe.Pointer(&l.args[k.arg])
	}
	for i := range c.loads {
		switch o := &c.loads[i]; o.kind {
		case loadOnce:
			f.ptr[o.ptr] = unsafe.Add(l.mem[o.mem], o.offset*o.size)
		case loadRow:
			last := len(c.dims) - 1
			gatherLine(&c.vec.Move, o.size, f.ptr[o.tile], unsafe.Add(l.mem[o.mem], o.offset*o.size), o.strides[last], c.dims[last])
		case positionRow:
			clear(f.walk)
			row := unsafe.Slice((*int64)(f.ptr[o.tile]), c.dims[len(c.dims)-1])
			positionsOf(&c.vec.I64, row, &o.layout, c.dims, f.walk)
		case loadRepeat, positionRepeat:
			c.repeat(f, o)
		case positionOnce:
			*(*int64)(f.ptr[o.ptr]) = int64(o.offset)
		}
	}
	f.run(c.once, c.block)
	return f
}

// compute runs the steps over n points from point p. Blocks of a code with
// rows do not cross the last dimension, and none is longer than block.
func (c *code) compute(f *frame, p, n int) {
	locate(f.index, c.dims, p)
	c.computeAt(f, n)
}

// computeAt is compute from the point at f.index.
func (c *code) computeAt(f *frame, n int) {
	for i := range c.loads {
		switch o := &c.loads[i]; o.kind {
		case loadDirect:
			f.ptr[o.ptr] = o.address(f.mem[o.mem], f.index)
		case loadGather:
			copy(f.walk, f.index)
			gatherPoints(&c.vec.Move, f.ptr[o.ptr], f.mem[o.mem], &o.layout, c.dims, f.walk, n)
		case loadTile:
			f.ptr[o.ptr] = o.tileAddress(f, c.block)
		case loadRow, positionRow:
			f.ptr[o.ptr] = unsafe.Add(f.ptr[o.tile], f.index[len(f.index)-1]*o.size)
		case loadRepeat, positionRepeat:
			f.ptr[o.ptr] = unsafe.Add(f.ptr[o.tile], c.phase(f, o)*o.size)
		case positionBlock:
			*(*int64)(f.ptr[o.ptr]) = int64(o.at(f.index))
		case positionEach:
			copy(f.walk, f.index)
			positionsOf(&c.vec.I64, unsafe.Slice((*int64)(f.ptr[o.ptr]), n), &o.layout, c.dims, f.walk)
		}
	}
	f.run(c.steps, n)
	for i := range c.stores {
		o := &c.stores[i]
		copy(f.walk, f.index)
		scatterPoints(&c.vec.Move, f.mem[o.mem], f.ptr[o.ptr], &o.layout, c.dims, f.walk, n)
	}
}

func (f *frame) run(steps []step, n int) {
	ptr := f.ptr
	for i := range steps {
		s := &steps[i]
		switch {
		case s.chain != nil:
			s.chain.compute(f, n)
		case s.one:
			s.run(ptr[s.d], ptr[s.a], ptr[s.b], ptr[s.c], 1)
		default:
			s.run(ptr[s.d], ptr[s.a], ptr[s.b], ptr[s.c], n)
		}
	}
}

// blockAt is how many of the points from p to end one compute can do.
func (c *code) blockAt(p, end int) int {
	n := min(c.block, end-p)
	if c.rows && len(c.dims) > 1 {
		row := c.dims[len(c.dims)-1]
		n = min(n, row-p%row)
	}
	return n
}

// putConstant writes a as a register holds t: half types are float32.
func putConstant(p unsafe.Pointer, t elem.Type, a scalar.Arg) {
	switch t {
	case elem.Bool:
		*(*bool)(p) = a.Int() != 0
	case elem.Uint8:
		*(*uint8)(p) = uint8(a.Int())
	case elem.Int8:
		*(*int8)(p) = int8(a.Int())
	case elem.Int16:
		*(*int16)(p) = int16(a.Int())
	case elem.Int32:
		*(*int32)(p) = int32(a.Int())
	case elem.Int64:
		*(*int64)(p) = a.Int()
	case elem.Uint32:
		*(*uint32)(p) = uint32(a.Int())
	case elem.Float16:
		*(*float32)(p) = elem.F16From(float32(a.Float())).Float32()
	case elem.BFloat16:
		*(*float32)(p) = elem.BF16From(float32(a.Float())).Float32()
	case elem.Float32:
		*(*float32)(p) = float32(a.Float())
	case elem.Float64:
		*(*float64)(p) = a.Float()
	case elem.Complex64:
		*(*complex64)(p) = complex64(a.Complex())
	case elem.Complex128:
		*(*complex128)(p) = a.Complex()
	}
}

// newFrame gives a frame until the next reset.
func (s *scratch) newFrame(places, rank int) *frame {
	if s.framesUsed == len(s.frames) {
		s.frames = append(s.frames, new(frame))
	}
	f := s.frames[s.framesUsed]
	s.framesUsed++
	f.ptr = resized(f.ptr, places)
	f.index = resized(f.index, rank)
	f.walk = resized(f.walk, rank)
	return f
}

// tileAddress is the current row of a tile.
func (o *load) tileAddress(f *frame, pitch int) unsafe.Pointer {
	return unsafe.Add(f.ptr[o.tile], f.tileRow*pitch*o.size)
}

// arithmetic says what a step computes, for those that can become part of a
// chain. The zero value is a step that cannot.
type arithmetic struct {
	typ    elem.Type
	arity  int
	op     chain.Op // of vectors
	mirror chain.Op // the same with its operands exchanged
	scalar int      // which operand is one number: 1, 2, or 0 for none
	stream bool
}

// mostLinks is the longest chain: what a frame keeps room for.
const mostLinks = 64

// links is a run of steps as one chain. The steps stay for the elements
// behind the last whole group.
type links struct {
	size  int // of an element
	group int
	run   func(code []chain.Instr, n int)
	code  []link
	steps []step
}

// link is an instruction of a chain, its operand named by its place.
type link struct {
	op  chain.Op
	ptr int
}

// compute runs the chain on n elements.
func (l *links) compute(f *frame, n int) {
	whole := n - n%l.group
	if whole > 0 {
		code := f.chain[:len(l.code)]
		for i, k := range l.code {
			p := f.ptr[k.ptr]
			if k.op == chain.Stream && uintptr(p)%alignment != 0 {
				k.op = chain.Store
			}
			code[i] = chain.Instr{Op: k.op, Addr: p}
		}
		l.run(code, whole)
	}
	if whole == n {
		return
	}
	at := whole * l.size
	for i := range l.steps {
		s := &l.steps[i]
		a, b := f.ptr[s.a], f.ptr[s.b]
		if s.scalar != 1 {
			a = unsafe.Add(a, at)
		}
		if s.arity == 2 && s.scalar != 2 {
			b = unsafe.Add(b, at)
		}
		s.run(unsafe.Add(f.ptr[s.d], at), a, b, nil, n-whole)
	}
}

package machine

import (
	"context"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// class is how lanes of a kind are held. Half floats are float32 values
// rounded after every operation; small integers are int32 in range; unsigned
// ones keep their bits in the signed type.
type class uint8

const (
	classF32 class = iota
	classF64
	classI32
	classI64
	classBool
	classes
)

func classOf(k ktree.Kind) class {
	switch k {
	case ktree.Bool:
		return classBool
	case ktree.Long, ktree.Ulong:
		return classI64
	case ktree.Double:
		return classF64
	case ktree.Float, ktree.Half, ktree.Bfloat:
		return classF32
	}
	return classI32
}

// maxLanes is the largest threadgroup, and the size of a tile of independent
// threads: registers of 1024 float32 lanes sit in L1.
const maxLanes = 1024

// frame is the state of one group while it runs. A worker keeps one and uses
// it for group after group.
type frame struct {
	code   *Code
	launch *Launch
	ctx    context.Context

	n      int    // lanes
	ext    [3]int // threads of this group along each axis
	origin [3]int // grid position of lane 0
	group  [3]int // position of the group

	ui []int64   // scalars of the group: integers and bool
	uf []float64 // and floats

	f32 [][]float32
	f64 [][]float64
	i32 [][]int32
	i64 [][]int64
	b   [][]bool

	u16 []uint16 // conversions of stored halves
	u8  []uint8

	levels []mask
	mem    []memory
	pool   []int64 // what Pooled arrays are views of
	addr   address
	lane   []int32 // position in the simdgroup, per lane
	simd   []int32 // simdgroup, per lane

	member *member // of a cluster

	log   *atomicLog
	watch *watch
	steps int64 // loop turns since the group began
}

// mask says which lanes are active at one depth of divergence.
type mask struct {
	full bool // all lanes; on is then not looked at
	n    int  // active lanes
	on   []bool
}

// first is the first active lane.
func (m *mask) first() int {
	if m.full {
		return 0
	}
	for i, on := range m.on {
		if on {
			return i
		}
	}
	return 0
}

func (m *mask) set(from *mask) {
	m.full, m.n = from.full, from.n
	if !from.full {
		copy(m.on, from.on)
	}
}

// spread turns a full mask into lanes that can be switched off.
func (m *mask) spread(n int) {
	if m.full {
		m.full = false
		on := m.on[:n]
		for i := range on {
			on[i] = true
		}
	}
}

// remove switches off the lanes that are active in gone, which may be m.
func (m *mask) remove(gone *mask, n int) {
	if gone.full {
		m.full, m.n = false, 0
		clear(m.on[:n])
		return
	}
	m.spread(n)
	left := 0
	on, off := m.on[:n], gone.on[:n]
	for i := range on {
		on[i] = on[i] && !off[i]
		if on[i] {
			left++
		}
	}
	m.n = left
}

func newFrame(c *Code) *frame {
	f := &frame{code: c}
	f.ui = make([]int64, c.slots[0])
	f.uf = make([]float64, c.slots[1])
	f.f32 = lanes[float32](c.regs[classF32])
	f.f64 = lanes[float64](c.regs[classF64])
	f.i32 = lanes[int32](c.regs[classI32])
	f.i64 = lanes[int64](c.regs[classI64])
	f.b = lanes[bool](c.regs[classBool])
	f.u16 = make([]uint16, maxLanes)
	f.u8 = make([]uint8, maxLanes)
	f.addr.lanes = make([]int64, maxLanes)
	f.lane = make([]int32, maxLanes)
	f.simd = make([]int32, maxLanes)
	for i := range f.lane {
		f.lane[i] = int32(i % ktree.SimdWidth)
		f.simd[i] = int32(i / ktree.SimdWidth)
	}
	f.levels = make([]mask, c.depth+1)
	for i := range f.levels {
		f.levels[i].on = make([]bool, maxLanes)
	}
	f.mem = make([]memory, len(c.mems))
	f.pool = make([]int64, (c.pool+7)/8)
	for i, m := range c.mems {
		if m.Pooled {
			f.mem[i].view(m, elem.Bytes(f.pool))
			continue
		}
		f.mem[i].prepare(m)
	}
	return f
}

func lanes[T any](n int) [][]T {
	all := make([]T, n*maxLanes)
	out := make([][]T, n)
	for i := range out {
		out[i] = all[i*maxLanes : (i+1)*maxLanes : (i+1)*maxLanes]
	}
	return out
}

// begin makes the frame ready for a group of ext threads.
func (f *frame) begin(number int, group, origin, ext [3]int) {
	n := ext[0] * ext[1] * ext[2]
	if n != f.n {
		f.n = n
		for i := range f.f32 {
			f.f32[i] = f.f32[i][:n]
		}
		for i := range f.f64 {
			f.f64[i] = f.f64[i][:n]
		}
		for i := range f.i32 {
			f.i32[i] = f.i32[i][:n]
		}
		for i := range f.i64 {
			f.i64[i] = f.i64[i][:n]
		}
		for i := range f.b {
			f.b[i] = f.b[i][:n]
		}
	}
	f.group, f.origin, f.ext = group, origin, ext
	f.levels[0].full, f.levels[0].n = true, n
	f.steps = 0
	for i, m := range f.code.mems {
		if m.Space == ktree.Threadgroup && !m.Pooled {
			f.mem[i].zero()
		}
	}
	clear(f.pool)
	if f.watch != nil {
		f.watch.begin(number)
	}
}

package machine

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// memory is the scalars of one object, under the one slice of its storage
// type. Operands are views of the caller's bytes; halves of operands stay 16
// bits wide, in arrays of the kernel they are float32 like registers.
type memory struct {
	n   int // elements
	f32 []float32
	f64 []float64
	i32 []int32
	i64 []int64
	b   []bool
	u16 []uint16
	u8  []uint8
}

// storage is the type elements have in memory.
type storage uint8

const (
	storeF32 storage = iota
	storeF64
	storeI32
	storeI64
	storeBool
	storeF16
	storeBF16
	storeU8
	storeI8
	storeI16
)

func storageOf(m *flat.Mem) storage {
	if m.Pooled || m.Role == ktree.Input || m.Role == ktree.Output || m.Role == ktree.Buffer {
		switch m.Kind {
		case ktree.Half:
			return storeF16
		case ktree.Bfloat:
			return storeBF16
		case ktree.Uchar:
			return storeU8
		case ktree.Char:
			return storeI8
		case ktree.Short:
			return storeI16
		}
	}
	switch classOf(m.Kind) {
	case classF32:
		return storeF32
	case classF64:
		return storeF64
	case classI64:
		return storeI64
	case classBool:
		return storeBool
	}
	return storeI32
}

// prepare allocates an object of the kernel, and fills a table. A thread's
// array has a row of lanes per scalar.
func (m *memory) prepare(o *flat.Mem) {
	if o.IsOperand() {
		return
	}
	m.n = o.Len
	size := o.Len * o.Comps
	if o.Space == ktree.Thread {
		size *= maxLanes
	}
	switch storageOf(o) {
	case storeF32:
		m.f32 = make([]float32, size)
	case storeF64:
		m.f64 = make([]float64, size)
	case storeI32:
		m.i32 = make([]int32, size)
	case storeI64:
		m.i64 = make([]int64, size)
	case storeBool:
		m.b = make([]bool, size)
	}
	for i, v := range o.Values {
		switch {
		case m.f32 != nil:
			m.f32[i] = float32(v.F)
		case m.f64 != nil:
			m.f64[i] = v.F
		case m.i32 != nil:
			m.i32[i] = int32(v.I)
		case m.i64 != nil:
			m.i64[i] = v.I
		default:
			m.b[i] = v.I != 0
		}
	}
}

func (m *memory) zero() {
	clear(m.f32)
	clear(m.f64)
	clear(m.i32)
	clear(m.i64)
	clear(m.b)
}

// view points m at the bytes of an operand.
func (m *memory) view(o *flat.Mem, data []byte) {
	scalars := len(data) * 8 / o.Kind.Bits()
	m.n = scalars / o.Comps
	switch storageOf(o) {
	case storeF32:
		m.f32 = cast[float32](data, scalars)
	case storeF64:
		m.f64 = cast[float64](data, scalars)
	case storeI32:
		m.i32 = cast[int32](data, scalars)
	case storeI64:
		m.i64 = cast[int64](data, scalars)
	case storeBool:
		m.b = cast[bool](data, scalars)
	case storeF16, storeBF16, storeI16:
		m.u16 = cast[uint16](data, scalars)
	case storeU8, storeI8:
		m.u8 = data
	}
}

func cast[T any](b []byte, n int) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
}

package machine

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// convert changes the kind of lanes.
func (c *compiler) convert(to ktree.Kind, v value) value {
	if v.mode == modeAffine && is32(to) {
		v.kind = to // the same bits
		return v
	}
	a := c.lanes(v)
	from := a.kind
	d := c.newReg(to)
	k := &c.k.Convert
	switch {
	case to == ktree.Bool:
		c.emit(func(f *frame) { nonZero(f, d, a) })
	case classOf(from) == classI32 && classOf(to) == classI32:
		c.emit(func(f *frame) {
			copy(f.i32[d.reg], f.i32[a.reg])
			narrow(to, f.i32[d.reg])
		})
	case classOf(from) == classF32 && classOf(to) == classF32:
		c.emit(func(f *frame) { copy(f.f32[d.reg], f.f32[a.reg]) })
		if to != from && to.IsHalf() {
			c.round(to, d)
		}
	case from == ktree.Double && to == ktree.Float:
		c.emit(func(f *frame) { k.F32FromF64(f.f32[d.reg], f.f64[a.reg], false) })
	case from == ktree.Float && to == ktree.Double:
		c.emit(func(f *frame) { k.F64FromF32(f.f64[d.reg], f.f32[a.reg], false) })
	case from != ktree.Uint && classOf(from) == classI32 && to == ktree.Float:
		c.emit(func(f *frame) { k.F32FromI32(f.f32[d.reg], f.i32[a.reg], false) })
	case from == ktree.Float && to == ktree.Int:
		c.emit(func(f *frame) { k.I32FromF32(f.i32[d.reg], f.f32[a.reg], false) })
	case from == ktree.Uint && to == ktree.Float:
		c.emit(func(f *frame) { castLanes(f.f32[d.reg], u32(f.i32[a.reg])) })
	case from == ktree.Bool && classOf(to) == classI32:
		c.emit(func(f *frame) {
			dst := f.i32[d.reg]
			for i, x := range f.b[a.reg][:len(dst)] {
				dst[i] = 0
				if x {
					dst[i] = 1
				}
			}
		})
	case from == ktree.Uint && classOf(to) == classI64:
		c.emit(func(f *frame) { castLanes(f.i64[d.reg], u32(f.i32[a.reg])) })
	case classOf(from) == classI32 && classOf(to) == classI64:
		c.emit(func(f *frame) { castLanes(f.i64[d.reg], f.i32[a.reg]) })
	case classOf(from) == classI64 && is32(to):
		c.emit(func(f *frame) { castLanes(f.i32[d.reg], f.i64[a.reg]) })
	case classOf(from) == classI64 && classOf(to) == classI64:
		c.emit(func(f *frame) { copy(f.i64[d.reg], f.i64[a.reg]) })
	default:
		c.emit(func(f *frame) { convertLanes(f, d, a) })
	}
	c.release(a)
	return d
}

// castLanes converts lanes where Go's conversion is the dialect's.
func castLanes[D, S int32 | uint32 | int64 | float32](dst []D, x []S) {
	for i, v := range x[:len(dst)] {
		dst[i] = D(v)
	}
}

func nonZero(f *frame, d, a value) {
	dst := f.b[d.reg]
	switch classOf(a.kind) {
	case classF32:
		for i, x := range f.f32[a.reg][:len(dst)] {
			dst[i] = x != 0
		}
	case classF64:
		for i, x := range f.f64[a.reg][:len(dst)] {
			dst[i] = x != 0
		}
	case classI32:
		for i, x := range f.i32[a.reg][:len(dst)] {
			dst[i] = x != 0
		}
	case classI64:
		for i, x := range f.i64[a.reg][:len(dst)] {
			dst[i] = x != 0
		}
	default:
		copy(dst, f.b[a.reg])
	}
}

// convertLanes goes through the definition, lane by lane.
func convertLanes(f *frame, d, a value) {
	for l := range f.n {
		f.putLane(d, l, ktree.ConvertNum(a.kind, d.kind, f.getLane(a, l)))
	}
}

// getLane and putLane move one number of a register.
func (f *frame) getLane(v value, l int) ktree.Num {
	switch classOf(v.kind) {
	case classF32:
		return ktree.Num{F: float64(f.f32[v.reg][l])}
	case classF64:
		return ktree.Num{F: f.f64[v.reg][l]}
	case classI32:
		return ktree.Num{I: ktree.Wrap(v.kind, int64(f.i32[v.reg][l]))}
	case classI64:
		return ktree.Num{I: f.i64[v.reg][l]}
	}
	return ktree.BoolNum(f.b[v.reg][l])
}

func (f *frame) putLane(v value, l int, n ktree.Num) {
	switch classOf(v.kind) {
	case classF32:
		f.f32[v.reg][l] = float32(n.F)
	case classF64:
		f.f64[v.reg][l] = n.F
	case classI32:
		f.i32[v.reg][l] = int32(n.I)
	case classI64:
		f.i64[v.reg][l] = n.I
	default:
		f.b[v.reg][l] = n.I != 0
	}
}

// bits reinterprets lanes.
func (c *compiler) bits(x *flat.Bits) value {
	v := c.expr(x.X)
	if v.mode == modeAffine && is32(x.To) {
		v.kind = x.To
		return v
	}
	a := c.lanes(v)
	d := c.newReg(x.To)
	switch {
	case a.kind == ktree.Float && is32(x.To):
		c.emit(func(f *frame) {
			dst := f.i32[d.reg]
			for i, v := range f.f32[a.reg][:len(dst)] {
				dst[i] = int32(math.Float32bits(v))
			}
		})
	case is32(a.kind) && x.To == ktree.Float:
		c.emit(func(f *frame) {
			dst := f.f32[d.reg]
			for i, v := range f.i32[a.reg][:len(dst)] {
				dst[i] = math.Float32frombits(uint32(v))
			}
		})
	default:
		c.emit(func(f *frame) {
			for l := range f.n {
				f.putLane(d, l, fromBits(x.To, toBits(a.kind, f.getLane(a, l))))
			}
		})
	}
	c.release(a)
	return d
}

package machine

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// scalar compiles an expression that is the same for the whole group into a
// function of the frame. It emits no steps.
func (c *compiler) scalar(x flat.Expr) value {
	switch x := x.(type) {
	case *flat.Const:
		return constValue(x.Kind, x.Val)
	case *flat.Use:
		return c.vars[x.Var]
	case *flat.Grid:
		return value{kind: ktree.Uint, i: gridScalar(x.Grid, x.Comp)}
	case *flat.Un:
		a := c.scalar(x.X)
		return numValue(x.Kind, func(f *frame) ktree.Num { return ktree.EvalUnary(x.Op, a.kind, a.get(f)) })
	case *flat.Bin:
		return c.scalarBinary(x)
	case *flat.Conv:
		a := c.scalar(x.X)
		if a.known {
			return constValue(x.To, ktree.ConvertNum(a.kind, x.To, a.num))
		}
		return numValue(x.To, func(f *frame) ktree.Num { return ktree.ConvertNum(a.kind, x.To, a.get(f)) })
	case *flat.Bits:
		a := c.scalar(x.X)
		return numValue(x.To, func(f *frame) ktree.Num { return fromBits(x.To, toBits(a.kind, a.get(f))) })
	case *flat.Math:
		return c.scalarMath(x)
	case *flat.Sel:
		cond, a, b := c.scalar(x.C), c.scalar(x.X), c.scalar(x.Y)
		return numValue(x.K(), func(f *frame) ktree.Num {
			if cond.i(f) != 0 {
				return a.get(f)
			}
			return b.get(f)
		})
	case *flat.Load:
		return c.scalarLoad(x)
	}
	panic("machine: unknown expression")
}

// get is a scalar's value.
func (v *value) get(f *frame) ktree.Num {
	switch {
	case v.known:
		return v.num
	case v.kind.IsFloat():
		return ktree.Num{F: v.f(f)}
	}
	return ktree.Num{I: v.i(f)}
}

func numValue(k ktree.Kind, get func(*frame) ktree.Num) value {
	if k.IsFloat() {
		return value{kind: k, f: func(f *frame) float64 { return get(f).F }}
	}
	return value{kind: k, i: func(f *frame) int64 { return get(f).I }}
}

// scalarBinary has short ways for what loops and indices are made of.
func (c *compiler) scalarBinary(x *flat.Bin) value {
	a, b := c.scalar(x.X), c.scalar(x.Y)
	if a.known && b.known {
		return constValue(x.K(), ktree.EvalBinary(x.Op, x.In, a.num, b.num))
	}
	k := x.In
	if k.IsInt() && k != ktree.Ulong {
		switch x.Op {
		case ktree.Add:
			return value{kind: k, i: func(f *frame) int64 { return ktree.Wrap(k, a.i(f)+b.i(f)) }}
		case ktree.Sub:
			return value{kind: k, i: func(f *frame) int64 { return ktree.Wrap(k, a.i(f)-b.i(f)) }}
		case ktree.Mul:
			return value{kind: k, i: func(f *frame) int64 { return ktree.Wrap(k, a.i(f)*b.i(f)) }}
		case ktree.Lt:
			return value{kind: ktree.Bool, i: func(f *frame) int64 {
				if a.i(f) < b.i(f) {
					return 1
				}
				return 0
			}}
		}
	}
	return numValue(x.K(), func(f *frame) ktree.Num { return ktree.EvalBinary(x.Op, k, a.get(f), b.get(f)) })
}

func gridScalar(g ktree.Grid, comp int) func(*frame) int64 {
	switch g {
	case ktree.ThreadgroupPositionInGrid:
		return func(f *frame) int64 { return int64(f.group[comp]) }
	case ktree.ThreadsPerThreadgroup:
		return func(f *frame) int64 { return int64(f.ext[comp]) }
	case ktree.ThreadsPerGrid:
		return func(f *frame) int64 { return int64(f.launch.Grid[comp]) }
	case ktree.ThreadgroupsPerGrid:
		return func(f *frame) int64 {
			g := f.launch
			return int64((g.Grid[comp] + g.Group[comp] - 1) / g.Group[comp])
		}
	}
	return func(f *frame) int64 { return int64((f.n + ktree.SimdWidth - 1) / ktree.SimdWidth) }
}

// scalarMath runs the lane kernels over a single lane, so that a value has
// the same bits whether or not it is shared by the group.
func (c *compiler) scalarMath(x *flat.Math) value {
	args := make([]value, len(x.Args))
	for i, a := range x.Args {
		args[i] = c.scalar(a)
	}
	k := x.K()
	switch classOf(x.Kind) {
	case classF32:
		op := floatOp(&c.k.F32, x.Fn)
		test := floatTest[float32](x.Fn)
		return numValue(k, func(f *frame) ktree.Num {
			var in [3][1]float32
			for i := range args {
				in[i][0] = float32(args[i].f(f))
			}
			if test != nil {
				return ktree.BoolNum(test(in[0][0]))
			}
			op(in[0][:], in[0][:], in[1][:], in[2][:])
			return ktree.Num{F: ktree.Round(x.Kind, float64(in[0][0]))}
		})
	case classF64:
		op := floatOp(&c.k.F64, x.Fn)
		test := floatTest[float64](x.Fn)
		return numValue(k, func(f *frame) ktree.Num {
			var in [3][1]float64
			for i := range args {
				in[i][0] = args[i].f(f)
			}
			if test != nil {
				return ktree.BoolNum(test(in[0][0]))
			}
			op(in[0][:], in[0][:], in[1][:], in[2][:])
			return ktree.Num{F: in[0][0]}
		})
	}
	return numValue(k, func(f *frame) ktree.Num {
		var in [3]int64
		for i := range args {
			in[i] = args[i].i(f)
		}
		return ktree.Num{I: intMath(x.Fn, x.Kind, in[0], in[1], in[2])}
	})
}

func (c *compiler) scalarLoad(x *flat.Load) value {
	p := c.place(x.Mem, x.Terms, x.Comp, x.Pos)
	s := storageOf(x.Mem)
	return numValue(x.Mem.Kind, func(f *frame) ktree.Num {
		m := &f.mem[x.Mem.ID]
		at := int64(0)
		for i := range p.terms {
			b, _ := p.terms[i].value.eval(f)
			at += b * p.terms[i].scale
		}
		if uint64(at) >= uint64(m.n) {
			p.outside(f, f.levels[p.depth].first(), at, int64(m.n))
		}
		return m.at(s, x.Mem.Kind, at*int64(x.Mem.Comps)+p.comp)
	})
}

// at reads one scalar.
func (m *memory) at(s storage, k ktree.Kind, i int64) ktree.Num {
	switch s {
	case storeF32:
		return ktree.Num{F: float64(m.f32[i])}
	case storeF64:
		return ktree.Num{F: m.f64[i]}
	case storeI32:
		return ktree.Num{I: ktree.Wrap(k, int64(m.i32[i]))}
	case storeI64:
		return ktree.Num{I: m.i64[i]}
	case storeBool:
		return ktree.BoolNum(m.b[i])
	case storeF16:
		return ktree.Num{F: float64(elem.F16(m.u16[i]).Float32())}
	case storeBF16:
		return ktree.Num{F: float64(elem.BF16(m.u16[i]).Float32())}
	}
	if s == storeI16 {
		return ktree.Num{I: int64(int16(m.u16[i]))}
	}
	return ktree.Num{I: ktree.Wrap(k, int64(m.u8[i]))}
}

// toBits and fromBits are the bit pattern of a number in memory.
func toBits(k ktree.Kind, n ktree.Num) uint64 {
	switch k {
	case ktree.Float:
		return uint64(math.Float32bits(float32(n.F)))
	case ktree.Double:
		return math.Float64bits(n.F)
	case ktree.Half:
		return uint64(elem.F16From(float32(n.F)))
	case ktree.Bfloat:
		return uint64(elem.BF16From(float32(n.F)))
	}
	return uint64(n.I)
}

func fromBits(k ktree.Kind, b uint64) ktree.Num {
	switch k {
	case ktree.Float:
		return ktree.Num{F: float64(math.Float32frombits(uint32(b)))}
	case ktree.Double:
		return ktree.Num{F: math.Float64frombits(b)}
	case ktree.Half:
		return ktree.Num{F: float64(elem.F16(b).Float32())}
	case ktree.Bfloat:
		return ktree.Num{F: float64(elem.BF16(b).Float32())}
	}
	return ktree.Num{I: ktree.Wrap(k, int64(b))}
}

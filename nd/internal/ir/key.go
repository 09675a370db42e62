package ir

import (
	"encoding/binary"
	"math"
)

// AppendKey writes a program so that two programs are equal exactly when their
// keys are. Kernels are cached by it. A program of another package brings its
// own AppendKey.
func AppendKey(dst []byte, p Program) []byte {
	k := keyer{append(dst, p.Name()...)}
	if own, ok := p.(interface{ AppendKey([]byte) []byte }); ok {
		return own.AppendKey(k.b)
	}
	switch p := p.(type) {
	case *Map:
		k.ints(p.Dims)
		k.code(&p.Code)
		k.operands(p.Out)
		k.ints(p.Value)
	case *Reduce:
		k.ints(p.Dims)
		k.code(&p.Code)
		k.code(&p.Post)
		k.operands([]Operand{p.Out})
		k.ints([]int{p.Inner, p.Value, int(p.Op)})
		k.ints(p.Lies)
	case *Scan:
		k.ints(p.Dims)
		k.operands([]Operand{p.In, p.Out})
		k.ints([]int{int(p.Op)})
	case *Sort:
		k.ints(p.Dims)
		k.operands([]Operand{p.In, p.Out})
		k.ints([]int{flag(p.Arg), flag(p.Descending), p.Keep})
	case *FFT:
		k.ints(p.Outer)
		k.operands([]Operand{p.In, p.Out})
		k.ints([]int{int(p.Kind), flag(p.Inverse), p.N, p.InLen, int(p.Mode)})
		k.b = binary.LittleEndian.AppendUint64(k.b, math.Float64bits(p.Scale))
	case *Butterfly:
		k.ints(p.Outer)
		k.operands([]Operand{p.In, p.W, p.Out})
		k.ints([]int{p.N})
		k.ints(p.Spans)
		k.ints(p.From)
		k.ints(p.To)
	case *Overlap:
		k.ints(p.Outer)
		k.operands([]Operand{p.In, p.Out})
		k.ints([]int{p.Turns, p.Phases, p.Size, p.Count, p.Hop, p.Skip, p.Length})
	case *Gather:
		k.ints(p.Dims)
		k.operands([]Operand{p.Data, p.Index, p.Out})
		k.ints([]int{p.AxisStride, p.AxisLen})
	case *Scatter:
		k.ints(p.Dims)
		k.operands([]Operand{p.Updates, p.Index, p.Out})
		k.ints([]int{p.Axis, p.AxisStride, p.AxisLen})
	case *Gemm:
		k.ints(p.Batch)
		k.operands([]Operand{p.A, p.B, p.Out})
		k.ints([]int{p.M, p.N, p.K, int(p.Mode), flag(p.Root)})
	case *Batch:
		k.ints([]int{len(p.Programs)})
		for _, q := range p.Programs {
			k.b = AppendKey(k.b, q)
		}
	default:
		panic("ir: a " + p.Name() + " has no key")
	}
	return k.b
}

// keyer appends lists with their lengths in front, so that keys cannot run
// into each other.
type keyer struct{ b []byte }

func (k *keyer) ints(list []int) {
	k.b = binary.AppendUvarint(k.b, uint64(len(list)))
	for _, v := range list {
		k.b = binary.AppendVarint(k.b, int64(v))
	}
}

func (k *keyer) operands(list []Operand) {
	k.b = binary.AppendUvarint(k.b, uint64(len(list)))
	for _, o := range list {
		k.b = binary.AppendVarint(append(k.b, byte(o.Type)), int64(o.Offset))
		k.ints(o.Strides)
	}
}

func (k *keyer) code(c *Code) {
	k.operands(c.In)
	k.operands(c.Positions)
	k.b = binary.AppendUvarint(k.b, uint64(len(c.Instrs)))
	for _, i := range c.Instrs {
		k.b = append(k.b, byte(i.Kind), byte(i.Op), byte(i.Type))
		k.ints([]int{i.A, i.B, i.C, i.Slot})
	}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

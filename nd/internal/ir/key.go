package ir

import (
	"encoding/binary"
	"math"
)

// AppendKey writes a program so that two programs are equal exactly when their
// keys are. Kernels are cached by it.
func AppendKey(dst []byte, p Program) []byte {
	k := keyer{dst}
	k.program(p)
	return k.b
}

// keyer appends lists with their lengths in front, so that keys cannot run
// into each other.
type keyer struct{ b []byte }

func (k *keyer) program(p Program) {
	k.b = append(k.b, p.Name()...)
	p.key(k)
}

func (k *keyer) ints(list []int) { appendInts(k, list) }

func appendInts[T ~int](k *keyer, list []T) {
	k.b = binary.AppendUvarint(k.b, uint64(len(list)))
	for _, v := range list {
		k.b = binary.AppendVarint(k.b, int64(v))
	}
}

func (k *keyer) float(v float64) { k.b = binary.LittleEndian.AppendUint64(k.b, math.Float64bits(v)) }

func (k *keyer) operands(list ...Operand) {
	k.b = binary.AppendUvarint(k.b, uint64(len(list)))
	for _, o := range list {
		k.b = binary.AppendVarint(append(k.b, byte(o.Type)), int64(o.Offset))
		k.ints(o.Strides)
	}
}

func (k *keyer) code(c *Code) {
	k.operands(c.In...)
	k.operands(c.Positions...)
	k.b = binary.AppendUvarint(k.b, uint64(len(c.Instrs)))
	for _, i := range c.Instrs {
		k.b = append(k.b, byte(i.Kind)|byte(flag(i.Bands)<<7), byte(i.Op), byte(i.Type))
		appendInts(k, []ValueID{i.A, i.B, i.C})
		k.ints([]int{i.Slot})
	}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

package cpu

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// lookup finds the kernels of op. Types are those of registers: no halves.
func (d *Device) lookup(op scalar.Op, from, to elem.Type, stream bool) (forms, error) {
	var f forms
	switch {
	case op == scalar.Copy || op == scalar.Cast && from == to || isCopy(op, from):
		f = forms{vv: copyStep(d.vec, from.Size(), stream), streams: true}
	case op == scalar.Cast:
		f = castForms(d.vec, from, to, stream)
	case op == scalar.Where:
		f = selectForms(d.vec, from, stream)
	case op.IsRandom():
		f = randomForms(&d.philox, op, to, stream)
	case from.IsInteger():
		f = integers[from].forms(d.vec, op)
	default:
		switch from {
		case elem.Bool:
			f = boolForms(d.vec, op)
		case elem.Float32:
			f = floatForms(op, &d.f32, d.vec.C64.Make, stream)
		case elem.Float64:
			f = floatForms(op, &d.f64, d.vec.C128.Make, stream)
		case elem.Complex64:
			f = complexForms(op, d.vec, &d.vec.C64, &d.f32, stream)
		case elem.Complex128:
			f = complexForms(op, d.vec, &d.vec.C128, &d.f64, stream)
		}
	}
	if f.vv == nil {
		return f, device.ErrUnsupported
	}
	return f, nil
}

// isCopy reports an operation that leaves integers as they are.
func isCopy(op scalar.Op, t elem.Type) bool {
	switch op {
	case scalar.Floor, scalar.Ceil, scalar.Round:
		return t.IsInteger()
	case scalar.Abs:
		return t.IsInteger() && !t.IsSigned()
	}
	return false
}

// exactOnHalves reports an operation whose float32 result on half operands
// needs no rounding.
func exactOnHalves(op scalar.Op, from, to elem.Type) bool {
	switch op {
	case scalar.Copy, scalar.Neg, scalar.Abs, scalar.Sign, scalar.Floor, scalar.Ceil, scalar.Round,
		scalar.Maximum, scalar.Minimum, scalar.Where, scalar.Conj:
		return true
	case scalar.Cast:
		return from == to
	}
	return false
}

package reference

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Value is one element. It is always representable in its type.
type Value struct {
	Type elem.Type
	Int  int64      // bool (0 or 1) and integers
	Num  complex128 // floats, in the real part, and complex numbers
}

// Integer is v as type t, which is an integer type or bool, wrapped to its
// width. For bool it is v != 0.
func Integer(t elem.Type, v int64) Value {
	switch t {
	case elem.Bool:
		if v != 0 {
			v = 1
		}
	case elem.Uint8:
		v = int64(uint8(v))
	case elem.Int8:
		v = int64(int8(v))
	case elem.Int16:
		v = int64(int16(v))
	case elem.Int32:
		v = int64(int32(v))
	case elem.Uint32:
		v = int64(uint32(v))
	}
	return Value{Type: t, Int: v}
}

// Truth is a bool.
func Truth(b bool) Value { return Integer(elem.Bool, int64(rank(b))) }

// Float is x rounded to the float type t. Half types are rounded by way of
// float32, the type their arithmetic is done in.
func Float(t elem.Type, x float64) Value {
	return Value{Type: t, Num: complex(round(t, x), 0)}
}

// Complex is z rounded to the complex type t.
func Complex(t elem.Type, z complex128) Value {
	part := t.Real()
	return Value{Type: t, Num: complex(round(part, real(z)), round(part, imag(z)))}
}

func round(t elem.Type, x float64) float64 {
	switch t {
	case elem.Float64:
		return x
	case elem.Float32:
		return float64(float32(x))
	case elem.Float16:
		return float64(elem.F16From(float32(x)).Float32())
	case elem.BFloat16:
		return float64(elem.BF16From(float32(x)).Float32())
	}
	panic(fmt.Sprintf("reference: %s is not a float type", t))
}

// Float64 is the real part of a float or complex value.
func (v Value) Float64() float64 { return real(v.Num) }

// IsTrue is the value of a bool.
func (v Value) IsTrue() bool { return v.Int != 0 }

func (v Value) String() string {
	switch {
	case v.Type == elem.Bool:
		return fmt.Sprint(v.Int != 0)
	case v.Type.IsFloat():
		return fmt.Sprint(v.Float64())
	case v.Type.IsComplex():
		return fmt.Sprint(v.Num)
	}
	return fmt.Sprint(v.Int)
}

// Argument is a launch's constant as an element of type t.
func Argument(t elem.Type, a scalar.Arg) Value {
	switch {
	case t.IsComplex():
		return Complex(t, a.Complex())
	case t.IsFloat():
		return Float(t, a.Float())
	}
	return Integer(t, a.Int())
}

var order = binary.NativeEndian

// Load is element i of a buffer of type t.
func Load(t elem.Type, buf []byte, i int) Value {
	b := buf[i*t.Size():]
	f32 := func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }
	f64 := func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }
	switch t {
	case elem.Bool, elem.Uint8:
		return Integer(t, int64(b[0]))
	case elem.Int8:
		return Integer(t, int64(int8(b[0])))
	case elem.Int16:
		return Integer(t, int64(int16(order.Uint16(b))))
	case elem.Int32:
		return Integer(t, int64(int32(order.Uint32(b))))
	case elem.Int64:
		return Integer(t, int64(order.Uint64(b)))
	case elem.Uint32:
		return Integer(t, int64(order.Uint32(b)))
	case elem.Float16:
		return Float(t, float64(elem.F16(order.Uint16(b)).Float32()))
	case elem.BFloat16:
		return Float(t, float64(elem.BF16(order.Uint16(b)).Float32()))
	case elem.Float32:
		return Float(t, f32(b))
	case elem.Float64:
		return Float(t, f64(b))
	case elem.Complex64:
		return Complex(t, complex(f32(b), f32(b[4:])))
	case elem.Complex128:
		return Complex(t, complex(f64(b), f64(b[8:])))
	}
	panic(fmt.Sprintf("reference: load of %s", t))
}

// Store puts v into element i of a buffer of its type.
func Store(v Value, buf []byte, i int) {
	b := buf[i*v.Type.Size():]
	re, im := real(v.Num), imag(v.Num)
	switch v.Type {
	case elem.Bool, elem.Uint8, elem.Int8:
		b[0] = byte(v.Int)
	case elem.Int16:
		order.PutUint16(b, uint16(v.Int))
	case elem.Int32, elem.Uint32:
		order.PutUint32(b, uint32(v.Int))
	case elem.Int64:
		order.PutUint64(b, uint64(v.Int))
	case elem.Float16:
		order.PutUint16(b, uint16(elem.F16From(float32(re))))
	case elem.BFloat16:
		order.PutUint16(b, uint16(elem.BF16From(float32(re))))
	case elem.Float32:
		order.PutUint32(b, math.Float32bits(float32(re)))
	case elem.Float64:
		order.PutUint64(b, math.Float64bits(re))
	case elem.Complex64:
		order.PutUint32(b, math.Float32bits(float32(re)))
		order.PutUint32(b[4:], math.Float32bits(float32(im)))
	case elem.Complex128:
		order.PutUint64(b, math.Float64bits(re))
		order.PutUint64(b[8:], math.Float64bits(im))
	default:
		panic(fmt.Sprintf("reference: store of %s", v.Type))
	}
}

package emit

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
)

// A value in a register has the C++ type of its element type, with two
// exceptions in memory: bool is a byte, and half types are 16 bits. Half
// values are floats in registers that a half could hold exactly, so that
// loading and storing them rounds nothing.

// Value is the C++ type of a value of type t in a register.
func Value(t elem.Type) string { return cTypes[t].value }

// Memory is the C++ type of an element of type t in memory.
func Memory(t elem.Type) string { return cTypes[t].memory }

var cTypes = [...]struct{ value, memory string }{
	elem.Bool:       {"bool", "u8"},
	elem.Uint8:      {"u8", "u8"},
	elem.Int32:      {"i32", "i32"},
	elem.Int64:      {"i64", "i64"},
	elem.Uint32:     {"u32", "u32"},
	elem.Float16:    {"float", "u16"},
	elem.BFloat16:   {"float", "u16"},
	elem.Float32:    {"float", "float"},
	elem.Float64:    {"double", "double"},
	elem.Complex64:  {"c64", "c64"},
	elem.Complex128: {"c128", "c128"},
}

// Get is the value of the memory element x.
func (u *Uses) Get(t elem.Type, x string) string {
	switch t {
	case elem.Bool:
		return fmt.Sprintf("(%s != 0)", x)
	case elem.Float16, elem.BFloat16:
		return fmt.Sprintf("%s(%s)", u.Part(halfNames[t].widen), x)
	}
	return x
}

// Put is the memory element that holds the value x.
func (u *Uses) Put(t elem.Type, x string) string {
	switch t {
	case elem.Bool:
		return fmt.Sprintf("(u8)(%s)", x)
	case elem.Float16, elem.BFloat16:
		return fmt.Sprintf("%s(%s)", u.Part(halfNames[t].narrow), x)
	}
	return x
}

// Rounded is the float x as the nearest value of type t, which is a half type
// or a type that x has already.
func (u *Uses) Rounded(t elem.Type, x string) string {
	if !t.IsHalf() {
		return x
	}
	return u.Get(t, u.Put(t, x))
}

var halfNames = map[elem.Type]struct{ widen, narrow string }{
	elem.Float16:  {"widen_f16", "narrow_f16"},
	elem.BFloat16: {"widen_bf16", "narrow_bf16"},
}

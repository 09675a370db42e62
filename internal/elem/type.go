package elem

import "fmt"

// Type is the element type of an array.
type Type uint8

const (
	Invalid Type = iota
	Bool
	Uint8
	Int8
	Int16
	Int32
	Int64
	Uint32
	Float16  // IEEE binary16: storage only, arithmetic is float32
	BFloat16 // upper half of a float32: storage only, arithmetic is float32
	Float32
	Float64
	Complex64
	Complex128
)

// All lists every valid type.
var All = [...]Type{Bool, Uint8, Int8, Int16, Int32, Int64, Uint32, Float16, BFloat16, Float32, Float64, Complex64, Complex128}

var infos = [...]struct {
	name string
	size int
}{
	Invalid:    {"invalid", 0},
	Bool:       {"bool", 1},
	Uint8:      {"uint8", 1},
	Int8:       {"int8", 1},
	Int16:      {"int16", 2},
	Int32:      {"int32", 4},
	Int64:      {"int64", 8},
	Uint32:     {"uint32", 4},
	Float16:    {"float16", 2},
	BFloat16:   {"bfloat16", 2},
	Float32:    {"float32", 4},
	Float64:    {"float64", 8},
	Complex64:  {"complex64", 8},
	Complex128: {"complex128", 16},
}

// Range is the least and the greatest value of an integer type.
func (t Type) Range() (lo, hi int64) {
	bits := 8 * t.Size()
	if t.IsSigned() {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// Valid reports whether t is one of All.
func (t Type) Valid() bool { return t > Invalid && int(t) < len(infos) }

// Size is the number of bytes of one element.
func (t Type) Size() int {
	if !t.Valid() {
		return 0
	}
	return infos[t].size
}

func (t Type) String() string {
	if int(t) >= len(infos) {
		return fmt.Sprintf("DType(%d)", uint8(t))
	}
	return infos[t].name
}

// MarshalText is the name: lists of types would be base64 in JSON, as bytes are.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText finds the type with a name.
func (t *Type) UnmarshalText(name []byte) error {
	for _, u := range All {
		if u.String() == string(name) {
			*t = u
			return nil
		}
	}
	return fmt.Errorf("no element type is named %q", name)
}

// IsFloat reports a real floating-point type.
func (t Type) IsFloat() bool { return t >= Float16 && t <= Float64 }

// IsHalf reports a 16-bit storage type.
func (t Type) IsHalf() bool { return t == Float16 || t == BFloat16 }

// IsComplex reports a complex type.
func (t Type) IsComplex() bool { return t == Complex64 || t == Complex128 }

// IsInteger reports a signed or unsigned integer type; bool is not one.
func (t Type) IsInteger() bool { return t >= Uint8 && t <= Uint32 }

// IsSigned reports whether negative values exist.
func (t Type) IsSigned() bool { return t.Valid() && t != Bool && t != Uint8 && t != Uint32 }

// IsOrdered reports whether < is defined: everything but complex.
func (t Type) IsOrdered() bool { return t.Valid() && !t.IsComplex() }

// Compute is the type arithmetic on t is done in: float32 for the half types,
// t itself otherwise.
func (t Type) Compute() Type {
	if t.IsHalf() {
		return Float32
	}
	return t
}

// Real is the type of the parts of a complex type, and t itself otherwise.
func (t Type) Real() Type {
	switch t {
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return t
}

// Complex is the complex type whose parts are t, or Invalid.
func (t Type) Complex() Type {
	switch t {
	case Float32:
		return Complex64
	case Float64:
		return Complex128
	}
	return Invalid
}

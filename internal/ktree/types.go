package ktree

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Kind is a scalar kind.
type Kind uint8

const (
	Invalid Kind = iota
	Void
	Bool
	Char
	Uchar
	Short
	Ushort
	Int
	Uint
	Long
	Ulong
	Half
	Bfloat
	Float
	Double
)

var kinds = [...]struct {
	name string
	bits int
}{
	Invalid: {"invalid", 0}, Void: {"void", 0}, Bool: {"bool", 8}, Char: {"char", 8}, Uchar: {"uchar", 8},
	Short: {"short", 16}, Ushort: {"ushort", 16}, Int: {"int", 32}, Uint: {"uint", 32},
	Long: {"long", 64}, Ulong: {"ulong", 64}, Half: {"half", 16}, Bfloat: {"bfloat", 16},
	Float: {"float", 32}, Double: {"double", 64},
}

func (k Kind) String() string { return kinds[k].name }

// Bits is the size of a scalar.
func (k Kind) Bits() int { return kinds[k].bits }

// IsInt reports an integer kind; bool is not one.
func (k Kind) IsInt() bool { return k >= Char && k <= Ulong }

// IsFloat reports a floating kind.
func (k Kind) IsFloat() bool { return k >= Half }

// IsSigned reports whether negative values exist.
func (k Kind) IsSigned() bool { return k.IsFloat() || k == Char || k == Short || k == Int || k == Long }

// IsHalf reports a 16-bit floating kind, computed as float32 and rounded.
func (k Kind) IsHalf() bool { return k == Half || k == Bfloat }

// Kinds lists the kinds a value can have.
func Kinds() []Kind {
	return []Kind{Bool, Char, Uchar, Short, Ushort, Int, Uint, Long, Ulong, Half, Bfloat, Float, Double}
}

// Form tells values from pointers and arrays.
type Form uint8

const (
	Value Form = iota
	Pointer
	Array
)

// Space is where an object lives.
type Space uint8

const (
	Thread Space = iota // a variable of one thread
	Threadgroup
	Device
	Constant
)

func (s Space) String() string {
	return [...]string{"thread", "threadgroup", "device", "constant"}[s]
}

// MaxDims is how many dimensions an array may have.
const MaxDims = 3

// Type is the type of an expression or object. Types compare with ==.
type Type struct {
	Kind  Kind
	Width int8 // components: 1 for a scalar, 2 to 4 for a vector, 8 of halves in engine kernels
	Form  Form
	Space Space // of a Pointer or Array
	Const bool  // of a Pointer: what it points at cannot be written
	Dims  [MaxDims]int32
}

// Scalar is the scalar type of a kind.
func Scalar(k Kind) Type { return Type{Kind: k, Width: 1} }

// Vector is a vector type.
func Vector(k Kind, width int) Type { return Type{Kind: k, Width: int8(width)} }

// Elem is what a pointer points at, and the innermost element of an array.
func (t Type) Elem() Type { return Type{Kind: t.Kind, Width: t.Width} }

// Row is the type of a[i]: an array with one dimension less, or Elem.
func (t Type) Row() Type {
	if t.Form != Array || t.Dims[1] == 0 {
		return t.Elem()
	}
	r := t
	copy(r.Dims[:], t.Dims[1:])
	r.Dims[MaxDims-1] = 0
	return r
}

// Len is the number of elements of an array.
func (t Type) Len() int {
	n := 1
	for _, d := range t.Dims {
		if d != 0 {
			n *= int(d)
		}
	}
	return n
}

// Comps is the number of scalars in an element.
func (t Type) Comps() int { return int(t.Width) }

// IsScalar reports a plain scalar value.
func (t Type) IsScalar() bool { return t.Form == Value && t.Width == 1 && t.Kind > Void }

// IsVector reports a vector value.
func (t Type) IsVector() bool { return t.Form == Value && t.Width > 1 }

// With is the value type of another kind and the same width.
func (t Type) With(k Kind) Type { return Type{Kind: k, Width: t.Width} }

// Name is the value type as the dialect writes it.
func (t Type) Name() string {
	if t.Width > 1 {
		return fmt.Sprintf("%s%d", t.Kind, t.Width)
	}
	return t.Kind.String()
}

func (t Type) String() string {
	switch t.Form {
	case Pointer:
		c := ""
		if t.Const {
			c = "const "
		}
		return fmt.Sprintf("%s %s%s*", t.Space, c, t.Name())
	case Array:
		s := t.Name()
		for _, d := range t.Dims {
			if d != 0 {
				s += fmt.Sprintf("[%d]", d)
			}
		}
		return s
	}
	return t.Name()
}

var valueTypes = func() map[string]Type {
	m := map[string]Type{
		"void": Scalar(Void), "size_t": Scalar(Ulong), "ptrdiff_t": Scalar(Long),
		"uint8_t": Scalar(Uchar), "int8_t": Scalar(Char), "uint16_t": Scalar(Ushort), "int16_t": Scalar(Short),
		"uint32_t": Scalar(Uint), "int32_t": Scalar(Int), "uint64_t": Scalar(Ulong), "int64_t": Scalar(Long),
		"float16_t": Scalar(Half), "bfloat16_t": Scalar(Bfloat), "complex64_t": Vector(Float, 2),
	}
	for _, k := range Kinds() {
		for w := 1; w <= 4; w++ {
			t := Vector(k, w)
			m[t.Name()] = t
		}
	}
	return m
}()

// ValueType finds a built-in type by name.
func ValueType(name string) (Type, bool) {
	t, ok := valueTypes[name]
	return t, ok
}

// ValueTypes lists the names of the built-in types.
func ValueTypes() []string {
	out := make([]string, 0, len(valueTypes))
	for n := range valueTypes {
		out = append(out, n)
	}
	return out
}

// OfElem is the dialect's type for an array element type: complex numbers
// are two-component vectors.
func OfElem(t elem.Type) Type {
	switch t {
	case elem.Bool:
		return Scalar(Bool)
	case elem.Uint8:
		return Scalar(Uchar)
	case elem.Int8:
		return Scalar(Char)
	case elem.Int16:
		return Scalar(Short)
	case elem.Int32:
		return Scalar(Int)
	case elem.Int64:
		return Scalar(Long)
	case elem.Uint32:
		return Scalar(Uint)
	case elem.Float16:
		return Scalar(Half)
	case elem.BFloat16:
		return Scalar(Bfloat)
	case elem.Float32:
		return Scalar(Float)
	case elem.Float64:
		return Scalar(Double)
	case elem.Complex64:
		return Vector(Float, 2)
	case elem.Complex128:
		return Vector(Double, 2)
	}
	return Type{}
}

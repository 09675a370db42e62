package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// DType is an element type, by the name it has in files.
type DType string

// sizes has the bytes of an element of every dtype of the format whose
// elements are whole bytes.
var sizes = map[DType]int{
	"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1,
	"U16": 2, "I16": 2, "F16": 2, "BF16": 2,
	"U32": 4, "I32": 4, "F32": 4,
	"U64": 8, "I64": 8, "F64": 8, "C64": 8,
}

// Size is the bytes of an element, 0 for a dtype that is not known.
func (d DType) Size() int { return sizes[d] }

// Element is the Go types that Values and From know.
type Element interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64 | float32 | float64 | complex64
}

func dtypeOf[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case uint8:
		return "U8"
	case int8:
		return "I8"
	case uint16:
		return "U16"
	case int16:
		return "I16"
	case uint32:
		return "U32"
	case int32:
		return "I32"
	case uint64:
		return "U64"
	case int64:
		return "I64"
	case float32:
		return "F32"
	case float64:
		return "F64"
	}
	return "C64"
}

// Tensor is one array of a file.
type Tensor struct {
	Name  string
	DType DType
	Shape []int  // none for a scalar
	Data  []byte // little endian, row-major
}

// From makes a tensor of values in row-major order. The shape is [len(values)]
// if none is given.
func From[T Element](name string, values []T, shape ...int) (Tensor, error) {
	if len(shape) == 0 {
		shape = []int{len(values)}
	}
	t := Tensor{Name: name, DType: dtypeOf[T](), Shape: slices.Clone(shape)}
	count, err := countOf(t.Shape)
	if err != nil || count != len(values) {
		return Tensor{}, fmt.Errorf("safetensors: %q: %d values for shape %v", name, len(values), shape)
	}
	t.Data, err = binary.Append(make([]byte, 0, count*t.DType.Size()), binary.LittleEndian, values)
	return t, err
}

// Values is the elements of a tensor, whose dtype must be that of T.
func Values[T Element](t Tensor) ([]T, error) {
	if want := dtypeOf[T](); t.DType != want {
		return nil, fmt.Errorf("safetensors: %q is %s, want %s", t.Name, t.DType, want)
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	values := make([]T, len(t.Data)/t.DType.Size())
	_, err := binary.Decode(t.Data, binary.LittleEndian, values)
	return values, err
}

// check holds the bytes against dtype and shape.
func (t *Tensor) check() error {
	size := t.DType.Size()
	if size == 0 {
		return fmt.Errorf("safetensors: %q: dtype %q is not known", t.Name, t.DType)
	}
	count, err := countOf(t.Shape)
	if err != nil {
		return fmt.Errorf("safetensors: %q: %w", t.Name, err)
	}
	if count > math.MaxInt/size || count*size != len(t.Data) {
		return fmt.Errorf("safetensors: %q: %d bytes for %s of shape %v", t.Name, len(t.Data), t.DType, t.Shape)
	}
	return nil
}

// countOf is the elements of a shape. Even where one dimension is 0 the others
// must be countable.
func countOf(shape []int) (int, error) {
	count, empty := 1, false
	for _, d := range shape {
		switch {
		case d < 0:
			return 0, fmt.Errorf("shape %v has a negative dimension", shape)
		case d == 0:
			empty = true
		case count > math.MaxInt/d:
			return 0, fmt.Errorf("shape %v has too many elements", shape)
		default:
			count *= d
		}
	}
	if empty {
		return 0, nil
	}
	return count, nil
}

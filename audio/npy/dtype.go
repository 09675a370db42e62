package npy

import "fmt"

// DType is the type of one element.
type DType uint8

// The plain NumPy dtypes.
const (
	Bool DType = iota + 1
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	Float32
	Float64
	Complex64
	Complex128
)

var dtypes = [...]struct {
	name string
	kind byte // NumPy's letter
	size int
}{
	Bool:       {"bool", 'b', 1},
	Int8:       {"int8", 'i', 1},
	Int16:      {"int16", 'i', 2},
	Int32:      {"int32", 'i', 4},
	Int64:      {"int64", 'i', 8},
	Uint8:      {"uint8", 'u', 1},
	Uint16:     {"uint16", 'u', 2},
	Uint32:     {"uint32", 'u', 4},
	Uint64:     {"uint64", 'u', 8},
	Float16:    {"float16", 'f', 2},
	Float32:    {"float32", 'f', 4},
	Float64:    {"float64", 'f', 8},
	Complex64:  {"complex64", 'c', 8},
	Complex128: {"complex128", 'c', 16},
}

func (d DType) valid() bool { return d >= Bool && int(d) < len(dtypes) }

// String is NumPy's name for the dtype.
func (d DType) String() string {
	if !d.valid() {
		return fmt.Sprintf("DType(%d)", uint8(d))
	}
	return dtypes[d].name
}

// ParseDType is the dtype of a name: float32 and so on.
func ParseDType(name string) (DType, error) {
	for d := Bool; d.valid(); d++ {
		if dtypes[d].name == name {
			return d, nil
		}
	}
	return 0, fmt.Errorf("npy: unknown dtype %q", name)
}

// Size is how many bytes one element takes.
func (d DType) Size() int {
	if !d.valid() {
		return 0
	}
	return dtypes[d].size
}

// IsComplex reports whether elements have an imaginary part.
func (d DType) IsComplex() bool { return d == Complex64 || d == Complex128 }

// wordSize is the size of the unit that a byte order applies to: a complex
// number is two words.
func (d DType) wordSize() int {
	if d.IsComplex() {
		return d.Size() / 2
	}
	return d.Size()
}

// descr is NumPy's type string, as in '<f4'.
func (d DType) descr(bigEndian bool) string {
	order := byte('<')
	switch {
	case d.Size() == 1:
		order = '|'
	case bigEndian:
		order = '>'
	}
	return fmt.Sprintf("%c%c%d", order, dtypes[d].kind, dtypes[d].size)
}

// parseDescr is the inverse of descr. A missing order or '=' is the byte
// order of this machine, as NumPy has it.
func parseDescr(descr string) (d DType, bigEndian bool, err error) {
	rest := descr
	bigEndian = hostBigEndian
	if rest != "" {
		switch rest[0] {
		case '<', '|':
			bigEndian, rest = false, rest[1:]
		case '>':
			bigEndian, rest = true, rest[1:]
		case '=':
			rest = rest[1:]
		}
	}
	for d := Bool; d.valid(); d++ {
		if rest == fmt.Sprintf("%c%d", dtypes[d].kind, dtypes[d].size) {
			if descr[0] == '|' && d.Size() > 1 {
				break // no order given where one is needed
			}
			return d, bigEndian && d.Size() > 1, nil
		}
	}
	return 0, false, fmt.Errorf("unsupported dtype %.40q", descr)
}

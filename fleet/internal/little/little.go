// Package little has numbers as files have them: little-endian, and on machines
// that have them so in memory without looking at each.
package little

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// Number is what is written.
type Number interface{ float32 | float64 | int64 }

// native says that this machine has numbers in memory as files do.
var native = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// memory is the bytes of numbers as this machine has them.
func memory[T Number](v []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(*new(T))))
}

// turn makes little-endian numbers of big-endian ones, and back.
func turn[T Number](b []byte) {
	size := int(unsafe.Sizeof(*new(T)))
	for ; len(b) >= size; b = b[size:] {
		slices.Reverse(b[:size])
	}
}

// Bytes is numbers as bytes. They may be those of v: neither is to be changed
// while the other is in use.
func Bytes[T Number](v []T) []byte {
	b := memory(v)
	if !native {
		b = slices.Clone(b)
		turn[T](b)
	}
	return b
}

// Read lets read fill the bytes of numbers.
func Read[T Number](v []T, read func(b []byte) error) error {
	b := memory(v)
	err := read(b)
	if !native {
		turn[T](b)
	}
	return err
}

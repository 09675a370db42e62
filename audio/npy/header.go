package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const (
	magic = "\x93NUMPY"
	// alignment of the data in the file, from the format's description.
	alignment = 64
	// maxHeader bounds what a header may claim to be. NumPy reads 10,000
	// bytes at most unless told to trust the file.
	maxHeader = 64 << 10
	// maxDims is NumPy's NPY_MAXDIMS.
	maxDims = 64
)

// Header says what the bytes of an array mean.
type Header struct {
	DType     DType
	Shape     []int // empty for a single number
	Fortran   bool  // the first index varies fastest, not the last
	BigEndian bool  // always false for elements of one byte
}

// Count is how many elements the shape has. Overflow is an error, also for
// the bytes they take.
func (h Header) Count() (int, error) {
	if !h.DType.valid() {
		return 0, fmt.Errorf("npy: %v is not a dtype", h.DType)
	}
	if len(h.Shape) > maxDims {
		return 0, fmt.Errorf("npy: %d dimensions: more than %d", len(h.Shape), maxDims)
	}
	count, empty := 1, false
	for _, d := range h.Shape {
		switch {
		case d < 0:
			return 0, fmt.Errorf("npy: shape %v: negative dimension", h.Shape)
		case d == 0:
			empty = true
		case count > math.MaxInt/h.DType.Size()/d:
			return 0, fmt.Errorf("npy: shape %v of %v: more bytes than can be addressed", h.Shape, h.DType)
		default:
			count *= d
		}
	}
	if empty {
		return 0, nil
	}
	return count, nil
}

// ReadHeader reads up to the first byte of data.
func ReadHeader(r io.Reader) (Header, error) {
	h, err := readHeader(r)
	if err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = fmt.Errorf("truncated: %w", io.ErrUnexpectedEOF)
		}
		return Header{}, fmt.Errorf("npy: header: %w", err)
	}
	if _, err := h.Count(); err != nil {
		return Header{}, err
	}
	return h, nil
}

func readHeader(r io.Reader) (Header, error) {
	var fixed [len(magic) + 2]byte
	n, err := io.ReadFull(r, fixed[:])
	switch start := min(n, len(magic)); {
	case err == io.EOF:
		return Header{}, fmt.Errorf("an empty file: %w", io.ErrUnexpectedEOF)
	case string(fixed[:start]) != magic[:start]:
		return Header{}, errors.New("not a .npy file")
	case err != nil:
		return Header{}, err
	}
	major, minor := fixed[len(magic)], fixed[len(magic)+1]
	var size [4]byte
	switch {
	case major == 1 && minor == 0:
		if _, err := io.ReadFull(r, size[:2]); err != nil {
			return Header{}, err
		}
	case (major == 2 || major == 3) && minor == 0:
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return Header{}, err
		}
	default:
		return Header{}, fmt.Errorf("format version %d.%d: want 1.0, 2.0 or 3.0", major, minor)
	}
	length := binary.LittleEndian.Uint32(size[:])
	if length > maxHeader {
		return Header{}, fmt.Errorf("%d bytes long: at most %d are read", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return Header{}, err
	}
	return parseHeader(string(text))
}

// WriteHeader writes everything up to the first byte of data.
func WriteHeader(w io.Writer, h Header) error {
	if _, err := h.Count(); err != nil {
		return err
	}
	var dims strings.Builder
	for i, d := range h.Shape {
		if i > 0 {
			dims.WriteString(", ")
		}
		dims.WriteString(strconv.Itoa(d))
	}
	if len(h.Shape) == 1 {
		dims.WriteByte(',') // Python's tuple of one
	}
	fortran := "False"
	if h.Fortran {
		fortran = "True"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", h.DType.descr(h.BigEndian), fortran, dims.String())
	// At most 64 dimensions of at most 19 digits stay far below the 65,535
	// bytes of version 1.
	start := len(magic) + 4
	padding := (alignment - (start+len(text)+1)%alignment) % alignment
	length := len(text) + padding + 1
	out := []byte(magic + "\x01\x00")
	out = binary.LittleEndian.AppendUint16(out, uint16(length))
	out = append(out, text...)
	out = append(out, strings.Repeat(" ", padding)...)
	out = append(out, '\n')
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("npy: write: %w", err)
	}
	return nil
}

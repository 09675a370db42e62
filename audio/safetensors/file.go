package safetensors

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/internal/replace"
)

// maxHeader is the longest header that the format allows.
const maxHeader = 100_000_000

// File is the content of a file: tensors in the order they lie there.
type File struct {
	Tensors  []Tensor
	Metadata map[string]string
}

// Tensor is the tensor of a name.
func (f *File) Tensor(name string) (Tensor, bool) {
	for _, t := range f.Tensors {
		if t.Name == name {
			return t, true
		}
	}
	return Tensor{}, false
}

// Parse reads the bytes of a file. The tensors share their memory.
func Parse(b []byte) (*File, error) {
	if len(b) < 8 {
		return nil, fmt.Errorf("safetensors: %d bytes are no file", len(b))
	}
	n := binary.LittleEndian.Uint64(b)
	switch {
	case n > maxHeader:
		return nil, fmt.Errorf("safetensors: header of %d bytes, at most %d are allowed: this is another kind of file", n, maxHeader)
	case n > uint64(len(b)-8):
		return nil, fmt.Errorf("safetensors: truncated: header of %d bytes, %d follow: %w", n, len(b)-8, io.ErrUnexpectedEOF)
	}
	text, data := b[8:8+n], b[8+n:]
	entries, metadata, err := parseHeader(text)
	if err != nil {
		return nil, err
	}
	if err := place(entries, int64(len(data))); err != nil {
		return nil, err
	}
	f := &File{Metadata: metadata}
	for _, e := range entries {
		t := Tensor{Name: e.name, DType: e.DType, Shape: e.Shape, Data: data[e.Offsets[0]:e.Offsets[1]:e.Offsets[1]]}
		if err := t.check(); err != nil {
			return nil, err
		}
		f.Tensors = append(f.Tensors, t)
	}
	return f, nil
}

// ReadFile reads the named file.
func ReadFile(name string) (*File, error) {
	b, err := hostmem.ReadFile(name, math.MaxInt64-1)
	if err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	f, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, name)
	}
	return f, nil
}

// Write writes the file.
func Write(w io.Writer, f *File) error {
	header, err := headerOf(f)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	for _, part := range [][]byte{length, header} {
		if _, err := b.Write(part); err != nil {
			return fmt.Errorf("safetensors: write: %w", err)
		}
	}
	for _, t := range f.Tensors {
		if _, err := b.Write(t.Data); err != nil {
			return fmt.Errorf("safetensors: write: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("safetensors: write: %w", err)
	}
	return nil
}

// WriteFile writes the named file by way of a temporary one beside it, which
// takes its place only when it is complete.
func WriteFile(name string, f *File) error {
	if err := replace.File(name, func(to *os.File) error { return Write(to, f) }); err != nil {
		return fmt.Errorf("safetensors: write %s: %w", name, err)
	}
	return nil
}

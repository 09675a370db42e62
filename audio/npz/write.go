package npz

import (
	"archive/zip"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/replace"
)

// Writer writes an archive array by array, so that one may be longer than memory.
type Writer struct {
	z      *zip.Writer
	method uint16
}

// NewWriter starts an archive; its arrays are packed as numpy.savez_compressed does, or
// stored as they are.
func NewWriter(w io.Writer, packed bool) *Writer {
	method := zip.Store
	if packed {
		method = zip.Deflate
	}
	return &Writer{zip.NewWriter(w), method}
}

// Create starts an array: what is written until the next one is a .npy file.
func (w *Writer) Create(name string) (io.Writer, error) {
	e, err := w.z.CreateHeader(&zip.FileHeader{Name: name + suffix, Method: w.method})
	if err != nil {
		return nil, fmt.Errorf("npz: write array %q: %w", name, err)
	}
	return e, nil
}

// Add writes an array.
func (w *Writer) Add(name string, a *npy.Array) error {
	e, err := w.Create(name)
	if err != nil {
		return err
	}
	if err := npy.Write(e, a); err != nil {
		return fmt.Errorf("npz: write array %q: %w", name, err)
	}
	return nil
}

// Close completes the archive, but does not close the underlying writer.
func (w *Writer) Close() error {
	if err := w.z.Close(); err != nil {
		return fmt.Errorf("npz: write: %w", err)
	}
	return nil
}

// Write writes arrays by their names, in alphabetical order; packed as
// numpy.savez_compressed does, or as they are.
func Write(w io.Writer, arrays map[string]*npy.Array, packed bool) error {
	z := NewWriter(w, packed)
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		if err := z.Add(name, arrays[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

// WriteFile writes arrays to the named file, which it creates or
// replaces once the new one is complete.
func WriteFile(name string, arrays map[string]*npy.Array, packed bool) error {
	if err := replace.File(name, func(f *os.File) error { return Write(f, arrays, packed) }); err != nil {
		return fmt.Errorf("npz: write %s: %w", name, err)
	}
	return nil
}

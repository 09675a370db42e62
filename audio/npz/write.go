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

// Write writes arrays by their names, in alphabetical order; packed as
// numpy.savez_compressed does, or as they are.
func Write(w io.Writer, arrays map[string]*npy.Array, packed bool) error {
	z := zip.NewWriter(w)
	method := zip.Store
	if packed {
		method = zip.Deflate
	}
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		e, err := z.CreateHeader(&zip.FileHeader{Name: name + suffix, Method: method})
		if err == nil {
			err = npy.Write(e, arrays[name])
		}
		if err != nil {
			return fmt.Errorf("npz: write array %q: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("npz: write: %w", err)
	}
	return nil
}

// WriteFile writes arrays to the named file, which it creates or
// replaces once the new one is complete.
func WriteFile(name string, arrays map[string]*npy.Array, packed bool) error {
	if err := replace.File(name, func(f *os.File) error { return Write(f, arrays, packed) }); err != nil {
		return fmt.Errorf("npz: write %s: %w", name, err)
	}
	return nil
}

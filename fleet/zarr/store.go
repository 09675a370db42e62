package zarr

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Store is a group in a folder.
type Store struct {
	Folder     string
	Attributes map[string]any
	Arrays     map[string]*Array
}

// Open reads the metadata of a group.
func Open(folder string) (*Store, error) {
	b, err := os.ReadFile(filepath.Join(folder, "zarr.json"))
	if err != nil {
		return nil, fmt.Errorf("zarr: open: %w", err)
	}
	attributes, arrays, err := ParseGroup(b)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, folder)
	}
	return &Store{folder, attributes, arrays}, nil
}

// Chunk is the elements of a chunk, or nil if it was never written.
func Chunk[T Number](s *Store, name string, at ...int) ([]T, error) {
	a := s.Arrays[name]
	if a == nil || len(at) != len(a.Shape) {
		return nil, fmt.Errorf("zarr: chunk: no array %s of %d dimensions in %s", name, len(at), s.Folder)
	}
	b, err := os.ReadFile(filepath.Join(s.Folder, name, a.ChunkKey(at...)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("zarr: chunk: %w", err)
	}
	values, err := Decode[T](a, b)
	if err != nil {
		return nil, fmt.Errorf("%w (%s of %s)", err, a.ChunkKey(at...), name)
	}
	return values, nil
}

// Line is all elements of an array of one dimension.
func Line[T Number](s *Store, name string) ([]T, error) {
	a := s.Arrays[name]
	if a == nil || len(a.Shape) != 1 {
		return nil, fmt.Errorf("zarr: line: no array %s of one dimension in %s", name, s.Folder)
	}
	var all []T
	for i := 0; i*a.Chunks[0] < a.Shape[0]; i++ {
		values, err := Chunk[T](s, name, i)
		if err != nil {
			return nil, err
		}
		if values == nil {
			return nil, fmt.Errorf("zarr: line: chunk %d of %s is missing in %s", i, name, s.Folder)
		}
		all = append(all, values...)
	}
	return all[:a.Shape[0]], nil
}

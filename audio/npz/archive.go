package npz

import (
	"archive/zip"
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/audio/internal/file"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/hostmem"
)

// DefaultLimit is how many bytes an array may take in memory unless
// [Archive.Limit] says otherwise.
const DefaultLimit = 4 << 30

// Archive is an open file.
type Archive struct {
	Limit  int64 // bytes that Read takes for an array at most; 0 is DefaultLimit
	files  []*zip.File
	closer file.Closer
}

// suffix is how NumPy names the entry of an array.
const suffix = ".npy"

// NewArchive reads the directory of an archive of so many bytes.
func NewArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("npz: directory: %w", err)
	}
	a := &Archive{}
	var packed uint64
	seen := map[string]bool{}
	for _, f := range z.File {
		name, isArray := strings.CutSuffix(f.Name, suffix)
		if !isArray {
			continue
		}
		if seen[name] {
			return nil, fmt.Errorf("npz: directory: two arrays named %q", name)
		}
		seen[name] = true
		a.files = append(a.files, f)
		// Entries that share their bytes are how a small file pretends to
		// hold petabytes.
		if packed += f.CompressedSize64; packed > uint64(size) || f.CompressedSize64 > uint64(size) {
			return nil, fmt.Errorf("npz: directory: entries up to %q take more than the %d bytes of the file", f.Name, size)
		}
	}
	if len(a.files) == 0 {
		return nil, fmt.Errorf("npz: directory: no arrays among %d entries", len(z.File))
	}
	return a, nil
}

// Open reads the directory of the named file.
func Open(name string) (*Archive, error) {
	a, closer, err := file.Open("npz", name, func(f *os.File) (*Archive, error) {
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		return NewArchive(f, info.Size())
	})
	if err == nil {
		a.closer = closer
	}
	return a, err
}

// Close closes a file that Open opened.
func (a *Archive) Close() error { return a.closer.Close() }

// Names is the arrays, in the order of the file.
func (a *Archive) Names() []string {
	names := make([]string, len(a.files))
	for i, f := range a.files {
		names[i] = strings.TrimSuffix(f.Name, suffix)
	}
	return names
}

func (a *Archive) find(name string) (*zip.File, error) {
	i := slices.IndexFunc(a.files, func(f *zip.File) bool { return f.Name == name+suffix })
	if i < 0 {
		return nil, fmt.Errorf("npz: no array %q: there are %s", name, strings.Join(a.Names(), ", "))
	}
	return a.files[i], nil
}

// Stream reads the header of an array, and leaves its elements to be read.
func (a *Archive) Stream(name string) (npy.Header, io.ReadCloser, error) {
	f, err := a.find(name)
	if err != nil {
		return npy.Header{}, nil, err
	}
	fail := func(err error) (npy.Header, io.ReadCloser, error) {
		at, offsetErr := f.DataOffset()
		if offsetErr != nil {
			return npy.Header{}, nil, fmt.Errorf("npz: array %q: %w", name, err)
		}
		return npy.Header{}, nil, fmt.Errorf("npz: array %q at offset %d: %w", name, at, err)
	}
	r, err := f.Open()
	if err != nil {
		return fail(err)
	}
	data := &entry{bufio.NewReader(r), r}
	h, err := npy.ReadHeader(data)
	if err == nil {
		var count int
		if count, err = h.Count(); err == nil && uint64(count*h.DType.Size()) > f.UncompressedSize64 {
			err = fmt.Errorf("shape %v of %v in %d bytes: %w", h.Shape, h.DType, f.UncompressedSize64, io.ErrUnexpectedEOF)
		}
	}
	if err != nil {
		r.Close()
		return fail(err)
	}
	return h, data, nil
}

// entry is a buffered entry.
type entry struct {
	*bufio.Reader
	io.Closer
}

// Read reads an array.
func (a *Archive) Read(name string) (*npy.Array, error) {
	h, r, err := a.Stream(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	limit := cmp.Or(a.Limit, DefaultLimit)
	count, err := h.Count()
	if err != nil {
		return nil, err
	}
	if size := int64(count * h.DType.Size()); size > limit {
		return nil, fmt.Errorf("npz: array %q: %d bytes unpacked: the limit is %d", name, size, limit)
	} else if err := hostmem.Check(size); err != nil {
		return nil, fmt.Errorf("npz: array %q: %w", name, err)
	}
	data, err := npy.ReadData(r, h)
	if err != nil {
		return nil, fmt.Errorf("npz: array %q: %w", name, err)
	}
	// The checksum is at the end of the entry.
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, fmt.Errorf("npz: array %q: %w", name, err)
	}
	return &npy.Array{Header: h, Data: data}, nil
}

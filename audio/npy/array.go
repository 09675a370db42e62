package npy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/internal/replace"
)

// Array is the content of a file.
type Array struct {
	Header
	Data []byte // as it lies in the file: Fortran and BigEndian say how
}

// Read reads one array and leaves r just behind it.
func Read(r io.Reader) (*Array, error) {
	h, err := ReadHeader(r)
	if err != nil {
		return nil, err
	}
	data, err := ReadData(r, h)
	if err != nil {
		return nil, err
	}
	return &Array{Header: h, Data: data}, nil
}

// ReadData reads the elements that follow a header.
func ReadData(r io.Reader, h Header) ([]byte, error) {
	count, err := h.Count()
	if err != nil {
		return nil, err
	}
	data, err := readData(r, count*h.DType.Size())
	if err != nil {
		return nil, fmt.Errorf("npy: data: shape %v of %v: %w", h.Shape, h.DType, err)
	}
	return data, nil
}

// readData reads size bytes, but takes memory only as they arrive: a header
// can promise anything.
func readData(r io.Reader, size int) ([]byte, error) {
	const trusted = 1 << 20
	if size <= trusted || holds(r, size) {
		if err := hostmem.Check(int64(size)); err != nil {
			return nil, err
		}
		data := make([]byte, size)
		n, err := io.ReadFull(r, data)
		if err != nil {
			return nil, short(n, size, err)
		}
		return data, nil
	}
	if left, ok := remaining(r); ok {
		return nil, short(int(left), size, io.ErrUnexpectedEOF)
	}
	var b bytes.Buffer
	for b.Len() < size {
		// A buffer that grows has two copies at times.
		if err := hostmem.Check(2 * int64(b.Len())); err != nil {
			return nil, err
		}
		if _, err := io.CopyN(&b, r, int64(min(size-b.Len(), max(trusted, b.Len()/4)))); err != nil {
			return nil, short(b.Len(), size, err)
		}
	}
	return b.Bytes(), nil
}

func short(got, want int, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("truncated: %d of %d bytes: %w", got, want, io.ErrUnexpectedEOF)
	}
	return err
}

// holds reports whether r is known to have size more bytes.
func holds(r io.Reader, size int) bool {
	left, ok := remaining(r)
	return ok && left >= int64(size)
}

// remaining is how many bytes r has left, where that is known.
func remaining(r io.Reader) (int64, bool) {
	switch r := r.(type) {
	case *bytes.Reader:
		return int64(r.Len()), true
	case *bytes.Buffer:
		return int64(r.Len()), true
	case *os.File:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0, false
		}
		at, err := r.Seek(0, io.SeekCurrent)
		return max(info.Size()-at, 0), err == nil
	}
	return 0, false
}

// ReadFile reads the array in the named file. Bytes behind it are ignored, as
// NumPy does.
func ReadFile(name string) (*Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	defer f.Close()
	a, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, name)
	}
	return a, nil
}

// Write writes the array as it is: no reordering, no byte swapping.
func Write(w io.Writer, a *Array) error {
	if err := a.check(); err != nil {
		return err
	}
	if err := WriteHeader(w, a.Header); err != nil {
		return err
	}
	if _, err := w.Write(a.Data); err != nil {
		return fmt.Errorf("npy: write: %w", err)
	}
	return nil
}

// WriteFile writes the array to the named file, which it creates or replaces once
// the new one is complete.
func WriteFile(name string, a *Array) error {
	if err := a.check(); err != nil {
		return err
	}
	err := replace.File(name, func(f *os.File) error {
		w := bufio.NewWriter(f)
		if err := Write(w, a); err != nil {
			return err
		}
		return w.Flush()
	})
	if err != nil {
		return fmt.Errorf("npy: write %s: %w", name, err)
	}
	return nil
}

// check is for arrays that a caller put together.
func (a *Array) check() error {
	if a == nil {
		return errors.New("no array")
	}
	count, err := a.Count()
	if err != nil {
		return err
	}
	if want := count * a.DType.Size(); len(a.Data) != want {
		return fmt.Errorf("npy: shape %v of %v: %d bytes of data, want %d", a.Shape, a.DType, len(a.Data), want)
	}
	return nil
}

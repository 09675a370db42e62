package file

import (
	"fmt"
	"io"
	"os"
)

// Closer closes the file that a reader was opened from; the zero Closer has none.
type Closer struct{ f io.Closer }

// Close closes the file, if there is one.
func (c Closer) Close() error {
	if c.f == nil {
		return nil
	}
	return c.f.Close()
}

// Open opens the named file for a package and reads its beginning. An error of
// read names the file, which is then closed.
func Open[R any](pkg, name string, read func(*os.File) (R, error)) (R, Closer, error) {
	var none R
	f, err := os.Open(name)
	if err != nil {
		return none, Closer{}, fmt.Errorf("%s: %w", pkg, err)
	}
	r, err := read(f)
	if err != nil {
		f.Close()
		return none, Closer{}, fmt.Errorf("%w (%s)", err, name)
	}
	return r, Closer{f}, nil
}

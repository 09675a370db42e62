// Package replace writes files that are there as a whole or not at all: whoever
// reads the name sees the old file or the new one, also if the process is killed,
// the disk is full or the power fails in the middle.
package replace

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// File calls write with a new file beside the named one, which takes its name
// once it is complete and on the disk. If write fails, nothing changes. A name
// that is no regular file, such as /dev/stdout or a pipe, is written to directly.
func File(name string, write func(*os.File) error) (err error) {
	mode := fs.FileMode(0o666) // less what the user's umask takes off
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	case err == nil:
		mode = info.Mode().Perm()
		// The file may be read-only on purpose; its folder does not say so.
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		// What a link leads to is replaced, and not the link.
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	// Nobody can guess the name, and an existing file is never opened.
	part := filepath.Join(filepath.Dir(name), fmt.Sprintf(".new-%016x", rand.Uint64()))
	f, err := begin(part, mode)
	if err != nil {
		var wrong *fs.PathError
		if errors.As(err, &wrong) {
			wrong.Path = name // the one that the caller knows
		}
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
		end(part)
	}()
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(part, name)
}

// Bytes is File with what to write.
func Bytes(name string, data []byte) error {
	return File(name, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

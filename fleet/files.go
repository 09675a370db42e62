package fleet

import (
	"fmt"
	"os"
	"path/filepath"
)

// writeFile writes a file of the output folder under a temporary name and
// renames it, so that nobody ever sees half of it.
func writeFile(out, name string, data []byte) error {
	return createFile(out, name, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// createFile is writeFile for what is written piece by piece.
func createFile(out, name string, write func(f *os.File) error) (err error) {
	full := filepath.Join(out, name)
	temporary := filepath.Join(out, hidden, "tmp")
	for _, folder := range []string{filepath.Dir(full), temporary} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return fmt.Errorf("fleet: %w", err)
		}
	}
	f, err := os.CreateTemp(temporary, filepath.Base(name)+"-*")
	if err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	err = write(f)
	if err == nil {
		err = f.Chmod(0o666 &^ umask)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), full)
	}
	if err != nil {
		return fmt.Errorf("fleet: write %s: %w", full, err)
	}
	return nil
}

// umask is taken off the mode of files: those of CreateTemp are for their
// owner only, and results are for everyone.
const umask = 0o022

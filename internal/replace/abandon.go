package replace

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// begun is the files that are to be renamed or removed before the process ends.
var begun struct {
	sync.Mutex
	names map[string]bool
}

// begin makes a file that Abandon removes.
func begin(name string, mode fs.FileMode) (*os.File, error) {
	begun.Lock()
	defer begun.Unlock()
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err == nil {
		note(name)
	}
	return f, err
}

func note(name string) {
	if begun.names == nil {
		begun.names = map[string]bool{}
	}
	begun.names[name] = true
}

// end says that the file has its name, or is gone.
func end(name string) {
	begun.Lock()
	defer begun.Unlock()
	delete(begun.names, name)
}

// Abandon removes the files that have been begun, for a process that ends in the
// middle of its work. No file can be begun, and none can be ended, after it.
func Abandon() {
	begun.Lock() // for ever
	for name := range begun.names {
		_ = os.Remove(name) // the process ends; there is nobody to tell
	}
}

// Temporary makes a file that only this user can read, of a name that nobody can
// guess. The caller calls remove when it needs it no longer.
func Temporary(pattern string) (f *os.File, remove func() error, err error) {
	begun.Lock()
	defer begun.Unlock()
	if f, err = os.CreateTemp("", pattern); err != nil {
		return nil, nil, err
	}
	name := f.Name()
	note(name)
	return f, func() error {
		closed := f.Close()
		if errors.Is(closed, os.ErrClosed) {
			closed = nil
		}
		err := errors.Join(closed, os.Remove(name))
		end(name)
		return err
	}, nil
}

// Package hostmem knows how much memory this process may use. Go ends a process
// that cannot get memory, so whoever reads something whose size others decide asks
// here first.
package hostmem

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"sync"
)

var machine = sync.OnceValue(physical)

// Bytes is the memory of the machine, of the process's control group, or
// GOMEMLIMIT, whichever is least; 0 if unknown. Arrays are not on Go's heap, but
// whoever sets GOMEMLIMIT means the process.
func Bytes() int {
	total := machine()
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt && (total == 0 || int(limit) < total) {
		total = int(limit)
	}
	return total
}

// Check reports more bytes than are to be asked for at once: three quarters of
// all. The rest is for the program, and for what is made of the bytes.
func Check(bytes int64) error {
	if total := Bytes(); total > 0 && bytes > int64(total)/4*3 {
		return fmt.Errorf("%d bytes are too many for a memory of %d", bytes, total)
	}
	return nil
}

// deviceBytes is how much is read of a device, such as a terminal: others have no end.
const deviceBytes = 16 << 20

// ReadFile reads a file as a whole, unless it is larger than most bytes or than
// memory. Pipes and devices have no size and may have no end.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		size := info.Size()
		if size > most {
			return nil, fmt.Errorf("%s: %d bytes: want at most %d", name, size, most)
		}
		if err := Check(size); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if total := int64(Bytes()); total > 0 {
		most = min(most, total/4) // a buffer that grows has two copies at times
	}
	if info.Mode()&os.ModeDevice != 0 {
		most = min(most, deviceBytes)
	}
	var b bytes.Buffer
	if info.Mode().IsRegular() {
		b.Grow(int(info.Size()) + bytes.MinRead)
		most = max(most, info.Size())
	}
	if _, err := io.Copy(&b, io.LimitReader(f, most+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > most {
		return nil, fmt.Errorf("%s: no end after %d bytes", name, most)
	}
	return b.Bytes(), nil
}

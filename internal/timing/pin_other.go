//go:build !linux

package timing

import (
	"errors"
	"runtime"
)

// Pin keeps the calling goroutine on one processor, the last one this thread
// may use, so that the scheduler cannot move a measurement. The returned
// function undoes it and must be called from the same goroutine. Where the
// system offers no pinning, Pin returns an error and changes nothing.
func Pin() (unpin func(), err error) {
	return nil, errors.New("timing: pin: not offered on " + runtime.GOOS)
}

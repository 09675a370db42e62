package timing

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// Pin keeps the calling goroutine on one processor, the last one this thread
// may use, so that the scheduler cannot move a measurement. The returned
// function undoes it and must be called from the same goroutine. Where the
// system offers no pinning, Pin returns an error and changes nothing.
func Pin() (unpin func(), err error) {
	runtime.LockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("timing: pin: %w", err)
	}
	// The last processor rather than the first, which takes most interrupts.
	last := -1
	for cpu, seen := 0, 0; seen < before.Count(); cpu++ {
		if before.IsSet(cpu) {
			seen++
			last = cpu
		}
	}
	var one unix.CPUSet
	one.Set(last)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("timing: pin: %w", err)
	}
	return func() {
		// The old mask was valid a moment ago; if it no longer is, staying
		// pinned is all that can happen, and only to this thread.
		_ = unix.SchedSetaffinity(0, &before)
		runtime.UnlockOSThread()
	}, nil
}

package cuda

import (
	"time"

	"golang.org/x/sys/unix"
)

// nap is a sleep that may be shorter than a millisecond: Go's own waits for events of
// files, which the operating system counts in milliseconds.
func nap(d time.Duration) {
	if d >= time.Millisecond {
		time.Sleep(d)
		return
	}
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil) // whoever naps looks whether to go on
}

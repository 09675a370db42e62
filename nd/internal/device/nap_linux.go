package device

import (
	"time"

	"golang.org/x/sys/unix"
)

// Nap is a sleep that may be shorter than a millisecond, for those who look now and then whether
// a device is done: Go's own waits for events of files, which the operating system counts in
// milliseconds.
func Nap(d time.Duration) {
	if d >= time.Millisecond {
		time.Sleep(d)
		return
	}
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil) // whoever naps looks whether to go on
}

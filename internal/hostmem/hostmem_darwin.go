package hostmem

import "golang.org/x/sys/unix"

// physical is the machine's memory, 0 if unknown.
func physical() int {
	total, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int(total)
}

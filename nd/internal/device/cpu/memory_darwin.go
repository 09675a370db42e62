package cpu

import "golang.org/x/sys/unix"

// memoryBytes is the machine's memory, 0 if unknown.
func memoryBytes() int {
	total, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int(total)
}

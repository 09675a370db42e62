package hostmem

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// physical is the memory this process may use: the machine's, or the limit of its
// control group. 0 if unknown.
func physical() int {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	total := int(uint64(info.Totalram) * uint64(info.Unit))
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return total
	}
	if limit, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
		total = min(total, limit)
	}
	return total
}

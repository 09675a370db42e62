package hostile

import (
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// limitMemory makes memory that nobody has an error now rather than a slow death
// later. The runtime reserves addresses that it never uses, hence the room.
func limitMemory() {
	debug.SetGCPercent(50)
	_ = unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: 4 << 30, Max: 4 << 30})
}

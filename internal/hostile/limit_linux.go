package hostile

import (
	"runtime/debug"
	"syscall"
)

// limitMemory makes memory that nobody has an error now rather than a slow death
// later. The runtime reserves addresses that it never uses, hence the room.
func limitMemory() {
	debug.SetGCPercent(50)
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: 4 << 30, Max: 4 << 30})
}

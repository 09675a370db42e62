package nd

import (
	"log/slog"
	"runtime/debug"
)

// guarded calls a function of the caller's on a goroutine that is not the
// caller's. Nobody could recover a panic there, and it would end the process: it
// is logged instead, with where it happened.
func guarded(op string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			slog.Error("nd: "+op+": the callback panicked", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	f()
}

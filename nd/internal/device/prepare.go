package device

import "github.com/twiddle-go/twiddle/nd/internal/ir"

// Preparer is implemented by devices that take long to compile: what is
// prepared together takes no longer than the slowest of it.
type Preparer interface {
	// Prepare does the slow part of Compile for all programs. What goes wrong
	// is for Compile to say.
	Prepare([]ir.Program)
}

package gemm

import "sync/atomic"

// Tasks is the part of a product that one worker multiplies at a time. It does
// not change results, since every element is added up in the same order.
type Tasks struct {
	Panels  int // of a, a tile high each
	Columns int // of b; a multiple of two vectors, which all multiples of 128 are
}

// DefaultTasks are 10 panels, about 140 KiB that stay in L2 beside 512 columns
// of b.
var DefaultTasks = Tasks{Panels: 10, Columns: 512}

var tasks atomic.Pointer[Tasks]

// SetTasks changes the tasks of all products from now on. Numbers that make no
// sense are brought to the nearest that do.
func SetTasks(t Tasks) {
	t.Panels = max(t.Panels, 1)
	t.Columns = max(roundUp(t.Columns, taskColsLeast), taskColsLeast)
	tasks.Store(&t)
}

// tasksNow are the tasks in force.
func tasksNow() Tasks {
	if t := tasks.Load(); t != nil {
		return *t
	}
	return DefaultTasks
}

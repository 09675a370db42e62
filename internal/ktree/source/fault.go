package source

import "fmt"

// Fault is an error of a running kernel: where in the text, and which thread.
type Fault struct {
	At     Error
	Thread [3]int // position in the grid
}

// Error gives the place, the fact, the thread and the source line.
func (e *Fault) Error() string {
	d := e.At
	d.Msg = fmt.Sprintf("%s, in thread (%d, %d, %d)", d.Msg, e.Thread[0], e.Thread[1], e.Thread[2])
	return d.Error()
}

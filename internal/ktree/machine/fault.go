package machine

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Fault is an error of a running kernel: where in the text, and which thread.
type Fault = source.Fault

// halt carries a fault, or the end of the context, out of a running group.
type halt struct{ err error }

// fail stops the group with a fault of one lane.
func (f *frame) fail(at source.Pos, lane int, format string, args ...any) {
	e := &Fault{At: source.Error{Place: f.code.source.Place(at), Msg: fmt.Sprintf(format, args...)}}
	e.Thread = f.thread(lane)
	panic(halt{e})
}

// thread is a lane's position in the grid.
func (f *frame) thread(lane int) [3]int {
	x := lane % f.ext[0]
	y := lane / f.ext[0] % f.ext[1]
	z := lane / (f.ext[0] * f.ext[1])
	return [3]int{f.origin[0] + x, f.origin[1] + y, f.origin[2] + z}
}

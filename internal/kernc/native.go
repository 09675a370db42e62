package kernc

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Native is what a kernel computes, as a Go function: the CPU device calls it
// for every threadgroup where it would run the body in lockstep. Threads that
// share one small matrix spend their time meeting at barriers; a processor is
// better off with a loop.
type Native struct {
	id  int64 // tells natives apart in keys: functions cannot be compared
	run func(*Group)
}

var natives atomic.Int64

// NewNative makes the native form of a kernel. run must set the outputs as a
// threadgroup of the body does, but for rounding; groups run at once.
func NewNative(run func(g *Group)) *Native { return &Native{natives.Add(1), run} }

// Run is the work of one threadgroup.
func (n *Native) Run(g *Group) { n.run(g) }

// Group is one threadgroup of a launch, as its native form sees it.
type Group struct {
	Position [3]int // threadgroup_position_in_grid
	Inputs   []Values
	Outputs  []Values // whole: other groups write to other parts of them
	Template []Constant
	// Context is that of the evaluation, for long loops to look at. A group that
	// ends early because of it leaves its outputs as they are.
	Context context.Context
}

// Constant is the value of a template constant that is an int, or 0 or 1 for a
// bool; 0 if there is none of that name.
func (g *Group) Constant(name string) int {
	for _, c := range g.Template {
		if c.Name == name {
			return int(c.Int)
		}
	}
	return 0
}

// Values is an input or an output, in row-major order.
type Values struct {
	Shape []int
	Type  elem.Type
	Data  []byte
}

// Elements is the elements of an input or output of a group, without a copy.
// It panics if T is not the element type.
func Elements[T elem.Value](v Values) []T {
	if t := elem.Of[T](); t != v.Type {
		panic(fmt.Sprintf("%s elements taken for %s", v.Type, t))
	}
	return elem.Slice[T](v.Data)
}

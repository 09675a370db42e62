package nd

import "github.com/twiddle-go/twiddle/internal/kernc"

// Native is what a Kernel computes, as a Go function that the CPU device calls
// for every threadgroup. It is for kernels in which the threads of a group work
// on one small thing together, such as a factorisation: in lockstep they mostly
// wait for each other.
type Native = kernc.Native

// Group is one threadgroup, as a Native sees it: its position, and inputs and
// outputs as a whole, in row-major order. Its fields are
//
//	Position [3]int          // threadgroup_position_in_grid
//	Inputs   []Values
//	Outputs  []Values        // whole: other groups write to other parts of them
//	Context  context.Context // of the evaluation, for long loops to look at
//
// and Constant(name string) int is the value of a template constant that is an int, or
// 0 or 1 for a bool.
type Group = kernc.Group

// NewNative makes the native form of a Kernel. run must set what a threadgroup
// of the body sets, to the same values but for rounding; groups run at once, on
// all cores. A panic in it is an error of the evaluation, with the lines that led to it.
func NewNative(run func(g *Group)) *Native { return kernc.NewNative(run) }

// Values is an input or an output of a Group. Elements gives its numbers. Its fields are
//
//	Shape []int
//	Type  DType
//	Data  []byte
type Values = kernc.Values

// Elements is the elements of an input or an output of a Group, not copied. It
// panics if T is not their type.
func Elements[T Element](v Values) []T { return kernc.Elements[T](v) }

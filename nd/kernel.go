package nd

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Kernel is a computation written by hand: the body of a function in a
// Metal-style C dialect that every thread of a grid runs. The engine makes the
// signature. The same body runs on every device, and on the CPU with bounds
// checked.
//
//	exp := nd.Kernel{
//		Name: "exp", Inputs: []string{"x"}, Outputs: []string{"y"},
//		Source: `uint i = thread_position_in_grid.x; y[i] = exp(x[i]);`,
//	}
//
// In the body, inputs are read-only pointers and outputs pointers, under their
// names. An input's <name>_shape, <name>_strides and <name>_ndim exist where
// they are mentioned. Positions and sizes are those of Metal:
// thread_position_in_grid, threadgroup_position_in_grid,
// thread_position_in_threadgroup, threads_per_grid and so on, each a uint3;
// used as a number, it is its x.
//
// A Kernel is compiled once for each set of element types and template
// constants, however often it is called, and a changed text is always
// compiled anew.
type Kernel struct {
	Name    string
	Inputs  []string
	Outputs []string
	Header  string // functions and constants
	Source  string // the body
	CUDA    string // a whole CUDA C++ source, for that device instead of Source
	// Native is the same kernel in Go, for the CPU device instead of Source, or nil. Launches
	// with Check, Limit, Strided or Atomic still run Source. Without a Source and CUDA it is a
	// kernel for the CPU alone, and Check and Limit do nothing.
	Native *Native
	// File and HeaderFile are the names of Source and Header in messages; by default they follow
	// from Name.
	File, HeaderFile string
}

// Launch is one call of a Kernel.
type Launch struct {
	Inputs []*Array
	Shapes [][]int // of the outputs
	// DTypes are the element types of the outputs. If there are fewer than outputs, the last is
	// repeated; by default it is the type of the first input.
	DTypes []DType
	// Grid is the number of threads, not of groups. Threadgroup is the number of threads that
	// share memory and barriers, at most 1024. A dimension of 0 is 1; a zero Threadgroup lets
	// the engine choose. Groups at the edge of the grid have fewer threads.
	Grid, Threadgroup [3]int
	// Template gives names in the text a value: a bool, an int, or a DType
	// for a name used as a type.
	Template map[string]any
	// Init is the value of all elements of the outputs before the kernel runs.
	Init float64
	// Whole promises that the kernel sets every element of every output and reads none before,
	// so that outputs are not filled with Init. With Check a broken promise is an error;
	// without, such an element has an undefined value.
	Whole bool
	// Atomic makes the outputs atomic: int32, uint32 or float32 elements for
	// atomic_fetch_add_explicit and its kin. On the CPU sums are added in the
	// order of threads, so that they have the same bits every time.
	Atomic bool
	// Check looks for races in threadgroup memory and for output elements
	// written by several threads. It is slow. The environment variable
	// TWIDDLE_KERNEL_CHECK turns it on for every launch.
	Check bool
	// Limit bounds the loop iterations of one threadgroup, all loops together; 0 is no limit.
	Limit int
	// Ops is the number of simple operations of all threads together, for the predictions of
	// Explain and Choose; 0 is a guess from the grid, without loops.
	Ops float64
	// Strided passes inputs as they are in memory, to be indexed with <name>_strides. Otherwise
	// they are in row-major order, copied if necessary.
	Strided bool
	// Stream is where the kernel runs; nil is the stream of the first input.
	Stream *Stream
}

// KernelError is an error in the text of a Kernel: its position, the line, and a
// suggestion. Its fields are
//
//	File         string // of the kernel's text
//	Line, Column int    // from 1; columns count bytes
//	Text         string // the line
//	Msg          string // the error
//	Hint         string // the name that may have been meant, or empty
type KernelError = source.Error

// KernelFault is an error of a running Kernel, such as an index outside an
// array: where in the text, and which thread. Its fields are
//
//	At     KernelError // the position and the fact
//	Thread [3]int      // its position in the grid
type KernelFault = kernc.Fault

// Call gives the outputs of a launch, which runs when they are evaluated: once for all
// outputs that are evaluated together, and again for an output that is evaluated later.
// Outputs of a bad launch carry its error.
func (k *Kernel) Call(l Launch) []*Array {
	out := make([]*Array, max(len(k.Outputs), 1))
	for i, a := range l.Inputs {
		if bad := unusable(k.op(), a); bad != nil {
			if a == nil {
				bad = failed(k.op(), fmt.Errorf("input %s is a nil Array", k.inputName(i)))
			}
			return fillArrays(out, bad)
		}
	}
	launch, place, err := k.launch(&l)
	var nodes []*graph.Node
	if err == nil {
		in := make([]*graph.Node, len(l.Inputs))
		for i, a := range l.Inputs {
			in[i] = a.node
		}
		launch.From = caller.Of(k.op())
		nodes, err = graph.NewCustom(place, launch, in...)
	}
	if err != nil {
		return fillArrays(out, failed(k.op(), err, l.Inputs...))
	}
	for i, n := range nodes {
		out[i] = &Array{node: n}
	}
	return out
}

// Text is the kernel as a launch would compile it, in another language:
// "metal", "cuda" or "wgsl". Only the element types of inputs matter.
func (k *Kernel) Text(form string, l Launch) (string, error) {
	for _, a := range l.Inputs {
		if err := a.Err(); err != nil {
			return "", err
		}
	}
	u, err := k.compile(&l)
	if err == nil {
		var text string
		if text, err = u.Text(form, threadgroup(l.Grid, l.Threadgroup)); err == nil {
			return text, nil
		}
	}
	return "", &OpError{Op: k.op(), Err: err, Site: caller.Site("nd")}
}

func fillArrays(out []*Array, a *Array) []*Array {
	for i := range out {
		out[i] = a
	}
	return out
}

func (k *Kernel) op() string {
	if k.Name == "" {
		return "kernel"
	}
	return k.Name
}

func (k *Kernel) inputName(i int) string {
	if i < len(k.Inputs) {
		return k.Inputs[i]
	}
	return fmt.Sprint(i)
}

// launch checks a call and finds where it runs.
func (k *Kernel) launch(l *Launch) (*graph.Launch, graph.Place, error) {
	var place graph.Place
	switch {
	case l.Stream != nil && l.Stream.dev.IsClosed():
		return nil, place, fmt.Errorf("%s: %w", l.Stream.dev.Info().Name, ErrClosed)
	case l.Stream != nil:
		place = graph.Place{Device: l.Stream.dev.Index(), Stream: l.Stream.index}
	case len(l.Inputs) > 0:
		place = l.Inputs[0].node.Place()
	}
	if l.Grid[0] == 0 && l.Grid[1] == 0 && l.Grid[2] == 0 {
		return nil, place, errors.New("no grid: say how many threads run")
	}
	if len(l.Shapes) != len(k.Outputs) {
		return nil, place, fmt.Errorf("%s for %s", counted.Of(len(l.Shapes), "shape"), counted.Of(len(k.Outputs), "output"))
	}
	if l.Whole && l.Atomic {
		return nil, place, errors.New("whole outputs that are atomic: what is added to needs Init")
	}
	if l.Limit < 0 {
		return nil, place, fmt.Errorf("limit %d is negative", l.Limit)
	}
	if !(l.Ops >= 0) || math.IsInf(l.Ops, 1) {
		return nil, place, fmt.Errorf("ops %g: want 0 or more", l.Ops)
	}
	u, err := k.compile(l)
	if err != nil {
		return nil, place, err
	}
	g := &graph.Launch{Unit: u, Grid: ones(l.Grid), Threadgroup: threadgroup(l.Grid, l.Threadgroup), Init: l.Init, Whole: l.Whole,
		Check: l.Check || os.Getenv("TWIDDLE_KERNEL_CHECK") != "", Strided: l.Strided, Limit: int64(l.Limit), Work: l.Ops}
	for _, s := range l.Shapes {
		g.Shapes = append(g.Shapes, slices.Clone(s))
	}
	return g, place, nil
}

// ones reads a dimension left out as 1.
func ones(d [3]int) [3]int {
	for i := range d {
		if d[i] == 0 {
			d[i] = 1
		}
	}
	return d
}

// threadgroup chooses 256 threads in a row if nothing was said.
func threadgroup(grid, t [3]int) [3]int {
	if t == [3]int{} {
		return [3]int{min(256, max(grid[0], 1)), 1, 1}
	}
	return ones(t)
}

// compile finds the kernel for the launch's types and constants.
func (k *Kernel) compile(l *Launch) (*kernc.Unit, error) {
	if len(l.Inputs) != len(k.Inputs) {
		return nil, fmt.Errorf("%s, want %d: %v", counted.Of(len(l.Inputs), "input"), len(k.Inputs), k.Inputs)
	}
	if k.Source == "" && k.CUDA == "" && (k.Native == nil || l.Strided || l.Atomic) {
		return nil, errors.New("no source")
	}
	s := kernc.Spec{Name: k.Name, Header: k.Header, Source: k.Source, SourceFile: k.File, HeaderFile: k.HeaderFile, CUDA: k.CUDA, Atomic: l.Atomic, Native: k.Native,
		Inputs: make([]kernc.Operand, 0, len(k.Inputs)), Outputs: make([]kernc.Operand, 0, len(k.Outputs)), Template: make([]kernc.Constant, 0, len(l.Template))}
	for i, name := range k.Inputs {
		s.Inputs = append(s.Inputs, kernc.Operand{Name: name, Type: l.Inputs[i].DType()})
	}
	for i, name := range k.Outputs {
		t := Float32
		switch {
		case len(l.DTypes) > 0:
			t = l.DTypes[min(i, len(l.DTypes)-1)]
		case len(l.Inputs) > 0:
			t = l.Inputs[0].DType()
		}
		s.Outputs = append(s.Outputs, kernc.Operand{Name: name, Type: t})
	}
	for name, v := range l.Template {
		c := kernc.Constant{Name: name}
		switch v := v.(type) {
		case bool:
			c.IsBool = true
			if v {
				c.Int = 1
			}
		case int:
			c.Int = int64(v)
		case DType:
			c.Type = v
			if !v.Valid() {
				return nil, fmt.Errorf("template constant %s is not a dtype", name)
			}
		default:
			return nil, fmt.Errorf("template constant %s is a %T: want a bool, an int or a DType", name, v)
		}
		s.Template = append(s.Template, c)
	}
	slices.SortFunc(s.Template, func(a, b kernc.Constant) int { return strings.Compare(a.Name, b.Name) })
	return kernc.Compile(s)
}

package ktree

import "github.com/twiddle-go/twiddle/internal/ktree/source"

// Func is a function of the header.
type Func struct {
	Name   string
	Result Type
	Params []*Var
	Body   []Stmt
	Pos    source.Pos
	// Pure functions only compute: they write nothing but their own
	// variables and hold no barrier, simd or atomic operation.
	Pure bool
	// Rare functions are called where time does not matter, and need not be copied there.
	Rare bool
}

// Program is a checked kernel.
type Program struct {
	Name     string
	Source   *source.Source
	Inputs   []*Var
	Outputs  []*Var
	Metas    []*Var // those that are mentioned
	Globals  []*Var // those that are mentioned, in order
	Consts   []Const
	Funcs    []*Func // those that are called, callees first
	Body     []Stmt
	Builtins [GridCount]*Var // nil where not mentioned
	Atomic   bool
	// Groups lists threadgroup variables.
	Groups []*Var
	// Fixes are texts to insert into the body so that it is Metal: the .x of
	// a position used as a number.
	Fixes []Fix
	// UsesBarrier, UsesSimd and UsesAtomic say what the kernel asks of a device.
	UsesBarrier, UsesSimd, UsesAtomic bool

	// Params are the parameters of a kernel of the engine, in order: Buffers and
	// Numbers, instead of Inputs, Outputs and Metas. Such a kernel is launched in
	// whole groups of Threads.
	Params  []*Var
	Threads int
	// Pool is the bytes of memory of a group that Pooled arrays are views of.
	Pool int
	// Cluster is how many groups, which follow each other, run together and may push
	// into each other's pools; 0 for none. Group g is number g % Cluster of its own.
	Cluster int
	// Counted is the bytes that are pushed to each group, if pushes count themselves
	// where they go to and groups Collect them, once: that needs no barrier behind
	// pushes. 0 where groups Meet.
	Counted int
	// Landings is how many Brings may be under way at once, each under its number.
	Landings int
	// ByBytes prints pointers into the pool as bytes from its start, not as elements of
	// its views: the compiler then keeps one address for views of several types.
	ByBytes bool
	// Beside is how many groups a multiprocessor should hold at once, if not 0.
	Beside int
}

// IsEngine reports a kernel with parameters of its own.
func (p *Program) IsEngine() bool { return p.Threads > 0 }

// Const is a template constant, for renderers.
type Const struct {
	Name string
	Type Type // of the value; for a type argument, the type itself
	Val  Num
	Is   bool // Is marks a type argument
}

// Fix inserts Text at Pos.
type Fix struct {
	Pos  source.Pos
	Text string
}

// GroupBytes is the threadgroup memory of one group.
func (p *Program) GroupBytes() int {
	n := p.Pool
	for _, v := range p.Groups {
		if v.Pooled {
			continue
		}
		n += v.Type.Len() * v.Type.Comps() * max(v.Type.Kind.Bits()/8, 1)
	}
	return n
}

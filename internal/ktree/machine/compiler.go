package machine

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// signal is how a step ends.
type signal uint8

const (
	next      signal = iota
	breaks           // every active lane leaves the loop
	continues        // every active lane goes on with the next turn
	returns          // every active lane leaves the scope
	dead             // no lane is active any more at this depth
)

// step is an instruction.
type step func(*frame) signal

func run(f *frame, steps []step) signal {
	for _, s := range steps {
		if sig := s(f); sig != next {
			return sig
		}
	}
	return next
}

// compiler turns a flat program into steps.
type compiler struct {
	code  *Code
	k     *vec.Table
	steps []step
	vars  map[*flat.Var]value
	slots [2]int // integer and float scalars in use

	free [classes][]int
	top  [classes]int

	depth    int
	maxDepth int
	frames   []control
	block    []value // registers that end with the block
}

// control is an enclosing structure, as in the analysis of package flat.
type control struct {
	level flat.Level
	loop  *flat.Loop
	scope *flat.Scope
	depth int // of the mask that a break or return takes lanes from
	// body is the depth continue takes lanes from.
	body int
}

// Compile makes p ready to run with the vector kernels k.
func Compile(p *flat.Program, k *vec.Table) *Code {
	c := &compiler{k: k, vars: map[*flat.Var]value{}}
	c.code = &Code{source: p.IR.Source, name: p.IR.Name, mems: p.Mems, pool: p.IR.Pool, cluster: max(p.IR.Cluster, 1), counted: p.IR.Counted, k: c.k,
		serial: p.ReturnsAtomic, atomic: p.IR.UsesAtomic, alone: !p.IR.UsesBarrier && !p.IR.UsesSimd}
	for g, v := range p.IR.Builtins {
		switch ktree.Grid(g) {
		case ktree.ThreadPositionInGrid, ktree.ThreadsPerGrid:
		default:
			if v != nil {
				c.code.alone = false
			}
		}
	}
	for _, m := range p.Mems {
		if m.Space == ktree.Threadgroup {
			c.code.alone = false
		}
	}
	c.frames = append(c.frames, control{scope: p.Body})
	c.code.body = c.list(p.Body.Body)
	c.code.regs = c.top
	c.code.slots = c.slots
	c.code.depth = c.maxDepth
	return c.code
}

func (c *compiler) emit(s func(*frame)) {
	c.steps = append(c.steps, func(f *frame) signal { s(f); return next })
}

// sub compiles what body emits into a list of its own.
func (c *compiler) sub(body func()) []step {
	save := c.steps
	c.steps = nil
	body()
	out := c.steps
	c.steps = save
	return out
}

// list compiles a block; registers of its variables are free after it.
func (c *compiler) list(list []flat.Stmt) []step {
	return c.sub(func() { c.inline(list) })
}

func (c *compiler) inline(list []flat.Stmt) {
	c.scoped(func() { c.stmts(list) })
}

func (c *compiler) stmts(list []flat.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

// scoped compiles body and then frees the registers of its variables.
func (c *compiler) scoped(body func()) {
	save := c.block
	c.block = nil
	body()
	for _, v := range c.block {
		c.free[classOf(v.kind)] = append(c.free[classOf(v.kind)], v.reg)
	}
	c.block = save
}

// newReg is a register of kind k that the caller owns.
func (c *compiler) newReg(k ktree.Kind) value {
	cl := classOf(k)
	v := value{kind: k, mode: modeLanes, owned: true}
	if n := len(c.free[cl]); n > 0 {
		v.reg = c.free[cl][n-1]
		c.free[cl] = c.free[cl][:n-1]
	} else {
		v.reg = c.top[cl]
		c.top[cl]++
	}
	return v
}

// release gives a register back once its value has been used.
func (c *compiler) release(vs ...value) {
	for _, v := range vs {
		if v.mode == modeLanes && v.owned {
			c.free[classOf(v.kind)] = append(c.free[classOf(v.kind)], v.reg)
		}
	}
}

func (c *compiler) newSlot(k ktree.Kind) int {
	cl := 0
	if k.IsFloat() {
		cl = 1
	}
	c.slots[cl]++
	return c.slots[cl] - 1
}

// slotValue is the scalar kept in a slot.
func slotValue(k ktree.Kind, s int) value {
	v := value{kind: k}
	if k.IsFloat() {
		v.f = func(f *frame) float64 { return f.uf[s] }
	} else {
		v.i = func(f *frame) int64 { return f.ui[s] }
	}
	return v
}

func constValue(k ktree.Kind, n ktree.Num) value {
	return value{kind: k, known: true, num: n,
		i: func(*frame) int64 { return n.I }, f: func(*frame) float64 { return n.F }}
}

// lanes brings a value into a register; the result is owned if it was made
// here.
func (c *compiler) lanes(v value) value {
	switch v.mode {
	case modeLanes:
		return v
	case modeAffine:
		d := c.newReg(v.kind)
		c.emit(func(f *frame) {
			base, by := v.eval(f)
			spreadAffine(f, f.i32[d.reg], base, by)
		})
		return d
	}
	d := c.newReg(v.kind)
	switch classOf(v.kind) {
	case classF32:
		c.emit(func(f *frame) { fill(f.f32[d.reg], float32(v.f(f))) })
	case classF64:
		c.emit(func(f *frame) { fill(f.f64[d.reg], v.f(f)) })
	case classI32:
		c.emit(func(f *frame) { fill(f.i32[d.reg], int32(v.i(f))) })
	case classI64:
		c.emit(func(f *frame) { fill(f.i64[d.reg], v.i(f)) })
	default:
		c.emit(func(f *frame) { fill(f.b[d.reg], v.i(f) != 0) })
	}
	return d
}

func fill[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

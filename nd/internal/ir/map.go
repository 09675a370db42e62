package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// InstrKind says where an instruction's value comes from.
type InstrKind uint8

const (
	Load  InstrKind = iota // element of the buffer operand Slot
	Index                  // int64 position computed by Positions[Slot]: iota and random counters
	Const                  // launch argument Slot, as Type
	Apply                  // Op of earlier values A, B, C
	Acc                    // in a Reduce's Post code: the reduced value
)

// ValueID is the position of the instruction that computes a value.
type ValueID int

// Instr computes one value per point. Values are numbered by position in the
// code; an instruction only refers to earlier ones. Load of a half type gives
// the half type itself; Cast and arithmetic convert (arithmetic on half types
// computes in float32 and rounds the result).
type Instr struct {
	Kind    InstrKind
	Op      scalar.Op // Apply
	Type    elem.Type // of the value
	A, B, C ValueID   // Apply: operands, as many as Op takes
	Slot    int       // Load, Index, Const; for random draws the key argument (RandInt: the bounds follow it)

	// Bands, of a Where, says that its condition compares positions: neighbours mostly take the same of both inputs, so that
	// a device may leave out loads that only the other one needs.
	Bands bool
}

// Code is a straight-line program over one point.
type Code struct {
	In        []Operand // what Load reads
	Positions []Operand // what Index computes; Type is Int64
	Instrs    []Instr
}

// Last is the value of the last instruction.
func (c *Code) Last() ValueID { return ValueID(len(c.Instrs) - 1) }

// Map computes Code at every point of Dims and stores some of its values.
// A Map whose code is a single Load is a copy.
type Map struct {
	Dims []int
	Code
	Out   []Operand
	Value []ValueID // the instruction each Out stores; same type as the operand
}

// ReduceOp mirrors the reductions of the graph.
type ReduceOp uint8

const (
	Sum ReduceOp = iota
	Prod
	Max
	Min
	All
	Any
	ArgMax
	ArgMin
)

func (o ReduceOp) String() string {
	return [...]string{"sum", "prod", "max", "min", "all", "any", "argmax", "argmin"}[o]
}

// Reduce computes Code at every point of Dims, combines value Value over the
// last Inner dimensions, runs Post on the result, and stores over the outer
// dimensions. Sums over floats are pairwise over fixed blocks, so that the
// bits do not depend on how the work was split; half types are summed as
// float32. ArgMax and ArgMin give the int64 row-major position over the inner
// dimensions. An empty inner space gives the operation's identity (0, 1,
// -Inf, +Inf, or the least and greatest integer, true, false); lower refuses
// ArgMax and ArgMin of nothing.
type Reduce struct {
	Dims  []int
	Inner int
	Code
	Value ValueID
	Op    ReduceOp

	// Lies is the strides over Dims by which the reduced elements would lie in
	// memory, had they been stored before. The order in which devices combine
	// them follows from it, so that it does not depend on what is fused. nil:
	// they lie as the operand does that touches most elements.
	Lies []int

	// Post is over the outer dimensions. It starts with one Acc instruction
	// and its last value is stored; with only Acc the result is stored as is.
	Post Code
	Out  Operand
}

// Outer is the part of Dims that is kept.
func (r *Reduce) Outer() []int { return r.Dims[:len(r.Dims)-r.Inner] }

// Layout is Lies, or the strides of the operand that touches most elements;
// nil if there is none.
func (r *Reduce) Layout() []int {
	if r.Lies != nil {
		return r.Lies
	}
	var strides []int
	touched := 0
	for _, o := range r.In {
		if n := o.Touched(r.Dims); n > touched {
			strides, touched = o.Strides, n
		}
	}
	return strides
}

func (m *Map) Name() string { return "map" }

// String lists the operations.
func (m *Map) String() string {
	var ops []string
	for _, i := range m.Instrs {
		if i.Kind == Apply {
			ops = append(ops, i.Op.String())
		}
	}
	if len(ops) == 0 {
		return "copy"
	}
	return "map " + strings.Join(ops, " ")
}

func (r *Reduce) String() string { return "reduce " + r.Op.String() }

func (m *Map) Extent() []int    { return m.Dims }
func (r *Reduce) Extent() []int { return r.Dims }

func (m *Map) Accesses() []Access {
	return append(accesses(m.Dims, false, m.In...), accesses(m.Dims, true, m.Out...)...)
}

func (r *Reduce) Accesses() []Access {
	outer := r.Outer()
	return slices.Concat(accesses(r.Dims, false, r.In...), accesses(outer, false, r.Post.In...), accesses(outer, true, r.Out))
}

func (m *Map) key(k *keyer) {
	k.ints(m.Dims)
	k.code(&m.Code)
	k.operands(m.Out...)
	appendInts(k, m.Value)
}

func (r *Reduce) key(k *keyer) {
	k.ints(r.Dims)
	k.code(&r.Code)
	k.code(&r.Post)
	k.operands(r.Out)
	k.ints([]int{r.Inner, int(r.Value), int(r.Op)})
	k.ints(r.Lies)
}

func (m *Map) clone() Program {
	c := *m
	c.Code, c.Out, c.Value = m.Code.clone(), slices.Clone(m.Out), slices.Clone(m.Value)
	return &c
}

func (r *Reduce) clone() Program {
	c := *r
	c.Code, c.Post = r.Code.clone(), r.Post.clone()
	return &c
}

func (m *Map) spaces(visit func(*Space)) {
	s := Space{Dims: m.Dims, Operands: pointers(m.In, m.Positions, m.Out)}
	visit(&s)
	m.Dims = s.Dims
}

// spaces visits the inner dimensions first: the outer ones then still begin at 0.
func (r *Reduce) spaces(visit func(*Space)) {
	code, lies := pointers(r.In, r.Positions), &Operand{Strides: r.Lies}
	if r.Lies != nil {
		code = append(code, lies)
	}
	inner := Space{Dims: r.Dims[len(r.Dims)-r.Inner:], Operands: code, first: len(r.Dims) - r.Inner, reduced: true}
	outer := Space{Dims: r.Outer()}
	visit(&inner)
	if len(inner.Dims) == 0 { // something is reduced, if it is one element
		inner.Dims = []int{1}
		for _, o := range code {
			o.Strides = with(o.Strides, 0)
		}
	}
	outer.Operands = append(append(slices.Clone(code), pointers(r.Post.In, r.Post.Positions)...), &r.Out)
	visit(&outer)
	r.Dims, r.Inner, r.Lies = slices.Concat(outer.Dims, inner.Dims), len(inner.Dims), lies.Strides
}

// Name is "reduce".
func (r *Reduce) Name() string { return "reduce" }

func (c Code) ops() int {
	return lists.Count(c.Instrs, func(i Instr) bool { return i.Kind == Apply && i.Op != scalar.Copy })
}

func (m *Map) Ops() float64 { return float64(m.ops()) * float64(Count(m.Dims)) }
func (r *Reduce) Ops() float64 {
	return float64(r.ops()+1)*float64(Count(r.Dims)) + float64(r.Post.ops())*float64(Count(r.Outer()))
}

func (c Code) verify(dims []int, post bool) error {
	for i, o := range append(append([]Operand(nil), c.In...), c.Positions...) {
		if len(o.Strides) != len(dims) {
			return fmt.Errorf("operand %d has %d strides for %d dims", i, len(o.Strides), len(dims))
		}
	}
	for i, in := range c.Instrs {
		bad := func(f string, a ...any) error {
			return fmt.Errorf("instruction %d: %s", i, fmt.Sprintf(f, a...))
		}
		switch in.Kind {
		case Load:
			if in.Slot < 0 || in.Slot >= len(c.In) || c.In[in.Slot].Type != in.Type {
				return bad("load of slot %d as %s", in.Slot, in.Type)
			}
		case Index:
			if in.Slot < 0 || in.Slot >= len(c.Positions) || in.Type != elem.Int64 {
				return bad("index of slot %d as %s", in.Slot, in.Type)
			}
		case Const:
			if in.Slot < 0 || !in.Type.Valid() {
				return bad("constant %d as %s", in.Slot, in.Type)
			}
		case Acc:
			if !post || i != 0 {
				return bad("acc out of place")
			}
		case Apply:
			args := [3]ValueID{in.A, in.B, in.C}
			types := make([]elem.Type, in.Op.Arity())
			for k := range types {
				if args[k] < 0 || int(args[k]) >= i {
					return bad("%s of value %d", in.Op, args[k])
				}
				types[k] = c.Instrs[args[k]].Type
			}
			if in.Op == scalar.Cast || in.Op.IsRandom() {
				continue
			}
			if t, err := in.Op.Result(types...); err != nil || t != in.Type {
				return bad("%s gives %s, not %s (%v)", in.Op, t, in.Type, err)
			}
		}
	}
	if post && (len(c.Instrs) == 0 || c.Instrs[0].Kind != Acc) {
		return fmt.Errorf("post code does not start with acc")
	}
	return nil
}

func verifyDims(dims []int) error {
	if slices.ContainsFunc(dims, func(d int) bool { return d < 0 }) {
		return fmt.Errorf("negative dimension in %v", dims)
	}
	return nil
}

func (m *Map) Verify() error {
	if err := cmp.Or(verifyDims(m.Dims), m.verify(m.Dims, false)); err != nil {
		return fmt.Errorf("ir: map: %w", err)
	}
	if len(m.Out) == 0 || len(m.Out) != len(m.Value) {
		return fmt.Errorf("ir: map: %d outputs, %d values", len(m.Out), len(m.Value))
	}
	for i, v := range m.Value {
		if v < 0 || v > m.Last() || m.Instrs[v].Type != m.Out[i].Type || len(m.Out[i].Strides) != len(m.Dims) {
			return fmt.Errorf("ir: map: output %d stores value %d wrongly", i, v)
		}
	}
	return nil
}

func (r *Reduce) Verify() error {
	if err := verifyDims(r.Dims); err != nil {
		return fmt.Errorf("ir: reduce: %w", err)
	}
	if r.Inner < 1 || r.Inner > len(r.Dims) || r.Value < 0 || r.Value > r.Last() {
		return fmt.Errorf("ir: reduce: inner %d of dims %v, value %d", r.Inner, r.Dims, r.Value)
	}
	if r.Lies != nil && len(r.Lies) != len(r.Dims) {
		return fmt.Errorf("ir: reduce: %d strides for dims %v", len(r.Lies), r.Dims)
	}
	if err := r.verify(r.Dims, false); err != nil {
		return fmt.Errorf("ir: reduce: %w", err)
	}
	if err := r.Post.verify(r.Outer(), true); err != nil {
		return fmt.Errorf("ir: reduce: post: %w", err)
	}
	want := r.Instrs[r.Value].Type
	if r.Op == ArgMax || r.Op == ArgMin {
		want = elem.Int64
	}
	if got := r.Post.Instrs[0].Type; got != want {
		return fmt.Errorf("ir: reduce: acc is %s, want %s", got, want)
	}
	if last := r.Post.Instrs[len(r.Post.Instrs)-1].Type; last != r.Out.Type || len(r.Out.Strides) != len(r.Outer()) {
		return fmt.Errorf("ir: reduce: stores %s as %s", last, r.Out.Type)
	}
	return nil
}

// DropWrite stops storing result i.
func (m *Map) DropWrite(i int) {
	m.Out, m.Value = slices.Delete(m.Out, i, i+1), slices.Delete(m.Value, i, i+1)
}

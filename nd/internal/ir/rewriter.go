package ir

import "slices"

// Rewriter writes code. It is the one way in which code is changed: it copies
// instructions of other code, puts values in the place of loads, renumbers, and
// computes what is there already once. S names what operands read: buffers of a
// plan, or slots of a line program.
type Rewriter[S ~int] struct {
	Code
	Sources []S // what each operand reads
}

// Args are the values that an instruction computes with.
func (in *Instr) Args() []*ValueID {
	if in.Kind != Apply {
		return nil
	}
	return []*ValueID{&in.A, &in.B, &in.C}[:in.Op.Arity()]
}

// takesArgument reports an instruction whose Slot names arguments of the launch.
func (in Instr) takesArgument() bool { return in.Kind == Const || in.Kind == Apply && in.Op.IsRandom() }

// Append adds an instruction and gives the number of its value.
func (w *Rewriter[S]) Append(in Instr) ValueID {
	w.Instrs = append(w.Instrs, in)
	return ValueID(len(w.Instrs) - 1)
}

// Add is Append, unless the same is computed already.
func (w *Rewriter[S]) Add(in Instr) ValueID {
	if at := slices.Index(w.Instrs, in); at >= 0 {
		return ValueID(at)
	}
	return w.Append(in)
}

// Load is the value of an operand of a source; the one that is there if there is.
func (w *Rewriter[S]) Load(source S, o Operand) ValueID {
	slot := w.Operand(source, o)
	if slot < 0 {
		slot = len(w.In)
		w.In, w.Sources = append(w.In, o), append(w.Sources, source)
	}
	return w.Add(Instr{Kind: Load, Type: o.Type, Slot: slot})
}

// Operand is the number of an operand that reads the same; -1 if there is none.
func (w *Rewriter[S]) Operand(source S, o Operand) int {
	return FindOperand(w.Sources, w.In, source, o)
}

// FindOperand is the operand of a list that is o of a source, or -1.
func FindOperand[S ~int](sources []S, list []Operand, source S, o Operand) int {
	for i, have := range sources {
		if have == source && list[i].Equal(o) {
			return i
		}
	}
	return -1
}

// Equal reports that two operands of a buffer are the same elements.
func (o Operand) Equal(p Operand) bool {
	return o.Type == p.Type && o.Offset == p.Offset && slices.Equal(o.Strides, p.Strides)
}

// Position is the value of a position.
func (w *Rewriter[S]) Position(o Operand) ValueID {
	w.Positions = append(w.Positions, o)
	return w.Append(Instr{Kind: Index, Type: o.Type, Slot: len(w.Positions) - 1})
}

// Copying copies values of a code into a Rewriter, each when it is asked for.
type Copying[S ~int] struct {
	To   *Rewriter[S]
	From *Code
	// Load gives the value in To for a load.
	Load func(in Instr) ValueID
	// Arg, if not nil, gives the number in To of an instruction's argument.
	Arg func(in Instr) int
	// Given has values that are in To already.
	Given map[ValueID]ValueID
	// Instead, if not nil, may give a value in another way than by copying it.
	Instead func(v ValueID) (value ValueID, ok bool)
}

// Value copies a value and what it is computed from, and gives its number.
func (c *Copying[S]) Value(v ValueID) ValueID {
	if n, ok := c.Given[v]; ok {
		return n
	}
	in := c.From.Instrs[v]
	n, instead := ValueID(0), false
	if c.Instead != nil {
		n, instead = c.Instead(v)
	}
	switch {
	case instead:
	case in.Kind == Load:
		n = c.Load(in)
	case in.Kind == Index:
		n = c.To.Position(c.From.Positions[in.Slot])
	default:
		for _, a := range in.Args() {
			*a = c.Value(*a)
		}
		if c.Arg != nil && in.takesArgument() {
			in.Slot = c.Arg(in)
		}
		n = c.To.Add(in)
	}
	if c.Given == nil {
		c.Given = map[ValueID]ValueID{}
	}
	c.Given[v] = n
	return n
}

// All copies all values, in their order.
func (c *Copying[S]) All() {
	for v := range c.From.Instrs {
		c.Value(ValueID(v))
	}
}

// WithArguments is the code with other arguments of the launch.
func (c Code) WithArguments(arg func(in Instr) int) Code {
	c.Instrs = slices.Clone(c.Instrs)
	for i := range c.Instrs {
		if c.Instrs[i].takesArgument() {
			c.Instrs[i].Slot = arg(c.Instrs[i])
		}
	}
	return c
}

// AccFrom is the code of a reduction's Post with what was reduced read from an
// operand, which comes behind the others.
func (c Code) AccFrom(o Operand) Code {
	c.In, c.Instrs = append(slices.Clone(c.In), o), slices.Clone(c.Instrs)
	c.Instrs[0] = Instr{Kind: Load, Type: c.Instrs[0].Type, Slot: len(c.In) - 1}
	return c
}

// CopyOf is a map that copies the n elements of an operand to a line.
func CopyOf(o Operand, n int) *Map {
	var w Rewriter[int]
	v := w.Load(0, o)
	return &Map{Dims: []int{n}, Code: w.Code, Out: []Operand{{Type: o.Type, Strides: []int{1}}}, Value: []ValueID{v}}
}

// Clone is a copy whose operands and code may be changed. A kernel, a batch and a
// line are themselves: passes make new ones.
func Clone(p Program) Program { return p.clone() }

// clone copies the lists, and shares the strides in them, which are replaced and
// never changed.
func (c Code) clone() Code {
	return Code{In: slices.Clone(c.In), Positions: slices.Clone(c.Positions), Instrs: slices.Clone(c.Instrs)}
}

// Shifted is a program whose launch arguments come behind n others.
func Shifted(p Program, n int) Program {
	shift := func(in Instr) int { return in.Slot + n }
	switch p := p.(type) {
	case *Map:
		q := *p
		q.Code = p.Code.WithArguments(shift)
		return &q
	case *Reduce:
		q := *p
		q.Code, q.Post = p.Code.WithArguments(shift), p.Post.WithArguments(shift)
		return &q
	}
	return p
}

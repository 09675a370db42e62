package ir

import "github.com/twiddle-go/twiddle/nd/internal/lists"

// stageProgram is a program that can be a stage.
type stageProgram interface {
	Program
	// overLine reports that the program is over one line.
	overLine() bool
	// tiled is the program over several lines; see Tiled.
	tiled(*tiler) Program
}

func (m *Map) overLine() bool       { return len(m.Dims) == 1 }
func (r *Reduce) overLine() bool    { return len(r.Dims) == 1 && r.Inner == 1 }
func (s *Scan) overLine() bool      { return len(s.Dims) == 1 }
func (s *Sort) overLine() bool      { return len(s.Dims) == 1 }
func (f *FFT) overLine() bool       { return len(f.Outer) == 0 && f.Plain() }
func (b *Butterfly) overLine() bool { return len(b.Outer) == 0 }
func (o *Overlap) overLine() bool   { return len(o.Outer) == 0 && o.Turns == 1 && o.Phases == 1 }

// Tiled restates a stage program over several lines at once: the tile is a new
// first dimension, along which operand i (reads first) has stride strides[i].
func Tiled(p Program, lines int, strides []int) Program {
	return p.(stageProgram).tiled(&tiler{lines, strides})
}

// tiler gives operands a first dimension, in the order in which they are bound.
type tiler struct {
	lines int
	steps []int
}

func (t *tiler) dims(d []int) []int { return append([]int{t.lines}, d...) }

func (t *tiler) one(o Operand) Operand {
	o.Strides = append([]int{t.steps[0]}, o.Strides...)
	t.steps = t.steps[1:]
	return o
}

func (t *tiler) all(list []Operand) []Operand {
	return lists.Map(list, func(o Operand) Operand { return t.one(o) })
}

// still is operands that are the same for all lines and not bound.
func (t *tiler) still(list []Operand) []Operand {
	return lists.Map(list, func(o Operand) Operand {
		o.Strides = append([]int{0}, o.Strides...)
		return o
	})
}

func (t *tiler) code(c Code) Code {
	return Code{In: t.all(c.In), Positions: t.still(c.Positions), Instrs: c.Instrs}
}

func (m *Map) tiled(t *tiler) Program {
	c := *m
	c.Dims, c.Code, c.Out = t.dims(m.Dims), t.code(m.Code), t.all(m.Out)
	return &c
}

func (r *Reduce) tiled(t *tiler) Program {
	c := *r
	c.Dims, c.Code, c.Post, c.Out = t.dims(r.Dims), t.code(r.Code), t.code(r.Post), t.one(r.Out)
	return &c
}

func (s *Scan) tiled(t *tiler) Program {
	c := *s
	c.Dims, c.In, c.Out = t.dims(s.Dims), t.one(s.In), t.one(s.Out)
	return &c
}

func (s *Sort) tiled(t *tiler) Program {
	c := *s
	c.Dims, c.In = t.dims(s.Dims), t.one(s.In)
	for _, o := range c.stores() {
		*o = new(t.one(**o))
	}
	return &c
}

// tiled takes planes to be as far apart as their first.
func (f *FFT) tiled(t *tiler) Program {
	c := *f
	c.Outer, c.In = t.dims(f.Outer), t.one(f.In)
	t.steps = t.steps[len(f.ins())-1:]
	if f.Window != nil {
		w := t.one(*f.Window)
		c.Window = &w
	}
	c.Out = t.one(f.Out)
	return &c
}

// tiled leaves W alone, which is the same for all lines.
func (b *Butterfly) tiled(t *tiler) Program {
	c := *b
	c.Outer, c.In = t.dims(b.Outer), t.one(b.In)
	t.steps = t.steps[1:]
	c.Out = t.one(b.Out)
	return &c
}

func (o *Overlap) tiled(*tiler) Program { panic("ir: an overlap is of one line at a time") }

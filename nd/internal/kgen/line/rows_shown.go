package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// rowMask is what tells where elements of rows are looked at: a value of a stage's code. Masks of the same name are the same.
type rowMask struct {
	kgen.Shown
	stage int
	name  string
}

// findShown finds the lines that every stage looks at behind the same mask.
func (r *rows) findShown() {
	r.shown = map[rowValue]rowMask{}
	everywhere := map[rowValue]bool{}
	for i, s := range r.p.Stages {
		c, wanted := codeOf(s), []ir.ValueID(nil)
		switch q := s.Program.(type) {
		case *ir.Map:
			wanted = q.Value
		case *ir.Reduce:
			wanted = []ir.ValueID{q.Value}
		}
		shown := kgen.ShownBy(c, wanted...)
		for _, slot := range kgen.Needed(c, wanted...) {
			v := rowValue{s.Reads[slot], c.In[slot].Offset}
			m, ok := shown[slot]
			by := rowMask{Shown: m, stage: i}
			if ok = ok && r.p.Slots[v.slot].Kind == ir.InSlot && c.In[slot].Along() == 1; ok {
				by.name = r.nameOf(s, c, m.By)
			}
			have, again := r.shown[v]
			if !ok || again && (have.name != by.name || have.Not != by.Not) {
				everywhere[v] = true
			} else if !again {
				r.shown[v] = by
			}
		}
	}
	for v := range everywhere {
		delete(r.shown, v)
	}
}

// nameOf says how a value of a stage is computed.
func (r *rows) nameOf(s ir.Stage, c *ir.Code, v ir.ValueID) string {
	in := c.Instrs[v]
	switch in.Kind {
	case ir.Load:
		return fmt.Sprint("slot", s.Reads[in.Slot], c.In[in.Slot])
	case ir.Index:
		return fmt.Sprint("at", c.Positions[in.Slot])
	}
	name := fmt.Sprint(in.Kind, in.Op, in.Type, in.Slot)
	for _, a := range in.Args() {
		name += "(" + r.nameOf(s, c, *a) + ")"
	}
	return name
}

// load is what an operand reads at a cell from memory, or anything where no stage looks at it.
func (r *rows) load(slot ir.SlotID, o ir.Operand, i int, c cell) []kgen.Num {
	m, ok := r.shown[rowValue{slot, o.Offset}]
	if !ok || o.Along() != 1 {
		return r.read(slot, o, c)
	}
	s := r.p.Stages[m.stage]
	code := codeOf(s)
	is := r.code(code, func(n int) []kgen.Num { return r.values(s.Reads[n], code.In[n], i, c) }, c, []ir.ValueID{m.By})[0]
	t := r.p.Slots[slot].Type
	list := make([]kgen.Num, c.width)
	for j := range list {
		list[j] = kgen.Variable(r.Kernel, "x", kgen.Get(t, kgen.Nothing(t)))
	}
	r.If(r.Let("shown", m.Any(is)), func() {
		for j, x := range r.read(slot, o, c) {
			kgen.Assign(r.Kernel, list[j], x)
		}
	})
	return list
}

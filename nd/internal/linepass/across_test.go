package linepass

import (
	"bytes"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// crossed is a program whose lines in buffers lie side by side: element e of line l of a
// row is at e*row+l.
func crossed(p *ir.Line) *ir.Line {
	q := *p
	q.Slots, q.Stages = slices.Clone(p.Slots), slices.Clone(p.Stages)
	last := len(p.Outer) - 1
	row := p.Outer[last]
	moved := make([]bool, len(q.Slots))
	for i := range q.EachSlot() {
		s := &q.Slots[i]
		if s.OnChip() || s.IsAlike() || s.Len < 2 || s.Strides[last] != s.Len {
			continue
		}
		moved[i] = true
		s.Strides = slices.Clone(s.Strides)
		s.Strides[last] = 1
		s.Len = (s.Len-1)*row + 1
	}
	for i := range q.Stages {
		st := &q.Stages[i]
		st.Program = ir.Clone(st.Program)
		cross := func(list []ir.Operand, slots []ir.SlotID) {
			for k := range list {
				if moved[slots[k]] {
					list[k].Strides = []int{row}
				}
			}
		}
		switch c := st.Program.(type) {
		case *ir.Map:
			cross(c.In, st.Reads)
			cross(c.Out, st.Writes)
			if IsCopy(c) && moved[st.Writes[0]] { // which would be left alone
				c.Value = []ir.ValueID{c.Last() + 1}
				c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Apply, Op: scalar.Neg, Type: c.Out[0].Type, A: c.Last()})
			}
		case *ir.Reduce:
			cross(c.In, st.Reads)
		case *ir.FFT:
			in := []ir.Operand{c.In}
			cross(in, st.Reads)
			c.In = in[0]
		}
	}
	return &q
}

func TestAcrossKeepsResults(t *testing.T) {
	changed, both := 0, 0
	for seed := range uint64(200) {
		p := crossed(drawLine(seed))
		if err := p.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p)
		}
		before := ir.AppendKey(nil, p)
		q := Across(p)
		if !bytes.Equal(ir.AppendKey(nil, p), before) {
			t.Fatalf("seed %d: the program that was given changed", seed)
		}
		if q == p {
			continue
		}
		changed++
		if err := q.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%v\n%v", seed, err, p, q)
		}
		if !slices.EqualFunc(results(t, q, seed), results(t, p, seed), bytes.Equal) {
			t.Fatalf("seed %d: computes something else\n%v\n%v", seed, p, q)
		}
		if len(q.Stages) > len(p.Stages)+1 {
			both++
		}
		if again := Across(q); len(again.Stages) != len(q.Stages) {
			t.Errorf("seed %d: a second time adds stages", seed)
		}
	}
	if changed < 50 || both < 20 {
		t.Errorf("%d programs changed, %d of them twice: too few", changed, both)
	}
}

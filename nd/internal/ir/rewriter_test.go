package ir

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Copies of code share what is computed already, take values in the place of
// loads, and rename arguments.
func TestRewriterJoinsCode(t *testing.T) {
	o := Operand{Type: elem.Float32, Strides: []int{1}}
	load := Instr{Kind: Load, Type: elem.Float32}
	twice := Code{In: []Operand{o}, Instrs: []Instr{load, {Kind: Const, Type: elem.Float32, Slot: 0},
		{Kind: Apply, Op: scalar.Mul, Type: elem.Float32, A: 0, B: 1}}}
	var w Rewriter[int]
	first := Copying[int]{To: &w, From: &twice, Load: func(in Instr) ValueID { return w.Load(7, twice.In[in.Slot]) }}
	first.All()
	again := Copying[int]{To: &w, From: &twice, Load: func(in Instr) ValueID { return w.Load(7, twice.In[in.Slot]) }}
	if again.All(); len(w.Instrs) != 3 || len(w.In) != 1 || again.Value(2) != first.Value(2) {
		t.Fatalf("the same code twice: %+v", w)
	}
	product := first.Value(2)
	then := Copying[int]{To: &w, From: &twice, Load: func(Instr) ValueID { return product }, Arg: func(in Instr) int { return in.Slot + 4 }}
	last := w.Instrs[then.Value(2)]
	if last.A != product || w.Instrs[last.B].Slot != 4 {
		t.Errorf("behind it: %+v", w.Instrs)
	}
	m := &Map{Dims: []int{5}, Code: w.Code, Out: []Operand{o}, Value: []ValueID{then.Value(2)}}
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
}

package ir

import (
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func along(t elem.Type, offset, stride int) Operand {
	return Operand{Type: t, Offset: offset, Strides: []int{stride}}
}

// power is the program of a power spectrum of 8 samples, summed over 3
// segments that overlap by half.
func power() *Line {
	square := Code{
		In: []Operand{along(elem.Complex64, 0, 1)},
		Instrs: []Instr{
			{Kind: Load, Type: elem.Complex64},
			{Kind: Apply, Op: scalar.AbsSquared, Type: elem.Float32},
		},
	}
	first := &Map{Dims: []int{5}, Code: square, Out: []Operand{along(elem.Float32, 0, 1)}, Value: []ValueID{1}}
	next := &Map{Dims: []int{5}, Out: first.Out, Value: []ValueID{3}, Code: Code{
		In: append(square.In[:1:1], along(elem.Float32, 0, 1)),
		Instrs: append(square.Instrs[:2:2],
			Instr{Kind: Load, Type: elem.Float32, Slot: 1},
			Instr{Kind: Apply, Op: scalar.Add, Type: elem.Float32, A: 2, B: 1}),
	}}
	return &Line{
		Outer:    []int{4},
		Segments: 3,
		Slots: []Slot{
			{Kind: InSlot, Type: elem.Float32, Len: 8, Strides: []int{16}, Segment: 4},
			{Kind: LocalSlot, Type: elem.Complex64, Len: 5},
			{Kind: OutSlot, Type: elem.Float32, Len: 5, Strides: []int{5}},
		},
		Stages: []Stage{
			{Each: true, Reads: []SlotID{0}, Writes: []SlotID{1}, Program: &FFT{Kind: FFTRealForward, N: 8, Scale: 1, InLen: 8,
				In: along(elem.Float32, 0, 1), Out: along(elem.Complex64, 0, 1)}},
			{Each: true, First: first, Program: next, Reads: []SlotID{1, 2}, Writes: []SlotID{2}},
		},
	}
}

// frames is the program of spectra of frames that begin before a signal of 20
// samples.
func frames() *Line {
	return &Line{
		Outer:    []int{10},
		Segments: 1,
		Slots: []Slot{
			{Kind: InSlot, Type: elem.Float32, Len: 8, Offset: -7, Strides: []int{2}, Margin: &Margin{From: 7, To: 27, Strides: []int{2}}},
			{Kind: OutSlot, Type: elem.Complex64, Len: 5, Strides: []int{5}},
		},
		Stages: []Stage{
			{Reads: []SlotID{0}, Writes: []SlotID{1}, Program: &FFT{Kind: FFTRealForward, N: 8, Scale: 1, InLen: 8,
				In: along(elem.Float32, 0, 1), Out: along(elem.Complex64, 0, 1)}},
		},
	}
}

func TestMarginsStayInTheBuffer(t *testing.T) {
	p := frames()
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	r := p.Access(p.Slots[0])
	if lo, hi := r.Span(r.Dims); lo != 0 || hi != 20 {
		t.Errorf("touches elements [%d, %d) of a signal of 20", lo, hi)
	}
	if want := "in0 float32[8], beyond which it is a constant\n"; !strings.Contains(p.String(), want) {
		t.Errorf("printed\n%swant %q", p, want)
	}
	keys := map[string]bool{}
	for _, change := range []func(*Line){
		func(*Line) {},
		func(p *Line) { p.Slots[0].Margin = nil },
		func(p *Line) { p.Slots[0].Margin.From++ },
		func(p *Line) { p.Slots[0].Margin.To++ },
		func(p *Line) { p.Slots[0].Margin.Fill++ },
		func(p *Line) { p.Slots[0].Margin.Rule++ },
		func(p *Line) { p.Slots[0].Margin.Strides[0]++ },
	} {
		p := frames()
		change(p)
		keys[string(AppendKey(nil, p))] = true
	}
	if len(keys) != 7 {
		t.Errorf("%d keys of 7 programs", len(keys))
	}
}

// TestRules reads beyond a run of four, as far as each rule goes.
func TestRules(t *testing.T) {
	m := &Margin{From: 10, To: 14}
	for rule, want := range map[Rule][]int{
		Reflect: {13, 12, 11, 10, 11, 12, 13, 12, 11, 10},
		Edge:    {10, 10, 10, 10, 11, 12, 13, 13, 13, 13},
		Wrap:    {11, 12, 13, 10, 11, 12, 13, 10, 11, 12},
	} {
		m.Rule = rule
		for i, w := range want {
			if at := 7 + i; m.Source(at) != w {
				t.Errorf("rule %d: place %d shows %d, want %d", rule, at, m.Source(at), w)
			}
		}
	}
	for rule, want := range map[Rule]string{Reflect: "reflected at its ends", Edge: "beyond which its ends go on", Wrap: "beyond which it begins again"} {
		p := frames()
		p.Slots[0].Margin.Rule = rule
		if err := p.Verify(); err != nil || !strings.Contains(p.String(), "in0 float32[8], "+want+"\n") {
			t.Errorf("%v, printed\n%swant %q", err, p, want)
		}
	}
}

func TestVerify(t *testing.T) {
	if err := power().Verify(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		spoil      func(*Line)
	}{
		{"no segments", "0 segments", func(p *Line) { p.Segments = 0 }},
		{"strides", "0 strides for 1 outer", func(p *Line) { p.Slots[0].Strides = nil }},
		{"outside the slot", "elements [0, 5) of slot 1", func(p *Line) { p.Slots[1].Len = 4 }},
		{"type", "used as complex64", func(p *Line) { p.Slots[1].Type = elem.Complex128 }},
		{"read before written", "reads slot 2 before", func(p *Line) { p.Stages[1].First = nil }},
		{"input written", "an input", func(p *Line) { p.Slots[1] = Slot{Kind: InSlot, Type: elem.Complex64, Len: 5, Strides: []int{5}} }},
		{"order", "away from the others", func(p *Line) {
			p.Stages = append(p.Stages, p.Stages[1], p.Stages[0])
			p.Stages[2].Each = false
		}},
		{"never written", "never written", func(p *Line) { p.Stages = p.Stages[:1] }},
		{"bindings", "binds 1+0 slots", func(p *Line) { p.Stages[0].Writes = nil }},
		{"margin of segments", "something else than an input of whole lines", func(p *Line) {
			p.Slots[0].Margin = &Margin{To: 8, Strides: []int{16}}
		}},
		{"margin of another number of strides", "0 strides for 1 outer", func(p *Line) {
			*p = *frames()
			p.Slots[0].Margin.Strides = nil
		}},
		{"margin that moves on its own", "moves by 5 where the line moves by 2", func(p *Line) {
			*p = *frames()
			p.Slots[0].Margin.Strides[0] = 5
		}},
		{"margin of no rule", "rule 4", func(p *Line) {
			*p = *frames()
			p.Slots[0].Margin.Rule = Wrap + 1
		}},
		{"reflected too far", "place 0 of a run from 7 to 14: the rule leads to 14", func(p *Line) {
			*p = *frames()
			p.Slots[0].Margin.Rule, p.Slots[0].Margin.To = Reflect, 14
		}},
		{"wrapped too far", "place 25 of a run from 7 to 16: the rule leads to 16", func(p *Line) {
			*p = *frames()
			p.Slots[0].Margin.Rule, p.Slots[0].Margin.To = Wrap, 16
		}},
		{"edge of nothing", "place 0 of a run from 7 to 7", func(p *Line) {
			*p = *frames()
			p.Slots[0].Margin.Rule, p.Slots[0].Margin.To = Edge, 7
		}},
		{"mixed lines", "not over one line", func(p *Line) {
			f := *p.Stages[0].Program.(*FFT)
			f.Outer = []int{2}
			f.In.Strides, f.Out.Strides = []int{8, 1}, []int{5, 1}
			p.Stages[0].Program = &f
		}},
	} {
		p := power()
		c.spoil(p)
		if err := p.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestPrint(t *testing.T) {
	const want = `line over [4], 3 segments
  in0 float32[8]
  chip1 complex64[5]
  out2 float32[5]
  each segment: fft r2c 8: in0 -> chip1
  each segment: map abs_squared add: chip1 out2 -> out2
`
	if got := power().String(); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
}

func TestKeysTellProgramsApart(t *testing.T) {
	base := string(AppendKey(nil, power()))
	if again := string(AppendKey(nil, power())); again != base {
		t.Error("equal programs have different keys")
	}
	for i, change := range []func(*Line){
		func(p *Line) { p.Outer[0]++ },
		func(p *Line) { p.Segments++ },
		func(p *Line) { p.Slots[0].Segment++ },
		func(p *Line) { p.Slots[0].Offset++ },
		func(p *Line) { p.Slots[1].Kind = OutSlot },
		func(p *Line) { p.Stages[0].Each = false },
		func(p *Line) { p.Stages[1].First = nil },
		func(p *Line) { p.Stages[1].Writes = []SlotID{1} },
		func(p *Line) { p.Stages[0].Program.(*FFT).N++ },
	} {
		p := power()
		change(p)
		if string(AppendKey(nil, p)) == base {
			t.Errorf("change %d does not show in the key", i)
		}
	}
}

func TestTiledIsValid(t *testing.T) {
	p := power()
	for _, s := range p.Stages {
		for _, q := range []Program{s.Program, s.First} {
			if q == nil {
				continue
			}
			strides := make([]int, len(Reads(q))+len(Writes(q)))
			for i := range strides {
				strides[i] = 100 + i
			}
			tiled := Tiled(q, 7, strides)
			if err := tiled.Verify(); err != nil {
				t.Error(err)
			}
			for i, o := range append(append([]Operand(nil), Reads(tiled)...), Writes(tiled)...) {
				if o.Strides[0] != 100+i || len(o.Strides) != 2 {
					t.Errorf("%s operand %d has strides %v", q.Name(), i, o.Strides)
				}
			}
		}
	}
}

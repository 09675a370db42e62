package line

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// normalised is a line program that a softmax is like, over lines of n elements, every second of them
// if gap is 2: the greatest element, or their product; the sum of what is left of all by that, which is
// stored, too; all divided by the sum, times weights that lines share; and the sum of squares of those,
// and one more of them that is stored by itself.
//
// steps are the same as programs of their own, by the buffers that they read and write: the line's
// inputs, then its outputs, then those in between.
func normalised(t elem.Type, lines, n, gap int) (p *ir.Line, steps []step) {
	op := ir.Max
	if t.IsComplex() {
		op = ir.Prod
	}
	reduce := func(op ir.ReduceOp, in []ir.Operand, post []ir.Operand, ends []ir.Instr, instrs ...ir.Instr) *ir.Reduce {
		return &ir.Reduce{Dims: []int{n}, Inner: 1, Op: op, Value: ir.ValueID(len(instrs) - 1), Out: ir.Operand{Type: t},
			Code: ir.Code{In: in, Instrs: instrs}, Post: ir.Code{In: post, Instrs: append([]ir.Instr{{Kind: ir.Acc, Type: t}}, ends...)}}
	}
	x, w, point, y := over(t, 0, gap), over(t, 0, 1), over(t, 0, 0), over(t, 0, 1)
	alone := ir.Operand{Type: t}
	slots := func(list ...ir.SlotID) []ir.SlotID { return list }
	const inX, inW, sum, out, squares, last, greatest = 0, 1, 2, 3, 4, 5, 6
	p = &ir.Line{Outer: []int{lines}, Segments: 1, Slots: []ir.Slot{
		{Kind: ir.InSlot, Type: t, Len: gap*(n-1) + 1, Strides: []int{gap * n}},
		{Kind: ir.InSlot, Type: t, Len: n, Strides: []int{0}},
		{Kind: ir.OutSlot, Type: t, Len: 1, Strides: []int{1}},
		{Kind: ir.OutSlot, Type: t, Len: n, Strides: []int{n}},
		{Kind: ir.OutSlot, Type: t, Len: 1, Strides: []int{1}},
		{Kind: ir.OutSlot, Type: t, Len: 1, Strides: []int{1}},
		{Kind: ir.LocalSlot, Type: t, Len: 1},
	}, Stages: []ir.Stage{
		{Program: reduce(op, []ir.Operand{x}, nil, nil, load(t, 0)), Reads: slots(inX), Writes: slots(greatest)},
		{Program: reduce(ir.Sum, []ir.Operand{x, point}, []ir.Operand{alone}, []ir.Instr{load(t, 0), apply(scalar.Add, t, 0, 1)},
			load(t, 0), load(t, 1), apply(scalar.Sub, t, 0, 1)), Reads: slots(inX, greatest, greatest), Writes: slots(sum)},
		{Program: mapOf(n, t, []ir.Operand{x, point, w}, load(t, 0), load(t, 1), load(t, 2), apply(scalar.Div, t, 0, 1), apply(scalar.Mul, t, 3, 2)),
			Reads: slots(inX, sum, inW), Writes: slots(out)},
		{Program: reduce(ir.Sum, []ir.Operand{y}, nil, nil, load(t, 0), apply(scalar.Mul, t, 0, 0)), Reads: slots(out), Writes: slots(squares)},
		{Program: mapOf(1, t, []ir.Operand{point, point}, load(t, 0), load(t, 1), apply(scalar.Sub, t, 0, 1)), Reads: slots(squares, greatest), Writes: slots(last)},
	}}
	for _, s := range p.Stages {
		q := step{reads: s.Reads, writes: s.Writes}
		along := func(o ir.Operand, slot ir.SlotID, n int) ir.Operand {
			stride := 1
			if p.Slots[slot].Kind != ir.LocalSlot {
				stride = p.Slots[slot].Strides[0]
			}
			o.Strides = append([]int{stride}, o.Strides[:min(n, len(o.Strides))]...)
			return o
		}
		switch stage := s.Program.(type) {
		case *ir.Map:
			m := &ir.Map{Dims: append([]int{lines}, stage.Dims...), Code: stage.Code, Value: stage.Value}
			m.In, m.Out = nil, []ir.Operand{along(stage.Out[0], s.Writes[0], 1)}
			for i, o := range stage.In {
				m.In = append(m.In, along(o, s.Reads[i], 1))
			}
			q.program = m
		case *ir.Reduce:
			r := &ir.Reduce{Dims: []int{lines, n}, Inner: 1, Op: stage.Op, Value: stage.Value, Code: stage.Code, Post: stage.Post, Out: along(stage.Out, s.Writes[0], 0)}
			r.In, r.Post.In = nil, nil
			for i, o := range stage.In {
				r.In = append(r.In, along(o, s.Reads[i], 1))
			}
			for i, o := range stage.Post.In {
				r.Post.In = append(r.Post.In, along(o, s.Reads[len(stage.In)+i], 0))
			}
			q.program = r
		}
		steps = append(steps, q)
	}
	return p, steps
}

// step is a program of its own, and the slots of a line program that are its buffers.
type step struct {
	program       ir.Program
	reads, writes []ir.SlotID
}

// Maps and reductions of lines that stay in registers give the bits of steps, whatever the length, the
// type and the target.
func TestRowsAreThoseOfSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const lines = 3
	targets := map[string]kgen.Target{"sm_90": h200, "any": shader}
	for name, target := range targets {
		for _, typ := range []elem.Type{elem.Float32, elem.Float16, elem.BFloat16, elem.Int32, elem.Complex64, elem.Float64} {
			if typ == elem.Float64 && !target.Wide {
				continue
			}
			for _, n := range []int{2, 3, 5, 16, 31, 64, 100, 129, 500, 1000, 1023, 1024, 4096, 5001, 8192, 9000, 16384, 20000, 32000} {
				for gap := 1; gap <= 1+n%2; gap++ {
					t.Run(fmt.Sprintf("%s/%s/%d/%d", name, typ, n, gap), func(t *testing.T) {
						t.Parallel()
						p, steps := normalised(typ, lines, n, gap)
						if !Rows(p, target) {
							if (n*typ.Size() <= 4096 || typ == elem.Float32 && gap == 1) && target.Wide {
								t.Error("lines are read more than once")
							}
							return
						}
						buffers := make([][]byte, len(p.Slots))
						size := []int{gap * n * lines, n, lines, n * lines, lines, lines, lines}
						for i := range buffers {
							buffers[i] = make([]byte, size[i]*typ.Size())
						}
						for i := range buffers[:2] {
							fillRandom(rng, typ, buffers[i])
						}
						var of [][]byte // those of the line program
						for _, b := range buffers[2:6] {
							of = append(of, bytes.Repeat([]byte{0xa5}, len(b)))
						}
						m, err := Generate(p, target)
						if err != nil {
							t.Fatal(err)
						}
						if _, err := simulate.Run(m, buffers[:2], of, nil, true); err != nil {
							t.Fatal(err)
						}
						for _, s := range steps {
							m, err := Generate(s.program, target)
							if err != nil {
								t.Fatal(err)
							}
							var reads, writes [][]byte
							for _, i := range s.reads {
								reads = append(reads, buffers[i])
							}
							for _, i := range s.writes {
								writes = append(writes, buffers[i])
							}
							if _, err := simulate.Run(m, reads, writes, nil, false); err != nil {
								t.Fatal(err)
							}
						}
						for i, got := range of {
							if !bytes.Equal(got, buffers[2+i]) {
								t.Errorf("output %d differs from that of steps", i)
							}
						}
					})
				}
			}
		}
	}
}

// Lines of one length have no elements in common with those of another, nor with a sum of one number.
func TestRowsHaveOneLength(t *testing.T) {
	r := elem.Float32
	sum := func(n int) *ir.Reduce {
		return &ir.Reduce{Dims: []int{n}, Inner: 1, Out: ir.Operand{Type: r}, Code: ir.Code{In: []ir.Operand{over(r, 0, 1)}, Instrs: []ir.Instr{load(r, 0)}},
			Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: r}}}}
	}
	for _, lengths := range [][2]int{{3, 5}, {5, 3}, {1, 5}, {5, 1}} {
		n, m := lengths[0], lengths[1]
		outer := &ir.Line{Outer: []int{2}, Segments: 1, Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{n}}, {Kind: ir.InSlot, Type: r, Len: m, Strides: []int{0}},
			{Kind: ir.LocalSlot, Type: r, Len: 1}, {Kind: ir.OutSlot, Type: r, Len: m, Strides: []int{m}},
		}, Stages: []ir.Stage{
			{Program: sum(n), Reads: []ir.SlotID{0}, Writes: []ir.SlotID{2}},
			{Program: mapOf(m, r, []ir.Operand{over(r, 0, 0), over(r, 0, 1)}, load(r, 0), load(r, 1), apply(scalar.Mul, r, 0, 1)), Reads: []ir.SlotID{2, 1}, Writes: []ir.SlotID{3}},
		}}
		if m > 1 && Rows(outer, h200) {
			t.Errorf("a sum of lines of %d is multiplied by lines of %d as if they were the same", n, m)
		}
		sums := &ir.Line{Outer: []int{2}, Segments: 1, Slots: []ir.Slot{
			{Kind: ir.InSlot, Type: r, Len: n, Strides: []int{n}}, {Kind: ir.InSlot, Type: r, Len: m, Strides: []int{m}},
			{Kind: ir.OutSlot, Type: r, Len: 1, Strides: []int{1}}, {Kind: ir.OutSlot, Type: r, Len: 1, Strides: []int{1}},
		}, Stages: []ir.Stage{
			{Program: sum(n), Reads: []ir.SlotID{0}, Writes: []ir.SlotID{2}}, {Program: sum(m), Reads: []ir.SlotID{1}, Writes: []ir.SlotID{3}},
		}}
		if Rows(sums, h200) {
			t.Errorf("lines of %d are added up with lines of %d as if they were the same", n, m)
		}
	}
}

// fillRandom puts random numbers into memory: small integers, and others from 0.5 to 1.5.
func fillRandom(rng *rand.Rand, t elem.Type, to []byte) {
	n := len(to) / t.Size()
	for i := range n {
		v := rng.Float64() + 0.5
		switch t {
		case elem.Int32:
			elem.Slice[int32](to)[i] = rng.Int32N(100) + 1
		case elem.Float32:
			elem.Slice[float32](to)[i] = float32(v)
		case elem.Float64:
			elem.Slice[float64](to)[i] = v
		case elem.Complex64:
			elem.Slice[complex64](to)[i] = complex(float32(v)/float32(1.1), float32(rng.Float64()))
		case elem.Float16:
			elem.Slice[elem.F16](to)[i] = elem.F16From(float32(v))
		case elem.BFloat16:
			elem.Slice[elem.BF16](to)[i] = elem.BF16From(float32(v))
		}
	}
}

// Rows load nothing that a mask of positions hides in all stages: x has only the lines that are shown, and the machine
// checks bounds.
func TestRowsLoadWhatMasksShow(t *testing.T) {
	const n, lines, shown = 100, 5, 3
	f, b := elem.Float32, elem.Bool
	where := apply(scalar.Where, f, 0, 1)
	where.C, where.Bands = 2, true
	masked := []ir.Instr{load(b, 0), load(f, 1), load(f, 2), where}
	in := []ir.Operand{over(b, 0, 1), over(f, 0, 1), over(f, 0, 0)}
	p := &ir.Line{Outer: []int{lines}, Segments: 1, Slots: []ir.Slot{
		{Kind: ir.InSlot, Type: b, Len: n, Strides: []int{n}}, {Kind: ir.InSlot, Type: f, Len: n, Strides: []int{n}}, {Kind: ir.InSlot, Type: f, Len: 1, Strides: []int{0}},
		{Kind: ir.LocalSlot, Type: f, Len: 1}, {Kind: ir.OutSlot, Type: f, Len: n, Strides: []int{n}},
	}, Stages: []ir.Stage{
		{Program: &ir.Reduce{Dims: []int{n}, Inner: 1, Op: ir.Max, Value: 3, Out: ir.Operand{Type: f}, Code: ir.Code{In: in, Instrs: masked},
			Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: f}}}}, Reads: []ir.SlotID{0, 1, 2}, Writes: []ir.SlotID{3}},
		{Program: mapOf(n, f, append(in[:3:3], over(f, 0, 0)), append(masked[:4:4], load(f, 3), apply(scalar.Sub, f, 3, 4))...), Reads: []ir.SlotID{0, 1, 2, 3}, Writes: []ir.SlotID{4}},
	}}
	if !Rows(p, h200) {
		t.Fatal("lines are read more than once")
	}
	reads, out := [][]byte{make([]byte, lines*n), make([]byte, 4*shown*n), make([]byte, 4)}, make([]byte, 4*lines*n)
	for i := range shown * n {
		reads[0][i] = 1
		elem.Slice[float32](reads[1])[i] = float32(i)
	}
	elem.Slice[float32](reads[2])[0] = -7
	m, err := Generate(p, h200)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := simulate.Run(m, reads, [][]byte{out}, nil, true); err != nil {
		t.Fatal(err)
	}
	for i, got := range elem.Slice[float32](out) {
		want := float32(0)
		if line := i / n; line < shown {
			want = float32(i - (line+1)*n + 1)
		}
		if got != want {
			t.Fatalf("element %d: %v, want %v", i, got, want)
		}
	}
}

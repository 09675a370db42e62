package linepass

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// maker draws line programs: a window, transforms there and back, maps that use
// lines on chip once or twice, a reduction, results in buffers.
type maker struct {
	r     *rand.Rand
	p     *ir.Line
	lines []ir.SlotID // slots on chip or in buffers that stages may read
}

func drawLine(seed uint64) *ir.Line {
	m := &maker{r: rand.New(rand.NewPCG(seed, 5)), p: &ir.Line{Segments: 1}}
	for range 1 + m.r.IntN(3) {
		m.p.Outer = append(m.p.Outer, 1+m.r.IntN(3))
	}
	n := []int{8, 12, 16}[m.r.IntN(3)]
	beside := m.r.IntN(3) == 0
	m.lines = []ir.SlotID{m.buffer(ir.InSlot, elem.Float32, n, beside), m.shared(n)}
	for range 2 + m.r.IntN(7) {
		m.stage()
	}
	for _, slot := range m.lines[2:] {
		if s := m.p.Slots[slot]; m.r.IntN(2) == 0 || slot == m.lines[len(m.lines)-1] {
			m.compute(m.buffer(ir.OutSlot, s.Type, s.Len, beside && !s.Type.IsComplex()), []ir.SlotID{slot}, nil)
		}
	}
	return m.p
}

// buffer is lines one after the other, or side by side.
func (m *maker) buffer(kind ir.SlotKind, t elem.Type, n int, beside bool) ir.SlotID {
	s := ir.Slot{Kind: kind, Type: t, Len: n}
	for d := range m.p.Outer {
		s.Strides = append(s.Strides, n*ir.Count(m.p.Outer[d+1:]))
	}
	if last := len(s.Strides) - 1; beside && m.p.Outer[last] > 1 && kind == ir.InSlot {
		for d := range s.Strides {
			s.Strides[d] /= n // frames that begin at every element
		}
	}
	return m.p.AddSlot(s)
}

func (m *maker) shared(n int) ir.SlotID {
	return m.p.AddSlot(ir.Slot{Kind: ir.InSlot, Type: elem.Float32, Len: n, Strides: make([]int, len(m.p.Outer))})
}

func (m *maker) compute(to ir.SlotID, from []ir.SlotID, instrs []ir.Instr) {
	s := m.p.Slots[to]
	p := &ir.Map{Dims: []int{s.Len}, Out: []ir.Operand{alongLine(s.Type)}}
	for i, slot := range from {
		t := m.p.Slots[slot].Type
		p.In = append(p.In, alongLine(t))
		p.Instrs = append(p.Instrs, ir.Instr{Kind: ir.Load, Type: t, Slot: i})
	}
	p.Instrs = append(p.Instrs, instrs...)
	p.Value = []ir.ValueID{p.Last()}
	m.p.Stages = append(m.p.Stages, ir.Stage{Program: p, Reads: from, Writes: []ir.SlotID{to}})
}

func (m *maker) stage() {
	x := m.lines[m.r.IntN(len(m.lines))]
	s := m.p.Slots[x]
	real := s.Type.Real()
	local := func(t elem.Type, n int) ir.SlotID {
		slot := m.p.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: t, Len: n})
		m.lines = append(m.lines, slot)
		return slot
	}
	apply := func(op scalar.Op, t elem.Type, args ...ir.ValueID) ir.Instr {
		in := ir.Instr{Kind: ir.Apply, Op: op, Type: t, A: args[0]}
		if len(args) > 1 {
			in.B = args[1]
		}
		return in
	}
	other := func() ir.SlotID {
		y := x
		for _, o := range m.lines {
			if at := m.p.Slots[o]; at.Type == s.Type && at.Len == s.Len && m.r.IntN(2) == 0 {
				y = o
			}
		}
		return y
	}
	modulus := slices.IndexFunc(m.lines, func(o ir.SlotID) bool {
		at := m.p.Slots[o]
		return at.Kind == ir.LocalSlot && at.Type == real && at.Len == s.Len
	})
	switch kind := m.r.IntN(7); {
	case kind < 2 && s.Type.IsComplex():
		n := 2 * (s.Len - 1)
		f := &ir.FFT{Kind: ir.FFTRealInverse, N: n, Scale: 1 / float64(n), InLen: s.Len, In: alongLine(s.Type), Out: alongLine(real)}
		m.p.Stages = append(m.p.Stages, ir.Stage{Program: f, Reads: []ir.SlotID{x}, Writes: []ir.SlotID{local(real, n)}})
	case kind < 2:
		f := &ir.FFT{Kind: ir.FFTRealForward, N: s.Len, Scale: 1, InLen: s.Len, In: alongLine(real), Out: alongLine(real.Complex())}
		m.p.Stages = append(m.p.Stages, ir.Stage{Program: f, Reads: []ir.SlotID{x}, Writes: []ir.SlotID{local(real.Complex(), s.Len/2+1)}})
	case kind == 2 && s.Type.IsComplex():
		m.compute(local(real, s.Len), []ir.SlotID{x}, []ir.Instr{apply(scalar.AbsSquared, real, 0)})
	case kind == 3 && !s.Type.IsComplex():
		r := &ir.Reduce{Dims: []int{s.Len}, Inner: 1, Op: ir.Max, Code: ir.Code{In: []ir.Operand{alongLine(real)}, Instrs: []ir.Instr{{Kind: ir.Load, Type: real}}},
			Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: real}, apply(scalar.Neg, real, 0)}}, Out: ir.Operand{Type: real}}
		to := m.buffer(ir.OutSlot, real, 1, false)
		m.p.Stages = append(m.p.Stages, ir.Stage{Program: r, Reads: []ir.SlotID{x}, Writes: []ir.SlotID{to}})
	case kind == 3:
		r := &ir.Reduce{Dims: []int{s.Len}, Inner: 1, Op: ir.Max, Value: 1,
			Code: ir.Code{In: []ir.Operand{alongLine(s.Type)}, Instrs: []ir.Instr{{Kind: ir.Load, Type: s.Type}, apply(scalar.AbsSquared, real, 0)}},
			Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: real}}}, Out: ir.Operand{Type: real}}
		m.p.Stages = append(m.p.Stages, ir.Stage{Program: r, Reads: []ir.SlotID{x}, Writes: []ir.SlotID{m.buffer(ir.OutSlot, real, 1, false)}})
	case kind == 6 && s.Type.IsComplex() && modulus >= 0: // of a spectrum and real numbers
		r := &ir.Reduce{Dims: []int{s.Len}, Inner: 1, Op: ir.Max, Value: 3, Code: ir.Code{In: []ir.Operand{alongLine(real), alongLine(s.Type)},
			Instrs: []ir.Instr{{Kind: ir.Load, Type: real}, {Kind: ir.Load, Type: s.Type, Slot: 1}, apply(scalar.AbsSquared, real, 1), apply(scalar.Sub, real, 0, 2)}},
			Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: real}}}, Out: ir.Operand{Type: real}}
		m.p.Stages = append(m.p.Stages, ir.Stage{Program: r, Reads: []ir.SlotID{m.lines[modulus], x}, Writes: []ir.SlotID{m.buffer(ir.OutSlot, real, 1, false)}})
	case kind == 4 && s.Type.IsComplex(): // of two spectra
		m.compute(local(real, s.Len), []ir.SlotID{x, other()}, []ir.Instr{apply(scalar.AbsSquared, real, 0), apply(scalar.AbsSquared, real, 1), apply(scalar.Sub, real, 2, 3)})
	default:
		y := other()
		op := []scalar.Op{scalar.Mul, scalar.Add, scalar.Sub}[m.r.IntN(3)]
		m.compute(local(s.Type, s.Len), []ir.SlotID{x, y}, []ir.Instr{apply(op, s.Type, 0, 1)})
	}
}

// results runs a program by the reference.
func results(t *testing.T, p *ir.Line, seed uint64) [][]byte {
	t.Helper()
	sizes, err := ir.Bytes(p)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 7))
	buffers := make([][]byte, len(sizes))
	for i, n := range sizes {
		for len(buffers[i]) < n {
			buffers[i] = binary.LittleEndian.AppendUint32(buffers[i], math.Float32bits(float32(r.IntN(17)-8)/4))
		}
	}
	reads := len(ir.Reads(p))
	if err := reference.Run(p, buffers[:reads], buffers[reads:], nil); err != nil {
		t.Fatalf("%v\n%v", err, p)
	}
	return buffers[reads:]
}

// near compares numbers: the reference rounds a complex product once, and not
// product by product as planes do.
func near(a, b []byte) bool {
	for i := 0; i < len(a); i += 4 {
		x := float64(math.Float32frombits(binary.LittleEndian.Uint32(a[i:])))
		y := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))
		if !(math.Abs(x-y) <= 1e-4*(1+math.Abs(x))) && !(math.IsInf(x, 0) || x != x) {
			return false
		}
	}
	return len(a) == len(b)
}

// Every pass, and all of them in turn, leave programs that verify and compute the
// same bits.
func TestPassesKeepResults(t *testing.T) {
	always := func(*ir.FFT) bool { return true }
	planes := func(p *ir.Line) *ir.Line {
		q, _ := Planes(p)
		if q == nil {
			return p
		}
		return q
	}
	passes := []struct {
		name  string
		run   func(*ir.Line) *ir.Line
		equal func(a, b []byte) bool
	}{
		{"join outer", JoinOuter, bytes.Equal},
		{"planes", planes, near},
		{"windows of planes", func(p *ir.Line) *ir.Line { return Windows(planes(p), always) }, near},
		{"join maps", JoinMaps, bytes.Equal},
		{"split spectra", SplitSpectra, bytes.Equal},
		{"all of the CPU", func(p *ir.Line) *ir.Line { return JoinMaps(Windows(planes(JoinOuter(p)), always)) }, near},
		{"split spectra, join maps", func(p *ir.Line) *ir.Line { return JoinMaps(SplitSpectra(p)) }, bytes.Equal},
	}
	changed := make([]int, len(passes))
	for seed := range uint64(200) {
		p := drawLine(seed)
		if err := p.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p)
		}
		before := ir.AppendKey(nil, p)
		want := results(t, p, seed)
		for i, pass := range passes {
			q := pass.run(p)
			if !bytes.Equal(ir.AppendKey(nil, p), before) {
				t.Fatalf("seed %d: %s changed the program it was given", seed, pass.name)
			}
			unchanged := p
			if pass.name == "windows of planes" {
				unchanged = planes(p)
			}
			if bytes.Equal(ir.AppendKey(nil, q), ir.AppendKey(nil, unchanged)) {
				continue
			}
			changed[i]++
			if err := q.Verify(); err != nil {
				t.Fatalf("seed %d: %s: %v\n%v\n%v", seed, pass.name, err, p, q)
			}
			if !slices.EqualFunc(results(t, q, seed), want, pass.equal) {
				t.Fatalf("seed %d: %s computes something else\n%v\n%v", seed, pass.name, p, q)
			}
		}
	}
	for i, pass := range passes {
		if changed[i] < 10 {
			t.Errorf("%s changed only %d programs", pass.name, changed[i])
		}
	}
	t.Logf("programs changed: %v", changed)
}

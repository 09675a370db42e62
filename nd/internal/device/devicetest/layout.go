package devicetest

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// layout puts an index space into a buffer.
type layout struct {
	name    string
	offset  int
	strides []int
}

func (l layout) operand(t elem.Type) ir.Operand {
	return ir.Operand{Type: t, Offset: l.offset, Strides: l.strides}
}

// layouts are ways to lie in memory for a space of two or more dimensions
// that give every point its own element: fit for outputs.
func layouts(dims []int) []layout {
	n := len(dims)
	row := ir.Contiguous(elem.Float32, dims).Strides
	count := ir.Count(dims)
	transposed := make([]int, n)
	step := 1
	for i := range transposed {
		transposed[i] = step
		step *= dims[i]
	}
	spaced, backwards, flipped := make([]int, n), make([]int, n), append([]int(nil), row...)
	for i := range dims {
		spaced[i] = 3 * row[i]
		backwards[i] = -row[i]
	}
	flipped[n-1] = -1
	gapped := append([]int(nil), row...)
	for i := range n - 1 {
		gapped[i] = row[i] / max(dims[n-1], 1) * (dims[n-1] + 3)
	}
	return []layout{
		{"contiguous", 0, row},
		{"offset", 7, row},
		{"transposed", 0, transposed},
		{"spaced", 2, spaced},
		{"backwards", max(count-1, 0), backwards},
		{"flipped", max(dims[n-1]-1, 0), flipped},
		{"gapped", 1, gapped},
	}
}

// readLayouts adds those that show elements more than once.
func readLayouts(dims []int) []layout {
	n := len(dims)
	row := ir.Contiguous(elem.Float32, dims).Strides
	rows, columns, overlapping := append([]int(nil), row...), make([]int, n), make([]int, n)
	rows[n-1] = 0
	columns[n-1] = 1
	for i := range overlapping {
		overlapping[i] = 2
	}
	overlapping[n-1] = 1
	return append(layouts(dims),
		layout{"one per row", 0, rows},
		layout{"one per column", 3, columns},
		layout{"one value", 4, make([]int, n)},
		layout{"overlapping", 0, overlapping},
	)
}

// testLayouts adds two operands under every pair of layouts, and copies every
// type under every pair of source and destination.
func testLayouts(s *suite) {
	dims := []int{3, 5, 19}
	s.sub("binary", func(s *suite) {
		for _, t := range s.having(elem.Float32, elem.Float64, elem.Complex64, elem.Int32, elem.Int16, elem.BFloat16) {
			for _, a := range readLayouts(dims) {
				for _, b := range readLayouts(dims) {
					s.sub(fmt.Sprintf("%s/%s, %s", t, a.name, b.name), func(s *suite) {
						p := apply(scalar.Add, t, dims, t, t)
						p.In[0], p.In[1] = a.operand(t), b.operand(t)
						s.check(p, s.inputs(dims, p.In), nil, nil, exact)
					})
				}
			}
		}
	})
	s.sub("copy", func(s *suite) {
		for _, t := range s.having(elem.All[:]...) {
			for _, from := range readLayouts(dims) {
				for _, to := range layouts(dims) {
					s.sub(fmt.Sprintf("%s/%s to %s", t, from.name, to.name), func(s *suite) {
						s.check(copyMap(dims, from.operand(t), to.operand(t)), s.inputs(dims, []ir.Operand{from.operand(t)}), nil, nil, exact)
					})
				}
			}
		}
	})
	// Sizes at which blocked transposes have whole tiles, parts of tiles, and
	// several workers.
	s.sub("transpose", func(s *suite) {
		for _, t := range s.having(elem.Uint8, elem.Int16, elem.Float16, elem.Float32, elem.Complex64, elem.Complex128) {
			for _, dims := range [][]int{{64, 64}, {130, 67}, {1, 200}, {300, 1}, {2, 65, 70}, {301, 257}} {
				s.sub(fmt.Sprintf("%s/%v", t, dims), func(s *suite) {
					from, to := layouts(dims)[2].operand(t), ir.Contiguous(t, dims)
					s.check(copyMap(dims, from, to), s.inputs(dims, []ir.Operand{from}), nil, nil, exact)
				})
			}
		}
	})
	s.sub("empty", func(s *suite) {
		for _, dims := range [][]int{{0}, {3, 0}, {0, 3}, {2, 0, 4}} {
			p := apply(scalar.Mul, elem.Float32, dims, elem.Float32, elem.Float32)
			s.check(p, [][]byte{nil, nil}, nil, nil, exact)
		}
	})
	s.sub("scalar", func(s *suite) {
		p := apply(scalar.Mul, elem.Float32, []int{}, elem.Float32, elem.Float32)
		p.In[1].Offset = 3
		s.check(p, s.inputs(nil, p.In), nil, nil, exact)
	})
	s.sub("many dimensions", func(s *suite) {
		dims := []int{2, 1, 3, 2, 1, 2, 2, 3}
		p := apply(scalar.Sub, elem.Float32, dims, elem.Float32, elem.Float32)
		p.In[1] = layouts(dims)[2].operand(elem.Float32)
		s.check(p, s.inputs(dims, p.In), nil, nil, exact)
	})
}

func copyMap(dims []int, from, to ir.Operand) *ir.Map {
	return &ir.Map{
		Dims:  dims,
		Code:  ir.Code{In: []ir.Operand{from}, Instrs: []ir.Instr{{Kind: ir.Load, Type: from.Type}}},
		Out:   []ir.Operand{to},
		Value: []ir.ValueID{0},
	}
}

// reads makes the buffers that a program reads, full of ordinary values.
func (s *suite) reads(p ir.Program) [][]byte {
	var out [][]byte
	for _, a := range p.Accesses() {
		if !a.Write {
			out = append(out, s.inputs(a.Dims, []ir.Operand{a.Operand})...)
		}
	}
	return out
}

// inputs makes buffers for operands over dims, full of ordinary values.
func (s *suite) inputs(dims []int, operands []ir.Operand) [][]byte {
	return lists.Map(operands, func(o ir.Operand) []byte {
		lo, hi := o.Span(dims)
		if lo < 0 {
			s.Fatalf("operand %v reaches below its buffer", o)
		}
		return s.some(o.Type, max(hi, 1))
	})
}

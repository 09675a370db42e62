package devicetest

import (
	"bytes"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// code builds straight-line programs; every method gives the number of the
// value it adds.
type code struct{ ir.Code }

func (c *code) add(i ir.Instr) ir.ValueID {
	c.Instrs = append(c.Instrs, i)
	return c.Last()
}

func (c *code) load(o ir.Operand) ir.ValueID {
	c.In = append(c.In, o)
	return c.add(ir.Instr{Kind: ir.Load, Type: o.Type, Slot: len(c.In) - 1})
}

func (c *code) index(o ir.Operand) ir.ValueID {
	o.Type = elem.Int64
	c.Positions = append(c.Positions, o)
	return c.add(ir.Instr{Kind: ir.Index, Type: elem.Int64, Slot: len(c.Positions) - 1})
}

func (c *code) constant(t elem.Type, slot int) ir.ValueID {
	return c.add(ir.Instr{Kind: ir.Const, Type: t, Slot: slot})
}

func (c *code) apply(op scalar.Op, t elem.Type, args ...ir.ValueID) ir.ValueID {
	i := ir.Instr{Kind: ir.Apply, Op: op, Type: t}
	for k, a := range args {
		*[]*ir.ValueID{&i.A, &i.B, &i.C}[k] = a
	}
	return c.add(i)
}

func testMaps(s *suite) {
	s.sub("constants", func(s *suite) { // every type, and not as part of the program
		for _, t := range s.having(elem.All[:]...) {
			s.sub(t.String(), func(s *suite) {
				for _, v := range s.specials(t) {
					var c code
					c.constant(t, 1)
					p := &ir.Map{Dims: []int{9}, Code: c.Code, Out: []ir.Operand{ir.Contiguous(t, []int{9})}, Value: []ir.ValueID{0}}
					arg := scalar.ArgOf(t, v.Num)
					if !t.IsFloat() && !t.IsComplex() {
						arg = scalar.IntArg(v.Int)
					}
					s.check(p, nil, nil, []scalar.Arg{{}, arg}, exact)
				}
			})
		}
	})
	s.sub("index", func(s *suite) {
		dims := []int{4, 33}
		for _, l := range readLayouts(dims) {
			s.sub(l.name, func(s *suite) {
				var c code
				c.index(l.operand(elem.Int64))
				p := &ir.Map{Dims: dims, Code: c.Code, Out: []ir.Operand{ir.Contiguous(elem.Int64, dims)}, Value: []ir.ValueID{0}}
				s.check(p, nil, nil, nil, exact)
			})
		}
	})
	s.sub("chain", func(s *suite) { // many values, of several types, several results
		for _, dims := range [][]int{{1}, {31}, {5, 13}, {3, 4, 2, 7}, {70_001}} {
			s.sub(fmt.Sprint(dims), func(s *suite) { s.checkChain(dims) })
		}
	})
	s.sub("masked", testMaskedMaps)
	s.sub("in place", testInPlace)
	s.sub("parts", testParts)
}

// checkChain mixes float, integer and bool values and stores three of them.
func (s *suite) checkChain(dims []int) {
	const f = elem.Float32
	var c code
	x, y := c.load(ir.Contiguous(f, dims)), c.load(ir.Contiguous(f, dims))
	k := c.constant(f, 0)
	sum := c.apply(scalar.Add, f, x, y)
	prod := c.apply(scalar.Mul, f, sum, k)
	big := c.apply(scalar.Greater, elem.Bool, prod, x)
	at := c.index(ir.Contiguous(elem.Int64, dims))
	whole := c.apply(scalar.Cast, elem.Int64, prod)
	rem := c.apply(scalar.Maximum, elem.Int64, whole, at)
	back := c.apply(scalar.Cast, f, rem)
	pick := c.apply(scalar.Where, f, big, back, sum)
	abs := c.apply(scalar.Abs, f, pick)
	root := c.apply(scalar.Sqrt, f, abs)
	p := &ir.Map{
		Dims: dims, Code: c.Code,
		Out:   []ir.Operand{ir.Contiguous(f, dims), ir.Contiguous(elem.Bool, dims), ir.Contiguous(elem.Int64, dims)},
		Value: []ir.ValueID{root, big, rem},
	}
	s.check(p, s.inputs(dims, p.In), nil, []scalar.Arg{scalar.ArgOf(f, 1.75)}, exact)
}

// testMaskedMaps have a causal mask, computed and loaded, that most elements are on one side of.
func testMaskedMaps(s *suite) {
	for _, t := range s.having(elem.Float32, elem.Float16, elem.Complex64, elem.Int32) {
		for _, dims := range [][]int{{3, 70, 70}, {2, 9, 200}, {50, 33}} {
			s.sub(fmt.Sprint(t, dims), func(s *suite) {
				var c code
				rank := len(dims)
				count := func(axis int) ir.ValueID {
					strides := make([]int, rank)
					strides[axis] = 1
					return c.index(ir.Operand{Strides: strides})
				}
				strides := ir.Contiguous(t, dims).Strides
				x, y := c.load(ir.Contiguous(t, dims)), c.load(ir.Contiguous(t, dims))
				row := c.load(ir.Operand{Type: t, Strides: append(make([]int, rank-1), 1)})
				seen := c.apply(scalar.LessEqual, elem.Bool, count(rank-1), count(rank-2))
				stored := c.load(ir.Operand{Type: elem.Bool, Strides: append(make([]int, rank-2), strides[rank-2:]...)})
				where := func(by, a, b ir.ValueID) ir.ValueID {
					v := c.apply(scalar.Where, t, by, a, b)
					c.Instrs[v].Bands = true
					return v
				}
				first := where(seen, c.apply(scalar.Mul, t, x, row), row)
				second := where(stored, row, c.apply(scalar.Add, t, y, row))
				out := ir.Contiguous(t, dims)
				p := &ir.Map{Dims: dims, Code: c.Code, Out: []ir.Operand{out, out}, Value: []ir.ValueID{first, second}}
				reads := s.inputs(dims, p.In)
				for i := range reads[3] {
					if reads[3][i] = 0; i%dims[rank-1] > i/dims[rank-1] {
						reads[3][i] = 1
					}
				}
				tol := exact
				if t.IsComplex() { // whose products may be fused
					tol = within(bounds[scalar.Mul].complex)
				}
				s.check(p, reads, nil, nil, tol)
			})
		}
	}
}

// testInPlace writes a Map's result over one of its operands.
func testInPlace(s *suite) {
	dims := []int{7, 45}
	p := apply(scalar.Mul, elem.Float32, dims, elem.Float32, elem.Float32)
	reads := s.inputs(dims, p.In)
	for target := range reads {
		want := bytes.Clone(reads[target])
		s.reference(p, reads, [][]byte{want})
		a, b := s.alloc(reads[0]), s.alloc(reads[1])
		out := []device.Buffer{a, b}[target]
		s.q.Launch(device.Launch{Kernel: s.compile(p), Reads: []device.Buffer{a, b}, Writes: []device.Buffer{out}})
		got, err := s.read(out)
		if err != nil {
			s.Fatal(err)
		}
		s.compare(elem.Float32, want, got, nil, exact)
	}
}

// testParts has several launches each write a part of one buffer.
func testParts(s *suite) {
	rows := []int{2, 30}
	out := bytes.Repeat([]byte{0xa5}, 4*(6*30+margin))
	want := bytes.Clone(out)
	b := s.alloc(out)
	for part := range 3 {
		p := apply(scalar.Add, elem.Float32, rows, elem.Float32, elem.Float32)
		p.Out[0].Offset = part * 60
		reads := s.inputs(rows, p.In)
		s.reference(p, reads, [][]byte{want})
		s.q.Launch(device.Launch{
			Kernel: s.compile(p), Reads: []device.Buffer{s.alloc(reads[0]), s.alloc(reads[1])},
			Writes: []device.Buffer{b}, Adds: part > 0,
		})
	}
	got, err := s.read(b)
	if err != nil {
		s.Fatal(err)
	}
	s.compare(elem.Float32, want, got, out, exact)
}

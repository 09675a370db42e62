package devicetest

import (
	"bytes"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// testBatches runs small programs of all sorts in one launch: some without
// points, some with arguments, some that take more than one kernel by themselves.
func testBatches(s *suite) {
	if !s.dev.Info().Batches {
		return
	}
	for _, t := range s.having(elem.Float32, elem.Float64, elem.Int32, elem.Float16) {
		args := []scalar.Arg{scalar.ArgOf(t, 3), scalar.ArgOf(t, 5), scalar.ArgOf(t, 2)}
		fill := func(slot int, dims ...int) ir.Program {
			var c code
			v := c.constant(t, slot)
			return &ir.Map{Dims: dims, Code: c.Code, Out: []ir.Operand{ir.Contiguous(t, dims)}, Value: []ir.ValueID{v}}
		}
		product := func(in ir.Operand, dims ...int) ir.Program {
			var c code
			v := c.apply(scalar.Mul, t, c.load(in), c.constant(t, 1))
			return &ir.Map{Dims: dims, Code: c.Code, Out: []ir.Operand{ir.Contiguous(t, dims)}, Value: []ir.ValueID{v}}
		}
		greatest := func(n int, outer ...int) ir.Program {
			dims := append(append([]int{}, outer...), n)
			var c, post code
			v := c.load(ir.Contiguous(t, dims))
			post.apply(scalar.Mul, t, post.add(ir.Instr{Kind: ir.Acc, Type: t}), post.constant(t, 2))
			return &ir.Reduce{Dims: dims, Inner: 1, Code: c.Code, Value: v, Op: ir.Max, Post: post.Code, Out: ir.Contiguous(t, outer)}
		}
		turned := product(ir.Operand{Type: t, Strides: []int{1, 70}}, 70, 90)
		for name, list := range map[string][]ir.Program{
			"one":        {fill(0, 7)},
			"nothing":    {fill(0, 0), greatest(3, 0)},
			"fills":      {fill(0, 1000), fill(1, 3, 5), fill(2, 0), fill(0)},
			"backwards":  {product(ir.Operand{Type: t, Offset: 299, Strides: []int{-1}}, 300), product(ir.Operand{Type: t, Strides: []int{3}}, 40)},
			"turned":     {turned, fill(1, 4)},
			"all turned": {turned, turned, greatest(3000, 2), turned, turned, turned, turned, turned},
			"reductions": {greatest(10), greatest(3000, 2), greatest(5, 0), greatest(50000), greatest(1, 4)},
			"all sorts":  {greatest(700, 3), fill(2, 33), product(ir.Operand{Type: t, Strides: []int{1}}, 257), greatest(40000, 2), fill(0)},
		} {
			s.sub(fmt.Sprintf("%s/%s", t, name), func(s *suite) {
				b := &ir.Batch{Programs: list}
				s.check(b, s.reads(b), nil, args, exact)
			})
		}
		s.sub(fmt.Sprintf("%s/parts of one buffer", t), func(s *suite) { s.checkPieces(t, args) })
	}
}

// checkPieces fills parts of a buffer, the last of them by the last program: what one
// program sees of a buffer does not bound what another does.
func (s *suite) checkPieces(t elem.Type, args []scalar.Arg) {
	var list []ir.Program
	n := 0
	for i, size := range []int{3, 2, 40, 300} {
		var c code
		v := c.constant(t, i%len(args))
		out := ir.Contiguous(t, []int{size})
		out.Offset = n
		list = append(list, &ir.Map{Dims: []int{size}, Code: c.Code, Out: []ir.Operand{out}, Value: []ir.ValueID{v}})
		n += size
	}
	want := bytes.Repeat([]byte{0xa5}, n*t.Size())
	b := s.alloc(want)
	writes, out := make([][]byte, len(list)), make([]device.Buffer, len(list))
	for i := range list {
		writes[i], out[i] = want, b
	}
	batch := &ir.Batch{Programs: list}
	s.reference(batch, nil, writes, args...)
	s.q.Launch(device.Launch{Kernel: s.compile(batch), Writes: out, Args: args, Label: device.Label{Op: s.Name()}})
	got, err := s.read(b)
	if err != nil {
		s.Fatal(err)
	}
	s.compare(t, want, got, nil, exact)
	s.dev.Free(b)
}

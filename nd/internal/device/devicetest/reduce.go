package devicetest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// reduction is an index space, of which the last inner dimensions are
// reduced, and how it lies in memory.
type reduction struct {
	name  string
	dims  []int
	inner int
	in    layout
}

var reductions = []reduction{
	{"one element", []int{1}, 1, layout{strides: []int{1}}},
	{"few", []int{7}, 1, layout{strides: []int{1}}},
	{"many", []int{4099}, 1, layout{strides: []int{1}}},
	{"to a scalar over two axes", []int{13, 31}, 2, layout{strides: []int{31, 1}}},
	{"rows", []int{9, 131}, 1, layout{strides: []int{131, 1}}},
	{"columns", []int{37, 29}, 1, layout{strides: []int{1, 37}}},
	{"wide columns", []int{300, 12}, 1, layout{strides: []int{1, 300}}},
	{"middle axis", []int{4, 6, 25}, 1, layout{strides: []int{150, 1, 6}}},
	{"first and last axis", []int{5, 6, 4}, 2, layout{strides: []int{4, 20, 1}}},
	{"two inner axes", []int{3, 7, 11}, 2, layout{strides: []int{77, 11, 1}}},
	{"backwards", []int{6, 40}, 1, layout{offset: 239, strides: []int{-40, -1}}},
	{"spaced", []int{6, 40}, 1, layout{offset: 3, strides: []int{123, 3}}},
	{"repeated", []int{4, 50}, 1, layout{strides: []int{1, 0}}},
	{"overlapping", []int{20, 16}, 1, layout{strides: []int{4, 1}}},
	{"empty inner", []int{3, 0}, 1, layout{strides: []int{0, 1}}},
	{"empty outer", []int{0, 3}, 1, layout{strides: []int{3, 1}}},
}

func reducible(op ir.ReduceOp, t elem.Type) bool {
	switch op {
	case ir.Sum, ir.Prod:
		return t != elem.Bool
	case ir.All, ir.Any:
		return t == elem.Bool
	}
	return t != elem.Bool && t.IsOrdered()
}

func testReduce(s *suite) {
	for op := ir.Sum; op <= ir.ArgMin; op++ {
		for _, t := range s.having(elem.All[:]...) {
			if !reducible(op, t) {
				continue
			}
			s.sub(op.String()+"/"+t.String(), func(s *suite) {
				for _, r := range reductions {
					isArg := op == ir.ArgMax || op == ir.ArgMin
					if isArg && ir.Count(r.dims[len(r.dims)-r.inner:]) == 0 {
						continue // refused before it gets here
					}
					s.sub(r.name, func(s *suite) { s.checkReduce(op, t, r) })
				}
			})
		}
	}
	s.sub("special values", testReduceSpecials)
	s.sub("large", testReduceLarge)
	s.sub("mean", testMean)
	s.sub("logsumexp", testLogSumExp)
}

// reduce is a program that reduces what it loads.
func reduce(op ir.ReduceOp, t elem.Type, r reduction) *ir.Reduce {
	var c, post code
	v := c.load(r.in.operand(t))
	out := t
	if op == ir.ArgMax || op == ir.ArgMin {
		out = elem.Int64
	}
	post.add(ir.Instr{Kind: ir.Acc, Type: out})
	p := &ir.Reduce{Dims: r.dims, Inner: r.inner, Code: c.Code, Value: v, Op: op, Post: post.Code}
	p.Out = ir.Contiguous(out, p.Outer())
	return p
}

func (s *suite) checkReduce(op ir.ReduceOp, t elem.Type, r reduction) {
	p := reduce(op, t, r)
	_, hi := p.In[0].Span(r.dims)
	values := make([]reference.Value, max(hi, 1))
	for i := range values {
		values[i] = ordinary(t, s.rng)
		if op == ir.Prod && (t.IsFloat() || t.IsComplex()) {
			// Near 1, so that a long product neither overflows nor vanishes.
			near := reference.Cast(elem.Complex128, values[i]).Num
			values[i] = reference.Cast(t, reference.Complex(elem.Complex128, 1+near/4096))
		}
		if op > ir.Min && s.rng.IntN(2) == 0 {
			values[i] = values[0] // ties
		}
	}
	reads := [][]byte{encode(t, values)}
	n := ir.Count(r.dims[len(r.dims)-r.inner:])
	tol := tolerance{anyZero: true}
	switch {
	case !t.IsFloat() && !t.IsComplex():
		tol = exact
	case op == ir.Sum:
		tol.slack = s.sumSlack(p, reads, nil)
	case op == ir.Prod:
		// Each factor rounds once, in the type of arithmetic.
		tol.slack = func(int, int) float64 { return 4 * unit(t) * float64(n) }
	}
	if t.IsHalf() {
		tol.ulp = 1
	}
	s.check(p, reads, nil, nil, tol)
}

// unit is the relative size of one rounding in the type arithmetic on t is
// done in.
func unit(t elem.Type) float64 {
	if t.Real() == elem.Float64 {
		return 0x1p-53
	}
	return 0x1p-24
}

// sumSlack is how far the sums of p may be off: blocks of fixed size added up
// pairwise lose at most a rounding per level of |x| summed, and some more
// within a block. A sum in one sequence would lose up to n roundings.
func (s *suite) sumSlack(p *ir.Reduce, reads [][]byte, args []scalar.Arg) func(int, int) float64 {
	v := p.Instrs[p.Value]
	abs := *p
	abs.Instrs = slices.Clone(p.Instrs)
	abs.Instrs = append(abs.Instrs, ir.Instr{Kind: ir.Apply, Op: scalar.Abs, Type: v.Type.Real(), A: p.Value})
	abs.Value = abs.Last()
	abs.Post = ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: v.Type.Real()}}}
	abs.Out.Type = v.Type.Real()
	total := sync.OnceValue(func() []byte {
		out := blank(&abs)
		s.reference(&abs, reads[:len(p.In)], out, args...)
		return out[0]
	})
	n := ir.Count(p.Dims) / max(ir.Count(p.Outer()), 1)
	roundings := 16 + math.Log2(float64(max(n, 1)))
	return func(_, i int) float64 {
		return 2 * unit(v.Type) * roundings * reference.Load(abs.Out.Type, total(), i).Float64()
	}
}

// testReduceSpecials puts NaN, infinities and zeros of both signs among
// ordinary numbers.
func testReduceSpecials(s *suite) {
	inf, nan := math.Inf(1), math.NaN()
	rows := [][]float64{
		{1, nan, 3, nan}, {nan, nan, nan, nan}, {inf, 1, 2, 3}, {-inf, 1, 2, 3}, {inf, -inf, 0, 0},
		{-1, -1, -1, -1}, {0, math.Copysign(0, -1), 0, 0}, {5, 5, 5, 4}, {-inf, -inf, -inf, -inf}, {3, 2, 1, nan},
	}
	for _, t := range s.having(elem.Float16, elem.BFloat16, elem.Float32, elem.Float64) {
		for _, width := range []int{4, 67} { // a vector and less, several vectors and a tail
			var values []reference.Value
			for _, row := range rows {
				for i := range width {
					values = append(values, reference.Float(t, row[min(i*4/width, 3)]))
				}
			}
			r := reduction{dims: []int{len(rows), width}, inner: 1, in: layout{strides: []int{width, 1}}}
			columns := reduction{dims: []int{len(rows), width}, inner: 1, in: layout{strides: []int{1, len(rows)}}}
			for _, op := range []ir.ReduceOp{ir.Sum, ir.Max, ir.Min, ir.ArgMax, ir.ArgMin} {
				s.sub(fmt.Sprintf("%s/%s/%d", op, t, width), func(s *suite) {
					s.check(reduce(op, t, r), [][]byte{encode(t, values)}, nil, nil, tolerance{anyZero: true})
					turned := make([]reference.Value, len(values))
					for i, v := range values {
						turned[i%width*len(rows)+i/width] = v
					}
					s.check(reduce(op, t, columns), [][]byte{encode(t, turned)}, nil, nil, tolerance{anyZero: true})
				})
			}
		}
	}
}

// testReduceLarge is long enough for several workers. All terms are positive,
// so a sum in one float32 sequence is off by far more than the tolerance. The
// same launch gives the same bits every time, on any queue.
func testReduceLarge(s *suite) {
	for _, r := range []reduction{
		{"all", []int{300_007}, 1, layout{strides: []int{1}}},
		{"rows", []int{3, 100_003}, 1, layout{strides: []int{100_003, 1}}},
		{"columns", []int{70, 4001}, 1, layout{strides: []int{1, 70}}},
	} {
		s.sub(r.name, func(s *suite) {
			p := reduce(ir.Sum, elem.Float32, r)
			data := lists.Make(ir.Count(r.dims), func(int) float32 { return 0.5 + s.rng.Float32() })
			reads := [][]byte{elem.Bytes(data)}
			s.check(p, reads, nil, nil, tolerance{slack: s.sumSlack(p, reads, nil)})

			k, in := s.compile(p), s.alloc(reads[0])
			var first []byte
			for range 4 {
				q := s.queue()
				out := s.alloc(blank(p)[0])
				q.Wait(s.q.Record())
				q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{in}, Writes: []device.Buffer{out}})
				got := make([]byte, out.Bytes())
				if err := q.Read(s.deadline(), got, out); err != nil {
					s.Fatal(err)
				}
				if first == nil {
					first = got
				}
				if !bytes.Equal(got, first) {
					s.Errorf("the same sum gave other bits on another queue")
				}
			}
		})
	}
}

// testMean fuses maps on both sides of a reduction.
func testMean(s *suite) {
	for _, r := range reductions {
		n := ir.Count(r.dims[len(r.dims)-r.inner:])
		if n == 0 {
			continue
		}
		s.sub(r.name, func(s *suite) {
			const f = elem.Float32
			var c, post code
			x := c.load(r.in.operand(f))
			k := c.constant(f, 0)
			shifted := c.apply(scalar.Sub, f, x, k)
			square := c.apply(scalar.Mul, f, shifted, shifted)
			acc := post.add(ir.Instr{Kind: ir.Acc, Type: f})
			count := post.constant(f, 1)
			mean := post.apply(scalar.Div, f, acc, count)
			post.apply(scalar.Sqrt, f, mean)
			p := &ir.Reduce{Dims: r.dims, Inner: r.inner, Code: c.Code, Value: square, Op: ir.Sum, Post: post.Code}
			p.Out = ir.Contiguous(f, p.Outer())
			args := []scalar.Arg{scalar.ArgOf(f, 0.25), scalar.ArgOf(f, complex(float64(n), 0))}
			// All terms are positive: a relative error of the sum is one of
			// the mean, and the root halves it.
			s.check(p, s.inputs(r.dims, p.In), nil, args, within(24))
		})
	}
}

// testLogSumExp reads a per-row operand in the code and again in Post.
func testLogSumExp(s *suite) {
	const f = elem.Float64
	if !s.supports(f) {
		s.Skip("no float64")
	}
	dims := []int{11, 57}
	var c, post code
	x := c.load(ir.Contiguous(f, dims))
	top := c.load(ir.Operand{Type: f, Strides: []int{1, 0}})
	e := c.apply(scalar.Exp, f, c.apply(scalar.Sub, f, x, top))
	acc := post.add(ir.Instr{Kind: ir.Acc, Type: f})
	log := post.apply(scalar.Log, f, acc)
	again := post.load(ir.Operand{Type: f, Strides: []int{1}})
	post.apply(scalar.Add, f, log, again)
	p := &ir.Reduce{Dims: dims, Inner: 1, Code: c.Code, Value: e, Op: ir.Sum, Post: post.Code, Out: ir.Contiguous(f, dims[:1])}
	data := make([]float64, 11*57)
	tops := make([]float64, 11)
	for i := range data {
		data[i] = 20 * s.rng.Float64()
		tops[i/57] = max(tops[i/57], data[i])
	}
	s.check(p, [][]byte{elem.Bytes(data), elem.Bytes(tops), elem.Bytes(tops)}, nil, nil, within(24))
}

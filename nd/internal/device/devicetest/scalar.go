package devicetest

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// bounds are the tolerances of operations that IEEE 754 does not ask to be
// rounded correctly, in ulp of the result: for real and for complex operands.
// They are what good elementary functions of float32 and float64 reach (CUDA's
// manual lists 1 to 4 ulp for these, glibc 1 to 3), and a little more.
// Complex products and quotients are normwise: sqrt(5) roundings for a
// product (Brent, Percival and Zimmermann, 2007), twice that and more for a
// quotient. Operations that are not listed are exact.
var bounds = map[scalar.Op]struct{ real, complex float64 }{
	scalar.Exp:        {3, 5},
	scalar.Log:        {3, 5},
	scalar.Log1p:      {3, 0},
	scalar.Expm1:      {3, 0},
	scalar.Sqrt:       {0, 5},
	scalar.Rsqrt:      {3, 7},
	scalar.Sin:        {3, 7},
	scalar.Cos:        {3, 7},
	scalar.Tan:        {5, 16},
	scalar.Tanh:       {4, 16},
	scalar.Sigmoid:    {4, 12},
	scalar.Erf:        {4, 0},
	scalar.Pow:        {4, 64},
	scalar.Atan2:      {4, 0},
	scalar.Angle:      {0, 4},
	scalar.Abs:        {0, 3},
	scalar.AbsSquared: {0, 3},
	scalar.Sign:       {0, 5},
	scalar.Mul:        {0, 3},
	scalar.Div:        {0, 7},
}

func scalarTolerance(op scalar.Op, in elem.Type) tolerance {
	b := bounds[op]
	ulp := b.real
	if in.IsComplex() {
		ulp = b.complex
	}
	switch {
	case ulp > 0 && in.IsHalf():
		// A float32 result that is a few ulp off is rounded to the half type
		// at most one unit elsewhere.
		return within(1)
	case ulp > 0:
		return within(ulp)
	case op == scalar.Sign || op == scalar.Maximum || op == scalar.Minimum:
		return tolerance{anyZero: true}
	}
	return exact
}

// testScalar applies every operation to every type that it takes.
func testScalar(s *suite) {
	for _, op := range scalar.Ops() {
		if op == scalar.Cast || op.IsRandom() {
			continue
		}
		for _, t := range elem.All {
			in := []elem.Type{t, t, t}[:op.Arity()]
			if op == scalar.Where {
				in = []elem.Type{elem.Bool, t, t}
			}
			out, err := op.Result(in...)
			if err != nil || !s.supports(append(in, out)...) {
				continue
			}
			s.sub(op.String()+"/"+t.String(), func(s *suite) {
				operands := s.operands(op, in)
				n := len(operands[0])
				reads := lists.Make(len(in), func(i int) []byte { return encode(in[i], operands[i]) })
				s.check(apply(op, out, []int{n}, in...), reads, nil, nil, scalarTolerance(op, t))
			})
		}
	}
}

// apply is a Map of one operation over contiguous operands.
func apply(op scalar.Op, out elem.Type, dims []int, in ...elem.Type) *ir.Map {
	m := &ir.Map{Dims: dims, Out: []ir.Operand{ir.Contiguous(out, dims)}, Value: []ir.ValueID{ir.ValueID(len(in))}}
	for i, t := range in {
		m.In = append(m.In, ir.Contiguous(t, dims))
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Load, Type: t, Slot: i})
	}
	m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: op, Type: out, A: 0, B: 1, C: 2})
	return m
}

// operands are lists of values, one per operand: all combinations of special
// values where those are defined, ordinary values, and floats of any size.
func (s *suite) operands(op scalar.Op, in []elem.Type) [][]reference.Value {
	columns := make([][]reference.Value, len(in))
	add := func(values ...reference.Value) {
		for i, v := range values {
			columns[i] = append(columns[i], v)
		}
	}
	t := in[len(in)-1]
	corners := s.specials(t)
	if t.IsComplex() && bounds[op].complex > 0 && !cornersDefined(op) {
		corners = []reference.Value{reference.Complex(t, 1), reference.Complex(t, -1), reference.Complex(t, 1i)}
	}
	for i, v := range corners {
		for j, w := range corners {
			switch len(in) {
			case 1:
				if j == 0 {
					add(v)
				}
			case 2:
				add(v, w)
			case 3:
				add(reference.Truth((i+j)%2 == 0), v, w)
			}
		}
	}
	for range 501 { // odd, so that vector loops have a tail
		values := lists.Map(in, func(t elem.Type) reference.Value { return ordinary(t, s.rng) })
		if op == scalar.Pow && t.IsComplex() {
			// A large exponent multiplies the rounding of the logarithm.
			values[1] = reference.Complex(t, values[1].Num/16)
		}
		add(values...)
	}
	if op == scalar.Sigmoid && t.IsComplex() { // beside its poles
		for k := range 30 {
			far := math.Ldexp(1, -k)
			for _, z := range []complex128{complex(far, math.Pi), complex(-far, math.Pi+far), complex(far, far-math.Pi), complex(-far, -3*math.Pi)} {
				add(reference.Complex(t, z))
			}
		}
	}
	if t.IsFloat() {
		for range 301 {
			values := make([]reference.Value, len(in))
			for i, t := range in {
				if values[i] = ordinary(t, s.rng); t.IsFloat() {
					values[i] = s.anySize(t)
				}
			}
			add(values...)
		}
	}
	return columns
}

// cornersDefined reports operations on complex numbers whose value at
// infinities and NaN follows from that of real operations. For the rest, C
// and Go differ in what they return, and devices may.
func cornersDefined(op scalar.Op) bool {
	return op == scalar.Abs || op == scalar.Angle
}

// anySize is a finite float with any exponent of its type.
func (s *suite) anySize(t elem.Type) reference.Value {
	f := formats[t]
	least := f.least - f.bits
	if s.flushes(t) {
		least = f.least
	}
	e := least + s.rng.IntN(-f.least-least)
	x := math.Ldexp(1+s.rng.Float64(), e)
	if s.rng.IntN(2) == 0 {
		x = -x
	}
	return reference.Float(t, x)
}

// testCast converts between every two types.
func testCast(s *suite) {
	for _, from := range s.having(elem.All[:]...) {
		for _, to := range s.having(elem.All[:]...) {
			s.sub(from.String()+"/"+to.String(), func(s *suite) {
				values := s.specials(from)
				for range 301 {
					values = append(values, ordinary(from, s.rng))
					if from.IsFloat() {
						values = append(values, s.anySize(from))
					}
				}
				p := apply(scalar.Cast, to, []int{len(values)}, from)
				s.check(p, [][]byte{encode(from, values)}, nil, nil, exact)
			})
		}
	}
}

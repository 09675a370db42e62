package grad

import (
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// pullMap finds the rule of a pointwise operation. What is not in the table is
// a comparison, a test, or a rounding: flat wherever it is smooth, so nothing
// is passed on.
func pullMap(s *step, i int) *graph.Node {
	if list := partialsOf(s.n.Attr.(graph.MapAttr).Op); i < len(list) && list[i] != nil {
		return list[i](s)
	}
	return nil
}

func partialsOf(op scalar.Op) []partial {
	if int(op) < len(maps) {
		return maps[op]
	}
	return nil
}

// partial is the cotangent that a pointwise operation sends to one operand.
type partial func(s *step) *graph.Node

// maps has the partials of each operation in the order of its operands.
var maps = [...][]partial{
	scalar.Copy:       {func(s *step) *graph.Node { return s.g }},
	scalar.Neg:        {func(s *step) *graph.Node { return neg(s.g) }},
	scalar.Abs:        {pullAbs},
	scalar.Sign:       {pullSign},
	scalar.Exp:        {func(s *step) *graph.Node { return s.singular(mul(s.g, conj(s.n))) }},
	scalar.Expm1:      {func(s *step) *graph.Node { return s.singular(mul(s.g, add(s.n, s.number(s.n, 1)))) }},
	scalar.Log:        {func(s *step) *graph.Node { return s.singular(div(s.g, conj(s.in[0]))) }},
	scalar.Log1p:      {func(s *step) *graph.Node { return s.singular(div(s.g, add(s.in[0], s.number(s.n, 1)))) }},
	scalar.Sqrt:       {pullSqrt},
	scalar.Rsqrt:      {pullRsqrt},
	scalar.Sin:        {func(s *step) *graph.Node { return mul(s.g, conj(apply(scalar.Cos, s.in[0]))) }},
	scalar.Cos:        {func(s *step) *graph.Node { return neg(mul(s.g, conj(apply(scalar.Sin, s.in[0])))) }},
	scalar.Tan:        {func(s *step) *graph.Node { return s.singular(mul(s.g, conj(add(square(s.n), s.number(s.n, 1))))) }},
	scalar.Tanh:       {func(s *step) *graph.Node { return mul(s.g, conj(sub(s.number(s.n, 1), square(s.n)))) }},
	scalar.Sigmoid:    {func(s *step) *graph.Node { return mul(s.g, conj(mul(s.n, sub(s.number(s.n, 1), s.n)))) }},
	scalar.Erf:        {pullErf},
	scalar.Real:       {func(s *step) *graph.Node { return cast(s.g, s.in[0].Type) }},
	scalar.Imag:       {func(s *step) *graph.Node { return apply(scalar.MakeComplex, s.number(s.g, 0), s.g) }},
	scalar.Conj:       {func(s *step) *graph.Node { return conj(s.g) }},
	scalar.Angle:      {pullAngle},
	scalar.AbsSquared: {pullAbsSquared},
	scalar.Cast:       {func(s *step) *graph.Node { return cast(s.g, s.in[0].Type) }},

	scalar.Add: {func(s *step) *graph.Node { return s.g }, func(s *step) *graph.Node { return s.g }},
	scalar.Sub: {func(s *step) *graph.Node { return s.g }, func(s *step) *graph.Node { return neg(s.g) }},
	scalar.Mul: {
		func(s *step) *graph.Node { return mul(s.g, conj(s.in[1])) },
		func(s *step) *graph.Node { return mul(s.g, conj(s.in[0])) },
	},
	scalar.Div: {
		func(s *step) *graph.Node { return s.singular(div(s.g, conj(s.in[1]))) },
		func(s *step) *graph.Node { return s.singular(neg(div(mul(s.g, conj(s.n)), conj(s.in[1])))) },
	},
	scalar.Rem: {
		func(s *step) *graph.Node { return s.g },
		func(s *step) *graph.Node {
			// a - b*q, where the whole number q is flat.
			q := apply(scalar.Round, div(sub(s.in[0], s.n), s.in[1]))
			return s.singular(neg(mul(s.g, q)))
		},
	},
	scalar.Pow:     {pullPowBase, pullPowExponent},
	scalar.Maximum: {pullExtreme(scalar.Greater, 0), pullExtreme(scalar.Greater, 1)},
	scalar.Minimum: {pullExtreme(scalar.Less, 0), pullExtreme(scalar.Less, 1)},
	scalar.Atan2: {
		func(s *step) *graph.Node { return pullAtan2(s, s.in[1]) },
		func(s *step) *graph.Node { return neg(pullAtan2(s, s.in[0])) },
	},
	scalar.MakeComplex: {
		func(s *step) *graph.Node { return apply(scalar.Real, s.g) },
		func(s *step) *graph.Node { return apply(scalar.Imag, s.g) },
	},
	scalar.Where: {
		nil,
		func(s *step) *graph.Node { return where(s.in[0], s.g, s.number(s.g, 0)) },
		func(s *step) *graph.Node { return where(s.in[0], s.number(s.g, 0), s.g) },
	},
}

// singular marks a cotangent through a derivative that has poles. It is 0 where
// the cotangent of the node is: the derivative of a branch that Where did not take
// may be infinite or NaN there, and 0 times that is NaN.
func (s *step) singular(d *graph.Node) *graph.Node {
	if v, ok := constant(s.g); ok && v != 0 {
		return d
	}
	return s.unlessZero(s.g, d)
}

func square(x *graph.Node) *graph.Node { return mul(x, x) }

// toComplex is a real cotangent in the type of a complex operand.
func toComplex(g, z *graph.Node) *graph.Node { return cast(g, z.Type) }

// pullAbs is 0 at 0, where the modulus has a corner: Sign is 0 there.
func pullAbs(s *step) *graph.Node {
	x := s.in[0]
	sign := apply(scalar.Sign, x)
	if x.Type.IsComplex() {
		return mul(toComplex(s.g, x), sign)
	}
	return mul(s.g, sign)
}

// pullSign of a real number is flat. Of a complex one it is the part of the
// cotangent across z, divided by |z|.
func pullSign(s *step) *graph.Node {
	z := s.in[0]
	if !z.Type.IsComplex() {
		return nil
	}
	along := apply(scalar.Real, mul(s.g, conj(s.n)))
	across := sub(s.g, mul(toComplex(along, z), s.n))
	return s.unlessZero(z, div(across, toComplex(apply(scalar.Abs, z), z)))
}

// pullSqrt is 0 at 0: the tangent is vertical there, and an infinite gradient
// would make NaN of every square below it.
func pullSqrt(s *step) *graph.Node {
	d := div(s.times(s.g, 0.5), conj(s.n))
	return s.singular(s.unlessZero(s.n, d))
}

func pullRsqrt(s *step) *graph.Node {
	return s.singular(s.times(mul(s.g, conj(div(s.n, s.in[0]))), -0.5))
}

func pullErf(s *step) *graph.Node {
	bell := apply(scalar.Exp, neg(square(s.in[0])))
	return mul(s.g, s.times(bell, complex(2/math.Sqrt(math.Pi), 0)))
}

func pullAbsSquared(s *step) *graph.Node {
	x := s.in[0]
	g := s.times(s.g, 2)
	if x.Type.IsComplex() {
		g = toComplex(g, x)
	}
	return mul(g, x)
}

// pullAngle is across z and 0 at 0, where there is no angle.
func pullAngle(s *step) *graph.Node {
	z := s.in[0]
	turned := mul(z, s.number(z, 1i))
	d := div(mul(toComplex(s.g, z), turned), toComplex(apply(scalar.AbsSquared, z), z))
	return s.unlessZero(z, d)
}

// pullAtan2 is the part in one direction, and 0 at the origin.
func pullAtan2(s *step, other *graph.Node) *graph.Node {
	r := add(square(s.in[0]), square(s.in[1]))
	return s.unlessZero(r, div(mul(s.g, other), r))
}

// pullPowBase is g*b*a^(b-1), and 0 for b = 0 also where a = 0.
func pullPowBase(s *step) *graph.Node {
	a, b := s.in[0], s.in[1]
	if v, ok := constant(b); ok {
		switch v {
		case 0:
			return nil
		case 1:
			return s.g
		case 2:
			return mul(s.g, conj(s.times(a, 2)))
		}
		return s.singular(mul(s.g, conj(s.times(apply(scalar.Pow, a, s.number(b, v-1)), v))))
	}
	d := mul(b, apply(scalar.Pow, a, sub(b, s.number(b, 1))))
	return s.singular(s.unlessZero(b, mul(s.g, conj(d))))
}

// pullPowExponent is g*y*log(a), and 0 where a = 0: there y is 0 to the right of
// b = 0.
func pullPowExponent(s *step) *graph.Node {
	a := s.in[0]
	d := mul(s.g, conj(mul(s.n, apply(scalar.Log, a))))
	return s.singular(s.unlessZero(a, d))
}

// pullExtreme gives the cotangent to the operand that wins, and half of it to
// each where they are equal.
func pullExtreme(wins scalar.Op, i int) partial {
	return func(s *step) *graph.Node {
		x, y := s.in[i], s.in[1-i]
		half := where(apply(scalar.Equal, x, y), s.times(s.g, 0.5), s.number(s.g, 0))
		return where(apply(wins, x, y), s.g, half)
	}
}

package build

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Val is an expression in the making.
type Val struct{ E ktree.Expr }

// Type is the expression's type.
func (v Val) Type() ktree.Type { return v.E.T() }

// Kind is its scalar kind.
func (v Val) Kind() ktree.Kind { return v.E.T().Kind }

// IsNil reports the zero Val, which is no expression.
func (v Val) IsNil() bool { return v.E == nil }

// Int is a whole number of a kind, floats included.
func Int(k ktree.Kind, n int64) Val {
	if k.IsFloat() {
		return Float(k, float64(n))
	}
	return Val{&ktree.Lit{E: ktree.E{Type: ktree.Scalar(k)}, Val: ktree.Num{I: ktree.Wrap(k, n)}}}
}

// Float is a number of a floating kind, rounded to it.
func Float(k ktree.Kind, f float64) Val { return FloatOf(ktree.Scalar(k), f) }

// FloatOf is a number of a floating type, in all components of a vector.
func FloatOf(t ktree.Type, f float64) Val {
	return Val{&ktree.Lit{E: ktree.E{Type: t}, Val: ktree.Num{F: ktree.Round(t.Kind, f)}}}
}

// Bool is true or false.
func Bool(b bool) Val {
	return Val{&ktree.Lit{E: ktree.E{Type: ktree.Scalar(ktree.Bool)}, Val: ktree.BoolNum(b)}}
}

// Zero is an exact nothing of a floating kind: x+Zero is x and x*Zero is Zero,
// whatever x is.
func Zero(k ktree.Kind) Val { return ZeroOf(ktree.Scalar(k)) }

// ZeroOf is Zero of a floating type, in all components of a vector.
func ZeroOf(t ktree.Type) Val { return Val{&ktree.Lit{E: ktree.E{Type: t}, Known: true}} }

// IsZero reports a known nothing: Zero, or the integer 0.
func (v Val) IsZero() bool {
	l, ok := v.E.(*ktree.Lit)
	return ok && (l.Known || l.Type.Kind.IsInt() && l.Val.I == 0)
}

// literal is the number that v is, if it is one.
func (v Val) literal() (ktree.Num, bool) {
	l, ok := v.E.(*ktree.Lit)
	if !ok {
		return ktree.Num{}, false
	}
	return l.Val, true
}

// Known is the integer that v is, if that is known.
func (v Val) Known() (int64, bool) {
	n, ok := v.literal()
	return n.I, ok && !v.Kind().IsFloat()
}

// operand makes a Val of what a method was given: a Val, or a Go number that
// takes kind k.
func operand(x any, k ktree.Kind) Val {
	switch x := x.(type) {
	case Val:
		return x
	case int:
		return Int(k, int64(x))
	case int64:
		return Int(k, x)
	case uint64:
		return Int(k, int64(x))
	case float64:
		return Float(k, x)
	case bool:
		return Bool(x)
	}
	panic(fmt.Sprintf("build: %T is no operand", x))
}

// To converts to another kind, component by component, as ktree.ConvertNum does.
func (v Val) To(k ktree.Kind) Val {
	from := v.Kind()
	if from == k {
		return v
	}
	if n, ok := v.literal(); ok {
		return Val{&ktree.Lit{E: ktree.E{Type: v.Type().With(k)}, Val: ktree.ConvertNum(from, k, n), Known: v.IsZero() && k.IsFloat() && from.IsFloat()}}
	}
	if x, ok := v.widened(); ok && x.Kind() == k {
		return x
	}
	return Val{&ktree.Convert{E: ktree.E{Type: v.Type().With(k)}, X: v.E}}
}

// widened is the half that a float was made of, if it was.
func (v Val) widened() (Val, bool) {
	c, ok := v.E.(*ktree.Convert)
	if !ok || v.Kind() != ktree.Float {
		return Val{}, false
	}
	x := Val{c.X}
	return x, x.Kind() == ktree.Half || x.Kind() == ktree.Bfloat
}

// Bits is the same bits as another kind of the same size.
func (v Val) Bits(k ktree.Kind) Val {
	if v.Kind() == k {
		return v
	}
	return Val{&ktree.BitCast{E: ktree.E{Type: v.Type().With(k)}, X: v.E}}
}

// At is an element: of an array, or behind a pointer.
func (v Val) At(is ...any) Val {
	for _, i := range is {
		index := operand(i, ktree.Int)
		v = Val{&ktree.Index{E: ktree.E{Type: v.Type().Row()}, X: v.E, I: index.E}}
	}
	return v
}

// Address is a pointer to an array's first element.
func Address(array Val) Val {
	t := array.Type()
	p := ktree.Type{Kind: t.Kind, Width: t.Width, Form: ktree.Pointer, Space: t.Space}
	return Val{&ktree.Addr{E: ktree.E{Type: p}, X: array.E}}
}

// Plus is a pointer moved by n elements.
func (v Val) Plus(n any) Val {
	by := operand(n, ktree.Int)
	if k, ok := by.Known(); ok && k == 0 {
		return v
	}
	return Val{&ktree.Offset{E: ktree.E{Type: v.Type()}, X: v.E, N: by.E}}
}

// X, Y, Z and W are components of a vector.
func (v Val) X() Val { return v.component(0) }

// Y is the second component, the imaginary part of a complex number.
func (v Val) Y() Val { return v.component(1) }

// Z is the third component.
func (v Val) Z() Val { return v.component(2) }

// W is the fourth component.
func (v Val) W() Val { return v.component(3) }

func (v Val) component(i int) Val {
	if m, ok := v.E.(*ktree.Make); ok && len(m.Args) == m.Type.Comps() {
		return Val{m.Args[i]}
	}
	return Val{&ktree.Swizzle{E: ktree.E{Type: ktree.Scalar(v.Kind())}, X: v.E, Sel: []int{i}}}
}

// Part is some components of a vector, as a vector.
func (v Val) Part(from, count int) Val {
	if count == v.Type().Comps() {
		return v
	}
	s := &ktree.Swizzle{E: ktree.E{Type: ktree.Vector(v.Kind(), count)}, X: v.E}
	for i := range count {
		s.Sel = append(s.Sel, from+i)
	}
	return Val{s}
}

// Spread is a vector that has a scalar in all of its components.
func (v Val) Spread(width int) Val {
	return Val{&ktree.Make{E: ktree.E{Type: ktree.Vector(v.Kind(), width)}, Args: []ktree.Expr{v.E}}}
}

// Vec is a vector of its components, or of those of vectors.
func Vec(xs ...Val) Val {
	if len(xs) == 1 {
		return xs[0]
	}
	m := &ktree.Make{}
	width := 0
	for _, x := range xs {
		if x.Kind() != xs[0].Kind() {
			panic(fmt.Sprintf("build: a vector of %s and %s", xs[0].Kind(), x.Kind()))
		}
		m.Args = append(m.Args, x.E)
		width += x.Type().Comps()
	}
	m.Type = ktree.Vector(xs[0].Kind(), width)
	return Val{m}
}

// Apply calls a built-in function that gives what it takes, or a test, which
// gives bool.
func Apply(fn ktree.Intrinsic, args ...Val) Val {
	t := args[0].Type()
	if fn.Info().Class == ktree.ClassTest {
		t = t.With(ktree.Bool)
	}
	a := &ktree.Apply{E: ktree.E{Type: t}, Fn: fn}
	for _, x := range args {
		a.Args = append(a.Args, x.E)
	}
	return Val{a}
}

// Now is an element of a buffer that is only read, loaded here and not where it is
// used.
func Now(element Val) Val { return Apply(ktree.Now, element) }

// Once is an element of a buffer that no other thread near reads again, loaded here.
func Once(element Val) Val { return Apply(ktree.Once, element) }

// Fma is x*y+z, rounded once.
func Fma(x, y, z Val) Val {
	if x.IsZero() || y.IsZero() {
		return z
	}
	if z.IsZero() {
		return x.Mul(y)
	}
	return Apply(ktree.Fma, x, y, z)
}

// Infinity is the positive one.
func Infinity(k ktree.Kind) Val { return Float(k, math.Inf(1)) }

package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// fold is how values of a type are combined, in CUDA C++. The text that
// declares it defines the type acc and the functions none, lift and join; take joins a value that comes
// after all that the accumulator has.
type fold struct {
	op   ir.ReduceOp
	t    elem.Type
	wide bool // positions have 64 bits

	// twice is a sum of products with twice the digits; take then takes two
	// factors.
	twice bool
}

func (f fold) isArg() bool { return f.op == ir.ArgMax || f.op == ir.ArgMin }

// bytes is the size of an accumulator.
func (f fold) bytes() int {
	switch {
	case f.twice:
		return 2 * f.t.Size()
	case f.isArg() && (f.wide || f.t.Size() == 8):
		return 16
	case f.isArg():
		return 8
	case f.op >= ir.All:
		return 4
	}
	return max(f.t.Compute().Size(), 4)
}

// number is the C++ type in which sums and products are added up: unsigned for
// integers, where wrapping is defined, and at least 32 bits.
func (f fold) number() string {
	switch f.t {
	case elem.Uint8, elem.Int32, elem.Uint32:
		return "u32"
	case elem.Int64:
		return "u64"
	}
	return emit.Value(f.t)
}

// declare is the text that the kernels need before them.
func (f fold) declare(u *emit.Uses) string {
	v := emit.Value(f.t)
	u.Part("shuffle")
	if f.twice {
		if f.t.IsComplex() {
			return twiceText + twiceComplex
		}
		return twiceText + twiceReal
	}
	simple := func(acc, none, join string) string {
		return fmt.Sprintf("typedef %s acc;\nTW acc none() { return %s; }\nTW acc lift(%s x, i64) { return (acc)x; }\nTW acc join(acc a, acc b) { return %s; }\nTW void take(acc& a, %s x, i64 i) { a = join(a, lift(x, i)); }\n", acc, none, v, join, v)
	}
	none := emit.Identity(f.op, f.t)
	switch f.op {
	case ir.Sum:
		return simple(f.number(), none, "a + b")
	case ir.Prod:
		return simple(f.number(), none, "a * b")
	case ir.All:
		return simple("u32", none, "a & b")
	case ir.Any:
		return simple("u32", none, "a | b")
	case ir.Max, ir.Min:
		join := "greater"
		if f.op == ir.Min {
			join = "lesser"
		}
		acc := v
		if f.t == elem.Uint8 {
			acc = "u32"
		}
		return simple(acc, none, u.Part(join)+"(a, b)")
	}
	// The first of the extremes, or the first NaN; -1 is nothing yet.
	sign, opposite := ">", "<"
	if f.op == ir.ArgMin {
		sign, opposite = "<", ">"
	}
	index := "i32"
	if f.wide || f.t.Size() == 8 {
		index = "i64"
	}
	return fmt.Sprintf(`struct alignas(%d) acc { %s v; %s i; };
TW acc none() { return {0, -1}; }
TW acc lift(%s x, i64 i) { return {x, (%s)i}; }
TW acc join(acc a, acc b) {
  if (a.i < 0) return b;
  if (b.i < 0) return a;
  const bool a_nan = a.v != a.v, b_nan = b.v != b.v;
  if (a_nan || b_nan) return a_nan && (!b_nan || a.i < b.i) ? a : b;
  if (a.v == b.v) return a.i < b.i ? a : b;
  return a.v %s b.v ? a : b;
}
TW void take(acc& a, %s x, i64 i) { if (a.i < 0 || (a.v == a.v && !(x %s= a.v))) a = {x, (%s)i}; }
`, f.bytes(), v, index, v, index, sign, v, opposite, index)
}

// result is an accumulator as the value that a Post code's Acc gives.
func (f fold) result(u *emit.Uses, acc string) string {
	switch {
	case f.twice && f.t.IsComplex():
		return fmt.Sprintf("c128{value(%s.re), value(%s.im)}", acc, acc)
	case f.twice:
		return fmt.Sprintf("value(%s)", acc)
	case f.isArg():
		return "(i64)" + acc + ".i"
	}
	if f.op >= ir.All {
		return "(" + acc + " != 0)"
	}
	return u.Rounded(f.t, fmt.Sprintf("(%s)%s", emit.Value(f.t), acc))
}

package scalar

import "fmt"

// Op is a pointwise operation.
type Op uint8

const (
	Invalid Op = iota

	// One operand.
	Copy // the identity
	Neg
	Abs  // modulus of a complex number
	Sign // -1, 0, 1, NaN for NaN; z/|z| (0 for 0) for complex
	Exp
	Log
	Log1p
	Expm1
	Sqrt
	Rsqrt
	Sin
	Cos
	Tan
	Tanh
	Sigmoid
	Erf
	Floor
	Ceil
	Round // half to even
	Not   // logical, bool only
	IsNaN
	IsInf
	Real
	Imag
	Conj
	Angle      // atan2(im, re)
	AbsSquared // re*re + im*im; x*x for real

	// Two operands of one type.
	Add
	Sub
	Mul
	Div // integers truncate towards zero; a zero divisor gives 0
	Rem // sign of the dividend, as in Go and C; a zero divisor gives 0 for integers
	Pow
	Maximum // NaN wins
	Minimum // NaN wins
	Atan2
	Equal
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	And // logical, bool only
	Or
	Xor
	MakeComplex // (re, im)

	// Three operands.
	Where // (bool, x, y)

	// Cast converts to the instruction's result type. Float to integer
	// truncates towards zero, saturates, and maps NaN to 0; complex to real
	// takes the real part; anything to bool is "!= 0".
	Cast

	// Random draws: the operand is the element's int64 counter, the key comes
	// with the launch.
	RandBits    // uint32
	RandUniform // [0, 1)
	RandNormal  // mean 0, variance 1
	RandInt     // uniform in [lo, hi): bounds come with the launch

	count
)

var infos = [count]struct {
	name  string
	arity int
}{
	Copy: {"copy", 1}, Neg: {"neg", 1}, Abs: {"abs", 1}, Sign: {"sign", 1},
	Exp: {"exp", 1}, Log: {"log", 1}, Log1p: {"log1p", 1}, Expm1: {"expm1", 1},
	Sqrt: {"sqrt", 1}, Rsqrt: {"rsqrt", 1}, Sin: {"sin", 1}, Cos: {"cos", 1},
	Tan: {"tan", 1}, Tanh: {"tanh", 1}, Sigmoid: {"sigmoid", 1}, Erf: {"erf", 1},
	Floor: {"floor", 1}, Ceil: {"ceil", 1}, Round: {"round", 1}, Not: {"not", 1},
	IsNaN: {"isnan", 1}, IsInf: {"isinf", 1},
	Real: {"real", 1}, Imag: {"imag", 1}, Conj: {"conj", 1}, Angle: {"angle", 1},
	AbsSquared: {"abs_squared", 1},
	Add:        {"add", 2}, Sub: {"sub", 2}, Mul: {"mul", 2}, Div: {"div", 2}, Rem: {"rem", 2},
	Pow: {"pow", 2}, Maximum: {"maximum", 2}, Minimum: {"minimum", 2}, Atan2: {"atan2", 2},
	Equal: {"equal", 2}, NotEqual: {"not_equal", 2}, Less: {"less", 2},
	LessEqual: {"less_equal", 2}, Greater: {"greater", 2}, GreaterEqual: {"greater_equal", 2},
	And: {"and", 2}, Or: {"or", 2}, Xor: {"xor", 2}, MakeComplex: {"complex", 2},
	Where: {"where", 3}, Cast: {"cast", 1},
	RandBits: {"rand_bits", 1}, RandUniform: {"rand_uniform", 1},
	RandNormal: {"rand_normal", 1}, RandInt: {"rand_int", 1},
}

// Valid reports whether o is in the set.
func (o Op) Valid() bool { return o > Invalid && o < count }

// Arity is the number of operands.
func (o Op) Arity() int {
	if !o.Valid() {
		return 0
	}
	return infos[o].arity
}

func (o Op) String() string {
	if !o.Valid() {
		return fmt.Sprintf("scalar.Op(%d)", uint8(o))
	}
	return infos[o].name
}

// Ops lists every operation.
func Ops() []Op {
	ops := make([]Op, 0, count-1)
	for o := Invalid + 1; o < count; o++ {
		ops = append(ops, o)
	}
	return ops
}

// IsCompare reports an operation whose result is bool whatever it compares.
func (o Op) IsCompare() bool { return o >= Equal && o <= GreaterEqual }

// IsRandom reports a random draw.
func (o Op) IsRandom() bool { return o >= RandBits && o <= RandInt }

// IsCheap reports an operation that costs about as much as an addition. Only
// cheap operations are worth repeating to save a pass over memory.
func (o Op) IsCheap() bool {
	switch o {
	case Copy, Neg, Abs, Sign, Floor, Ceil, Round, Not, IsNaN, IsInf, Real, Imag, Conj, AbsSquared,
		Add, Sub, Mul, Maximum, Minimum, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual,
		And, Or, Xor, MakeComplex, Where, Cast:
		return true
	}
	return false
}

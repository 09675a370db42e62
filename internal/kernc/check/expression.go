package check

import (
	"math"
	"strings"

	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// expr checks an expression; after a fault its type is invalid.
func (c *checker) expr(x syntax.Expr) ktree.Expr {
	at := x.At()
	switch x := x.(type) {
	case *syntax.Number:
		return c.number(x)
	case *syntax.Bool:
		return &ktree.Lit{E: ktree.E{Type: ktree.Scalar(ktree.Bool), Pos: at}, Val: ktree.BoolNum(x.Value)}
	case *syntax.Name:
		return c.name(x)
	case *syntax.Unary:
		return c.unary(x)
	case *syntax.Binary:
		return c.binary(x)
	case *syntax.Assign:
		return c.assign(x)
	case *syntax.Cond:
		return c.cond(x)
	case *syntax.Call:
		return c.call(x)
	case *syntax.Make:
		t := c.typ(x.Type)
		if t.Kind <= ktree.Void {
			if t.Kind == ktree.Void {
				c.r.Report(at, "void has no values")
			}
			return invalid(at)
		}
		return c.construct(at, t, x.Args)
	case *syntax.Index:
		return c.index(x)
	case *syntax.Member:
		return c.member(x)
	case *syntax.Cast:
		return c.cast(x)
	case *syntax.List:
		c.r.Report(at, "a list can only initialise a variable")
	}
	return invalid(at)
}

func (c *checker) number(x *syntax.Number) ktree.Expr {
	e := &ktree.Lit{E: ktree.E{Pos: x.Pos}}
	if x.IsFloat {
		switch x.Mark {
		case 'h':
			e.Type, e.Val.F = ktree.Scalar(ktree.Half), ktree.Round(ktree.Half, x.Float)
		case 'f':
			e.Type, e.Val.F = ktree.Scalar(ktree.Float), ktree.Round(ktree.Float, x.Float)
		default:
			e.Type, e.Val.F, e.Loose = ktree.Scalar(ktree.Float), x.Float, true
		}
		return e
	}
	e.Val.I = int64(x.Int)
	k := ktree.Int
	switch {
	case x.Mark == 'U':
		k = ktree.Ulong
	case x.Mark == 'u' && x.Int > math.MaxUint32:
		k = ktree.Ulong
	case x.Mark == 'u':
		k = ktree.Uint
	case x.Mark == 'l' || x.Int > math.MaxUint32:
		k = ktree.Long
	case x.Int > math.MaxInt32:
		k = ktree.Uint
	}
	if k == ktree.Long && x.Int > math.MaxInt64 {
		k = ktree.Ulong
	}
	e.Type = ktree.Scalar(k)
	return e
}

// numbers of the Metal library.
var libraryConstants = map[string]float64{
	"INFINITY": math.Inf(1), "NAN": math.NaN(), "HUGE_VALF": math.Inf(1), "FLT_MAX": math.MaxFloat32,
	"FLT_MIN": 0x1p-126, "FLT_EPSILON": 0x1p-23, "M_PI_F": math.Pi, "M_PI_2_F": math.Pi / 2, "M_PI_4_F": math.Pi / 4,
	"M_1_PI_F": 1 / math.Pi, "M_2_PI_F": 2 / math.Pi, "M_E_F": math.E, "M_LN2_F": math.Ln2, "M_LN10_F": math.Ln10,
	"M_LOG2E_F": math.Log2E, "M_LOG10E_F": math.Log10E, "M_SQRT2_F": math.Sqrt2, "M_SQRT1_2_F": 1 / math.Sqrt2,
}

var libraryInts = map[string]ktree.Lit{
	"INT_MAX":  {E: ktree.E{Type: ktree.Scalar(ktree.Int)}, Val: ktree.Num{I: math.MaxInt32}},
	"INT_MIN":  {E: ktree.E{Type: ktree.Scalar(ktree.Int)}, Val: ktree.Num{I: math.MinInt32}},
	"UINT_MAX": {E: ktree.E{Type: ktree.Scalar(ktree.Uint)}, Val: ktree.Num{I: math.MaxUint32}},
	// As CUDA's texts name threads_per_simdgroup.
	"WARP_SIZE": {E: ktree.E{Type: ktree.Scalar(ktree.Uint)}, Val: ktree.Num{I: ktree.SimdWidth}},
}

func (c *checker) name(x *syntax.Name) ktree.Expr {
	v := c.find(x.Text)
	if v == nil {
		if f, ok := libraryConstants[x.Text]; ok {
			return &ktree.Lit{E: ktree.E{Type: ktree.Scalar(ktree.Float), Pos: x.Pos}, Val: ktree.Num{F: ktree.Round(ktree.Float, f)}}
		}
		if l, ok := libraryInts[x.Text]; ok {
			l.Pos = x.Pos
			return &l
		}
		c.unknown(x)
		return invalid(x.Pos)
	}
	if v.Type.Kind == ktree.Invalid {
		return invalid(x.Pos)
	}
	if v.Const && v.Type.IsScalar() && len(v.Values) == 1 {
		return &ktree.Lit{E: ktree.E{Type: v.Type, Pos: x.Pos}, Val: v.Values[0]}
	}
	if v.Role == ktree.Global {
		c.useGlobal(v)
	}
	return &ktree.Ref{E: ktree.E{Type: v.Type, Pos: x.Pos}, Var: v}
}

func (c *checker) useGlobal(v *ktree.Var) {
	for _, g := range c.p.Globals {
		if g == v {
			return
		}
	}
	c.p.Globals = append(c.p.Globals, v)
}

func (c *checker) unknown(x *syntax.Name) {
	hint := source.DidYouMean(x.Text, c.names())
	_, isGrid := ktree.GridNamed(x.Text)
	if c.fn != nil && (c.scopes[0][x.Text] != nil || isGrid) {
		hint = "functions see only their parameters; pass it in"
	} else if i := strings.LastIndexByte(x.Text, '_'); i > 0 && hint == "" {
		for _, o := range c.p.Outputs {
			if o.Name == x.Text[:i] {
				hint = "only inputs have _shape, _strides and _ndim"
			}
		}
	}
	c.r.Suggest(x.Pos, hint, "unknown name %q", x.Text)
}

var binaryOps = map[string]ktree.Op{
	"+": ktree.Add, "-": ktree.Sub, "*": ktree.Mul, "/": ktree.Div, "%": ktree.Rem, "&": ktree.And, "|": ktree.Or, "^": ktree.Xor,
	"<<": ktree.Shl, ">>": ktree.Shr, "==": ktree.Eq, "!=": ktree.Ne, "<": ktree.Lt, "<=": ktree.Le, ">": ktree.Gt, ">=": ktree.Ge,
}

func (c *checker) unary(x *syntax.Unary) ktree.Expr {
	switch x.Op {
	case "++", "--":
		op := "+"
		if x.Op == "--" {
			op = "-"
		}
		return c.step(x, op)
	case "&":
		return c.address(x)
	}
	e := c.expr(x.X)
	t := e.T()
	if t.Kind == ktree.Invalid {
		return e
	}
	if x.Op == "*" {
		if t.Form == ktree.Value {
			c.r.Report(x.Pos, "%s is not a pointer", t)
			return invalid(x.Pos)
		}
		zero := &ktree.Lit{E: ktree.E{Type: ktree.Scalar(ktree.Int), Pos: x.Pos}}
		return c.element(x.Pos, e, zero)
	}
	if t.Form != ktree.Value || t.Kind == ktree.Void {
		c.r.Report(x.Pos, "%s does not work on %s", x.Op, t)
		return invalid(x.Pos)
	}
	u := &ktree.Unary{E: ktree.E{Pos: x.Pos}}
	switch x.Op {
	case "!":
		if t.IsVector() && t.Kind != ktree.Bool {
			c.r.Report(x.Pos, "! does not work on %s", t)
			return invalid(x.Pos)
		}
		u.Op, u.Type, u.X = ktree.Not, t.With(ktree.Bool), convert(e, t.With(ktree.Bool))
		return foldUnary(u)
	case "~":
		u.Op = ktree.BitNot
		if !t.Kind.IsInt() {
			c.r.Report(x.Pos, "~ needs an integer, not %s", t)
			return invalid(x.Pos)
		}
	default:
		u.Op = ktree.Neg
	}
	u.Type = t
	if t.Width == 1 {
		u.Type = ktree.Scalar(promote(t.Kind))
	}
	if t.Kind == ktree.Bool && t.Width > 1 {
		c.r.Report(x.Pos, "%s does not work on %s", x.Op, t)
		return invalid(x.Pos)
	}
	u.X = convert(e, u.Type)
	if x.Op == "+" {
		return u.X
	}
	return foldUnary(u)
}

func (c *checker) binary(x *syntax.Binary) ktree.Expr {
	if x.Op == "," {
		a, b := c.expr(x.X), c.expr(x.Y)
		return &ktree.Seq{E: ktree.E{Type: b.T(), Pos: x.Pos}, X: a, Y: b}
	}
	if x.Op == "&&" || x.Op == "||" {
		a, b := c.condition(x.X), c.condition(x.Y)
		if a.T().Kind == ktree.Invalid || b.T().Kind == ktree.Invalid {
			return invalid(x.Pos)
		}
		l := &ktree.Logic{E: ktree.E{Type: ktree.Scalar(ktree.Bool), Pos: x.Pos}, Or: x.Op == "||", X: a, Y: b}
		if v, ok := constant(a); ok {
			if (v[0].I != 0) == l.Or {
				return lit(l, l.Type, v[0])
			}
			return b
		}
		return l
	}
	return c.operate(x.Pos, binaryOps[x.Op], x.Op, c.expr(x.X), c.expr(x.Y))
}

// operate applies an infix operator to checked operands.
func (c *checker) operate(at source.Pos, op ktree.Op, sign string, a, b ktree.Expr) ktree.Expr {
	if a.T().Kind == ktree.Invalid || b.T().Kind == ktree.Invalid {
		return invalid(at)
	}
	if e, ok := c.pointerArithmetic(at, op, a, b); ok {
		return e
	}
	bin := &ktree.Binary{E: ktree.E{Pos: at}, Op: op}
	if op == ktree.Shl || op == ktree.Shr {
		return c.shift(bin, sign, a, b)
	}
	t, ok := c.unify(at, sign, a, b)
	if !ok {
		return invalid(at)
	}
	switch op {
	case ktree.And, ktree.Or, ktree.Xor, ktree.Rem:
		if t.Kind.IsFloat() {
			hint := ""
			if op == ktree.Rem {
				hint = "use fmod"
			}
			c.r.Suggest(at, hint, "%s needs integers, not %s", sign, t)
			return invalid(at)
		}
		if op == ktree.Rem && t == ktree.Scalar(ktree.Bool) {
			t = ktree.Scalar(ktree.Int)
		}
	case ktree.Add, ktree.Sub, ktree.Mul, ktree.Div:
		if t.Kind == ktree.Bool {
			if t.Width > 1 {
				c.r.Report(at, "%s does not work on %s", sign, t)
				return invalid(at)
			}
			t = ktree.Scalar(ktree.Int)
		}
	}
	if t.Width == 1 && t.Kind != ktree.Bool {
		t = ktree.Scalar(promote(t.Kind))
	}
	bin.X, bin.Y, bin.Type = convert(a, t), convert(b, t), t
	if op.IsCompare() {
		bin.Type = t.With(ktree.Bool)
	}
	if (op == ktree.Div || op == ktree.Rem) && t.Kind.IsInt() {
		if v, ok := constant(bin.Y); ok && v[0].I == 0 {
			c.r.Report(b.At(), "division by zero")
			return invalid(at)
		}
	}
	return foldBinary(bin)
}

func (c *checker) shift(bin *ktree.Binary, sign string, a, b ktree.Expr) ktree.Expr {
	t, n := a.T(), b.T()
	if t.Form != ktree.Value || n.Form != ktree.Value || !t.Kind.IsInt() && t.Kind != ktree.Bool || !n.Kind.IsInt() && n.Kind != ktree.Bool ||
		n.Width > 1 && n.Width != t.Width {
		c.r.Report(bin.Pos, "%s of %s and %s", sign, t, n)
		return invalid(bin.Pos)
	}
	if t.Width == 1 {
		t = ktree.Scalar(promote(t.Kind))
	}
	bin.Type, bin.X, bin.Y = t, convert(a, t), convert(b, t)
	return foldBinary(bin)
}

// pointerArithmetic handles p + n and p - n.
func (c *checker) pointerArithmetic(at source.Pos, op ktree.Op, a, b ktree.Expr) (ktree.Expr, bool) {
	if a.T().Form == ktree.Value && b.T().Form == ktree.Value {
		return nil, false
	}
	if op == ktree.Add && a.T().Form == ktree.Value {
		a, b = b, a
	}
	if op != ktree.Add && op != ktree.Sub || b.T().Form != ktree.Value || !b.T().IsScalar() || b.T().Kind.IsFloat() {
		c.r.Report(at, "%s of %s and %s", op, a.T(), b.T())
		return invalid(at), true
	}
	t := a.T()
	if t.Form == ktree.Array {
		p := t.Elem()
		p.Form, p.Space = ktree.Pointer, t.Space
		if r, ok := ktree.Root(a); ok && r.Const {
			p.Const = true
		}
		if t.Dims[1] != 0 {
			c.r.Report(at, "take the address of an element: &name[i][j]")
			return invalid(at), true
		}
		a = &ktree.Addr{E: ktree.E{Type: p, Pos: a.At()}, X: a}
		t = p
	}
	n := convert(b, ktree.Scalar(promote(b.T().Kind)))
	if op == ktree.Sub {
		if !n.T().Kind.IsSigned() {
			n = convert(n, ktree.Scalar(ktree.Long))
		}
		n = foldUnary(&ktree.Unary{E: ktree.E{Type: n.T(), Pos: at}, Op: ktree.Neg, X: n})
	}
	return &ktree.Offset{E: ktree.E{Type: t, Pos: at}, X: a, N: n}, true
}

func (c *checker) cond(x *syntax.Cond) ktree.Expr {
	cond := c.condition(x.C)
	a, b := c.expr(x.X), c.expr(x.Y)
	if cond.T().Kind == ktree.Invalid {
		return invalid(x.Pos)
	}
	t, ok := c.unify(x.Pos, "?:", a, b)
	if !ok {
		return invalid(x.Pos)
	}
	a, b = convert(a, t), convert(b, t)
	if v, ok := constant(cond); ok {
		if v[0].I != 0 {
			return a
		}
		return b
	}
	return &ktree.Cond{E: ktree.E{Type: t, Pos: x.Pos}, C: cond, X: a, Y: b}
}

func (c *checker) cast(x *syntax.Cast) ktree.Expr {
	t := c.typ(x.Type)
	e := c.expr(x.X)
	switch {
	case t.Kind == ktree.Invalid || e.T().Kind == ktree.Invalid:
		return invalid(x.Pos)
	case t.Form == ktree.Pointer:
		if e.T().Form != ktree.Value && e.T().Elem() == t.Elem() {
			return c.implicit(e, t, "cast")
		}
		c.r.Report(x.Pos, "pointers do not change their type")
		return invalid(x.Pos)
	case t.Kind == ktree.Void:
		return &ktree.Convert{E: ktree.E{Type: t, Pos: x.Pos}, X: e}
	}
	return c.make(x.Pos, t, []ktree.Expr{e})
}

// construct is T(args...).
func (c *checker) construct(at source.Pos, t ktree.Type, args []syntax.Expr) ktree.Expr {
	list := make([]ktree.Expr, len(args))
	for i, a := range args {
		list[i] = c.expr(a)
	}
	return c.make(at, t, list)
}

func (c *checker) make(at source.Pos, t ktree.Type, args []ktree.Expr) ktree.Expr {
	n := 0
	for i, a := range args {
		at := a.T()
		if at.Kind == ktree.Invalid {
			return a
		}
		if at.Form != ktree.Value || at.Kind == ktree.Void {
			c.r.Report(a.At(), "%s cannot be made from %s", t, at)
			return invalid(a.At())
		}
		if len(args) == 1 {
			if s := c.narrow(a, t); s != nil && at.Width > t.Width {
				args[i] = s
			}
		}
		n += args[i].T().Comps()
	}
	switch {
	case len(args) == 0:
		return zero(at, t)
	case len(args) == 1 && (n == t.Comps() || n == 1):
		return convert(args[0], t)
	case n != t.Comps():
		c.r.Report(at, "%s has %d components, %d given", t, t.Comps(), n)
		return invalid(at)
	}
	m := &ktree.Make{E: ktree.E{Type: t, Pos: at}}
	for _, a := range args {
		m.Args = append(m.Args, convert(a, a.T().With(t.Kind)))
	}
	return m
}

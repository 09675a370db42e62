package lines

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/ktree"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/printer"
)

// precision is how transforms of one element type are spelled.
type precision struct {
	real, pair string // C types of a real and of a complex number
	kind       ktree.Kind
	bits       int // of a real
}

var (
	single = &precision{real: "float", pair: "c64", kind: ktree.Float, bits: 32}
	double = &precision{real: "double", pair: "c128", kind: ktree.Double, bits: 64}
)

// bytes is the size of a complex number.
func (p *precision) bytes() int { return p.bits / 4 }

// text is C++ being written. Values are names that are assigned once.
type text struct {
	strings.Builder
	depth int
	names int
}

func (t *text) line(format string, args ...any) {
	t.WriteString(strings.Repeat("\t", t.depth))
	fmt.Fprintf(t, format, args...)
	t.WriteByte('\n')
}

// paste adds whole lines.
func (t *text) paste(s string) {
	for l := range strings.Lines(s) {
		t.line("%s", strings.TrimSuffix(l, "\n"))
	}
}

func (t *text) open(format string, args ...any) {
	t.line(format+" {", args...)
	t.depth++
}

func (t *text) close() {
	t.depth--
	t.line("}")
}

// name is a name nobody has used.
func (t *text) name(prefix string) string {
	for {
		t.names++
		if n := prefix + strconv.Itoa(t.names); !emit.IsType(n) {
			return n
		}
	}
}

// let gives an expression a name.
func (t *text) let(typ, format string, args ...any) string {
	n := t.name("v")
	t.line("const %s %s = %s;", typ, n, fmt.Sprintf(format, args...))
	return n
}

// number is a complex number. Its parts are expressions of the kernel tree, which
// the printer spells.
type number = dft.Number

// arithmetic writes computations in one precision.
type arithmetic struct {
	*text
	*precision
	dft.Arith
}

func (t *text) arithmetic(p *precision) arithmetic {
	return arithmetic{t, p, dft.Arith{Kind: p.kind, Let: func(v build.Val) build.Val { return t.named(p, v) }}}
}

// named gives an expression a name, unless it is one or a literal.
func (t *text) named(p *precision, v build.Val) build.Val {
	switch v.E.(type) {
	case *ktree.Lit, *ktree.Ref:
		return v
	}
	return p.written(t.let(p.real, "%s", printer.CUDAExpr(v.E)))
}

// written is a real number that the text has a name for.
func (p *precision) written(name string) build.Val { return written(p.kind, name) }

// written is a value that the text has a name for.
func written(kind ktree.Kind, name string) build.Val {
	t := ktree.Scalar(kind)
	return build.Val{E: &ktree.Ref{E: ktree.E{Type: t}, Var: &ktree.Var{Name: name, Type: t, Const: true}}}
}

// condition is a condition of the text.
func condition(text string) build.Val { return written(ktree.Bool, "("+text+")") }

// parts are those of a complex number that the text has a name for.
func (p *precision) parts(name string) number {
	return number{Re: p.written(name + ".re"), Im: p.written(name + ".im")}
}

// only is a number without an imaginary part.
func (p *precision) only(v build.Val) number { return number{Re: v, Im: build.Zero(p.kind)} }

// nothing is a number that is known to be zero when the text is written, so that
// transforms of padded lines do not compute with it.
func (p *precision) nothing() number { return number{Re: build.Zero(p.kind), Im: build.Zero(p.kind)} }

// spelled is a part as an operand of any operator.
func (p *precision) spelled(x build.Val) string {
	s := printer.CUDAExpr(x.E)
	if strings.HasPrefix(s, "-") {
		return "(" + s + ")"
	}
	return s
}

// paired is a number as a value of type pair.
func (p *precision) paired(x number) string {
	return fmt.Sprintf("%s{%s, %s}", p.pair, p.spelled(x.Re), p.spelled(x.Im))
}

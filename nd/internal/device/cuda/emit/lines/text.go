package lines

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
)

// precision is how transforms of one element type are spelled.
type precision struct {
	real, pair string // C types of a real and of a complex number
	fma        string
	bits       int // of a real
	suffix     string
}

var (
	single = &precision{real: "float", pair: "c64", fma: "__fmaf_rn", bits: 32, suffix: "f"}
	double = &precision{real: "double", pair: "c128", fma: "__fma_rn", bits: 64}
)

// bytes is the size of a complex number.
func (p *precision) bytes() int { return p.bits / 4 }

// literal spells a constant, exactly.
func (p *precision) literal(v float64) string {
	if p.bits == 32 {
		v = float64(float32(v))
	}
	s := strconv.FormatFloat(v, 'e', -1, p.bits)
	if math.Signbit(v) {
		return "(" + s + p.suffix + ")"
	}
	return s + p.suffix
}

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

// number is a complex number: the names, or signed names, of its parts. An
// empty name is a zero that is known when the text is written, so that
// transforms of padded lines do not compute with it.
type number struct{ re, im string }

func (n number) isZero() bool { return n.re == "" && n.im == "" }

// arithmetic writes computations in one precision.
type arithmetic struct {
	*text
	*precision
}

func negated(x string) string {
	switch {
	case x == "":
		return ""
	case strings.HasPrefix(x, "(-"):
		return x[2 : len(x)-1]
	}
	return "(-" + x + ")"
}

func (a arithmetic) sum(x, y string) string {
	switch {
	case x == "":
		return y
	case y == "":
		return x
	case strings.HasPrefix(y, "(-"):
		return a.let(a.real, "%s - %s", x, negated(y))
	}
	return a.let(a.real, "%s + %s", x, y)
}

func (a arithmetic) product(x, y string) string {
	if x == "" || y == "" {
		return ""
	}
	return a.let(a.real, "%s * %s", x, y)
}

// fused is x*y + z with one rounding.
func (a arithmetic) fused(x, y, z string) string {
	switch {
	case x == "" || y == "":
		return z
	case z == "":
		return a.product(x, y)
	}
	return a.let(a.real, "%s(%s, %s, %s)", a.fma, x, y, z)
}

func (a arithmetic) add(x, y number) number { return number{a.sum(x.re, y.re), a.sum(x.im, y.im)} }
func (a arithmetic) sub(x, y number) number {
	return number{a.sum(x.re, negated(y.re)), a.sum(x.im, negated(y.im))}
}

func (a arithmetic) mul(x, y number) number {
	return number{
		a.fused(x.re, y.re, negated(a.product(x.im, y.im))),
		a.fused(x.re, y.im, a.product(x.im, y.re)),
	}
}

// scaled is x times a real name.
func (a arithmetic) scaled(x number, by string) number {
	return number{a.product(x.re, by), a.product(x.im, by)}
}

// turned is x times i or, clockwise, -i.
func turned(x number, clockwise bool) number {
	if clockwise {
		return number{x.im, negated(x.re)}
	}
	return number{negated(x.im), x.re}
}

func conjugate(x number) number { return number{x.re, negated(x.im)} }

// spelled is a part as an expression.
func (p *precision) spelled(x string) string {
	if x == "" {
		return "0." + p.suffix
	}
	return x
}

// paired is a number as a value of type pair.
func (p *precision) paired(x number) string {
	return fmt.Sprintf("%s{%s, %s}", p.pair, p.spelled(x.re), p.spelled(x.im))
}

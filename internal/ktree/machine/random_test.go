package machine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// writer makes up kernels: arithmetic of all kinds, nested control flow that
// threads take differently, arrays, functions with several returns.
type writer struct {
	r     *rand.Rand
	b     strings.Builder
	depth int
	next  int
	ints  []string // variables that may be assigned
	reals []string
	loops int
	fn    bool // inside a function: returns carry a value
}

func (w *writer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *writer) one(list ...string) string { return list[w.r.IntN(len(list))] }

// integer is an expression of some integer type.
func (w *writer) integer(deep int) string {
	if deep <= 0 || w.r.IntN(4) == 0 {
		switch w.r.IntN(5) {
		case 0:
			return fmt.Sprint(w.r.IntN(20) - 4)
		case 1:
			return "n[" + w.index() + "]"
		case 2:
			return w.one("t", "int(t)", "u[t]", "q[t]", "lid")
		}
		if len(w.ints) > 0 {
			return w.one(w.ints...)
		}
		return "t"
	}
	a, b := w.integer(deep-1), w.integer(deep-1)
	switch w.r.IntN(12) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", w.truth(deep-1), a, b)
	case 1:
		return fmt.Sprintf("%s(%s)", w.one("int", "uint", "short", "uchar", "long", "char", "ushort"), a)
	case 2:
		return fmt.Sprintf("min(%s, %s)", a, b)
	case 3:
		return fmt.Sprintf("abs(int(%s))", a)
	case 4:
		return fmt.Sprintf("(-%s)", "("+a+")")
	case 5:
		return fmt.Sprintf("(~int(%s))", a)
	case 6:
		return fmt.Sprintf("int(%s)", w.real(deep-1))
	case 7:
		if !w.fn {
			return fmt.Sprintf("pickInt(%s, %s)", a, b)
		}
	}
	op := w.one("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
	if op == "/" || op == "%" {
		b = "(n[t] - n[t] + " + b + ")" // a divisor that is a constant zero is refused
	}
	return fmt.Sprintf("(%s %s %s)", a, op, b)
}

func (w *writer) real(deep int) string {
	if deep <= 0 || w.r.IntN(4) == 0 {
		switch w.r.IntN(4) {
		case 0:
			return fmt.Sprintf("%.2ff", w.r.Float64()*4-2)
		case 1:
			return fmt.Sprintf(w.one("a[%s]", "float(h[%s])", "z[%s].x"), w.index())
		}
		if len(w.reals) > 0 {
			return w.one(w.reals...)
		}
		return "1.5f"
	}
	a, b := w.real(deep-1), w.real(deep-1)
	switch w.r.IntN(9) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", w.truth(deep-1), a, b)
	case 1:
		return fmt.Sprintf("max(%s, %s)", a, b)
	case 2:
		return fmt.Sprintf("fma(%s, %s, 0.5f)", a, b)
	case 3:
		return fmt.Sprintf("float(%s)", w.integer(deep-1))
	case 4:
		return fmt.Sprintf("float(half(%s))", a)
	case 5:
		return fmt.Sprintf("floor(%s)", a)
	case 6:
		if !w.fn {
			return fmt.Sprintf("pickReal(%s, %s)", a, b)
		}
	}
	return fmt.Sprintf("(%s %s %s)", a, w.one("+", "-", "*"), b)
}

func (w *writer) truth(deep int) string {
	switch w.r.IntN(6) {
	case 0:
		if deep > 0 {
			return fmt.Sprintf("(%s %s %s)", w.truth(deep-1), w.one("&&", "||"), w.truth(deep-1))
		}
	case 1:
		return fmt.Sprintf("(%s %s %s)", w.real(deep-1), w.one("<", ">", "<=", ">=", "==", "!="), w.real(deep-1))
	case 2:
		return "(t & 1)"
	case 3:
		return fmt.Sprintf("(t %s %d)", w.one("<", ">", "==", ">=", "!="), w.r.IntN(64))
	case 4:
		return "!" + fmt.Sprintf("m[%s]", w.index())
	}
	return fmt.Sprintf("(int(%s) %s int(%s))", w.integer(deep-1), w.one("<", ">", "<=", ">=", "==", "!="), w.integer(deep-1))
}

// index is always inside the operands.
func (w *writer) index() string {
	return w.one("t", "63 - t", "(t * 7) & 63", "0", "5", "(t ^ 3) & 63", "(n[t] & 63)")
}

func (w *writer) statement(deep int) {
	switch k := w.r.IntN(12); {
	case k < 2 || deep <= 0:
		w.next++
		if w.r.IntN(2) == 0 {
			name := fmt.Sprintf("i%d", w.next)
			w.line("%s %s = %s;", w.one("int", "uint", "long", "short"), name, w.integer(3))
			w.ints = append(w.ints, name)
		} else {
			name := fmt.Sprintf("r%d", w.next)
			w.line("%s %s = %s;", w.one("float", "float", "half"), name, w.real(3))
			w.reals = append(w.reals, name)
		}
	case k < 5 && len(w.ints) > 0:
		w.line("%s %s %s;", w.one(w.ints...), w.one("=", "+=", "-=", "*=", "^="), w.integer(3))
	case k < 7 && len(w.reals) > 0:
		w.line("%s %s %s;", w.one(w.reals...), w.one("=", "+=", "*="), w.real(3))
	case k < 9:
		w.line("if (%s) {", w.truth(2))
		w.block(deep - 1)
		if w.r.IntN(2) == 0 {
			w.line("} else {")
			w.block(deep - 1)
		}
		w.line("}")
	case k == 9:
		w.next++
		w.line("for (int k%d = 0; k%d < (%s & 7); k%d++) {", w.next, w.next, w.one("n[t]", "int(t)", "5", "n[3]"), w.next)
		w.loops++
		w.block(deep - 1)
		w.loops--
		w.line("}")
	case k == 10 && w.loops > 0:
		w.line("if (%s) %s;", w.truth(1), w.one("break", "continue"))
	case k == 10 && w.fn:
		w.line("if (%s) return %s;", w.truth(1), w.real(2))
	default:
		w.line("box[%s & 3] %s %s;", w.integer(2), w.one("=", "+="), w.real(2))
	}
}

// block writes statements in a scope of their own.
func (w *writer) block(deep int) {
	ints, reals := len(w.ints), len(w.reals)
	w.depth++
	for range 1 + w.r.IntN(4) {
		w.statement(deep)
	}
	w.depth--
	w.ints, w.reals = w.ints[:ints], w.reals[:reals]
}

func made(seed uint64) job {
	r := rand.New(rand.NewPCG(seed, 77))
	head := `int pickInt(int x, int y) { if (x > y) return x - 1; for (int k = 0; k < 3; k++) { if (y + k == x) return k; } return y; }
float pickReal(float x, float y) { float s = 0; while (s < 3) { s += 1; if (x < s) { if (y < 0) return s; continue; } s += 0.5f; } return s * y; }
`
	w := &writer{r: r, depth: 0}
	w.line("uint t = thread_position_in_grid.x;")
	w.line("uint lid = thread_position_in_threadgroup.x;")
	w.line("float box[4] = {1, 2};")
	for range 4 + r.IntN(8) {
		w.statement(3)
	}
	w.line("float total = box[0] + box[1] * 3 + box[2] * 5 + box[3] * 7;")
	for _, x := range w.reals {
		w.line("total += %s;", x)
	}
	w.line("long sum = 0;")
	for _, x := range w.ints {
		w.line("sum = sum * 31 + long(%s);", x)
	}
	w.line("y[t] = total;\nl[t] = sum;")
	return job{name: fmt.Sprintf("random %d", seed), header: head, body: w.b.String(), grid: [3]int{61}, group: [3]int{16}}
}

// Made-up kernels mean the same to both machines.
func TestRandomKernels(t *testing.T) {
	for seed := range uint64(100) {
		j := made(seed)
		if !t.Run(j.name, func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Logf("the kernel:\n%s", j.body)
				}
			}()
			same(t, j)
		}) {
			return
		}
	}
}

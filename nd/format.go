package nd

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Format computes the array and formats its elements as NumPy does: nested brackets,
// aligned columns, at most 8 digits, and only the ends of long axes. fmt.Println prints
// the same for an array that is already computed.
func Format(ctx context.Context, a *Array) (string, error) {
	if err := a.Err(); err != nil {
		return "", err
	}
	f := formatter{shape: a.Shape(), edges: a.Len() > formatThreshold}
	cells, err := f.cells(ctx, f.shown(a))
	if err != nil {
		return "", err
	}
	f.text = cells
	f.write(0, "")
	lines := strings.Split(f.out.String(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n"), nil
}

// What NumPy prints by default.
const (
	formatThreshold = 1000 // elements, from which on only the ends are shown
	formatEdge      = 3    // elements at each end
	formatWidth     = 75   // characters of a line
	formatDigits    = 8
)

// String shows the elements of an array that is computed already, as Format
// does, and describes any other without computing it.
func (a *Array) String() string {
	if err := a.Err(); err != nil {
		return fmt.Sprintf("Array(error: %v)", err)
	}
	if sched.IsThere(a.node) {
		if text, err := Format(context.Background(), a); err == nil {
			return text
		}
	}
	return fmt.Sprintf("Array(%s %v, not evaluated)", a.node.Type, a.node.Shape)
}

// formatter writes the elements that are shown.
type formatter struct {
	shape []int
	edges bool     // of long axes only the ends
	text  []string // elements in row-major order, all of one width
	next  int
	out   strings.Builder
}

// isCut reports an axis of which only the ends are shown.
func (f *formatter) isCut(axis int) bool { return f.edges && f.shape[axis] > 2*formatEdge }

// shown is the part of the array that is printed.
func (f *formatter) shown(a *Array) *Array {
	for axis := range f.shape {
		if f.isCut(axis) {
			a = Concat(axis, a.SliceAxis(axis, Head(formatEdge)), a.SliceAxis(axis, Tail(formatEdge)))
		}
	}
	return a
}

// write shows one index of each axis before the given one, which is at indent.
func (f *formatter) write(axis int, indent string) {
	if axis == len(f.shape) {
		f.out.WriteString(strings.TrimLeft(f.text[f.next], " "))
		f.next++
		return
	}
	indent += " "
	last := axis == len(f.shape)-1
	f.out.WriteByte('[')
	column := len(indent)
	items := f.shape[axis]
	if f.isCut(axis) {
		items = 2*formatEdge + 1
	}
	for i := range items {
		dots := f.isCut(axis) && i == formatEdge
		switch {
		case !last:
			if i > 0 {
				f.out.WriteString(strings.Repeat("\n", len(f.shape)-1-axis) + indent)
			}
			if dots {
				f.out.WriteString("...")
			} else {
				f.write(axis+1, indent)
			}
			continue
		case dots:
			column = f.cell("...", i, column, indent)
		default:
			column = f.cell(f.text[f.next], i, column, indent)
			f.next++
		}
	}
	f.out.WriteByte(']')
}

// cell shows element i of a row, on a new line if it does not fit.
func (f *formatter) cell(text string, i, column int, indent string) int {
	if i > 0 {
		if column+1+len(text) >= formatWidth {
			f.out.WriteString("\n" + indent)
			column = len(indent)
		} else {
			f.out.WriteByte(' ')
			column++
		}
	}
	f.out.WriteString(text)
	return column + len(text)
}

// cells computes the elements and gives their texts, padded to one width.
func (f *formatter) cells(ctx context.Context, a *Array) ([]string, error) {
	var text []string
	switch t := a.DType(); {
	case t == Bool:
		set, err := Slice[bool](ctx, a)
		if err != nil {
			return nil, err
		}
		for _, v := range set {
			text = append(text, strconv.FormatBool(v))
		}
	case t.IsInteger():
		list, err := Slice[int64](ctx, a.Cast(Int64))
		if err != nil {
			return nil, err
		}
		for _, v := range list {
			text = append(text, strconv.FormatInt(v, 10))
		}
	case t.IsFloat():
		list, err := Slice[float64](ctx, a.Cast(Float64))
		if err != nil {
			return nil, err
		}
		text = formatFloats(list, t)
	default:
		list, err := Slice[complex128](ctx, a.Cast(Complex128))
		if err != nil {
			return nil, err
		}
		re, im := make([]float64, len(list)), make([]float64, len(list))
		for i, z := range list {
			re[i], im[i] = real(z), imag(z)
		}
		left, right := pad(formatFloats(re, t.Real())), formatFloats(im, t.Real())
		for i := range list {
			sign := "+"
			if strings.HasPrefix(right[i], "-") {
				sign, right[i] = "-", right[i][1:]
			}
			digits := strings.TrimRight(right[i], " ")
			text = append(text, left[i]+sign+digits+"i")
		}
		return padRight(text), nil
	}
	return pad(text), nil
}

// pad brings texts to the width of the longest.
func pad(text []string) []string {
	width := widest(text)
	for i, s := range text {
		text[i] = strings.Repeat(" ", width-len(s)) + s
	}
	return text
}

// padRight is pad with the room behind the texts.
func padRight(text []string) []string {
	width := widest(text)
	for i, s := range text {
		text[i] = s + strings.Repeat(" ", width-len(s))
	}
	return text
}

func widest(text []string) int {
	width := 0
	for _, s := range text {
		width = max(width, len(s))
	}
	return width
}

// formatFloats shows numbers of type t with as many digits as the one that
// needs the most, by exponents where they differ too much.
func formatFloats(list []float64, t DType) []string {
	low, high := math.Inf(1), 0.0
	for _, v := range list {
		if m := math.Abs(v); m > 0 && !math.IsInf(m, 0) && !math.IsNaN(m) {
			low, high = min(low, m), max(high, m)
		}
	}
	form := byte('f')
	if high >= 1e8 || high > 0 && (low < 1e-4 || high/low > 1000) {
		form = 'e'
	}
	text := make([]string, len(list))
	digits := 0 // behind the point
	for i, v := range list {
		text[i] = shortest(v, t, form)
		if _, behind, ok := strings.Cut(mantissa(text[i]), "."); ok {
			digits = max(digits, len(behind))
		}
	}
	for i, v := range list {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			continue
		}
		m := mantissa(text[i])
		exponent := text[i][len(m):]
		_, behind, _ := strings.Cut(m, ".")
		if form == 'e' {
			text[i] = m + strings.Repeat("0", digits-len(behind)) + exponent
		} else {
			text[i] = m + strings.Repeat(" ", digits-len(behind))
		}
	}
	return text
}

// mantissa is a number without its exponent.
func mantissa(s string) string {
	m, _, _ := strings.Cut(s, "e")
	return m
}

// shortest is v with a point, and the fewest digits that tell it from its
// neighbours of type t, or eight behind the point.
func shortest(v float64, t DType, form byte) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return map[bool]string{true: "inf", false: "-inf"}[v > 0]
	}
	var s string
	switch {
	case t.IsHalf():
		for digits := range 8 {
			s = strconv.FormatFloat(v, form, digits, 64)
			back, _ := strconv.ParseFloat(s, 64)
			if roundedTo(t, back) == v {
				break
			}
		}
	case t == Float32:
		s = strconv.FormatFloat(v, form, -1, 32)
	default:
		s = strconv.FormatFloat(v, form, -1, 64)
	}
	if m := mantissa(s); len(m)-slices.Index([]byte(m+"."), '.')-1 > formatDigits {
		s = strconv.FormatFloat(v, form, formatDigits, 64)
	}
	m := mantissa(s)
	exponent := s[len(m):]
	if strings.Contains(m, ".") {
		m = strings.TrimRight(m, "0")
	} else {
		m += "."
	}
	return m + exponent
}

// roundedTo is v as a number of a half type.
func roundedTo(t DType, v float64) float64 {
	if t == Float16 {
		return float64(elem.F16From(float32(v)).Float32())
	}
	return float64(elem.BF16From(float32(v)).Float32())
}

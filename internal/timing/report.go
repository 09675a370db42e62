package timing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Table is what a bench verb prints for people: right-aligned columns under
// their names.
type Table struct {
	columns []string
	rows    [][]string
}

// NewTable starts a table with the given column names.
func NewTable(columns ...string) *Table { return &Table{columns: columns} }

// Row adds a row. Cells beyond the last column are dropped, missing ones are
// blank. A float64 prints with three significant digits, anything else as
// fmt.Sprint has it.
func (t *Table) Row(cells ...any) {
	row := make([]string, len(t.columns))
	for i := range min(len(cells), len(row)) {
		switch c := cells[i].(type) {
		case float64:
			row[i] = fmt.Sprintf("%.3g", c)
		default:
			row[i] = fmt.Sprint(c)
		}
	}
	t.rows = append(t.rows, row)
}

// WriteTo prints the table.
func (t *Table) WriteTo(w io.Writer) (int64, error) {
	widths := make([]int, len(t.columns))
	for _, row := range append([][]string{t.columns}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range append([][]string{t.columns}, t.rows...) {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
			line.WriteString(cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Nanoseconds formats a duration given in nanoseconds with a fitting unit.
// A missing time, zero or not finite, is a dash.
func Nanoseconds(ns float64) string {
	switch {
	case !(ns > 0) || math.IsInf(ns, 0):
		return "-"
	case ns < 10:
		return fmt.Sprintf("%.2f ns", ns)
	case ns < 1e4:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e7:
		return fmt.Sprintf("%.1f us", ns/1e3)
	case ns < 1e10:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	}
	return fmt.Sprintf("%.2f s", ns/1e9)
}

// numberList is a list of numbers as the encoder indents it, one on a line. Only a list
// begins with a bracket at the end of a line: in strings line ends are escaped.
var numberList = regexp.MustCompile(`\[\n\s*[-+.\deE]+(,\n\s*[-+.\deE]+)*\n\s*\]`)

// WriteJSON prints v as indented JSON and a newline, lists of numbers on a line each. It
// is not meant for HTML, so that "a -> b" stays readable.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(numberList.ReplaceAllFunc(b.Bytes(), func(list []byte) []byte {
		joined := bytes.Join(bytes.Fields(list), []byte(" "))
		return append(append([]byte("["), bytes.Trim(joined, "[ ]")...), ']')
	}))
	return err
}

package csv

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
)

// layout is how a table lies in a file.
type layout struct {
	delimiter, decimal byte     // a space is any number of spaces and tabs
	columns            int      // of a line
	ended              bool     // rows have a delimiter behind their last column
	names, units       []string // of columns; nil if there is no header
	begin              int      // the line of the first row, from 0
	time               int      // the column of times, or -1
	guessed            bool     // it is one by its steps, which have gaps
	count              int      // the column that counts rows, or -1
	use                []int    // of each column the channel, or less than 0
	channels           []int    // their columns
	clock              clock
	left               []error // columns without numbers that look as if they had some
}

// sampleBytes is how much of a file its layout is found in.
const sampleBytes = 64 << 10

// ErrNoTable is what a file is that has no rows of numbers.
var ErrNoTable = errors.New("csv: no table of numbers")

// noTable names the first line that might have been a row: the second one, if there is one, since
// the first may be a header.
func noTable(lines [][]byte) error {
	var found []int
	for i, line := range lines {
		if !blank(line) {
			found = append(found, i)
		}
	}
	const shown = 40 // bytes of a line: enough to know it again
	switch text := func(i int) []byte { return lines[i][:min(len(lines[i]), shown)] }; len(found) {
	case 0:
		if len(lines) == 0 {
			return fmt.Errorf("%w: the first line does not end within %d bytes", ErrNoTable, sampleBytes)
		}
		return fmt.Errorf("%w: only empty lines and comments", ErrNoTable)
	case 1:
		return fmt.Errorf("%w: there is only line %d, %q", ErrNoTable, found[0]+1, text(found[0]))
	default:
		return fmt.Errorf("%w: line %d is %q", ErrNoTable, found[1]+1, text(found[1]))
	}
}

// findLayout finds the table in the first lines of a file.
func findLayout(lines [][]byte, o Options) (*layout, error) {
	var best *layout
	most := math.MinInt
	for _, delimiter := range []byte("\t;,| ") {
		for _, decimal := range []byte(".,") {
			l := &layout{delimiter: delimiter, decimal: decimal, clock: clock{decimal: decimal, scale: 1}, time: -1, count: -1}
			if score := l.rows(lines); score > most {
				best, most = l, score
			}
		}
	}
	if best == nil {
		return nil, noTable(lines)
	}
	best.header(lines[:best.begin])
	return best, best.choose(lines[best.begin:], o)
}

// rows finds the longest run of lines that have as many fields, some of them numbers,
// and gives how many numbers it has more than other fields.
func (l *layout) rows(lines [][]byte) (score int) {
	score = math.MinInt
	var run struct{ begin, columns, length, numbers, others, ends int }
	longest := 0
	for i, line := range lines {
		if blank(line) {
			continue
		}
		n, numbers, empty, last := l.kinds(line)
		switch {
		case n == run.columns+1: // with a delimiter behind the last column, as other rows are not
			n -= last
		case n == run.columns-1 && run.ends == run.length: // or as all others are
			run.columns = n
		}
		if numbers == 0 || n != run.columns || n == 1 && l.delimiter != ' ' {
			run.length, run.columns = 0, 0
			if numbers == 0 || n == 1 && l.delimiter != ' ' {
				continue
			}
		}
		if run.length == 0 {
			run.begin, run.columns, run.numbers, run.others, run.ends = i, n, 0, 0, 0
		}
		run.length++
		run.numbers, run.others, run.ends = run.numbers+numbers, run.others+n-numbers-empty, run.ends+last
		if run.length > longest && (run.length > 1 || run.others == 0) {
			longest, score = run.length, run.numbers-run.others
			l.begin, l.columns = run.begin, run.columns
			if l.ended = run.ends == run.length; l.ended {
				l.columns--
			}
		}
	}
	if longest > 0 && l.delimiter == ',' && l.columns == 2 && l.halves(lines) {
		return math.MinInt
	}
	return score
}

// halves reports whether two columns are numbers with a decimal comma, as in 1,05: one name is
// above them, or a column of whole numbers would have -0 or leading zeros.
func (l *layout) halves(lines [][]byte) bool {
	sure := false
	for i := l.begin - 1; i >= 0; i-- {
		if head := bytes.TrimSpace(lines[i]); len(head) > 0 {
			head, _ = comment(head)
			sure = len(head) > 0 && bytes.IndexByte(head, ',') < 0 && !bytes.ContainsAny(head, "0123456789")
			break
		}
	}
	for _, line := range lines[l.begin:] {
		if blank(line) {
			continue
		}
		before, after, ok := bytes.Cut(hyphens(bytes.TrimSpace(line)), []byte(","))
		digits := bytes.TrimLeft(before, "+-")
		if _, is := whole(digits); !ok || !is || len(before)-len(digits) > 1 || len(after) == 0 || after[0]-'0' > 9 {
			return false
		}
		if _, is := parseNumber(after, ','); !is || bytes.IndexByte(after, ',') >= 0 {
			return false
		}
		sure = sure || before[0] == '-' && digits[0] == '0' || len(after) > 1 && after[0] == '0' && after[1]-'0' < 10
	}
	return sure
}

// header finds names of columns, and perhaps a row of units, in the lines before the
// table.
func (l *layout) header(before [][]byte) {
	for len(before) > 0 && len(bytes.TrimSpace(before[len(before)-1])) == 0 {
		before = before[:len(before)-1]
	}
	if len(before) == 0 {
		return
	}
	names := l.namesIn(before[len(before)-1])
	if names == nil {
		return
	}
	if len(before) > 1 && unitRow(names) {
		if above := l.namesIn(before[len(before)-2]); above != nil {
			l.names, l.units = above, names
			return
		}
	}
	l.names = names
}

// namesIn are a line's, if it has one for each column; the first may be missing, which
// counts rows.
func (l *layout) namesIn(line []byte) []string {
	line, marked := comment(line)
	fields := l.split(line)
	for _, other := range []byte(",; ") {
		if marked && len(fields) != l.columns { // a comment has delimiters of its own
			fields = (&layout{delimiter: other}).split(line)
		}
	}
	if n := len(fields); n > l.columns && (fields[n-1] == "" || l.ended && n == l.columns+1) { // such as LabVIEW's Comment
		fields = fields[:n-1]
	}
	switch len(fields) {
	case l.columns:
		return fields
	case l.columns - 1:
		return append([]string{""}, fields...)
	}
	return nil
}

// unitRow reports whether fields are units: (ms), [V], m/s^2, or empty.
func unitRow(fields []string) bool {
	some := false
	for _, f := range fields {
		in := strings.HasPrefix(f, "(") && strings.HasSuffix(f, ")") || strings.HasPrefix(f, "[") && strings.HasSuffix(f, "]") || units[f] != 0
		some = some || in
		if !in && f != "" && len([]rune(f)) > 6 {
			return false
		}
	}
	return some
}

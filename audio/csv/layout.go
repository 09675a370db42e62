package csv

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/twiddle-go/twiddle/internal/choice"
)

// layout is how a table lies in a file.
type layout struct {
	delimiter, decimal byte     // a space is any number of spaces and tabs
	columns            int      // of a line
	ended              bool     // rows have a delimiter behind their last column
	names, units       []string // of columns; nil if there is no header
	begin              int      // the line of the first row, from 0
	time               int      // the column of times, or -1
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
		return nil, ErrNoTable
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
		before, after, ok := bytes.Cut(bytes.TrimSpace(line), []byte(","))
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

// kinds counts the fields of a line, those that are numbers or times, empty ones, and
// whether the last is.
func (l *layout) kinds(line []byte) (n, numbers, empty, last int) {
	for more := true; more; n++ {
		var f []byte
		f, line, more = l.next(line)
		last = 0
		if _, ok := l.clock.read(f); ok || isNaN(f) {
			numbers++
		} else if len(f) == 0 {
			empty++
			last = 1
		}
	}
	return n, numbers, empty, last
}

func isNaN(s []byte) bool {
	_, ok := word(s)
	return ok
}

// next cuts the first field from a line, without quotes and spaces around it, and
// reports whether there are more.
func (l *layout) next(line []byte) (field, rest []byte, more bool) {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' && l.delimiter != '\t') {
		line = line[1:]
	}
	quoted, end := 0, 0
	if len(line) > 0 && line[0] == '"' {
		if quoted = bytes.IndexByte(line[1:], '"') + 1; quoted > 0 {
			end = quoted + 1
		}
	}
	for end < len(line) && line[end] != l.delimiter && (l.delimiter != ' ' || line[end] != '\t') {
		end++
	}
	field = line[:end]
	if more = end < len(line); more {
		rest = line[end+1:]
		if l.delimiter == ' ' {
			rest = bytes.TrimLeft(rest, " \t")
			more = len(rest) > 0
		}
	}
	if quoted > 0 {
		return bytes.TrimSpace(line[1:quoted]), rest, more
	}
	for len(field) > 0 && field[len(field)-1] == ' ' {
		field = field[:len(field)-1]
	}
	return field, rest, more
}

func (l *layout) split(line []byte) (fields []string) {
	for more := true; more; {
		var f []byte
		f, line, more = l.next(line)
		fields = append(fields, text(f))
	}
	return fields
}

// text is bytes as UTF-8: where they are not, each is a character, as in Latin 1.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// comment gives what is behind the mark of a comment.
func comment(line []byte) ([]byte, bool) {
	for _, mark := range []string{"#", "%", "//"} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return bytes.TrimLeft(rest, "#%/ "), true
		}
	}
	return line, false
}

// blank reports lines that are no rows: empty ones and comments.
func blank(line []byte) bool {
	for _, c := range line {
		switch c {
		case ' ', '\t', '\r':
			continue
		case '#', '%':
			return true
		case '/':
			return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//"))
		}
		return false
	}
	return true
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

// choose says which columns are channels and which one is times.
func (l *layout) choose(lines [][]byte, o Options) error {
	table := make([][]string, 0, len(lines))
	for _, line := range lines {
		if blank(line) {
			continue
		}
		fields := l.split(line)
		if len(fields) >= l.columns {
			table = append(table, fields)
		}
	}
	if l.names == nil && len(table) > 1 && table[0][0] == "" && table[1][0] != "" { // ,0,1: names that are numbers, behind rows' numbers
		l.names, table = table[0], table[1:]
		for first := true; first; l.begin++ {
			first, lines = blank(lines[0]), lines[1:]
		}
	}
	var err error
	switch {
	case o.Time == "none":
	case o.Time != "":
		if l.time, err = l.column(o.Time); err != nil {
			return err
		}
		if _, scale := namedTime(l.name(l.time), l.unit(l.time)); scale != 0 {
			l.clock.scale = scale
		}
	default:
		l.findTime(table)
	}
	if l.time >= 0 {
		l.setClock(table)
	}
	l.use = make([]int, l.columns)
	for c := range l.use {
		l.use[c] = -1
	}
	if o.Columns == "" {
		for c := range l.columns {
			if c == l.time || c == l.count {
				continue
			}
			some, odd := l.numeric(table, c)
			if odd == "" && some {
				l.channels = append(l.channels, c)
			} else if some || odd != "" && strings.ContainsRune("0123456789+-.\"'−", []rune(odd)[0]) {
				l.left = append(l.left, fmt.Errorf("csv: column %s is left out: %q is no number", l.title(c), odd))
			}
		}
		if len(l.channels) == 0 { // a single column counts nothing
			c := max(l.time, l.count)
			if c < 0 || l.columns > 1 {
				return errors.Join(append([]error{fmt.Errorf("%w beside times: %d columns%s", ErrNoTable, l.columns, l.list())}, l.left...)...)
			}
			l.time, l.count, l.channels = -1, -1, []int{c}
		}
	} else {
		for parts := strings.Split(o.Columns, ","); len(parts) > 0; {
			n := 1
			for i := len(parts); i > 1; i-- { // a name may have commas
				if slices.Contains(l.names, strings.TrimSpace(strings.Join(parts[:i], ","))) {
					n = i
					break
				}
			}
			c, err := l.column(strings.TrimSpace(strings.Join(parts[:n], ",")))
			if err != nil {
				return err
			}
			l.channels = append(l.channels, c)
			parts = parts[n:]
		}
	}
	for i, c := range l.channels {
		if l.use[c] >= 0 {
			return fmt.Errorf("csv: column %s is chosen twice", l.title(c))
		}
		l.use[c] = i
	}
	return nil
}

// findTime looks for a column of times: by its name, or without names the first if it
// rises by the same steps. Steps of one count rows.
func (l *layout) findTime(table [][]string) {
	for c, name := range l.names {
		// A t may be a temperature.
		if is, scale := namedTime(name, l.unit(c)); is && l.areTimes(table, c, strings.EqualFold(name, "t")) {
			l.time = c
			if scale != 0 {
				l.clock.scale = scale
			}
			break
		}
	}
	if l.columns < 2 || len(table) < 3 || l.time == 0 {
		return
	}
	even, step := l.even(table, 0)
	switch {
	case even && step != 1 && l.names != nil && isX(l.names[0]) && l.time < 0: // of LabVIEW and oscilloscopes
		l.time = 0
	case l.names != nil && !namedCount(l.names[0]):
	case even && step == 1:
		l.count = 0
	case even && l.names == nil:
		l.time = 0
	}
}

func isX(name string) bool {
	w := words(name)
	return len(w) > 0 && w[0] == "x" && (len(w) == 1 || w[1] == "value")
}

// areTimes reports whether a column of the first rows has times where it is not empty, and
// if asked for, whether they go up.
func (l *layout) areTimes(table [][]string, c int, rising bool) bool {
	before, times := math.Inf(-1), 0
	for _, row := range table {
		t, ok := l.clock.read([]byte(row[c]))
		if !ok && !rising && (row[c] == "" || isNaN([]byte(row[c]))) {
			continue // an error with its line when it is read
		}
		if !ok || rising && t < before {
			return false
		}
		before = t
		times++
	}
	return times > 1
}

// even reports whether a column rises by the same steps, but for rounding.
func (l *layout) even(table [][]string, c int) (bool, float64) {
	var s steps
	for _, row := range table {
		t, ok := l.clock.read([]byte(row[c]))
		if !ok {
			return false, 0
		}
		s.add(t, written([]byte(row[c]), l.decimal))
	}
	step := (s.last - s.first) / float64(s.count-1)
	off := min(2*s.resolution(l.clock.scale, s.last), step/4)
	for i, row := range table {
		t, _ := l.clock.read([]byte(row[c]))
		if math.Abs(t-s.first-step*float64(i)) > off+1e-3*step {
			return false, 0
		}
	}
	return step > 0, step
}

// setClock finds from when dates count, and the unit of times since 1970, which are as
// large as no other.
func (l *layout) setClock(table [][]string) {
	if len(table) == 0 {
		return
	}
	first := []byte(table[0][l.time])
	if days, _, ok := parseDate(first); ok {
		l.clock.day = days
	}
	_, scale := namedTime(l.name(l.time), l.unit(l.time))
	if v, ok := parseNumber(first, l.decimal); ok && scale == 0 {
		switch { // seconds of 1970 to 2286 have up to ten digits
		case v > 1e17:
			l.clock.scale = 1e-9
		case v > 1e14:
			l.clock.scale = 1e-6
		case v > 1e11:
			l.clock.scale = 1e-3
		}
	}
}

// numeric reports whether any of the first rows has a number there, and the first word.
func (l *layout) numeric(table [][]string, c int) (some bool, odd string) {
	for _, row := range table {
		_, ok := parseNumber([]byte(row[c]), l.decimal)
		if some = some || ok; !ok && odd == "" {
			odd = row[c]
		}
	}
	return some, odd
}

// column finds a column by its name, whose unit may be left out, or by its number from 1.
func (l *layout) column(name string) (int, error) {
	for _, same := range []func(string) bool{
		func(n string) bool { return n == name },
		func(n string) bool { return strings.EqualFold(n, name) },
		func(n string) bool { return strings.EqualFold(withoutUnit(n), name) },
	} {
		c := slices.IndexFunc(l.names, same)
		if c < 0 {
			continue
		}
		if again := slices.IndexFunc(l.names[c+1:], same); again >= 0 && name != "" {
			return 0, fmt.Errorf("csv: columns %d and %d are both named %q: give a number", c+1, c+again+2, name)
		}
		return c, nil
	}
	if c, err := strconv.Atoi(name); err == nil && c >= 1 && c <= l.columns {
		return c - 1, nil
	}
	names := slices.Clone(l.names)
	for i := range names {
		names[i] = withoutUnit(names[i])
	}
	return 0, fmt.Errorf("csv: there is no column %q%s: %d columns%s", name, choice.Hint(name, names), l.columns, l.list())
}

// withoutUnit is a column's name without the unit in brackets behind it: ax [g], az(m/s^2).
func withoutUnit(name string) string {
	if i := strings.LastIndexAny(name, "[("); i > 0 && strings.HasSuffix(name, map[byte]string{'[': "]", '(': ")"}[name[i]]) {
		return strings.TrimSpace(name[:i])
	}
	return name
}

// list is the names of the columns, for errors.
func (l *layout) list() string {
	if l.names == nil {
		return " without names, numbered from 1"
	}
	s := ": " + strings.Join(l.names[:min(len(l.names), 20)], ", ")
	if len(l.names) > 20 {
		s += ", ..."
	}
	return s
}

func (l *layout) name(c int) string {
	if l.names == nil {
		return ""
	}
	return l.names[c]
}

func (l *layout) unit(c int) string {
	if c >= len(l.units) {
		return ""
	}
	return l.units[c]
}

// title is what errors call a column.
func (l *layout) title(c int) string {
	if n := l.name(c); n != "" {
		return fmt.Sprintf("%d (%s)", c+1, n)
	}
	return strconv.Itoa(c + 1)
}

package csv

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
)

// choose says which columns are channels and which one is times.
func (l *layout) choose(lines [][]byte, o Options) error {
	table := make([][]string, 0, len(lines))
	at := make([]int, 0, len(lines)) // by row of the table: its line of the file
	for i, line := range lines {
		if blank(line) {
			continue
		}
		fields := l.split(line)
		if len(fields) >= l.columns {
			table, at = append(table, fields), append(at, l.begin+i+1)
		}
	}
	if l.names == nil && len(table) > 1 && table[0][0] == "" && table[1][0] != "" { // ,0,1: names that are numbers, behind rows' numbers
		l.names, table, at = table[0], table[1:], at[1:]
		for first := true; first; l.begin++ {
			first, lines = blank(lines[0]), lines[1:]
		}
	}
	l.clock.dayFirst = slices.ContainsFunc(table, func(row []string) bool {
		return slices.ContainsFunc(row, func(f string) bool { return isDayFirst([]byte(f)) })
	})
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
			some, odd, row := l.numeric(table, c)
			if odd == "" && some {
				l.channels = append(l.channels, c)
			} else if some || odd != "" && strings.ContainsRune("0123456789+-.\"'−", []rune(odd)[0]) {
				l.left = append(l.left, fmt.Errorf("csv: column %s is left out: line %d: %q is not a number", l.title(c), at[row], odd))
			}
		}
		if len(l.channels) == 0 { // a single column counts nothing
			c := max(l.time, l.count)
			if c < 0 || l.columns > 1 {
				return errors.Join(append([]error{fmt.Errorf("%w beside times: %s%s", ErrNoTable, counted.Of(l.columns, "column"), l.list())}, l.left...)...)
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

// numeric reports whether any of the first rows has a number there, and the first word.
func (l *layout) numeric(table [][]string, c int) (some bool, odd string, at int) {
	for i, row := range table {
		_, ok := parseNumber([]byte(row[c]), l.decimal)
		if some = some || ok; !ok && odd == "" {
			odd, at = row[c], i
		}
	}
	return some, odd, at
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
	return 0, fmt.Errorf("csv: there is no column %q%s: %s%s", name, choice.Hint(name, names), counted.Of(l.columns, "column"), l.list())
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

package csv

import (
	"bytes"
	"unicode/utf8"
)

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

// hollow reports lines that are blank or have delimiters alone, which spreadsheets write behind a
// table.
func hollow(line []byte) bool { return blank(line) || len(bytes.Trim(line, " \t\r,;|")) == 0 }

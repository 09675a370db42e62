package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// visible writes text with its control characters spelled out. Names of files, of
// arrays in them and of what is wrong with them come from strangers, and a terminal
// obeys what it is shown.
type visible struct{ to io.Writer }

func (v visible) Write(p []byte) (int, error) {
	if _, err := io.WriteString(v.to, spelled(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// spelled is text with its control characters spelled out.
func spelled(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if isControl(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteString(s[:n]) // also what is no UTF-8
		}
		s = s[n:]
	}
	return b.String()
}

// isControl reports what a terminal acts upon, but for ends of lines and tabs. What
// changes the direction of text makes a name look like another.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// terminal is the terminal that w writes to, for what moves its cursor; nil if it is
// none, or one that cannot.
func terminal(w io.Writer) *os.File {
	if os.Getenv("TERM") == "dumb" {
		return nil
	}
	return device(w)
}

// textWidth is how many characters fit into a line of what w writes to: as COLUMNS
// says, or the terminal; 80 if neither does.
func textWidth(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f := device(w); f != nil {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}

// device is the file that w writes to if it is one such as a terminal.
func device(w io.Writer) *os.File {
	if v, ok := w.(visible); ok {
		w = v.to
	}
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return f
}

package syntax

import (
	"math"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Kind is the class of a token.
type Kind uint8

const (
	EOF Kind = iota
	Ident
	Int
	Float
	Punct
)

// Limits on what is accepted; a kernel is a page or two of text.
const (
	maxBytes  = 1 << 20
	maxTokens = 1 << 15
	maxDepth  = 1000 // nesting of statements and of expressions
	maxChain  = 2000 // operators in one flat chain, as in a+b+c+...
)

// Token is one word of the text.
type Token struct {
	Kind  Kind
	Pos   source.Pos
	End   source.Pos
	Text  string
	Int   uint64
	Float float64
	Mark  byte // the suffix of a number: 'f', 'h', 'u', 'l', 'U' (both), or 0
	Space bool // preceded by white space or a line start
}

type lexer struct {
	r      *source.Reporter
	file   int32
	text   string
	off    int
	macros map[string][]Token
}

// Lex cuts one file into tokens. Object-like macros are replaced where they
// are used; they may come from an earlier file.
func lex(r *source.Reporter, file int32, macros map[string][]Token) []Token {
	l := &lexer{r: r, file: file, text: r.Source.Files[file].Text, macros: macros}
	if len(l.text) > maxBytes {
		r.Report(source.Pos{File: file, Offset: 0}, "the text has %d bytes, the limit is %d", len(l.text), maxBytes)
		return []Token{{Kind: EOF, Pos: source.Pos{File: file, Offset: 0}}}
	}
	var out []Token
	lineStart := true
	for !r.Full() {
		t := l.next(&lineStart)
		if t.Kind == Punct && t.Text == "" {
			continue
		}
		if t.Kind == Ident && l.macros[t.Text] != nil {
			out = l.expand(out, t, 0)
		} else {
			out = append(out, t)
		}
		if t.Kind == EOF {
			return out
		}
		if len(out) > maxTokens {
			r.Report(t.Pos, "more than %d tokens", maxTokens)
			break
		}
	}
	return append(out, Token{Kind: EOF, Pos: source.Pos{File: file, Offset: int32(len(l.text))}})
}

// expand appends the replacement of macro t. Its tokens stand at the place of
// use, where the reader looks.
func (l *lexer) expand(out []Token, t Token, depth int) []Token {
	if depth > 16 || len(out) > maxTokens {
		l.r.Report(t.Pos, "macro %s does not end", t.Text)
		return out
	}
	for _, m := range l.macros[t.Text] {
		m.Pos, m.End = t.Pos, t.End
		if m.Kind == Ident && l.macros[m.Text] != nil && m.Text != t.Text {
			out = l.expand(out, m, depth+1)
		} else {
			out = append(out, m)
		}
	}
	return out
}

func (l *lexer) pos() source.Pos { return source.Pos{File: l.file, Offset: int32(l.off)} }

func (l *lexer) peek(n int) byte {
	if l.off+n < len(l.text) {
		return l.text[l.off+n]
	}
	return 0
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func (l *lexer) next(lineStart *bool) Token {
	space := l.skip(lineStart)
	start := l.pos()
	*lineStart = false
	if l.off >= len(l.text) {
		return Token{Kind: EOF, Pos: start, End: start}
	}
	c := l.peek(0)
	var t Token
	switch {
	case isLetter(c):
		for isLetter(l.peek(0)) || isDigit(l.peek(0)) {
			l.off++
		}
		t = Token{Kind: Ident, Text: l.text[start.Offset:l.off]}
	case isDigit(c) || c == '.' && isDigit(l.peek(1)):
		t = l.number()
	default:
		t = l.punct()
	}
	t.Pos, t.End, t.Space = start, l.pos(), space
	return t
}

// skip passes over white space, comments and directives.
func (l *lexer) skip(lineStart *bool) bool {
	from := l.off
	for l.off < len(l.text) {
		c := l.peek(0)
		switch {
		case c == '\n':
			*lineStart = true
			l.off++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.off++
		case c == '/' && l.peek(1) == '/':
			l.toLineEnd()
		case c == '/' && l.peek(1) == '*':
			end := strings.Index(l.text[l.off+2:], "*/")
			if end < 0 {
				l.r.Report(l.pos(), "comment does not end")
				l.off = len(l.text)
				return true
			}
			l.off += end + 4
		case c == '#' && *lineStart:
			l.directive()
		default:
			return l.off > from
		}
	}
	return l.off > from
}

func (l *lexer) toLineEnd() {
	if end := strings.IndexByte(l.text[l.off:], '\n'); end >= 0 {
		l.off += end
	} else {
		l.off = len(l.text)
	}
}

// directive handles a line that starts with #.
func (l *lexer) directive() {
	at := l.pos()
	from := l.off + 1
	l.toLineEnd()
	line := l.text[from:l.off]
	if i := strings.Index(line, "//"); i >= 0 {
		line = line[:i]
	}
	word, rest := strings.TrimSpace(line), ""
	if i := strings.IndexAny(word, " \t\r"); i >= 0 {
		word, rest = word[:i], strings.TrimSpace(word[i:])
	}
	switch word {
	case "include", "pragma", "":
		return // nothing to include: the dialect has its library built in
	case "define":
		l.define(at, rest)
	case "undef":
		delete(l.macros, rest)
	default:
		l.r.Report(at, "#%s is not part of the dialect", clipWord(word))
	}
}

func clipWord(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

func (l *lexer) define(at source.Pos, rest string) {
	n := 0
	for n < len(rest) && (isLetter(rest[n]) || n > 0 && isDigit(rest[n])) {
		n++
	}
	name := rest[:n]
	if n == 0 {
		l.r.Report(at, "#define needs a name")
		return
	}
	if n < len(rest) && rest[n] == '(' {
		l.r.Report(at, "macro %s takes arguments; write a function instead", name)
		return
	}
	sub := &lexer{r: l.r, file: l.file, text: rest[n:], macros: l.macros}
	list := []Token{}
	start := false
	for len(list) < 256 {
		t := sub.next(&start)
		if t.Kind == EOF {
			break
		}
		if t.Kind != Punct || t.Text != "" {
			list = append(list, t)
		}
	}
	if l.macros == nil {
		l.macros = map[string][]Token{}
	}
	l.macros[name] = list
}

func (l *lexer) number() Token {
	from := l.off
	if l.peek(0) == '0' && l.peek(1)|0x20 == 'x' {
		l.off += 2
		for isDigit(l.peek(0)) || l.peek(0)|0x20 >= 'a' && l.peek(0)|0x20 <= 'f' {
			l.off++
		}
		v, err := strconv.ParseUint(l.text[from+2:l.off], 16, 64)
		return l.integer(from, v, err)
	}
	isFloat := false
	for isDigit(l.peek(0)) {
		l.off++
	}
	if l.peek(0) == '.' {
		isFloat = true
		l.off++
		for isDigit(l.peek(0)) {
			l.off++
		}
	}
	if c := l.peek(0); c|0x20 == 'e' {
		n := 1
		if s := l.peek(1); s == '+' || s == '-' {
			n = 2
		}
		if isDigit(l.peek(n)) {
			isFloat = true
			l.off += n
			for isDigit(l.peek(0)) {
				l.off++
			}
		}
	}
	text := l.text[from:l.off]
	if c := l.peek(0) | 0x20; !isFloat && c != 'f' && c != 'h' {
		base := 10
		if len(text) > 1 && text[0] == '0' {
			base = 8
		}
		v, err := strconv.ParseUint(text, base, 64)
		return l.integer(from, v, err)
	}
	t := Token{Kind: Float, Text: text}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && math.IsInf(v, 0) {
		l.r.Report(source.Pos{File: l.file, Offset: int32(from)}, "number %s is too large", clipWord(text))
	}
	t.Float = v
	if c := l.peek(0) | 0x20; c == 'f' || c == 'h' {
		t.Mark = c
		l.off++
	}
	l.wordEnd(from)
	return t
}

func (l *lexer) integer(from int, v uint64, err error) Token {
	t := Token{Kind: Int, Int: v}
	if err != nil {
		l.r.Report(source.Pos{File: l.file, Offset: int32(from)}, "bad integer %s", clipWord(l.text[from:l.off]))
	}
	t.Text = l.text[from:l.off]
	for c := l.peek(0) | 0x20; c == 'u' || c == 'l'; c = l.peek(0) | 0x20 {
		if t.Mark != 0 && t.Mark != c {
			t.Mark = 'U'
		} else if t.Mark == 0 {
			t.Mark = c
		}
		l.off++
	}
	l.wordEnd(from)
	return t
}

// wordEnd refuses letters stuck to a number, as in 3abc.
func (l *lexer) wordEnd(from int) {
	if isLetter(l.peek(0)) || isDigit(l.peek(0)) {
		for isLetter(l.peek(0)) || isDigit(l.peek(0)) {
			l.off++
		}
		l.r.Report(source.Pos{File: l.file, Offset: int32(from)}, "bad number %s", clipWord(l.text[from:l.off]))
	}
}

// puncts are tried longest first.
var puncts = []string{
	"<<=", ">>=", "...",
	"::", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>",
	"<=", ">=", "==", "!=", "&&", "||", "->",
	"+", "-", "*", "/", "%", "=", "<", ">", "!", "~", "&", "|", "^", "?", ":",
	";", ",", ".", "(", ")", "[", "]", "{", "}",
}

func (l *lexer) punct() Token {
	for _, p := range puncts {
		if strings.HasPrefix(l.text[l.off:], p) {
			l.off += len(p)
			return Token{Kind: Punct, Text: p}
		}
	}
	at := l.pos()
	n := 1
	for l.off+n < len(l.text) && l.text[l.off+n] >= 0x80 && l.text[l.off+n] < 0xc0 {
		n++ // keep a multi-byte character whole
	}
	l.r.Report(at, "unexpected character %q", l.text[l.off:l.off+n])
	l.off += n
	return Token{Kind: Punct} // without text: dropped by the caller
}

package syntax

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Options are what the parser must know about names.
type Options struct {
	// IsType reports the names of built-in types and of type arguments.
	IsType func(string) bool
	// Types are offered in hints.
	Types []string
}

// Parse reads a header and a body. Faults are reported to r; the tree holds
// what could be read.
func Parse(r *source.Reporter, opt Options) *Tree {
	t := &Tree{Source: r.Source, Aliases: map[string]*Type{}, Body: &Block{}}
	macros := map[string][]Token{}
	for i := range r.Source.Files {
		p := &parser{r: r, opt: opt, tree: t, toks: lex(r, int32(i), macros)}
		if i == len(r.Source.Files)-1 {
			p.body()
		} else {
			p.header()
		}
	}
	return t
}

type parser struct {
	r     *source.Reporter
	opt   Options
	tree  *Tree
	toks  []Token
	i     int
	depth int
}

// bail unwinds to the nearest statement after a fault; it never leaves Parse.
type bail struct{}

func (p *parser) tok() Token { return p.toks[p.i] }

func (p *parser) ahead(n int) Token { return p.toks[min(p.i+n, len(p.toks)-1)] }

func (p *parser) advance() Token {
	t := p.toks[p.i]
	if p.i < len(p.toks)-1 {
		p.i++
	}
	return t
}

func (p *parser) is(text string) bool {
	t := p.tok()
	return t.Text == text && (t.Kind == Punct || t.Kind == Ident)
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.advance()
		return true
	}
	return false
}

func (t Token) describe() string {
	switch t.Kind {
	case EOF:
		return "the end of the text"
	case Int, Float:
		return "number " + clipWord(t.Text)
	}
	return fmt.Sprintf("%q", clipWord(t.Text))
}

func (p *parser) fail(at source.Pos, format string, args ...any) {
	p.r.Report(at, format, args...)
	panic(bail{})
}

// expect takes a punctuation mark. A missing one is reported just behind the
// token before it, where it belongs.
func (p *parser) expect(text, where string) Token {
	if !p.is(text) {
		at := p.tok().Pos
		if p.i > 0 && (text == ";" || text == ")" || text == "]") && p.toks[p.i-1].End.File == at.File {
			at = p.toks[p.i-1].End
		}
		p.fail(at, "expected %q %s, found %s", text, where, p.tok().describe())
	}
	return p.advance()
}

func (p *parser) ident(what string) Token {
	t := p.tok()
	if t.Kind != Ident {
		p.fail(t.Pos, "expected %s, found %s", what, t.describe())
	}
	if reserved[t.Text] {
		p.fail(t.Pos, "expected %s, found the keyword %q", what, t.Text)
	}
	return p.advance()
}

var reserved = map[string]bool{
	"if": true, "else": true, "for": true, "while": true, "do": true, "return": true, "break": true,
	"continue": true, "switch": true, "case": true, "default": true, "goto": true, "struct": true,
	"union": true, "enum": true, "class": true, "template": true, "typename": true, "using": true,
	"namespace": true, "typedef": true, "sizeof": true, "true": true, "false": true, "const": true,
	"static_cast": true, "threadgroup": true, "device": true, "thread": true, "constant": true,
}

// refused are constructs of C++ that the dialect leaves out.
var refused = map[string]string{
	"switch": "use if/else", "goto": "use loops and break", "struct": "use vectors or several variables",
	"union": "use as_type<T>(x)", "enum": "use integer constants", "class": "use functions",
	"template": "give template constants with the launch", "case": "use if/else", "default": "use if/else",
	"sizeof": "", "try": "", "throw": "", "new": "", "delete": "", "asm": "", "kernel": "write the body only",
}

// marked are words that CUDA has between pairs of underscores.
var marked = map[string]string{"global": "write the body only", "shared": "use threadgroup", "device": "functions need no word before them"}

func (p *parser) refuse() {
	t := p.tok()
	hint, bad := refused[t.Text]
	if word, ok := strings.CutPrefix(t.Text, "__"); ok && !bad {
		if word, ok = strings.CutSuffix(word, "__"); ok {
			hint, bad = marked[word]
		}
	}
	if t.Kind != Ident || !bad {
		return
	}
	p.r.Suggest(t.Pos, hint, "%q is not part of the dialect", t.Text)
	panic(bail{})
}

// enter counts nesting; leave undoes it.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok().Pos, "nested more than %d deep", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// guard runs f and, after a fault in it, skips to where parsing can go on.
func (p *parser) guard(f func()) {
	depth := p.depth
	start := p.i
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(bail); !ok {
				panic(e)
			}
			p.depth = depth
			p.skip(start)
		}
	}()
	f()
}

// skip goes past the next ; at this level, or to the } that ends it.
func (p *parser) skip(start int) {
	level := 0
	for t := p.tok(); t.Kind != EOF; t = p.tok() {
		if t.Kind == Punct {
			switch t.Text {
			case "{":
				level++
			case "}":
				if level == 0 {
					if p.i == start {
						p.advance()
					}
					return
				}
				level--
				if level == 0 {
					p.advance()
					return
				}
			case ";":
				if level == 0 {
					p.advance()
					return
				}
			}
		}
		p.advance()
	}
}

// body reads the whole file as the statements of the kernel.
func (p *parser) body() {
	p.tree.Body.Pos = p.tok().Pos
	for p.tok().Kind != EOF && !p.r.Full() {
		p.guard(func() {
			if p.is("}") {
				p.fail(p.tok().Pos, "unmatched }")
			}
			if p.prologue() {
				return
			}
			p.tree.Body.List = append(p.tree.Body.List, p.statement()...)
		})
	}
}

// header reads functions, constants and aliases.
func (p *parser) header() {
	for p.tok().Kind != EOF && !p.r.Full() {
		p.guard(func() {
			if p.accept(";") || p.prologue() {
				return
			}
			p.refuse()
			p.global()
		})
	}
}

// prologue accepts what Metal sources open with, and aliases.
func (p *parser) prologue() bool {
	switch {
	case p.is("using") && p.ahead(1).Text == "namespace":
		p.advance()
		p.advance()
		p.ident("a namespace")
		p.expect(";", "after using namespace")
		return true
	case p.accept("using"):
		name := p.ident("a name")
		p.expect("=", "in using")
		p.tree.Aliases[name.Text] = p.typ()
		p.expect(";", "after using")
		return true
	case p.accept("typedef"):
		t := p.typ()
		p.tree.Aliases[p.ident("a name").Text] = t
		p.expect(";", "after typedef")
		return true
	}
	return false
}

func (p *parser) global() {
	t := p.typ()
	name := p.ident("a name")
	if p.accept("(") {
		f := &Func{Pos: name.Pos, Result: t, Name: name.Text}
		for !p.is(")") {
			if len(f.Params) > 0 {
				p.expect(",", "between parameters")
			}
			if len(f.Params) == 0 && p.is("void") && p.ahead(1).Text == ")" {
				p.advance()
				break
			}
			pt := p.typ()
			n := p.ident("a parameter name")
			if p.accept("[") { // an array parameter is a pointer, as in C
				for !p.is("]") && p.tok().Kind != EOF {
					p.advance()
				}
				p.expect("]", "after the array size")
				pt.Ptr = true
			}
			f.Params = append(f.Params, Param{Pos: n.Pos, Type: pt, Name: n.Text})
		}
		p.expect(")", "after the parameters")
		if !p.accept(";") {
			f.Body = p.block()
		}
		p.tree.Funcs = append(p.tree.Funcs, f)
		return
	}
	p.tree.Globals = append(p.tree.Globals, p.declarators(t, name)...)
}

// qualifiers that carry no meaning here.
var ignoredQualifiers = map[string]bool{
	"static": true, "inline": true, "constexpr": true, "volatile": true, "coherent": true, "restrict": true,
	"__restrict__": true, "__restrict": true, "extern": true, "METAL_FUNC": true,
}

func isSpace(s string) bool {
	return s == "device" || s == "threadgroup" || s == "constant" || s == "thread"
}

// typ reads qualifiers, a type name, and one * or &.
func (p *parser) typ() *Type {
	t := &Type{Pos: p.tok().Pos}
	name := ""
	for {
		k := p.tok()
		switch {
		case k.Kind == Ident && k.Text == "const":
			t.Const = true
		case k.Kind == Ident && isSpace(k.Text):
			if t.Space != "" && t.Space != k.Text && !(t.Space == "constant") {
				p.fail(k.Pos, "both %s and %s", t.Space, k.Text)
			}
			t.Space = k.Text
		case k.Kind == Ident && ignoredQualifiers[k.Text]:
			if k.Text == "constexpr" {
				t.Const = true
			}
		case k.Kind == Ident && (k.Text == "unsigned" || k.Text == "signed"):
			name = p.signed(k.Text)
			t.Pos = k.Pos
			continue
		case k.Kind == Ident && name == "" && !reserved[k.Text]:
			p.refuse()
			name = k.Text
			t.Pos = k.Pos
			if p.ahead(1).Text == "::" { // metal::float2
				p.advance()
				p.advance()
				name = p.tok().Text
			}
		default:
			if name == "" {
				p.refuse()
				p.fail(k.Pos, "expected a type, found %s", k.describe())
			}
			t.Name = name
			p.pointer(t)
			return t
		}
		p.advance()
		if name == "atomic" && p.accept("<") {
			name = "atomic_" + p.ident("a type").Text
			p.expect(">", "after the type")
		}
		if name != "" {
			for p.accept("const") {
				t.Const = true
			}
			t.Name = name
			p.pointer(t)
			return t
		}
	}
}

// signed reads "unsigned int" and the like.
func (p *parser) signed(word string) string {
	p.advance()
	base := "int"
	if k := p.tok(); k.Kind == Ident {
		switch k.Text {
		case "char", "short", "int", "long":
			base = p.advance().Text
		}
	}
	if word == "unsigned" {
		return "u" + base
	}
	return base
}

func (p *parser) pointer(t *Type) {
	switch {
	case p.accept("*"):
		t.Ptr = true
		for p.accept("const") || p.accept("__restrict__") || p.accept("restrict") || p.accept("__restrict") {
			continue
		}
		if p.is("*") {
			p.fail(p.tok().Pos, "pointers to pointers are not part of the dialect")
		}
	case p.accept("&"):
		t.Ref = true
	}
}

package syntax

import "github.com/twiddle-go/twiddle/internal/ktree/source"

// startsDecl reports that the tokens here begin a declaration.
func (p *parser) startsDecl() bool {
	t := p.tok()
	if t.Kind != Ident {
		return false
	}
	if t.Text == "const" || isSpace(t.Text) || ignoredQualifiers[t.Text] || t.Text == "unsigned" || t.Text == "signed" {
		return true
	}
	next := p.ahead(1)
	if t.Text == "atomic" && next.Text == "<" {
		return true
	}
	if p.isType(t.Text) {
		// float(x) and float4(a, b) are expressions.
		return next.Kind == Ident || next.Text == "*" || next.Text == "&"
	}
	if t.Text == "metal" && next.Text == "::" && p.isType(p.ahead(2).Text) {
		return p.ahead(3).Kind == Ident
	}
	// Two words in a row can only be a declaration with an unknown type.
	return next.Kind == Ident && !reserved[t.Text] && refused[t.Text] == "" && !reserved[next.Text]
}

func (p *parser) isType(name string) bool {
	if name == "auto" || p.opt.IsType(name) {
		return true
	}
	_, ok := p.tree.Aliases[name]
	return ok
}

// statement reads one statement; a declaration of several variables gives
// several.
func (p *parser) statement() []Stmt {
	p.enter()
	defer p.leave()
	t := p.tok()
	switch {
	case p.accept(";"):
		return nil
	case p.is("{"):
		return []Stmt{p.block()}
	case p.accept("if"):
		s := &If{Pos: t.Pos}
		p.accept("constexpr")
		s.Cond = p.paren("if")
		s.Then = p.nested()
		if p.accept("else") {
			s.Else = p.nested()
		}
		return []Stmt{s}
	case p.accept("for"):
		return []Stmt{p.forLoop(t.Pos)}
	case p.accept("while"):
		return []Stmt{&For{Pos: t.Pos, Cond: p.paren("while"), Body: p.nested()}}
	case p.accept("do"):
		s := &Do{Pos: t.Pos, Body: p.nested()}
		if !p.accept("while") {
			p.fail(p.tok().Pos, "expected while after do, found %s", p.tok().describe())
		}
		s.Cond = p.paren("while")
		p.expect(";", "after do ... while")
		return []Stmt{s}
	case p.accept("return"):
		s := &Return{Pos: t.Pos}
		if !p.is(";") {
			s.X = p.expr()
		}
		p.expect(";", "after return")
		return []Stmt{s}
	case p.is("break") || p.is("continue"):
		p.advance()
		p.expect(";", "after "+t.Text)
		return []Stmt{&Jump{Pos: t.Pos, Break: t.Text == "break"}}
	case p.is("else"):
		p.fail(t.Pos, "else without if")
	}
	p.refuse()
	if p.startsDecl() {
		return p.declaration()
	}
	s := &ExprStmt{Pos: t.Pos, X: p.exprList()}
	p.expect(";", "after the statement")
	return []Stmt{s}
}

// nested reads the statement a control structure governs.
func (p *parser) nested() Stmt {
	at := p.tok().Pos
	list := p.statement()
	if len(list) == 1 {
		return list[0]
	}
	return &Block{Pos: at, List: list}
}

func (p *parser) paren(what string) Expr {
	p.expect("(", "after "+what)
	x := p.expr()
	p.expect(")", "after the condition")
	return x
}

func (p *parser) block() *Block {
	b := &Block{Pos: p.expect("{", "to open a block").Pos}
	for !p.is("}") {
		if p.tok().Kind == EOF {
			p.fail(b.Pos, "this { is never closed")
		}
		if p.r.Full() {
			panic(bail{})
		}
		p.guard(func() { b.List = append(b.List, p.statement()...) })
	}
	p.advance()
	return b
}

func (p *parser) forLoop(at source.Pos) Stmt {
	s := &For{Pos: at}
	p.expect("(", "after for")
	switch {
	case p.accept(";"):
	case p.startsDecl():
		s.Init = p.declaration()
	default:
		x := p.exprList()
		s.Init = []Stmt{&ExprStmt{Pos: x.At(), X: x}}
		p.expect(";", "after the start of the loop")
	}
	if !p.is(";") {
		s.Cond = p.expr()
	}
	p.expect(";", "after the loop condition")
	for !p.is(")") {
		if len(s.Post) > 0 {
			p.expect(",", "in the loop step")
		}
		s.Post = append(s.Post, p.expr())
	}
	p.expect(")", "after the loop step")
	s.Body = p.nested()
	return s
}

// declaration reads type a = 1, b[2]; up to its semicolon.
func (p *parser) declaration() []Stmt {
	t := p.typ()
	if k := p.tok(); k.Kind == Punct && !p.isType(t.Name) {
		p.r.Suggest(t.Pos, source.DidYouMean(t.Name, p.opt.Types), "unknown type %q", t.Name)
		panic(bail{})
	}
	var out []Stmt
	for _, d := range p.declarators(t, p.ident("a variable name")) {
		out = append(out, d)
	}
	return out
}

func (p *parser) declarators(t *Type, name Token) []*Decl {
	if !p.isType(t.Name) && t.Name != "void" {
		p.r.Suggest(t.Pos, source.DidYouMean(t.Name, p.opt.Types), "unknown type %q", t.Name)
		panic(bail{})
	}
	var out []*Decl
	for {
		d := &Decl{Pos: name.Pos, Type: t, Name: name.Text}
		for p.accept("[") {
			if p.is("]") {
				d.Dims = append(d.Dims, nil) // sized by its initialiser
			} else {
				d.Dims = append(d.Dims, p.expr())
			}
			p.expect("]", "after the array size")
		}
		switch {
		case p.accept("="):
			if p.is("{") {
				d.Init = p.list()
			} else {
				d.Init = p.expr()
			}
		case p.is("{"):
			d.Init = p.list()
		case p.is("("): // float x(1.0f);
			p.advance()
			d.Init = p.expr()
			p.expect(")", "after the initial value")
		}
		out = append(out, d)
		if !p.accept(",") {
			break
		}
		if p.is("*") {
			p.fail(p.tok().Pos, "declare each pointer on its own")
		}
		name = p.ident("a variable name")
	}
	p.expect(";", "after the declaration")
	return out
}

func (p *parser) list() Expr {
	p.enter()
	defer p.leave()
	l := &List{Pos: p.expect("{", "to open a list").Pos}
	for !p.is("}") {
		if len(l.Elems) > 0 {
			p.expect(",", "between elements")
			if p.is("}") {
				break
			}
		}
		if p.is("{") {
			l.Elems = append(l.Elems, p.list())
		} else {
			l.Elems = append(l.Elems, p.expr())
		}
	}
	p.expect("}", "to close the list")
	return l
}

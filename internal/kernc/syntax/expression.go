package syntax

// precedence of infix operators, low to high; assignment and ?: are apart.
var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6,
	"<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

var assignOps = map[string]string{
	"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%",
	"&=": "&", "|=": "|", "^=": "^", "<<=": "<<", ">>=": ">>",
}

// exprList reads a, b, c as comma expressions.
func (p *parser) exprList() Expr {
	x := p.expr()
	for n := 0; p.is(","); n++ {
		if n > maxChain {
			p.fail(p.tok().Pos, "more than %d expressions in a row", maxChain)
		}
		at := p.advance().Pos
		x = &Binary{Pos: at, Op: ",", X: x, Y: p.expr()}
	}
	return x
}

// expr reads an assignment or anything below it.
func (p *parser) expr() Expr {
	p.enter()
	defer p.leave()
	x := p.ternary()
	if t := p.tok(); t.Kind == Punct {
		if op, ok := assignOps[t.Text]; ok {
			p.advance()
			return &Assign{Pos: t.Pos, Op: op, L: x, R: p.expr()}
		}
	}
	return x
}

func (p *parser) ternary() Expr {
	c := p.binary(1)
	if t := p.tok(); p.accept("?") {
		x := p.expr()
		p.expect(":", "in ?:")
		p.enter()
		defer p.leave()
		return &Cond{Pos: t.Pos, C: c, X: x, Y: p.ternary()}
	}
	return c
}

func (p *parser) binary(level int) Expr {
	p.enter()
	defer p.leave()
	x := p.unary()
	for n := 0; ; n++ {
		t := p.tok()
		prec := precedence[t.Text]
		if t.Kind != Punct || prec < level || prec == 0 {
			return x
		}
		if n > maxChain {
			p.fail(t.Pos, "more than %d operators in one expression", maxChain)
		}
		p.advance()
		x = &Binary{Pos: t.Pos, Op: t.Text, X: x, Y: p.binary(prec + 1)}
	}
}

func (p *parser) unary() Expr {
	p.enter()
	defer p.leave()
	t := p.tok()
	if t.Kind == Punct {
		switch t.Text {
		case "+", "-", "!", "~", "&", "*", "++", "--":
			p.advance()
			return &Unary{Pos: t.Pos, Op: t.Text, X: p.unary()}
		case "(":
			if p.startsCast() {
				p.advance()
				typ := p.typ()
				p.expect(")", "after the type")
				return &Cast{Pos: t.Pos, Type: typ, X: p.unary()}
			}
		}
	}
	return p.postfix(p.primary())
}

// startsCast looks behind an opening parenthesis for a type.
func (p *parser) startsCast() bool {
	t, next := p.ahead(1), p.ahead(2)
	if t.Kind != Ident {
		return false
	}
	if t.Text == "const" || isSpace(t.Text) || t.Text == "unsigned" || t.Text == "signed" {
		return true
	}
	return p.isType(t.Text) && (next.Text == ")" || next.Text == "*" && (p.ahead(3).Text == ")" || p.ahead(3).Text == "const"))
}

func (p *parser) primary() Expr {
	t := p.tok()
	switch t.Kind {
	case Int:
		p.advance()
		return &Number{Pos: t.Pos, Int: t.Int, Mark: t.Mark}
	case Float:
		p.advance()
		return &Number{Pos: t.Pos, IsFloat: true, Float: t.Float, Mark: t.Mark}
	case Punct:
		if p.accept("(") {
			x := p.exprList()
			p.expect(")", "to close the parenthesis")
			return x
		}
	case Ident:
		return p.word()
	}
	p.fail(t.Pos, "expected an expression, found %s", t.describe())
	return nil
}

// word reads a name, a constant, a constructor or a call.
func (p *parser) word() Expr {
	t := p.tok()
	switch t.Text {
	case "true", "false":
		p.advance()
		return &Bool{Pos: t.Pos, Value: t.Text == "true"}
	case "static_cast", "as_type":
		p.advance()
		p.expect("<", "after "+t.Text)
		typ := p.typ()
		p.expect(">", "after the type")
		args := p.args()
		if t.Text == "as_type" {
			return &Call{Pos: t.Pos, Fun: &Name{Pos: t.Pos, Text: t.Text}, Type: typ, Args: args}
		}
		if len(args) != 1 {
			p.fail(t.Pos, "static_cast takes one value")
		}
		return &Cast{Pos: t.Pos, Type: typ, X: args[0]}
	case "unsigned", "signed":
		typ := p.typ()
		return &Make{Pos: t.Pos, Type: typ, Args: p.args()}
	}
	if reserved[t.Text] {
		p.refuse()
		p.fail(t.Pos, "unexpected keyword %q", t.Text)
	}
	p.advance()
	name := &Name{Pos: t.Pos, End: t.End, Text: t.Text}
	for p.accept("::") {
		n := p.ident("a name")
		name.Scope, name.Text, name.End = name.Text, n.Text, n.End
	}
	if p.is("{") && p.isType(name.Text) { // float2{x, y}
		l := p.list().(*List)
		return &Make{Pos: t.Pos, Type: &Type{Pos: t.Pos, Name: name.Text}, Args: l.Elems}
	}
	if !p.is("(") {
		return name
	}
	if p.isType(name.Text) {
		return &Make{Pos: t.Pos, Type: &Type{Pos: t.Pos, Name: name.Text}, Args: p.args()}
	}
	return &Call{Pos: t.Pos, Fun: name, Args: p.args()}
}

func (p *parser) args() []Expr {
	p.expect("(", "to open the arguments")
	var out []Expr
	for !p.is(")") {
		if len(out) > 0 {
			p.expect(",", "between arguments")
		}
		out = append(out, p.expr())
	}
	p.advance()
	return out
}

func (p *parser) postfix(x Expr) Expr {
	for n := 0; ; n++ {
		t := p.tok()
		if n > maxDepth {
			p.fail(t.Pos, "more than %d selections in a row", maxDepth)
		}
		switch {
		case p.accept("["):
			i := p.expr()
			p.expect("]", "after the index")
			x = &Index{Pos: t.Pos, X: x, I: i}
		case p.accept("."):
			m := p.ident("a component")
			x = &Member{Pos: m.Pos, X: x, Name: m.Text}
		case p.is("->"):
			p.fail(t.Pos, "-> is not part of the dialect")
		case p.is("++") || p.is("--"):
			p.advance()
			x = &Unary{Pos: t.Pos, Op: t.Text, Post: true, X: x}
		default:
			return x
		}
	}
}

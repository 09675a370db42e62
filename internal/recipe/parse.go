package recipe

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads what String wrote, and validates it.
func Parse(text string) (*Recipe, error) {
	p := parser{rest: text}
	r, err := p.recipe(0)
	if err == nil && strings.TrimSpace(p.rest) != "" {
		err = fmt.Errorf("trailing %q", p.rest)
	}
	if err != nil {
		return nil, fmt.Errorf("recipe: parse %q: %w", text, err)
	}
	if err := r.Validate(); err != nil {
		return nil, err
	}
	return r, nil
}

// maxDepth bounds the nesting of what Parse accepts: Rader in Bluestein in
// Rader already has no use.
const maxDepth = 8

type parser struct{ rest string }

// token cuts the leading run of bytes for which in reports true.
func (p *parser) token(in func(byte) bool) string {
	p.rest = strings.TrimLeft(p.rest, " ")
	i := 0
	for i < len(p.rest) && in(p.rest[i]) {
		i++
	}
	t := p.rest[:i]
	p.rest = p.rest[i:]
	return t
}

func (p *parser) number() (int, error) {
	t := p.token(func(c byte) bool { return c >= '0' && c <= '9' })
	n, err := strconv.Atoi(t)
	if err != nil {
		return 0, fmt.Errorf("%q is not a length", t)
	}
	return n, nil
}

func (p *parser) nested(depth int) (*Recipe, error) {
	p.rest = strings.TrimLeft(p.rest, " ")
	rest, ok := strings.CutPrefix(p.rest, "(")
	if !ok {
		return nil, fmt.Errorf("missing ( before %q", p.rest)
	}
	p.rest = rest
	r, err := p.recipe(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.rest, ok = strings.CutPrefix(p.rest, ")"); !ok {
		return nil, fmt.Errorf("missing ) before %q", p.rest)
	}
	return r, nil
}

func (p *parser) recipe(depth int) (*Recipe, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	var r Recipe
	name := p.token(func(c byte) bool { return c >= 'a' && c <= 'z' })
	if err := r.Kind.UnmarshalText([]byte(name)); err != nil {
		return nil, err
	}
	var err error
	switch r.Kind {
	case MixedRadix:
		if err = p.radices(&r); err == nil {
			r.Sharing, err = p.sharing()
		}
	case FourStep, Cluster:
		if r.Kind == Cluster {
			if r.Blocks, err = p.number(); err != nil {
				return nil, err
			}
		}
		if r.Columns, err = p.nested(depth); err != nil {
			return nil, err
		}
		if r.Rows, err = p.nested(depth); err != nil {
			return nil, err
		}
		r.N, err = times(r.Columns.N, r.Rows.N)
	default:
		if r.N, err = p.number(); err != nil {
			return nil, err
		}
		if r.Kind == Direct {
			r.Sharing, err = p.sharing()
		} else {
			r.Inner, err = p.nested(depth)
		}
	}
	return &r, err
}

func (p *parser) radices(r *Recipe) error {
	r.N = 1
	for {
		f, err := p.number()
		if err != nil {
			return err
		}
		if r.N, err = times(r.N, f); err != nil {
			return err
		}
		r.Radices = append(r.Radices, f)
		if p.rest == "" || p.rest[0] != '.' && p.rest[0] != '|' {
			return nil
		}
		if p.rest[0] == '|' {
			if r.Turn != 0 {
				return fmt.Errorf("two turns")
			}
			r.Turn = len(r.Radices)
		}
		p.rest = p.rest[1:]
	}
}

// sharing reads what follows the radices of a GPU's recipe, if anything.
func (p *parser) sharing() (s Sharing, err error) {
	for _, part := range []struct {
		mark string
		n    *int
	}{{"@", &s.Threads}, {"x", &s.Lines}, {"/", &s.Resident}, {"+", &s.Ahead}} {
		rest, ok := strings.CutPrefix(p.rest, part.mark)
		switch {
		case ok:
			p.rest = rest
			if *part.n, err = p.number(); err != nil {
				return s, err
			}
		case s.Threads == 0:
			return s, nil
		}
	}
	p.rest, s.Tight = strings.CutPrefix(p.rest, "!")
	if p.rest, s.Turns = strings.CutPrefix(p.rest, "!"); !s.Tight {
		p.rest, s.Turns = strings.CutPrefix(p.rest, "~")
	}
	p.rest, s.Stays = strings.CutPrefix(p.rest, "*")
	p.rest, s.Wide = strings.CutPrefix(p.rest, "=")
	return s, nil
}

// times multiplies two lengths that together must stay a length.
func times(a, b int) (int, error) {
	const limit = math.MaxInt / 64 // so that bytes and their sums do not overflow
	if a < 1 || b < 1 || a > limit/b {
		return 0, fmt.Errorf("length %d times %d", a, b)
	}
	return a * b, nil
}

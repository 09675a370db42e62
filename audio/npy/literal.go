package npy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseHeader reads the Python dictionary that a header is. It takes the
// literals NumPy writes and no others: strings, True and False, and tuples of
// integers (with the L that Python 2 put behind them).
func parseHeader(text string) (Header, error) {
	p := &literal{rest: text}
	var h Header
	seen := map[string]bool{}
	p.expect('{')
	for p.err == nil && !p.accept('}') {
		key := p.str()
		p.expect(':')
		if p.err != nil {
			break
		}
		if seen[key] {
			return Header{}, fmt.Errorf("key %.40q appears twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			p.space()
			if strings.HasPrefix(p.rest, "[") {
				return Header{}, errors.New("structured dtypes are not supported")
			}
			descr := p.str()
			if p.err == nil {
				h.DType, h.BigEndian, p.err = parseDescr(descr)
			}
		case "fortran_order":
			h.Fortran = p.boolean()
		case "shape":
			h.Shape = p.tuple()
		default:
			return Header{}, fmt.Errorf("unknown key %.40q", key)
		}
		if !p.accept(',') {
			p.expect('}')
			break
		}
	}
	p.space()
	switch {
	case p.err != nil:
		return Header{}, p.err
	case p.rest != "":
		return Header{}, fmt.Errorf("%.20q follows the dictionary", p.rest)
	case len(seen) != 3:
		return Header{}, errors.New("want exactly the keys descr, fortran_order and shape")
	}
	return h, nil
}

// literal consumes text from the front. After the first error it stands still.
type literal struct {
	rest string
	err  error
}

func (p *literal) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *literal) fail(want string) {
	if p.err == nil {
		p.err = fmt.Errorf("want %s at %.20q", want, p.rest)
	}
}

// accept consumes c if it comes next.
func (p *literal) accept(c byte) bool {
	p.space()
	if p.err != nil || p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *literal) expect(c byte) {
	if !p.accept(c) {
		p.fail(strconv.QuoteRune(rune(c)))
	}
}

// str is a quoted string. What NumPy writes has no escapes in it.
func (p *literal) str() string {
	p.space()
	if p.rest != "" && (p.rest[0] == '\'' || p.rest[0] == '"') {
		if end := strings.IndexByte(p.rest[1:], p.rest[0]); end >= 0 && !strings.Contains(p.rest[1:1+end], `\`) {
			s := p.rest[1 : 1+end]
			p.rest = p.rest[2+end:]
			return s
		}
	}
	p.fail("a string")
	return ""
}

func (p *literal) boolean() bool {
	p.space()
	for _, word := range []string{"True", "False"} {
		if rest, ok := strings.CutPrefix(p.rest, word); ok {
			p.rest = rest
			return word == "True"
		}
	}
	p.fail("True or False")
	return false
}

func (p *literal) tuple() []int {
	var dims []int
	p.expect('(')
	for p.err == nil && !p.accept(')') {
		if len(dims) == maxDims {
			p.fail(fmt.Sprintf("at most %d dimensions", maxDims))
			break
		}
		dims = append(dims, p.integer())
		if !p.accept(',') {
			p.expect(')')
			if len(dims) == 1 {
				p.fail("a tuple, not a number in brackets,")
			}
			break
		}
	}
	return dims
}

func (p *literal) integer() int {
	p.space()
	end := 0
	for end < len(p.rest) && (p.rest[end] >= '0' && p.rest[end] <= '9' || end == 0 && p.rest[end] == '-') {
		end++
	}
	n, err := strconv.Atoi(p.rest[:end])
	if err != nil {
		p.fail("a dimension that fits an int")
		return 0
	}
	p.rest = strings.TrimPrefix(p.rest[end:], "L")
	return n
}

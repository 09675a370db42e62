package kernlint

import (
	"fmt"
	"math"
	"strings"

	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// divisions finds integer divisions and remainders by what is not constant.
func (k *kernel) divisions() {
	k.all(func(e syntax.Expr) {
		var x, y syntax.Expr
		var at source.Pos
		op := ""
		switch e := e.(type) {
		case *syntax.Binary:
			x, y, op, at = e.X, e.Y, e.Op, e.Pos
		case *syntax.Assign:
			x, y, op, at = e.L, e.R, e.Op, e.Pos
		}
		if op != "/" && op != "%" || k.classOf(x) != integer || k.classOf(y) != integer || k.constant(y) {
			return
		}
		k.report(Division, at, nil, "integer division by a value that is not constant takes tens of instructions: "+
			"use a 2-D grid, a template constant or a shift")
	})
}

// localArrays finds arrays of one thread that are indexed by what is not
// constant, so that they cannot live in registers. Each is told once.
func (k *kernel) localArrays() {
	told := map[*variable]bool{}
	k.all(func(e syntax.Expr) {
		x, ok := e.(*syntax.Index)
		if !ok || k.constant(x.I) {
			return
		}
		v := k.root(x.X, nil)
		if v == nil || v.operand || v.dims == 0 || v.space != "" && v.space != "thread" || told[v] || k.isGlobal(v) {
			return
		}
		if member, ok := x.X.(*syntax.Member); ok && member != nil {
			return // a component of a vector
		}
		told[v] = true
		k.report(LocalRAM, firstPos(x), nil, fmt.Sprintf("%s is indexed by a value that is not constant, so it lives in memory and not in registers: "+
			"unroll the loop, or use threadgroup memory", v.name))
	})
}

func firstPos(e syntax.Expr) source.Pos {
	for {
		switch x := e.(type) {
		case *syntax.Index:
			e = x.X
		case *syntax.Member:
			e = x.X
		default:
			return e.At()
		}
	}
}

func (k *kernel) isGlobal(v *variable) bool {
	for _, d := range k.tree.Globals {
		if k.locals[d] == v {
			return true
		}
	}
	return false
}

// halves finds operations on half numbers that a float literal turns into
// operations on floats.
func (k *kernel) halves() {
	targets := map[syntax.Expr]bool{} // expressions that go straight into a half
	k.all(func(e syntax.Expr) {
		if a, ok := e.(*syntax.Assign); ok && k.classOf(a.L) == half {
			targets[a.R] = true
		}
	})
	for _, v := range k.locals {
		if v.class == half && v.init != nil && v.dims == 0 {
			targets[v.init] = true
		}
	}
	k.all(func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Binary:
			if !strings.Contains("+-*/ == != <= >= < >", e.Op) {
				return
			}
			k.mixed(e.X, e.Y, targets[e])
			k.mixed(e.Y, e.X, targets[e])
		case *syntax.Assign:
			if e.Op != "" {
				k.mixed(e.L, e.R, true)
			}
		case *syntax.Call:
			if e.Fun == nil {
				return
			}
			if _, ok := ktree.FindIntrinsic(e.Fun.Text); !ok {
				return
			}
			if len(e.Args) > 4 {
				return // no function has as many
			}
			for _, a := range e.Args {
				for _, b := range e.Args {
					k.mixed(a, b, false)
				}
			}
		}
	})
}

// mixed reports literal, a float, beside x, a half. Rounding a single
// operation on floats to half gives what the operation on halves gives, so the
// fix is certain where that is all there is.
func (k *kernel) mixed(x, literal syntax.Expr, certain bool) {
	if u, ok := literal.(*syntax.Unary); ok && u.Op == "-" {
		literal = u.X
	}
	n, ok := literal.(*syntax.Number)
	if !ok || !n.IsFloat || n.Mark == 'h' || k.classOf(x) != half || k.told[n] {
		return
	}
	k.told[n] = true
	start, end := k.literal(n.Pos)
	text := k.text(n.Pos)[start:end]
	digits := strings.TrimRight(text, "fF")
	var fix *Fix
	if certain && inHalf(n.Float) {
		fix = &Fix{start, end, digits + "h"}
	}
	k.report(MixedHalf, n.Pos, fix, fmt.Sprintf("%s is a float, so the half beside it becomes one too: write %sh", text, digits))
	k.found[len(k.found)-1].End = end
}

// literal is where the number at p starts and ends.
func (k *kernel) literal(p source.Pos) (start, end int) {
	text := k.text(p)
	start = int(p.Offset)
	end = start
	for end < len(text) && (isWord(text[end]) || text[end] == '.' || (text[end] == '-' || text[end] == '+') && end > start && (text[end-1]|32) == 'e') {
		end++
	}
	return start, end
}

// inHalf reports whether a number is exactly a half: eleven bits, from 2^-14
// to 65504.
func inHalf(v float64) bool {
	if v == 0 {
		return true
	}
	frac, exp := math.Frexp(math.Abs(v))
	return exp >= -13 && math.Abs(v) <= 65504 && frac*2048 == math.Trunc(frac*2048)
}

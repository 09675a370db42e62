package kernlint

import (
	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// classOf is the class of an expression. It is worked out once: expressions
// nest, and variables are made of variables.
func (k *kernel) classOf(e syntax.Expr) class {
	if c, ok := k.classes[e]; ok {
		return c
	}
	c := k.newClass(e)
	k.classes[e] = c
	return c
}

func (k *kernel) newClass(e syntax.Expr) class {
	switch e := e.(type) {
	case *syntax.Name:
		if v := k.refs[e]; v != nil {
			return v.class
		}
	case *syntax.Number:
		switch {
		case !e.IsFloat:
			return integer
		case e.Mark == 'h':
			return half
		}
		return float
	case *syntax.Bool:
		return boolean
	case *syntax.Unary:
		if e.Op == "!" {
			return boolean
		}
		if e.Op == "&" {
			return unknown
		}
		return k.classOf(e.X)
	case *syntax.Binary:
		switch e.Op {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			return boolean
		case ",":
			return k.classOf(e.Y)
		}
		return promote(k.classOf(e.X), k.classOf(e.Y))
	case *syntax.Assign:
		return k.classOf(e.L)
	case *syntax.Cond:
		return promote(k.classOf(e.X), k.classOf(e.Y))
	case *syntax.Call:
		return k.callClass(e)
	case *syntax.Make:
		return k.typeClass(e.Type)
	case *syntax.Cast:
		return k.typeClass(e.Type)
	case *syntax.Index:
		return k.classOf(e.X)
	case *syntax.Member:
		return k.classOf(e.X)
	}
	return unknown
}

// promote is the class of an operation on two numbers.
func promote(a, b class) class {
	if a == unknown || b == unknown {
		return unknown
	}
	return max(a, b, integer)
}

func (k *kernel) callClass(e *syntax.Call) class {
	if e.Type != nil {
		return k.typeClass(e.Type)
	}
	if e.Fun == nil {
		return unknown
	}
	if f, ok := k.funcs[e.Fun.Text]; ok {
		return k.typeClass(f.Result)
	}
	fn, ok := ktree.FindIntrinsic(e.Fun.Text)
	if !ok {
		return unknown
	}
	switch fn.Info().Class {
	case ktree.ClassTest, ktree.ClassVote, ktree.ClassBools:
		return boolean
	case ktree.ClassFloat, ktree.ClassNumber, ktree.ClassInt, ktree.ClassDot, ktree.ClassVector, ktree.ClassSimd:
		c := boolean
		for _, a := range e.Args {
			one := k.classOf(a)
			if one == unknown {
				return unknown
			}
			c = max(c, one)
		}
		return c
	case ktree.ClassLane:
		if len(e.Args) > 0 {
			return k.classOf(e.Args[0])
		}
	}
	return unknown
}

// constant reports a value that is known when the kernel is compiled: numbers,
// template constants, and what is computed from them.
func (k *kernel) constant(e syntax.Expr) bool {
	if c, ok := k.constants[e]; ok {
		return c
	}
	c := k.newConstant(e)
	k.constants[e] = c
	return c
}

func (k *kernel) newConstant(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Number, *syntax.Bool:
		return true
	case *syntax.Name:
		v := k.refs[e]
		if v == nil {
			return false
		}
		if v.operand {
			// Operands are pointers, so a bare name is a template constant.
			return v.class != integer
		}
		return v.unrolled || v.sets == 0 && v.dims == 0 && !v.pointer && v.init != nil && k.constant(v.init)
	case *syntax.Unary:
		return e.Op != "++" && e.Op != "--" && e.Op != "&" && e.Op != "*" && k.constant(e.X)
	case *syntax.Binary, *syntax.Cond, *syntax.Make, *syntax.Cast:
		for _, o := range operands(e) {
			if !k.constant(o) {
				return false
			}
		}
		return true
	case *syntax.Call:
		if e.Fun == nil {
			return false
		}
		fn, ok := ktree.FindIntrinsic(e.Fun.Text)
		if !ok || fn.IsSimd() || fn.IsAtomic() {
			return false
		}
		for _, a := range e.Args {
			if !k.constant(a) {
				return false
			}
		}
		return true
	}
	return false
}

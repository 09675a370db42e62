package kgen

import (
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ktree"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/build"
)

// A value in a register has the kind of its element type, with two exceptions in
// memory: bool is a byte, and half types are 16 bits. Half values are floats in
// registers that a half could hold exactly, so that loading and storing them
// rounds nothing.

// num is a value: a number, or the parts of a complex one.
type num struct{ re, im build.Val }

func real(v build.Val) num { return num{re: v} }

func (n num) isComplex() bool { return !n.im.IsNil() }

// kindOf is the kind of a value of type t in a register, and of the parts of a
// complex one.
func kindOf(t elem.Type) ktree.Kind {
	switch t {
	case elem.Bool:
		return ktree.Bool
	case elem.Uint8:
		return ktree.Uchar
	case elem.Int32:
		return ktree.Int
	case elem.Int64:
		return ktree.Long
	case elem.Uint32:
		return ktree.Uint
	case elem.Float64, elem.Complex128:
		return ktree.Double
	}
	return ktree.Float
}

// memoryOf is the type of an element in memory.
func memoryOf(t elem.Type) ktree.Type {
	if t == elem.Bool {
		return ktree.Scalar(ktree.Uchar)
	}
	return ktree.OfElem(t)
}

// get is the value of a memory element.
func get(t elem.Type, x build.Val) num {
	switch {
	case t == elem.Bool:
		return real(x.Ne(0))
	case t.IsHalf():
		return real(x.To(ktree.Float))
	case t.IsComplex():
		return num{x.X(), x.Y()}
	}
	return real(x)
}

// put is the memory element that holds a value.
func put(t elem.Type, n num) build.Val {
	switch {
	case t == elem.Bool:
		return n.re.To(ktree.Uchar)
	case t.IsHalf():
		return n.re.To(ktree.OfElem(t).Kind)
	case t.IsComplex():
		return build.Vec(n.re, n.im)
	}
	return n.re
}

// rounded is a float as the nearest value of type t, which is a half type or a
// type that the float has already.
func rounded(t elem.Type, x build.Val) build.Val {
	if !t.IsHalf() {
		return x
	}
	return x.To(ktree.OfElem(t).Kind).To(ktree.Float)
}

// let names the parts of a value.
func let(k *build.Kernel, name string, n num) num {
	if !n.isComplex() {
		return real(k.Let(name, n.re))
	}
	return num{k.Let(name+"_re", n.re), k.Let(name+"_im", n.im)}
}

// nothing is a memory element of zeros.
func nothing(t elem.Type) build.Val {
	m := memoryOf(t)
	if t.IsComplex() {
		return build.Vec(build.Float(m.Kind, 0), build.Float(m.Kind, 0))
	}
	return build.Int(m.Kind, 0)
}

// zeroOf is the number 0 of a floating type.
func zeroOf(t elem.Type) num {
	z := build.Float(kindOf(t), 0)
	if t.IsComplex() {
		return num{z, z}
	}
	return real(z)
}

// variable declares a value that starts as 0.
func (e *entry) variable(name string, t elem.Type) num {
	z := zeroOf(t)
	if t.IsComplex() {
		return num{e.Var(name+"_re", z.re), e.Var(name+"_im", z.im)}
	}
	return real(e.Var(name, z.re))
}

// set assigns to a variable.
func (e *entry) set(to, v num) {
	e.Set(to.re, v.re)
	if to.isComplex() {
		e.Set(to.im, v.im)
	}
}

// added is the sum of two values of one type.
func (n num) added(m num) num {
	if n.isComplex() {
		return n.plus(m)
	}
	return real(n.re.Add(m.re))
}

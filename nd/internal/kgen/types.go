package kgen

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
)

// A value in a register has the kind of its element type, with two exceptions in
// memory: bool is a byte, and half types are 16 bits. Half values are floats in
// registers that a half could hold exactly, so that loading and storing them
// rounds nothing.

// Num is a value: a number, or the parts of a complex one.
type Num struct{ Re, Im build.Val }

// Real is a value that is one number.
func Real(v build.Val) Num { return Num{Re: v} }

// IsComplex reports a value of two parts.
func (n Num) IsComplex() bool { return !n.Im.IsNil() }

// KindOf is the kind of a value of type t in a register, and of the parts of a
// complex one.
func KindOf(t elem.Type) ktree.Kind { return ktree.OfElem(t.Compute()).Kind }

// MemoryOf is the type of an element in memory.
func MemoryOf(t elem.Type) ktree.Type {
	if t == elem.Bool {
		return ktree.Scalar(ktree.Uchar)
	}
	return ktree.OfElem(t)
}

// Get is the value of a memory element.
func Get(t elem.Type, x build.Val) Num {
	switch {
	case t == elem.Bool:
		return Real(x.Ne(0))
	case t.IsHalf():
		return Real(x.To(ktree.Float))
	case t.IsComplex():
		return Num{x.X(), x.Y()}
	}
	return Real(x)
}

// Put is the memory element that holds a value.
func Put(t elem.Type, n Num) build.Val {
	switch {
	case t == elem.Bool:
		return n.Re.To(ktree.Uchar)
	case t.IsHalf():
		return n.Re.To(ktree.OfElem(t).Kind)
	case t.IsComplex():
		return build.Vec(n.Re, n.Im)
	}
	return n.Re
}

// Rounded is a float as the nearest value of type t, which is a half type or a
// type that the float has already.
func Rounded(t elem.Type, x build.Val) build.Val {
	if !t.IsHalf() {
		return x
	}
	return x.To(ktree.OfElem(t).Kind).To(ktree.Float)
}

// Named names the parts of a value.
func Named(k *build.Kernel, name string, n Num) Num {
	if !n.IsComplex() {
		return Real(k.Let(name, n.Re))
	}
	return Num{k.Let(name+"_re", n.Re), k.Let(name+"_im", n.Im)}
}

// Nothing is a memory element of zeros.
func Nothing(t elem.Type) build.Val {
	m := MemoryOf(t)
	if t.IsComplex() {
		return build.Vec(build.Float(m.Kind, 0), build.Float(m.Kind, 0))
	}
	return build.Int(m.Kind, 0)
}

// ZeroOf is the number 0 of a floating type.
func ZeroOf(t elem.Type) Num {
	z := build.Float(KindOf(t), 0)
	if t.IsComplex() {
		return Num{z, z}
	}
	return Real(z)
}

// Variable declares a value that starts as v.
func Variable(k *build.Kernel, name string, v Num) Num {
	if v.IsComplex() {
		return Num{k.Var(name+"_re", v.Re), k.Var(name+"_im", v.Im)}
	}
	return Real(k.Var(name, v.Re))
}

// Assign sets a variable.
func Assign(k *build.Kernel, to, v Num) {
	k.Set(to.Re, v.Re)
	if to.IsComplex() {
		k.Set(to.Im, v.Im)
	}
}

// added is the sum of two values of one type.
func (n Num) added(m Num) Num {
	if n.IsComplex() {
		return n.plus(m)
	}
	return Real(n.Re.Add(m.Re))
}

package kgen

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// What is sorted is items: a key, an unsigned number in the order wanted, and
// the place in the line that it comes from. No two items of a line are equal,
// so any sort of them is stable. Keys of 32 bits and their places are one
// 64-bit number, where there are such.

// items is how items are made of values of a type.
type items struct {
	t          elem.Type
	descending bool
	wide       bool // there are numbers of 64 bits
}

// isPair reports items of two numbers.
func (s items) isPair() bool { return s.isLong() || !s.wide }

// isLong reports keys of 64 bits.
func (s items) isLong() bool { return s.t.Compute().Size() == 8 }

func (s items) kinds() []ktree.Kind {
	switch {
	case s.isLong():
		return []ktree.Kind{ktree.Ulong, ktree.Uint}
	case s.isPair():
		return []ktree.Kind{ktree.Uint, ktree.Uint}
	}
	return []ktree.Kind{ktree.Ulong}
}

// item is one of a key and a place.
func (s items) item(key, place build.Val) acc {
	if s.isPair() {
		return acc{key, place}
	}
	return acc{key.To(ktree.Ulong).Shl(32).Or(place.To(ktree.Ulong))}
}

// last is behind all others.
func (s items) last() acc {
	return lists.Map(s.kinds(), func(k ktree.Kind) build.Val { return build.Int(k, -1) })
}

// before is the order of items that have names.
func (s items) before(a, b acc) build.Val {
	if s.isPair() {
		return a[0].Lt(b[0]).OrElse(a[0].Eq(b[0]).AndThen(a[1].Lt(b[1])))
	}
	return a[0].Lt(b[0])
}

// place is where an item comes from, an Uint; keyOf is a key of 32 bits.
func (s items) place(a acc) build.Val {
	if s.isPair() {
		return a[1]
	}
	return a[0].To(ktree.Uint)
}

func (s items) keyOf(a acc) build.Val {
	if s.isPair() {
		return a[0]
	}
	return a[0].Shr(32).To(ktree.Uint)
}

// key turns a value into a key: NaN last, zeros of both signs alike.
func (s items) key(k *build.Kernel, x build.Val) build.Val {
	turn := func(v build.Val) build.Val {
		if s.descending {
			return v.Inverted()
		}
		return v
	}
	kind, sign := ktree.Uint, int64(1)<<31
	if s.isLong() {
		kind, sign = ktree.Ulong, -1<<63
	}
	switch {
	case s.t.IsFloat():
		x = k.Let("x", x)
		b := k.Let("b", x.Eq(0.0).Choose(build.Int(kind, 0), x.Bits(kind)))
		ordered := b.And(build.Int(kind, sign)).Ne(0).Choose(b.Inverted(), b.Or(build.Int(kind, sign)))
		return x.Ne(x).Choose(build.Int(kind, -1), turn(ordered))
	case s.t.IsSigned():
		return turn(x.To(kind).Xor(build.Int(kind, sign)))
	}
	return turn(x.To(kind))
}

// itemsFrom is an array of items that the kernel only reads.
func (e *entry) itemsFrom(s items, name string, first int) accs {
	a := e.scratchAccs(s.kinds(), name, first)
	for _, v := range a {
		v.E.(*ktree.Ref).Var.Type.Const = true
		v.E.(*ktree.Ref).Type.Const = true
	}
	return a
}

package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/roots"
)

// ends are the elements at both ends of a line whose convolution with a chirp is shorter
// than it would have to be: products of the first elements with the last results wrap
// around, and the reverse. The chirp's spectrum is without them, and they are added here,
// w*(w+1) of them for w elements. The elements wait in shared memory.
type ends struct {
	k     *kernel
	x     *transform
	n, w  int
	kept  build.Val // the first w elements, then the last, from the end on
	table build.Val
}

func (k *kernel) newEnds(x *transform) *ends {
	n, w := x.f.N, x.wrapped
	e := &ends{k: k, x: x, n: n, w: w, kept: k.room(x.pair(), x.exchange-2*w*x.bytes())}
	// What element i from one end is multiplied by for result r from the other.
	e.table = k.pairs(x.precision, fmt.Sprintf("chirp ends %d %d", n, w), func() []complex128 {
		all, list := roots.Of(n), make([]complex128, 2*w*w)
		for r := range w {
			for i := range w - r {
				for late, exponent := range []int{-r * (i + 1), -(r + 1) * i} {
					re, im := all.At((exponent%n + n) % n)
					list[(late*w+r)*w+i] = complex(re, im)
				}
			}
		}
		return list
	})
	return e
}

// both calls f for places that may be at an end: the condition that they are, how far
// from it, and which.
func (e *ends) both(p place, f func(at build.Val, from build.Val, late int)) {
	if p.lo() < e.w {
		f(both(p.ok, p.at.Lt(e.w)), p.at, 0)
	}
	if p.hi() >= e.n-e.w && p.lo() < e.n {
		at := p.at.Ge(e.n - e.w)
		if p.hi() >= e.n {
			at = both(at, p.at.Lt(e.n))
		}
		f(both(p.ok, at), whole(e.n-1).Sub(p.at), 1)
	}
}

// keep puts an element away if it is one of them.
func (e *ends) keep(p place, v number) {
	if e == nil {
		return
	}
	e.both(p, func(at, from build.Val, late int) {
		e.k.guard.beforeWrite(atEnds)
		e.k.If(at, func() { e.k.Set(e.kept.At(from.Add(late*e.w)), build.Vec(v.Re, v.Im)) })
	})
}

// atEnds is the part of shared memory that they are in.
const atEnds = "ends"

// add is a result with the products that it lacks.
func (e *ends) add(c *core, p place, z number) number {
	if e == nil {
		return z
	}
	k := e.k
	e.both(p, func(at, from build.Val, late int) {
		k.guard.beforeRead(atEnds)
		re, im := k.Var("re", z.Re), k.Var("im", z.Im)
		k.If(at, func() {
			k.For("i", whole(0), e.w, 1, 0, func(i build.Val) {
				w := mirrored(k.looked(e.table.At(from.Mul(e.w).Add(i).Add(late*e.w*e.w))), e.x.inverse())
				y := c.Mul(k.looked(e.kept.At(i.Add((1-late)*e.w))), w)
				k.Set(re, re.Add(y.Re))
				k.Set(im, im.Add(y.Im))
			})
		})
		z = number{Re: re, Im: im}
	})
	return z
}

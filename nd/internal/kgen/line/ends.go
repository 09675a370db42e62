package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

func (k *kernel) newCore(x *transform, s *recipe.Recipe, inverse bool) *core {
	c := k.coreOf(x.precision, s, inverse, k.t, k.threads)
	c.alone = k.alone
	c.quarter = x.f.Kind == ir.FFTQuarterForward
	c.rooted = (x.f.Quarter() || x.f.Powers) && x.precision != double && rooted(s.Passes())
	if len(s.Passes()) > 1 && !k.alone {
		c.exchangeAt(x, 0)
		if c.rooted {
			c.inLoad = rootsInLoad(s, x.precision)
			c.table = k.rootTable(s.Passes(), c.quarter, x.precision, c.inLoad)
		} else {
			c.table = k.twiddleTable(s, x.precision, c.quarter)
		}
	}
	c.begin()
	if x.f.Kind == ir.FFTQuarterInverse {
		c.quarterTurns(x)
	}
	return c
}

// exchangeAt says where in the line's shared memory threads exchange numbers.
func (c *core) exchangeAt(x *transform, offset int) {
	c.shared = c.k.room(x.exchanged(x.split), offset)
	if c.recipe.Wide {
		c.wide = c.k.room(x.two(), offset)
	}
}

// times applies the transform's scale.
func (k *kernel) times(x *transform, z number) number {
	if x.f.Scale == 1 {
		return z
	}
	a := k.arith(x.precision)
	return a.Scaled(z, a.Const(x.f.Scale))
}

// plainIn reads a line as complex numbers: as they are, as reals, or, for a
// transform to reals, with the half that is not stored.
func (k *kernel) plainIn(x *transform, in source) fetch {
	return func(at []place) []number {
		return lists.Map(at, func(p place) number {
			if x.f.Kind == ir.FFTRealInverse {
				return k.hermitian(x, in, p)
			}
			return in(one(p))[0]
		})
	}
}

// hermitian is element p of a spectrum of which half is stored.
func (k *kernel) hermitian(x *transform, in source, p place) number {
	n := x.f.N
	if p.lo() > n/2 {
		return in(one(place{at: k.Let("at", whole(n).Sub(p.at)), ok: p.ok}))[0].Conjugate()
	}
	q, stored := p, build.Val{}
	if p.hi() > n/2 {
		stored = k.Let("stored", p.at.Le(n/2))
		q.at = k.LetIn("at", stored.Choose(p.at, whole(n).Sub(p.at)), min(p.lo(), n-p.hi()), n/2)
	}
	z := in(one(q))[0]
	if z.IsZero() {
		return z
	}
	var real build.Val
	if p.lo() == 0 {
		real = p.at.Eq(0)
	}
	if n%2 == 0 && p.lo() <= n/2 && p.hi() >= n/2 {
		middle := p.at.Mul(2).Eq(n)
		if real.IsNil() {
			real = middle
		} else {
			real = real.OrElse(middle)
		}
	}
	im := z.Im
	if !stored.IsNil() {
		im = stored.Choose(im, im.Neg())
	}
	if !real.IsNil() {
		im = real.Choose(build.Float(x.precision.kind, 0), im)
	}
	return number{Re: z.Re, Im: k.Let("im", im)}
}

// plainOut gives the results one by one, as complex numbers or reals, as many
// as are wanted.
func (k *kernel) plainOut(x *transform, out sink) deliver {
	if x.f.Kind == ir.FFTQuarterInverse {
		return k.turnedBack(x, out)
	}
	return func(at []place, v []number) {
		for i, p := range at {
			if p.lo() >= x.f.OutLen() {
				continue
			}
			p = x.wanted(p)
			z := x.realBins(k, p, k.times(x, v[i]))
			if x.f.Kind == ir.FFTRealInverse {
				z.Im = build.Zero(x.precision.kind)
			}
			out(one(p), []number{z})
		}
	}
}

// plainPlaces are the places of plainOut, in its order.
func (k *kernel) plainPlaces(x *transform) []place {
	var all []place
	switch x.kind {
	case recipe.Rader:
		all = k.natural(x.f.N)
	case recipe.Bluestein:
		all = k.newCore(x, x.split.Reversed(), x.inverse()).delivered()
	default:
		all = k.newCore(x, x.split, x.inverse()).delivered()
	}
	return lists.Map(lists.Filter(all, func(p place) bool { return p.lo() < x.f.OutLen() }), x.wanted)
}

// realBins is a result without an imaginary part where it has none: elements 0 and
// n/2 of the spectrum of a real line, which a convolution gives but to rounding.
func (x *transform) realBins(k *kernel, p place, z number) number {
	if x.f.Kind != ir.FFTRealForward {
		return z
	}
	zero := build.Zero(x.precision.kind)
	for _, real := range []int{0, x.f.N / 2} {
		switch {
		case 2*real%x.f.N != 0 || p.lo() > real || p.hi() < real:
		case p.lo() == real && p.hi() == real:
			z.Im = zero
		default:
			z.Im = k.Let("im", p.at.Eq(real).Choose(zero, z.Im))
		}
	}
	return z
}

// natural are the places of a line of n as threads take them that follow each
// other.
func (k *kernel) natural(n int) []place {
	var list []place
	for first := 0; first < n; first += k.threads {
		p := place{at: raised(k.t, first)}
		if first+k.threads > n {
			p.ok = p.at.Lt(n)
			p.at = k.Let("at", build.Min(p.at, n-1))
		}
		list = append(list, p)
	}
	return list
}

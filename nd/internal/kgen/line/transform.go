package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// transform writes an FFT stage. Results go to out.
func (k *kernel) transform(x *transform, in source, out sink) {
	switch {
	case x.kind == recipe.Bluestein:
		k.chirped(x, in, out)
	case x.kind == recipe.Rader:
		k.permuted(x, in, out)
	case x.packed() && x.f.Kind == ir.FFTRealForward:
		c := k.newCore(x, x.split, false)
		c.mirrorLast = true
		roots := k.halfRoots(x.f.N, x.precision)
		c.run(packedReals(in), func(at []place, v []number) {
			k.eachBin(c, roots, at, v, func(p place, z number) { out(one(p), []number{k.times(x, z)}) })
		})
	case x.packed():
		c := k.newCore(x, x.split.Reversed(), true)
		c.mirrorFirst = true
		c.run(k.tangledBins(x, c, in), k.packedOut(x, out))
	default:
		k.newCore(x, x.split, x.inverse()).run(k.plainIn(x, in), k.plainOut(x, out))
	}
}

// eachBin untangles a pair of butterflies and calls f with every bin.
func (k *kernel) eachBin(c *core, roots build.Val, at []place, v []number, f func(place, number)) {
	list, s, isZero := c.twins(at)
	c.seated(list, s, isZero, v)
	for _, t := range list {
		a, b := c.untangled(t, roots)
		f(t.k, a)
		if !t.self {
			f(c.imageOf(t.k), b)
		}
	}
}

// bins are the places of eachBin, in its order.
func (k *kernel) bins(c *core) []place {
	var list []place
	pass := len(c.radices) - 1
	for _, g := range c.groups(pass) {
		twins, _, _ := c.twins(c.inputs(g, c.radices[pass]))
		for _, t := range twins {
			list = append(list, t.k)
			if !t.self {
				list = append(list, c.imageOf(t.k))
			}
		}
	}
	return list
}

// packedReals reads neighbours of a real line as a complex number.
func packedReals(in source) fetch {
	return func(at []place) []number {
		return lists.Map(at, func(p place) number { return in(cell{p, 2})[0] })
	}
}

// tangledBins reads bins k and n-k and packs them.
func (k *kernel) tangledBins(x *transform, c *core, in source) fetch {
	roots := k.halfRoots(x.f.N, x.precision)
	return func(at []place) []number {
		list, s, isZero := c.twins(at)
		for i := range list {
			t := &list[i]
			t.a = in(one(t.k))[0]
			if !t.self {
				t.b = in(one(c.imageOf(t.k)))[0]
			}
			t.a, t.b = c.tangled(*t, roots)
		}
		return c.unseated(list, s, isZero)
	}
}

// packedOut gives a packed line as reals.
func (k *kernel) packedOut(x *transform, out sink) deliver {
	return func(at []place, v []number) {
		for i, p := range at {
			z := k.times(x, v[i])
			out(cell{p, 2}, []number{x.only(z.Re), x.only(z.Im)})
		}
	}
}

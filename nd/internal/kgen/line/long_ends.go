package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
)

// pairwise makes a kernel with a thread for every pair of elements k and n-k
// of a line, k <= n/2.
func (g *long) pairwise(in, out end, body func(k *kernel, c *core, at place)) {
	l := recipe.UntangleLaunch(g.n)
	k, chunk := g.begun(l, in, out), l.Threads
	k.outer.add((g.n/2 + chunk) / chunk)
	k.function(func() {
		c := &core{Arith: k.arith(g.precision), k: k, n: g.n}
		number := k.Let("number", k.outer.index[len(k.outer.index)-1].To(ktree.Int).Mul(chunk).Add(k.t))
		body(k, c, place{at: k.LetIn("at", build.Min(number, g.n/2), 0, g.n/2), ok: number.Le(g.n / 2)})
	})
}

// untangle makes the spectrum of a real line of the transform of the packed
// one, which is in scratch.
func (g *long) untangle() {
	in, out := g.fromScratch(1), g.output(&transform{f: g.f, precision: g.precision})
	g.pairwise(in, out, func(k *kernel, c *core, at place) {
		read, write := in.read(k), out.write(k)
		other := place{at: k.LetIn("other", at.at.Eq(0).Choose(0, whole(g.n).Sub(at.at)), 0, g.n-1)}
		a, b := c.untangled(twin{k: at, a: read(at), b: read(other)}, k.halfRoots(g.f.N, g.precision))
		write(at, a)
		write(place{at: k.Let("image", whole(g.n).Sub(at.at)), ok: at.ok}, b)
	})
}

// tangle packs a spectrum into scratch.
func (g *long) tangle(x *transform) {
	in, out := g.input(&transform{f: g.f, precision: g.precision}), g.intoScratch(1)
	g.pairwise(in, out, func(k *kernel, c *core, at place) {
		k.ffts[0], k.p.Stages = x, g.batch.Stages
		source, write := k.sourceOf(0), out.write(k)
		other := place{at: k.Let("other", whole(g.n).Sub(at.at)), ok: at.ok}
		a, b := c.tangled(twin{k: at, a: source(one(at))[0], b: source(one(other))[0]}, k.halfRoots(g.f.N, g.precision))
		write(at, a)
		other.ok = both(at.ok, at.at.Ne(0))
		write(other, b)
	})
}

package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/recipe"
)

// pairwise writes a kernel with a thread for every pair of elements k and n-k
// of a line, k <= n/2.
func (g *long) pairwise(in, out end, body func(k *kernel, c *core, at place)) {
	l := recipe.UntangleLaunch(g.n)
	k, chunk := g.begun(l, in, out), l.Threads
	k.outer.add((g.n/2 + chunk) / chunk)
	k.function(func(*params) {
		c := &core{arithmetic: k.arithmetic(g.precision), n: g.n}
		k.line("const int number = (int)%s * %d + t;", k.outer.names[len(k.outer.names)-1], chunk)
		at := place{base: k.let("int", "min(number, %d)", g.n/2), hi: g.n / 2, ok: fmt.Sprintf("number <= %d", g.n/2)}
		body(k, c, at)
	})
}

// untangle makes the spectrum of a real line of the transform of the packed
// one, which is in scratch.
func (g *long) untangle() {
	in, out := g.fromScratch(1), g.output(&transform{f: g.f, precision: g.precision})
	g.pairwise(in, out, func(k *kernel, c *core, at place) {
		read, write := in.read(k), out.write(k)
		other := place{base: k.let("int", "%s == 0 ? 0 : %d - %s", at, g.n, at), hi: g.n - 1}
		a, b := c.untangled(twin{k: at, a: read(at), b: read(other)}, k.rootTable(g.f.N, g.precision))
		write(at, a)
		write(place{base: k.let("int", "%d - %s", g.n, at), lo: g.n - at.hi, hi: g.n, ok: at.ok}, b)
	})
}

// tangle packs a spectrum into scratch.
func (g *long) tangle(x *transform) {
	in, out := g.input(&transform{f: g.f, precision: g.precision}), g.intoScratch(1)
	g.pairwise(in, out, func(k *kernel, c *core, at place) {
		k.ffts[0], k.p.Stages = x, g.batch.Stages
		source, write := k.sourceOf(0), out.write(k)
		other := place{base: k.let("int", "%d - %s", g.n, at), lo: g.n - at.hi, hi: g.n, ok: at.ok}
		a, b := c.tangled(twin{k: at, a: source(one(at))[0], b: source(one(other))[0]}, k.rootTable(g.f.N, g.precision))
		write(at, a)
		other.ok = both(at.ok, at.String()+" != 0")
		write(other, b)
	})
}

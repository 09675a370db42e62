package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// chunk is the threads of a block in kernels that do each element by itself.
const chunk = 256

// pairwise writes a kernel with a thread for every pair of elements k and n-k
// of a line, k <= n/2.
func (g *long) pairwise(in, out end, body func(k *kernel, c *core, at place)) {
	k := g.kernel(&line.Program{Outer: g.batch.Outer, Segments: 1, Slots: []line.Slot{in.slot, out.slot}})
	k.bound[0], k.bound[1] = in.param, out.param
	k.threads, k.lines = chunk, 1
	k.outer.add((g.n/2 + chunk) / chunk)
	k.guard = newGuard("__syncthreads();")
	k.function(func(*params) {
		c := &core{arithmetic: arithmetic{k.text, g.precision}, split: split{n: g.n}}
		k.line("const int number = (int)%s * %d + t;", k.outer.names[len(k.outer.names)-1], chunk)
		at := place{base: k.let("int", "min(number, %d)", g.n/2), hi: g.n / 2, ok: fmt.Sprintf("number <= %d", g.n/2)}
		body(k, c, at)
	})
}

// untangle makes the spectrum of a real line of the transform of the packed
// one, which is in scratch.
func (g *long) untangle(x *transform) {
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

// chirped is Bluestein's method for lines that do not fit on chip.
func (g *long) chirped() (*emit.Module, error) {
	m := 1
	for m < 2*g.f.N-1 {
		m *= 2
	}
	g.n = m
	if g.factors = g.split(m); g.factors == nil {
		return nil, g.unsupported()
	}
	g.reserve(2)
	x := &transform{f: g.f, precision: g.precision, next: -1}
	n := g.f.N
	factor := func(k *kernel, spectrum bool, at place) number {
		chirp, transformed := k.chirpTables(n, m, g.precision)
		if spectrum {
			chirp = transformed
		}
		w := k.let(g.pair, "%s[%s]", chirp, at)
		z := number{w + ".re", w + ".im"}
		if x.inverse() {
			z = conjugate(z)
		}
		return z
	}
	in, out, first, second := g.input(x), g.output(x), g.fromScratch(1), g.intoScratch(1)
	start := in
	start.read = func(k *kernel) func(place) number {
		read := in.read(k)
		a := arithmetic{k.text, g.precision}
		return func(at place) number {
			if at.lo >= n {
				return number{}
			}
			q := place{base: k.let("int", "min(%s, %d)", at, n-1), lo: at.lo, hi: min(at.hi, n-1), ok: at.ok}
			return a.either(fmt.Sprintf("%s < %d", at, n), a.mul(read(q), factor(k, false, q)), number{})
		}
	}
	middle := second
	middle.write = func(k *kernel) func(place, number) {
		write := second.write(k)
		a := arithmetic{k.text, g.precision}
		return func(at place, v number) { write(at, a.mul(v, factor(k, true, at))) }
	}
	stop := out
	stop.write = func(k *kernel) func(place, number) {
		write := out.write(k)
		a := arithmetic{k.text, g.precision}
		return func(at place, v number) {
			if at.lo >= g.f.OutLen() {
				return
			}
			q := place{base: k.let("int", "min(%s, %d)", at, n-1), lo: at.lo, hi: min(at.hi, n-1), ok: both(at.ok, fmt.Sprintf("%s < %d", at, n))}
			write(q, a.mul(v, factor(k, false, q)))
		}
	}
	if err := g.passes(false, start, middle); err != nil {
		return nil, err
	}
	if err := g.passes(true, first, stop); err != nil {
		return nil, err
	}
	return g.finish(), nil
}

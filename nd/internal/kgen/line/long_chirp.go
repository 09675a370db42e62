package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// chirped is Bluestein's method for lines that do not fit on chip, by way of an
// array of the padded length: passes along all axes but the last, a pass over
// the last one that transforms, multiplies by the chirp's spectrum and
// transforms back, and passes along the other axes on the way back. Nothing is
// put in order in between: the spectrum is in the order that the passes leave.
// Tables so long that each line would bring them from memory again are woven: on the way
// to the spectrum, groups that read the same part of them follow each other.
func (g *long) chirped(x *transform, woven bool) {
	g.woven = woven
	last := len(g.axes) - 1
	before, after := 1, g.n
	for i, axis := range g.axes[:last] {
		after /= axis.N
		from := g.fromScratch(0)
		if i == 0 {
			from = g.chirpIn(x)
		}
		g.pass(axis, before, after, 1, false, behind, from, g.intoScratch(0))
		before *= axis.N
	}
	g.rows(g.axes[last], x.inverse())
	g.woven = false
	for i, axis := range slices.Backward(g.axes[:last]) {
		before /= axis.N
		to := g.intoScratch(0)
		if i == 0 {
			to = g.chirpOut(x)
		}
		g.pass(axis, before, after, 1, true, ahead, g.fromScratch(0), to)
		after *= axis.N
	}
}

// chirpIn is the input times a chirp, and zeros behind it.
func (g *long) chirpIn(x *transform) end {
	e := g.input(x)
	input, n := e.read, g.f.N
	e.read = func(k *kernel) func(place) number {
		read := input(k)
		a := k.arith(g.precision)
		return func(at place) number {
			if at.lo() >= n {
				return g.nothing()
			}
			q := place{at: k.Let("at", build.Min(at.at, n-1)), ok: at.ok}
			return a.Either(at.at.Lt(n), a.Mul(read(q), k.chirpAt(x, q, false)), g.nothing())
		}
	}
	return e
}

// chirpOut is the output, which gets what it is given times a chirp: all that a butterfly
// needs of it is asked for at once. Stores are under conditions, and compilers would move
// each load to its store.
func (g *long) chirpOut(x *transform) end {
	e := g.output(x)
	output, n := e.write, g.f.N
	within := func(k *kernel, at place) place {
		return place{at: k.Let("at", build.Min(at.at, n-1)), ok: both(at.ok, at.at.Lt(n))}
	}
	e.scaled = func(k *kernel) func([]place, []number) []number {
		a := k.arith(g.precision)
		return func(at []place, v []number) []number {
			needed := lists.Where(len(at), func(j int) bool { return at[j].lo() < g.f.OutLen() })
			w := lists.Map(needed, func(j int) number { return k.chirpAt(x, within(k, at[j]), g.target.Wide) })
			v = slices.Clone(v)
			for i, j := range needed {
				v[j] = a.Mul(v[j], w[i])
			}
			return v
		}
	}
	e.write = func(k *kernel) func(place, number) {
		write := output(k)
		return func(at place, v number) {
			if at.lo() < g.f.OutLen() {
				write(within(k, at), v)
			}
		}
	}
	return e
}

// rows transforms the rows that scratch consists of, multiplies by the chirp's
// spectrum and transforms back, in place.
func (g *long) rows(row *recipe.Recipe, conjugated bool) {
	in, out := g.fromScratch(0), g.intoScratch(0)
	k, m := g.begun(g.gpu.Pass(recipe.Row, row), in, out), row.N
	k.outer.add(g.n / m)
	k.outer.tile, k.outer.woven = len(k.outer.dims)-1, g.woven
	k.guard = newGuard(k.barrier)
	k.function(func() {
		a := k.arith(g.precision)
		origin := k.Let("origin", k.outer.index[k.outer.tile].To(ktree.Int).Mul(m))
		spectrum := k.spectrumTable(g.f.N, g.lengths(), g.precision)
		read, write := in.read(k), out.write(k)
		full := func(p place) place {
			return place{at: k.LetIn("at", origin.Add(p.at), p.lo(), g.n-1), ok: p.ok}
		}
		var between [][]number
		k.ahead = func() {
			k.later(row.Ahead, func(index []build.Val) {
				k.Prefetch(k.buffers[k.bufferOf(0)].At(k.offsetOf(0, in.slot, index).Add(index[k.outer.tile].To(k.positions()).Mul(m))), m)
			})
		}
		there := g.core(k, row, false)
		looked := func(p place) build.Val { return spectrum.At(full(p).at) }
		if g.brings(row) {
			looked = k.brought(there, spectrum.Plus(origin))
		}
		there.run(func(at []place) []number { return fetched(at, full, read) }, func(at []place, v []number) {
			between = append(between, lists.Make(len(at), func(j int) number {
				return a.Mul(v[j], mirrored(k.looked(looked(at[j])), conjugated))
			}))
		})
		g.core(k, row.Reversed(), true).run(taken(&between), func(at []place, v []number) {
			for j, p := range at {
				write(full(p), v[j])
			}
		})
	})
}

// brings reports rows whose part of the spectrum is copied to shared memory while the last
// pass computes: where threads hold so much that they would load it piece by piece.
func (g *long) brings(row *recipe.Recipe) bool {
	return g.target.Arch >= 80 && row.Held(false) >= manyHeld && !row.Turns && row.N*g.bytes()%(16*row.Threads) == 0
}

// brought copies as many numbers as a line has to where its threads exchange others, when
// they have taken the last of those. It gives the place of each.
func (k *kernel) brought(c *core, from build.Val) func(p place) build.Val {
	each := 16 / (2 * c.bits / 8)
	c.taken = func() {
		k.guard.beforeWrite(c.part)
		first := k.Let("first", c.thread.Mul(each))
		from = k.Let("from", from.Plus(first))
		for i := 0; i < c.n; i += each * c.threads {
			k.MoveAsync(c.shared.At(first.Add(i)), from.At(i), each, build.Bool(true))
		}
		k.Commit()
	}
	return func(p place) build.Val {
		if k.guard.written[c.part] {
			k.AwaitBehind()
		}
		k.guard.beforeRead(c.part)
		return c.shared.At(p.at)
	}
}

// lengths are those of the axes.
func (g *long) lengths() []int {
	return lists.Map(g.axes, func(axis *recipe.Recipe) int { return axis.N })
}

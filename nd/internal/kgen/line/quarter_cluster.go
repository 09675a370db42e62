package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Of a line of n samples with quarter bins, a group of a cluster of p has the bins
// k*p + rank: those of m = n/p complex numbers, which are sums of samples m apart. No bin of
// one group has to meet one of another, so only butterflies of p numbers cross the cluster.
// Groups read samples, make the butterflies and push each sum to the group it belongs to;
// transform, multiply and transform back; and push results to the groups that had the
// samples, whose butterflies make n real numbers of them.

// ring is such a transform, or a round trip.
type ring struct {
	*trip
	*hall
	k       *kernel
	a       dft.Arith
	p, m    int
	each    int         // how many numbers of every group's line a group has the butterflies of
	columns []build.Val // the thread's butterflies, as elements of a group's line
	own     []build.Val // the same, counted from the group's first
}

func (g *trip) quarterCluster() {
	k := g.begun(g.gpu.Together(g.Cluster), true, g.there, g.back)
	k.cluster = g.Cluster.Blocks
	k.threads /= k.cluster
	k.function(func() {
		h := newHall(k, g.Cluster, g.precision, g.gpu)
		r := &ring{trip: g, hall: h, k: k, a: k.arith(g.precision), p: h.Columns.N, m: h.Rows.N}
		r.each = r.m / r.p
		for first := 0; first < r.each; first += k.threads {
			own := raised(h.thread, first)
			r.own = append(r.own, own)
			r.columns = append(r.columns, k.LetIn("column", h.rank.Mul(r.each).Add(own), 0, r.m-1))
		}
		k.ahead = r.lookAhead
		r.out()
		if g.back < 0 {
			r.lines(nil)
			return
		}
		r.lines(r.line(true))
		r.home()
	})
}

// lookAhead asks for a group's samples of the line of a cluster that runs later.
func (r *ring) lookAhead() {
	if slot := r.k.p.Stages[r.there].Reads[0]; r.Columns.Ahead > 0 && r.k.contiguous(slot) {
		r.hall.lookAhead(slot)
	}
}

// at is element j of the butterfly of a column.
func (r *ring) at(column build.Val, j int) place { return place{at: raised(column, j*r.m)} }

// out reads samples and sends the sums of butterflies to their groups. What the roots of a
// group's first pass would be turned by is the same for all of a column's threads.
func (r *ring) out() {
	k := r.k
	read := k.plainIn(k.ffts[r.there], k.sourceOf(r.there))
	all := lists.Map(r.columns, func(c build.Val) []number {
		return read(lists.Make(r.p, func(j int) place { return r.at(c, j) }))
	})
	k.askAhead()
	k.Arrive()
	turns := r.turns()
	for i, x := range all {
		for j, z := range r.a.Quarter(x) {
			r.send(whole(j), r.Rows, whole(0), r.columns[i], build.Val{}, r.a.Mul(z, turns(r.columns[i], j)))
		}
	}
	r.meet()
}

// turns are what sums for group j are turned by: of the numbers that a butterfly of the first
// pass over the line reads, each by its own root.
func (r *ring) turns() func(column build.Val, j int) number {
	k, radix := r.k, r.Rows.Radices[0]
	n := 4 * r.p * radix
	table := k.pairs(r.trip.precision, fmt.Sprintf("quarter sums %d by %d", r.p, radix), func() []complex128 {
		all := roots.Of(n)
		return lists.Make(r.p*radix, func(i int) complex128 {
			b, j := i/r.p, i%r.p
			re, im := all.At((b*(4*j-1) + n) % n)
			return complex(re, im)
		})
	})
	rows := map[ktree.Expr]build.Val{}
	return func(column build.Val, j int) number {
		row, ok := rows[column.E]
		if !ok {
			row = k.Let("turn", column.Div(r.m/radix).Mul(r.p))
			rows[column.E] = row
		}
		return k.looked(table.At(raised(row, j)))
	}
}

// line is the transform of a group's numbers, there or back. The way there has the group's own
// roots.
func (r *ring) line(back bool) *core {
	k, part := r.k, r.Rows
	if back {
		part = part.Reversed()
	}
	c := k.coreOf(r.trip.precision, part, back, r.hall.thread, k.threads)
	c.shared = r.hall.line(r.Rows, whole(0))
	if back {
		c.table = k.twiddleTable(part, r.trip.precision, false)
	} else {
		c.table = r.roots(part)
	}
	if part.Wide && r.trip.precision == single {
		c.wide = k.pool(ktree.Vector(ktree.Float, 4))
	}
	c.begin()
	return c
}

// roots is the pointer to the group's twiddles: those of bins that are (4*rank - 1) / 4p higher.
func (r *ring) roots(part *recipe.Recipe) build.Val {
	each := len(twiddles(part.Radices, 1, 0))
	table := r.k.pairs(r.trip.precision, fmt.Sprintf("quarter twiddles %v of %d groups", part.Radices, r.p), func() (list []complex128) {
		for j := range r.p {
			list = append(list, twiddles(part.Radices, 4*r.p, 1-4*j)...)
		}
		return list
	})
	return r.k.Let("roots", table.Plus(r.rank.Mul(each)))
}

// lines takes a group's numbers to the bins, and back if there is a transform for that.
func (r *ring) lines(second *core) {
	k, x := r.k, r.k.ffts[r.there]
	first := r.line(false)
	landed := func(at []place) []number {
		k.guard.beforeRead(swapped)
		return lists.Map(at, func(p place) number { return k.looked(first.shared.At(p.at)) })
	}
	start := k.Let("start", r.rank.Mul(r.m))
	bin := func(p place) place { return place{at: k.LetIn("bin", start.Add(p.at), 0, r.n-1), ok: p.ok} }
	if second == nil {
		first.run(landed, func(at []place, v []number) {
			for j, p := range at {
				k.pass(r.there, one(bin(p)), []number{k.times(x, v[j])})
			}
		})
		return
	}
	weight, weighted := k.weightsOf(r.there)
	between := [][]number{}
	first.run(landed, func(at []place, v []number) {
		list := make([]number, len(v))
		for j, p := range at {
			if list[j] = k.times(x, v[j]); !weighted {
				list[j] = x.numberOf(k.pass(r.there, one(bin(p)), list[j:j+1])[k.chains[r.there].gives][0])
			}
		}
		between = append(between, list)
		if weighted {
			second.weights = append(second.weights, lists.Map(at, func(p place) number { return weight(bin(p)) }))
		}
	})
	second.taken = k.Arrive
	second.run(taken(&between), func(at []place, v []number) {
		for j, p := range at {
			to, own := shared(p.at, r.each)
			r.send(to, r.Rows, whole(0), r.rank.Mul(r.each).Add(own), p.ok, v[j])
		}
	})
	r.meet()
}

// home makes the results of a group's butterflies, of which the real parts are wanted.
func (r *ring) home() {
	k, y := r.k, r.k.ffts[r.back]
	room := r.hall.line(r.Rows, whole(0))
	n, scale := r.n, y.f.Scale
	// The powers of what a butterfly's numbers are turned by, and what its first result is.
	powers := dft.Powers(r.p)
	table := k.pairs(r.trip.precision, fmt.Sprintf("quarter results %d of %d groups by %v", n, r.p, scale), func() (list []complex128) {
		all, last := roots.Of(n), roots.Of(4*n)
		for row := range powers {
			for i := range r.m {
				re, im := all.At(i << row % n)
				list = append(list, complex(re, -im))
			}
		}
		for i := range r.m {
			re, im := last.At(i)
			list = append(list, complex(re*scale, im*scale))
		}
		return list
	})
	quarters := roots.Of(4 * r.p)
	k.products = map[*ktree.Var][][2]build.Val{}
	for i, c := range r.columns {
		k.guard.beforeRead(swapped)
		z := lists.Make(r.p, func(j int) number { return k.looked(room.At(raised(r.own[i], j*r.each))) })
		w := lists.Make(powers, func(row int) number { return k.looked(table.At(raised(c, row*r.m))) })
		turn := k.looked(table.At(raised(c, powers*r.m)))
		for j, v := range r.a.Spun(z, w, nil, true) {
			re, im := quarters.At(j)
			k.realPart(y, r.at(c, j), v, r.a.Mul(turn, number{Re: r.a.Const(re), Im: r.a.Const(im)}), func(at cell, v []number) { k.pass(r.back, at, v) })
		}
	}
}

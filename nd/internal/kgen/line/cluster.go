package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// inCluster makes a transform by clusters of groups that together hold a line in
// shared memory. A line is an array of two axes. Groups take columns from memory,
// transform and turn them, and push each result to the group that has its row; then
// they transform rows, and store them with the axes reversed. Radices and roots are
// those of two passes over memory, and so are the bits.
func (g *long) inCluster() {
	x := &transform{f: g.f, precision: g.precision, kind: g.recipe.Kind}
	in, out := g.input(x), g.output(x)
	k := g.begun(g.gpu.Together(g.recipe), in, out)
	k.cluster = g.recipe.Blocks
	k.threads /= k.cluster
	k.function(func() {
		h := newHall(k, g.recipe, g.precision, g.gpu)
		h.counted = true
		k.Counted(g.n / k.cluster * g.bytes())
		read, write := in.read(k), out.write(k)
		if g.f.In.Along() == 1 {
			k.ahead = func() { h.lookAhead(0) }
		}
		n1, n2 := h.Columns.N, h.Rows.N
		column, c := h.columns(x.inverse())
		c.run(func(at []place) []number {
			return fetched(at, func(p place) place { return k.spread(column, p, n2) }, read)
		}, func(at []place, v []number) {
			f := k.factors(g.precision, at, g.n, n2, column.To(ktree.Uint), x.inverse(), false)
			h.push(at, c.turned(v, f), column)
		})
		h.meet()
		first, c := h.rows(x.inverse())
		c.run(h.landed, func(at []place, v []number) {
			for j, p := range at {
				write(k.spread(first, p, n1), v[j])
			}
		})
	})
}

// hall is the shared memory of a cluster, and where a thread is in it.
type hall struct {
	*recipe.Recipe
	k         *kernel
	precision *precision
	gpu       recipe.GPU
	thread    build.Val
	rank      build.Val
	row       build.Val // that the thread loads, of its group's
	counted   bool      // pushes count themselves: there is one exchange
	waited    bool      // for all groups to be done with the memory that is pushed to
}

func newHall(k *kernel, r *recipe.Recipe, p *precision, gpu recipe.GPU) *hall {
	h := &hall{Recipe: r, k: k, precision: p, gpu: gpu}
	h.thread = k.Let("thread", k.Thread().To(ktree.Int))
	h.rank = k.Let("rank", k.Rank().To(ktree.Int))
	return h
}

// line is the pointer to a column or a row in the group's own memory.
func (h *hall) line(part *recipe.Recipe, number build.Val) build.Val {
	return h.k.Let("room", h.k.pool(h.precision.pair()).Plus(number.Mul(h.gpu.Apart(part))))
}

func (h *hall) core(part *recipe.Recipe, thread, shared build.Val, inverse bool) *core {
	c := h.k.coreOf(h.precision, part, inverse, thread, part.Threads)
	c.table, c.shared = h.k.twiddleTable(part, h.precision, false), shared
	c.begin()
	return c
}

// columns is the column of a thread, by its number in the line, and its transform:
// threads that follow each other have columns that do.
func (h *hall) columns(inverse bool) (column build.Val, c *core) {
	k, part := h.k, h.Columns
	own := k.Let("own", h.thread.Rem(part.Lines))
	c = h.core(part, k.Let("t", h.thread.Div(part.Lines)), h.line(part, own), inverse)
	c.taken = k.Arrive
	return k.Let("column", h.rank.Mul(part.Lines).Add(own)), c
}

// lookAhead asks for a group's share of the line of a cluster that runs later.
func (h *hall) lookAhead(slot ir.SlotID) {
	k, s := h.k, h.k.p.Slots[slot]
	each := s.Len / k.cluster
	k.later(h.Columns.Ahead, func(index []build.Val) {
		first := k.offsetOf(slot, s, index).Add(h.rank.To(k.positions()).Mul(each))
		k.Prefetch(k.buffers[k.bufferOf(slot)].At(first), each)
	})
}

// push hands results of a column to the groups that have their rows.
func (h *hall) push(at []place, v []number, column build.Val) {
	for j, p := range at {
		to, row := shared(p.at, h.Rows.Lines)
		h.send(to, h.Rows, row, column, p.ok, v[j])
	}
}

// shared is whose a line is, if groups have so many each, and its number there.
func shared(line build.Val, each int) (rank, number build.Val) {
	lo, hi := build.Range(line)
	if n := int(lo) / each; n == int(hi)/each {
		return whole(n), raised(line, -n*each)
	}
	return line.Div(each), line.Rem(each)
}

// send stores an element of a line of a group, once all groups are done with what is
// there.
func (h *hall) send(rank build.Val, part *recipe.Recipe, line, at, ok build.Val, v number) {
	k := h.k
	if !h.waited {
		k.AwaitCluster()
		h.waited = true
	}
	k.when(ok, func() {
		k.Push(rank, k.pool(h.precision.pair()).At(line.Mul(h.gpu.Apart(part)).Add(at)), build.Vec(v.Re, v.Im))
	})
}

// meet waits until all groups have sent what they send.
func (h *hall) meet() {
	if h.counted {
		h.k.Collect()
	} else {
		h.k.Meet()
	}
	h.waited = false
}

// rows is the transform of a thread's row, and the number of the row that it stores
// an element of: threads that follow each other load elements that do, and store to
// rows that do.
func (h *hall) rows(inverse bool) (first build.Val, c *core) {
	k, part := h.k, h.Rows
	h.row = k.Let("row", h.thread.Div(part.Threads))
	last := k.Let("row2", h.thread.Rem(part.Lines))
	c = h.core(part, k.Let("t", h.thread.Rem(part.Threads)), h.line(part, h.row), inverse)
	c.turnedThread, c.turnedShared = k.Let("t2", h.thread.Div(part.Lines)), h.line(part, last)
	return k.Let("first", h.rank.Mul(part.Lines).Add(last)), c
}

// landed are elements of the thread's row as they were pushed.
func (h *hall) landed(at []place) []number {
	h.k.guard.beforeRead(swapped)
	from := h.line(h.Rows, h.row)
	return lists.Map(at, func(p place) number { return h.k.looked(from.At(p.at)) })
}

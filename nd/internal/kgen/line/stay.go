package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// A line that takes most of a multiprocessor has no other beside it whose loads
// would hide its arithmetic. So where a recipe says so, a group stays for line
// after line, and loads the next one while it computes: when the second to last
// pass has left its numbers in shared memory, registers are free that the last
// pass, of a smaller radix, does not need.

// stays is how many groups stay; 0 if each takes one line and leaves.
func (k *kernel) stays() int {
	x := k.ffts[0]
	if len(k.p.Stages) > 1 || x == nil || !x.split.Stays || x.kind != recipe.MixedRadix || x.f.Kind != ir.FFTComplex ||
		k.target.Arch < 90 || k.lines > 1 || k.outer.columns || k.hasMargins() || k.inPlace() || min(x.f.InLen, x.f.InNeeded()) < x.f.N {
		return 0
	}
	n := k.target.Processors * max(k.target.PoolBytes/k.pitch, 1)
	if k.groups() < 2*n {
		return 0
	}
	return n
}

// staying makes the kernel of groups that stay, and its launch.
func (k *kernel) staying(groups int) {
	k.open(k.threads, k.resident, k.pitch)
	k.seat()
	all := k.size("groups", k.groups())
	held := k.incoming()
	held.load(k.Group())
	k.For("group", k.Group(), all, groups, 1, func(group build.Val) {
		// Zero, which the compiler cannot know: roots and places would otherwise stay
		// in registers, too.
		k.fresh = k.Let("fresh", group.Shr(30).To(k.t.Kind()))
		k.t = k.LetIn("t", k.t.Add(k.fresh), 0, k.threads-1)
		_, k.outer.index = k.lineOf(group, k.row)
		k.live = build.Bool(true) // a group has one line
		k.locate(1, k.p.Slots[1])
		k.guard.beforeRead(swapped) // by threads that are still at the line before
		x := k.ffts[0]
		c := k.newCore(x, x.split, x.inverse())
		c.left = func() { held.load(k.Let("next", build.Min(group.Add(groups), all.Sub(1)))) }
		c.run(held.take, k.plainOut(x, func(at cell, v []number) { k.pass(0, at, v) }))
	})
	k.close(groups)
}

// incoming is a line on its way: what the first pass reads, in registers.
type incoming struct {
	k     *kernel
	vars  []build.Val
	taken int
}

func (k *kernel) incoming() *incoming {
	held := kgen.MemoryOf(k.ffts[0].f.In.Type)
	return &incoming{k: k, vars: lists.Map(k.firstReads(0), func(place) build.Val { return k.Unset("held", held) })}
}

// firstReads are the places that a thread's first pass of stage i reads.
func (k *kernel) firstReads(i int) []place {
	x := k.ffts[i]
	c := k.coreOf(x.precision, x.split, false, k.t, k.threads)
	c.begin()
	return c.places(0)
}

// load asks for the line of a group, at once: compilers move loads to where their
// results are used.
func (in *incoming) load(group build.Val) {
	k := in.k
	_, index := k.lineOf(group, k.row)
	from := k.Let("from", k.buffers[k.bufferOf(0)].Plus(k.offsetOf(0, k.p.Slots[0], index)))
	for i, p := range k.firstReads(0) {
		k.Set(in.vars[i], build.Now(from.At(where(k.ffts[0].f.In, p))))
	}
}

// take gives the numbers of the next butterfly.
func (in *incoming) take(at []place) []number {
	list := lists.Map(in.vars[in.taken:in.taken+len(at)], func(v build.Val) number { return in.k.looked(v) })
	in.taken += len(at)
	return list
}

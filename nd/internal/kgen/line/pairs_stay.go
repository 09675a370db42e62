package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// A pair of lines that has a multiprocessor to itself has no other beside it that computes
// while it is loaded. So its group stays for pair after pair, and loads the words of the
// next one, which take half of the registers that numbers do, before its last pass.

// pairsStay is how many groups stay; 0 if each takes one pair of lines and leaves.
func (k *kernel) pairsStay() int {
	n := k.target.Processors
	if k.lines > 1 || k.target.Arch < 90 || k.outer.columns || 2*k.pitch <= k.target.PoolBytes || k.groups() < 2*n {
		return 0
	}
	return n
}

// stayWith makes groups that stay, each for every so many of all pairs of lines.
func (k *kernel) stayWith(slot ir.SlotID, groups int) {
	places := k.firstReads(transformsOf(k.p)[0])
	var w words
	load := func(group build.Val) []number {
		_, index := k.lineOf(group, k.row)
		w = k.wordsOf(slot, index)
		return lists.Map(places, func(p place) number {
			return w.at(p, build.Now, func(v build.Val) build.Val { return v })
		})
	}
	all := k.size("groups", k.groups())
	held := lists.Map(load(k.Group()), func(z number) number {
		return eachPart(z, func(v build.Val) build.Val { return k.Var("held", v) })
	})
	taken := 0
	k.pair.read = func(at []place) []number {
		taken += len(at)
		return w.both(held[taken-len(at) : taken])
	}
	k.For("group", k.Group(), all, groups, 1, func(group build.Val) {
		k.turnTo(group)
		k.guard.beforeRead(swapped) // by threads that are still at the pair before
		k.pair.next = func() {
			k.guard.beforeRead(swapped) // 648 us instead of 642 before that barrier
			for i, z := range load(k.Let("next", build.Min(group.Add(groups), all.Sub(1)))) {
				for _, part := range [][2]build.Val{{held[i].Re, z.Re}, {held[i].Im, z.Im}} {
					if !part[1].IsZero() {
						k.Set(part[0], part[1])
					}
				}
			}
		}
		k.body()
	})
}

package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// A number of two lines with quarter bins is a sample of each, but a word of memory has two
// neighbours of one line. Where a warp has 32 samples that follow each other, half of its lanes load
// words of one line and half of the other, and one instruction makes words of both: rows of a
// matrix of 8 x 8 samples, of the two lines by turns, become columns. Results are stored the same
// way. For that, lane l of a warp has sample l/8*8 + l%4*2 + l/4%2.

// crossing is how a thread accesses such words.
type crossing struct {
	word   build.Val               // which of the words of a line are the thread's
	second build.Val               // whether those of the second line are
	first  map[ir.SlotID]build.Val // what the first line has of a result
	stored map[ir.SlotID]build.Val // pointers to the words that the thread stores
}

// byWarps reports lines that have a warp each, for which words were measured: causal ones of
// 64x768x1024 bfloat16 by taps take 104.0 us on an H200 instead of 105.9.
func (k *kernel) byWarps() bool { return k.threads == 32 }

// takeTurns gives threads such samples, where warps have 32 that follow each other.
func (k *kernel) takeTurns() {
	x := k.ffts[transformsOf(k.p)[0]]
	if !x.f.Quarter() || !k.byWarps() || x.f.N/x.split.Passes()[0]%k.threads > 0 {
		return
	}
	k.AtStart(func() {
		l := k.t
		k.pair.crossing = &crossing{
			word:   k.LetIn("word_at", l.Shr(5).Shl(4).Or(l.And(3).Shl(2)).Or(l.Shr(3).And(3)), 0, k.threads/2-1),
			second: k.Let("second", l.And(4).Ne(0)),
			first:  map[ir.SlotID]build.Val{},
			stored: map[ir.SlotID]build.Val{},
		}
		k.t = k.LetIn("t", l.And(-8).Or(l.And(3).Shl(1)).Or(l.Shr(2).And(1)), 0, k.threads-1)
	})
}

// inWords reports a slot that both lines have in words of two samples.
func (k *kernel) inWords(slot ir.SlotID, o ir.Operand) bool {
	return k.pair.crossing != nil && k.p.Slots[slot].Type.IsHalf() && k.pair.apart[slot]%2 == 0 && k.inPairs(slot, o, cell{width: 2})
}

// ownWords points to the words of a slot that are the thread's.
func (k *kernel) ownWords(slot ir.SlotID, index []build.Val) build.Val {
	s := k.p.Slots[slot]
	all := k.buffer(fmt.Sprintf("words%d", slot), ktree.Vector(kgen.MemoryOf(s.Type).Kind, 2), k.bound[slot], s.Kind == ir.OutSlot)
	line := k.pair.second.Choose(k.number(fmt.Sprintf("words_apart%d", slot), k.pair.apart[slot]/2), build.Int(k.positions(), 0))
	return k.Let("words_of", all.Plus(k.offsetOf(slot, s, index).Shr(1).Add(line).Add(k.pair.word.To(k.positions()))))
}

// turned is a word of both lines, of those of each, or the other way round.
func (k *kernel) turned(v build.Val) build.Val { return k.Across(ktree.SimdTurn, v) }

// storeTurned stores what a line has of a result, which waits for what the other has; false if it is
// none of a warp's 32.
func (k *kernel) storeTurned(slot ir.SlotID, o ir.Operand, c cell, v kgen.Num, ok build.Val) bool {
	if !k.inWords(slot, o) || c.width > 1 || !ok.IsNil() {
		return false
	}
	at, add := parted(where(o, c.at))
	if !sameValue(at, k.t) || add%2 != 0 {
		return false
	}
	x := kgen.Put(k.p.Slots[slot].Type, v)
	if k.pair.line == 0 {
		k.pair.first[slot] = k.Let("first", x)
		return true
	}
	if k.pair.stored[slot].IsNil() {
		k.pair.stored[slot] = k.ownWords(slot, k.outer.index)
	}
	w := k.turned(build.Vec(k.pair.first[slot], k.Let("second", x)))
	k.when(k.live, func() { k.Set(k.pair.stored[slot].At(add/2), w) })
	return true
}

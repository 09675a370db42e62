package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/share"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Where the warps of a group are one run, a warp begins without what the one before it
// leaves pending. It keeps the sums of its first turns, and what reaches them from the
// warp before is added when that is done, in the order of lines.

// seam is how many numbers a thread has on chip for a sum: those that are pending when it
// is done, and as many of each of its first turns.
func seam(sum ir.Stage) int { return waiting(sum) * (1 + waiting(sum)) }

// seamBytes is the shared memory of a group for that.
func (s *solo) seamBytes() int { return 4 * 32 * share.Warps * lists.Sum(s.p.Sums(), seam) }

// seamOf is where a thread of a warp has its numbers of sum i: they are 32 apart.
func (s *solo) seamOf(i int, warp build.Val) build.Val {
	sums := s.p.Sums()
	first := s.bytes()/4 + 32*share.Warps*lists.Sum(sums[:i], seam)
	return s.Let("seam", s.pool(ktree.Scalar(ktree.Float)).Plus(raised(warp.Mul(32*seam(sums[i])), first)).Plus(s.lane))
}

// saveFirst keeps the sums of a turn, if it is one of the first.
func (s *solo) saveFirst(i int, sums []build.Val) {
	if !s.joined {
		return
	}
	s.If(s.turn.Lt(len(sums)), func() {
		at := s.seamOf(i, s.warp).Plus(s.turn.Add(1).Mul(32 * len(sums)))
		for r, v := range sums {
			s.Set(at.At(32*r), v)
		}
	})
}

// join adds up the first samples of each warp but the first.
func (s *solo) join() {
	if !s.joined {
		return
	}
	for i, pending := range s.pending {
		at := s.seamOf(i, s.warp)
		for r, v := range pending {
			s.Set(at.At(32*r), v)
		}
	}
	s.Barrier()
	s.If(s.warp.Gt(0), func() {
		for i, sum := range s.p.Sums() {
			before, own := s.seamOf(i, s.warp.Sub(1)), s.seamOf(i, s.warp)
			skip, length := s.samples(i, sum.Program.(*ir.Overlap))
			n := waiting(sum)
			pending := lists.Make(n, func(r int) build.Val { return s.Let("left", before.At(32*r)) })
			for turn := range n {
				kept := func(r int) build.Val { return own.At(32 * (n*(turn+1) + r)) }
				ready := s.Let("ready", pending[0].Add(kept(0)))
				for r := range n - 1 - turn {
					pending[r] = s.Let("left", pending[r+1].Add(kept(r+1)))
				}
				at := s.Let("place", s.start.Add(s.lane).Add(32*turn).To(ktree.Uint).Sub(skip))
				s.If(at.Lt(length), func() { s.Set(s.at[sum.Writes[0]].At(at), ready) })
			}
		}
	})
}

package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/share"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Lines that begin at every sample are added up where they are: in registers.
// Element e of the line that lane l has belongs to sample l+e of the warp's
// stretch. Lane by lane, samples l, l+32 and l+64 are sums that a thread keeps,
// and for every element the threads hand each other what belongs to theirs.
// Elements go from the last to the first, so that lines are added in their
// order, as order.FrameGroup has it. What the next lines add to is pending.

// waiting is how many sums of a thread wait for more lines.
func waiting(sum ir.Stage) int { return share.Halo(sum.Program.(*ir.Overlap).Size) }

// samples are where a sum's samples begin and how many there are.
func (s *solo) samples(i int, o *ir.Overlap) (skip, length build.Val) {
	return s.number(fmt.Sprintf("skip%d", i), o.Skip).To(ktree.Uint), s.number(fmt.Sprintf("samples%d", i), o.Length).To(ktree.Uint)
}

// addLines adds the lines of a turn.
func (s *solo) addLines() {
	zero := build.Float(ktree.Float, 0)
	for i, sum := range s.p.Sums() {
		o := sum.Program.(*ir.Overlap)
		left, pending := s.sums[i], s.pending[i]
		count := s.number(fmt.Sprintf("count%d", i), o.Count)
		line := s.Let("line", s.first.Add(s.lane).To(ktree.Uint))
		s.If(s.first.Lt(0).OrElse(s.first.Add(32).Gt(count.To(ktree.Int))), func() { // some lines are no frames
			s.If(line.Ge(count.To(ktree.Uint)), func() {
				for _, v := range left {
					s.Set(v, zero)
				}
			})
		})
		sums := lists.Make(len(pending)+1, func(int) build.Val { return s.Var("sum", zero) })
		add := func(r int, v build.Val) { s.Set(sums[r], sums[r].Add(v)) }
		for e := o.Size - 1; e >= 0; e-- {
			r, d := e/32, e%32
			if d == 0 {
				add(r, left[e])
				continue
			}
			v := s.Across(ktree.SimdShuffle, left[e], s.lane.Sub(d).And(31).To(ktree.Uint))
			s.IfElse(s.lane.Ge(d), func() { add(r, v) }, func() { add(r+1, v) })
		}
		ready := s.Let("ready", pending[0].Add(sums[0]))
		for r := range pending {
			if r == len(pending)-1 {
				s.Set(pending[r], sums[r+1])
			} else {
				s.Set(pending[r], pending[r+1].Add(sums[r+1]))
			}
		}
		skip, length := s.samples(i, o)
		at := s.Let("place", line.Sub(skip))
		s.If(s.first.Ge(s.from).AndThen(at.Lt(length)), func() { s.Set(s.at[sum.Writes[0]].At(at), ready) })
	}
}

// rest stores what the last lines reach, and zeros behind it.
func (s *solo) rest() {
	for i, sum := range s.p.Sums() {
		pending := s.pending[i]
		skip, length := s.samples(i, sum.Program.(*ir.Overlap))
		behind := s.from.Add(s.run)
		s.If(behind.Ge(s.n), func() {
			lane := s.lane.To(ktree.Uint)
			place := s.Var("place", behind.Add(s.lane).To(ktree.Uint))
			s.While(place.Sub(lane).Lt(skip.Add(length)), 0, func() {
				at := s.Let("at", place.Sub(skip))
				s.If(at.Lt(length), func() { s.Set(s.at[sum.Writes[0]].At(at), pending[0]) })
				for r := range pending {
					if r == len(pending)-1 {
						s.Set(pending[r], build.Float(ktree.Float, 0))
					} else {
						s.Set(pending[r], pending[r+1])
					}
				}
			}, func() { s.Set(place, place.Add(32)) })
		})
	}
}

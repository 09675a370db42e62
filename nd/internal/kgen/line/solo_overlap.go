package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/share"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Lines that begin at every sample are added up by those who computed them.
// Element e of the line that lane l has belongs to sample l+e of the warp's
// stretch. Lane by lane, samples l, l+32 and l+64 are sums that a thread keeps.
// Lines are added in their order, as order.FrameGroup has it. What the next lines
// add to is pending.

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
		if s.pitch > 0 {
			s.addRows(left, sums)
		} else {
			s.addByHand(left, sums)
		}
		s.saveFirst(i, sums[:len(pending)])
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

// rowPitch is how many elements apart rows of lines are in shared memory. Behind and
// before each are zeros, so that threads need not know which lines reach their sums.
// Threads that store four elements each of their lines meet in no bank.
func rowPitch(size int) int { return 32*(share.Halo(size)+1) + 4 }

// rowElements is how many elements a warp has for rows: zeros come first.
func rowElements(pitch int) int { return 32 + 32*pitch }

// layRows finds room for rows of lines, of which all are alike.
func (s *solo) layRows() {
	sums := s.p.Sums()
	size := lists.Max(0, sums, func(sum ir.Stage) int { return sum.Program.(*ir.Overlap).Size })
	for _, sum := range sums {
		if sum.Program.(*ir.Overlap).Size != size {
			return
		}
	}
	if pitch := rowPitch(size); size > 0 && s.bytes()+s.seamBytes()+share.Warps*4*rowElements(pitch) <= s.target.PoolBytes {
		s.pitch = pitch
	}
}

// rows is where the rows of the warp begin, as elements of a type of so many floats.
func (s *solo) rows(width int) build.Val {
	first := (s.bytes() + s.seamBytes()) / 4
	return s.pool(ktree.Vector(ktree.Float, width)).Plus(raised(s.warp.Mul(rowElements(s.pitch)/width), first/width))
}

// clearRows makes the zeros.
func (s *solo) clearRows() {
	if s.pitch > 0 {
		rows := s.Let("rows", s.rows(1))
		s.For("i", s.lane, rowElements(s.pitch), 32, 1, func(i build.Val) { s.Set(rows.At(i), build.Float(ktree.Float, 0)) })
	}
}

// addRows adds lines by shared memory.
func (s *solo) addRows(left, sums []build.Val) {
	four := s.Let("four", s.rows(4).Plus(raised(s.lane.Mul(s.pitch/4), 32/4)))
	whole := len(left) / 4 * 4
	for e := 0; e < whole; e += 4 {
		s.Set(four.At(e/4), build.Vec(left[e:e+4]...))
	}
	row := s.Let("row", s.rows(1).Plus(raised(s.lane.Mul(s.pitch), 32)))
	for e := whole; e < len(left); e++ {
		s.Set(row.At(e), left[e])
	}
	s.WarpBarrier()
	at := s.Let("at", s.rows(1).Plus(raised(s.lane, 32)))
	for l := range 32 {
		for r, sum := range sums {
			if first := 32*r - l; first+31 >= 0 && first < len(left) {
				s.Set(sum, sum.Add(at.At(l*s.pitch+first)))
			}
		}
	}
}

// addByHand adds lines whose elements the threads hand each other, from the last to
// the first.
func (s *solo) addByHand(left, sums []build.Val) {
	add := func(r int, v build.Val) { s.Set(sums[r], sums[r].Add(v)) }
	for e := len(left) - 1; e >= 0; e-- {
		r, d := e/32, e%32
		if d == 0 {
			add(r, left[e])
			continue
		}
		v := s.Across(ktree.SimdShuffle, left[e], s.lane.Sub(d).And(31).To(ktree.Uint))
		s.IfElse(s.lane.Ge(d), func() { add(r, v) }, func() { add(r+1, v) })
	}
}

// rest stores what the last lines reach, and zeros behind it.
func (s *solo) rest() {
	for i, sum := range s.p.Sums() {
		pending := s.pending[i]
		skip, length := s.samples(i, sum.Program.(*ir.Overlap))
		behind := s.from.Add(s.run)
		last := behind.Ge(s.n)
		if s.joined {
			last = last.AndThen(s.warp.Eq(share.Warps - 1))
		}
		s.If(last, func() {
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

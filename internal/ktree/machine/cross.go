package machine

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// cross compiles an operation over simdgroups: 32 consecutive lanes, of which
// only the active ones take part.
//
// Sums and products combine lane i with lane i^16, then i^8, ..., i^1, absent
// lanes counting as the identity. That is the order of a butterfly of
// shuffles, so a GPU gets the same bits.
func (c *compiler) cross(s *flat.Cross) {
	if s.Fn == ktree.GroupAny || s.Fn == ktree.GroupSame {
		c.groupAny(s)
		return
	}
	x := c.lanes(c.expr(s.X))
	var lane value
	if s.Lane != nil {
		lane = c.lanes(c.expr(s.Lane))
	}
	depth := c.depth
	d := c.newReg(s.Dst.Kind)
	sum := sums(s, x.kind)
	c.emit(func(f *frame) {
		m := &f.levels[depth]
		if sum && wholeSums(f, m, x, d) {
			return
		}
		var group [ktree.SimdWidth]ktree.Num
		var on [ktree.SimdWidth]bool
		for lo := 0; lo < f.n; lo += ktree.SimdWidth {
			n := min(ktree.SimdWidth, f.n-lo)
			on = [ktree.SimdWidth]bool{}
			any := false
			for i := range n {
				on[i] = m.full || m.on[lo+i]
				any = any || on[i]
				group[i] = f.getLane(x, lo+i)
			}
			if !any {
				continue
			}
			if s.Lane != nil {
				for i := range n {
					if on[i] {
						from := laneFrom(s.Fn, i, int(uint32(f.i32[lane.reg][lo+i])))
						if from < 0 || from >= n || !on[from] {
							from = i
						}
						f.putLane(d, lo+i, group[from])
					}
				}
				continue
			}
			combine(s.Fn, x.kind, &group, &on)
			for i := range n {
				if on[i] {
					f.putLane(d, lo+i, group[i])
				}
			}
		}
	})
	c.release(x)
	if s.Lane != nil {
		c.release(lane)
	}
	home := c.home(s.Dst)
	c.assign(home, d)
}

// groupAny compiles whether a condition holds for any active lane, a scalar of the
// group.
func (c *compiler) groupAny(s *flat.Cross) {
	x := c.lanes(c.expr(s.X))
	depth, slot := c.depth, c.newSlot(s.Dst.Kind)
	home := slotValue(s.Dst.Kind, slot)
	home.reg = slot
	c.vars[s.Dst] = home
	c.emit(func(f *frame) {
		same := s.Fn == ktree.GroupSame
		if f.watch != nil && !same {
			f.watch.barrier(&flat.Barrier{Threadgroup: true})
		}
		m := &f.levels[depth]
		f.ui[slot] = 0
		for i := range f.n {
			if m.full || m.on[i] {
				f.ui[slot] |= f.getLane(x, i).I
			}
		}
		for i := range f.n {
			if same && f.getLane(x, i).I != f.ui[slot] {
				f.fail(s.Pos, i, "a condition is not the same for all threads of the group")
			}
		}
	})
	c.release(x)
}

// source is the lane that lane i reads.
func laneFrom(fn ktree.Intrinsic, i, by int) int {
	switch fn {
	case ktree.SimdShuffleXor:
		return i ^ by
	case ktree.SimdShuffleUp:
		return i - by
	case ktree.SimdShuffleDown:
		return i + by
	}
	return by
}

// combine replaces each lane's value by the result it sees.
func combine(fn ktree.Intrinsic, k ktree.Kind, v *[ktree.SimdWidth]ktree.Num, on *[ktree.SimdWidth]bool) {
	switch fn {
	case ktree.SimdPrefixInclusiveSum, ktree.SimdPrefixExclusiveSum:
		total := ktree.Num{}
		for i := range v {
			if !on[i] {
				continue
			}
			before := total
			total = ktree.EvalBinary(ktree.Add, k, total, v[i])
			v[i] = total
			if fn == ktree.SimdPrefixExclusiveSum {
				v[i] = before
			}
		}
		return
	case ktree.SimdMatch:
		old := *v
		for i := range v {
			v[i] = ktree.Num{}
			for j := range v {
				if on[i] && on[j] && old[i].I == old[j].I {
					v[i].I |= 1 << j
				}
			}
		}
		return
	}
	have := *on
	for step := ktree.SimdWidth / 2; step > 0; step /= 2 {
		old, was := *v, have
		for i := range v {
			j := i ^ step
			switch {
			case was[i] && was[j]:
				v[i] = fold(fn, k, old[min(i, j)], old[max(i, j)])
			case was[j]:
				v[i], have[i] = old[j], true
			}
		}
	}
}

func fold(fn ktree.Intrinsic, k ktree.Kind, a, b ktree.Num) ktree.Num {
	switch fn {
	case ktree.SimdSum:
		return ktree.EvalBinary(ktree.Add, k, a, b)
	case ktree.SimdProduct:
		return ktree.EvalBinary(ktree.Mul, k, a, b)
	case ktree.SimdAll:
		return ktree.BoolNum(a.I != 0 && b.I != 0)
	case ktree.SimdAny:
		return ktree.BoolNum(a.I != 0 || b.I != 0)
	}
	less := ktree.EvalBinary(ktree.Lt, k, b, a).I != 0
	if fn == ktree.SimdMax {
		less = ktree.EvalBinary(ktree.Gt, k, b, a).I != 0
	}
	if less || a.F != a.F {
		return b
	}
	return a
}

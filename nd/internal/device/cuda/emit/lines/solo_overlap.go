package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Lines that begin at every sample are added up where they are: in registers.
// Element e of the line that lane l has belongs to sample l+e of the warp's
// stretch. Lane by lane, samples l, l+32 and l+64 are sums that a thread keeps,
// and for every element the threads hand each other what belongs to theirs.
// Elements go from the last to the first, so that lines are added in their
// order, as emit.FrameGroup has it. What the next lines add to is pending.

// pending is how many sums of a thread wait for more lines.
func pending(sum ir.Stage) int { return max(1, (sum.Program.(*ir.Overlap).Size+30)/32) }

// sums adds the lines of a turn.
func (s *solo) sums(ps *params) {
	for i, sum := range s.p.Sums() {
		o := sum.Program.(*ir.Overlap)
		waits := pending(sum)
		count := ps.number(fmt.Sprintf("count%d", i), o.Count)
		s.open("if (at < 0 || at + 32 > (int)%s)", count) // some lines are no frames
		for e := range o.Size {
			s.line("if ((u32)(at + lane) >= (u32)%s) %s = 0;", count, leftOf(i, e))
		}
		s.close()
		for r := range waits + 1 {
			s.line("float sum%d_%d = 0;", i, r)
		}
		for e := o.Size - 1; e >= 0; e-- {
			r, d := e/32, e%32
			if d == 0 {
				s.line("sum%d_%d += %s;", i, r, leftOf(i, e))
				continue
			}
			v := s.let("float", "__shfl_sync(~0u, %s, lane - %d)", leftOf(i, e), d)
			s.line("if (lane >= %d) sum%d_%d += %s; else sum%d_%d += %s;", d, i, r, v, i, r+1, v)
		}
		s.line("const float ready%d = pending%d_0 + sum%d_0;", i, i, i)
		for r := range waits {
			before := fmt.Sprintf("pending%d_%d + ", i, r+1)
			if r == waits-1 {
				before = ""
			}
			s.line("pending%d_%d = %ssum%d_%d;", i, r, before, i, r+1)
		}
		length, skip := ps.number(fmt.Sprintf("samples%d", i), o.Length), ps.number(fmt.Sprintf("skip%d", i), o.Skip)
		s.line("const u32 place%d = (u32)(at + lane) - (u32)%s;", i, skip)
		s.line("if (at >= from && place%d < (u32)%s) s%d[place%d] = ready%d;", i, length, sum.Writes[0], i, i)
	}
}

// leftOf is the name of what is left of a line for a sum: its element e.
func leftOf(sum, e int) string { return fmt.Sprintf("left%d_%d", sum, e) }

// lineOf is the operand of the one frame that a stage adds.
func lineOf(o *ir.Overlap) ir.Operand {
	in := o.In
	in.Strides = in.Strides[len(in.Strides)-1:]
	return in
}

// rest stores what the last lines reach, and zeros behind it.
func (s *solo) rest() {
	for i, sum := range s.p.Sums() {
		waits := pending(sum)
		s.open("if (from + run >= n)")
		s.open("for (u32 place = from + run + lane; place - lane < (u32)(skip%d + samples%d); place += 32)", i, i)
		s.line("if (place - (u32)skip%d < (u32)samples%d) s%d[place - (u32)skip%d] = pending%d_0;", i, i, sum.Writes[0], i, i)
		for r := range waits {
			next := "0"
			if r < waits-1 {
				next = fmt.Sprintf("pending%d_%d", i, r+1)
			}
			s.line("pending%d_%d = %s;", i, r, next)
		}
		s.close()
		s.close()
	}
}

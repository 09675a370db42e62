package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/linepass"
)

// phases are the stages before the segments, in them, and behind them.
func phases(p *ir.Line) [3][2]int {
	b, e := len(p.Stages), len(p.Stages)
	for i, s := range p.Stages {
		if s.Each {
			b, e = min(b, i), i+1
		}
	}
	return [3][2]int{{0, min(b, e)}, {min(b, e), e}, {e, len(p.Stages)}}
}

// plan decides where every value lives: computed where it is read, in
// registers that pass from stage to stage, or in shared memory.
func (k *kernel) plan() error {
	k.p = linepass.SplitSpectra(k.p)
	k.slots = k.p.Uses()
	for i, s := range k.p.Stages {
		switch p := s.Program.(type) {
		case *ir.FFT:
			x, err := newTransform(p, k.target, len(k.p.Stages) == 1, k.pair != nil)
			if err != nil {
				return err
			}
			k.ffts[i] = x
		case *ir.Map, *ir.Reduce, *ir.Scan, *ir.Sort, *ir.Butterfly, *ir.Overlap:
		default:
			return fmt.Errorf("kgen: lines: a %s is no stage: %w", p.Name(), device.ErrUnsupported)
		}
	}
	k.countThreads()
	k.findVirtual()
	all := phases(k.p)
	for _, r := range all {
		for i := r[0]; i < r[1]; i++ {
			if k.ffts[i] != nil {
				k.chains[i] = k.chainOf(i, r[1])
			}
		}
	}
	k.behind = k.accumulated(all[2])
	k.findBeside()
	for slot, s := range k.p.EachSlot() {
		if _, ok := k.virtual[slot]; ok || s.Kind == ir.InSlot || k.isScalar(slot) {
			continue
		}
		if slices.ContainsFunc(k.slots[slot].Readers, func(u ir.Use) bool { return !k.served[u] }) {
			k.homes[slot] = home{}
		}
	}
	k.findStaged()
	k.findCarried()
	return nil
}

// countThreads decides how many threads a line has: as many as its transforms
// want, or up to a warp if those do not care.
func (k *kernel) countThreads() {
	k.threads = 1
	longest := 1
	for i, s := range k.p.Stages {
		switch p := s.Program.(type) {
		case *ir.Butterfly:
			k.threads = max(k.threads, k.mixThreads(p))
		case *ir.FFT:
			k.threads = max(k.threads, k.ffts[i].split.Threads)
		case *ir.Map:
			longest = max(longest, p.Dims[0])
		case *ir.Reduce:
			longest = max(longest, p.Dims[0])
		case *ir.Scan:
			longest = max(longest, p.Dims[0])
		case *ir.Sort:
			longest = max(longest, p.Dims[0])
		}
	}
	if k.threads == 1 {
		for k.threads < 32 && 2*k.threads <= longest {
			k.threads *= 2
		}
	}
}

// findVirtual finds maps of what is in memory, or was reduced, that only a
// transform reads, and maps that only a sort reads, once.
func (k *kernel) findVirtual() {
	for i, s := range k.p.Stages {
		m, ok := s.Program.(*ir.Map)
		if !ok || s.First != nil || len(m.Out) != 1 || m.Out[0].Along() != 1 && m.Dims[0] > 1 {
			continue
		}
		slot := s.Writes[0]
		u := k.slots[slot]
		if k.p.Slots[slot].Kind != ir.LocalSlot || len(u.Writers) != 1 || len(u.Readers) != 1 {
			continue
		}
		reader := u.Readers[0].Stage
		if p, ok := k.p.Stages[reader].Program.(*ir.Sort); ok && k.holds(p) && p.In.Along() == 1 &&
			p.In.Offset == m.Out[0].Offset && p.Dims[0] == m.Dims[0] && k.p.Stages[reader].Each == s.Each && k.unchanged(s.Reads, i, reader) {
			k.virtual[slot] = i
			continue
		}
		x := k.ffts[reader]
		if x == nil || k.p.Stages[reader].Each != s.Each || reader < i {
			continue
		}
		o := x.f.In
		first := o.Offset - m.Out[0].Offset
		if o.Along() != 1 || first < 0 || first+min(x.f.InLen, x.f.InNeeded()) > m.Dims[0] || !k.settled(s.Reads, i, reader) {
			continue
		}
		k.virtual[slot] = i
	}
}

// settled reports that slots hold in a later stage what they hold in an
// earlier one, and that no transform writes them: its results had better stay
// in registers.
func (k *kernel) settled(slots []ir.SlotID, earlier, later int) bool {
	for _, slot := range slots {
		for _, w := range k.slots[slot].Writers {
			if _, isMap := k.p.Stages[w].Program.(*ir.Map); k.ffts[w] != nil || isMap {
				return false
			}
		}
	}
	return k.unchanged(slots, earlier, later)
}

// unchanged reports that slots hold in a later stage what they hold in an
// earlier one.
func (k *kernel) unchanged(slots []ir.SlotID, earlier, later int) bool {
	for _, slot := range slots {
		for _, w := range k.slots[slot].Writers {
			if w > earlier && w < later {
				return false
			}
		}
	}
	return true
}

// chainOf is what follows a transform in registers.
func (k *kernel) chainOf(i, end int) *chain {
	x, s := k.ffts[i], k.p.Stages[i]
	slot := s.Writes[0]
	values := map[ir.SlotID]int{}
	if x.f.Out.Along() == 1 && len(k.slots[slot].Writers) == 1 {
		values[slot] = x.f.Out.Offset
	}
	c := k.follow(values, i, end)
	if k.taken[i] { // two transforms run in registers, and a third by itself
		return c
	}
	for j := i + 1; j < end; j++ {
		next := k.ffts[j]
		if next == nil {
			if !k.attached[j] && !k.isVirtual(j) {
				break
			}
			continue
		}
		read := k.p.Stages[j].Reads[0]
		at, passes := c.values[read]
		if !passes || next.f.In.Along() != 1 || at != next.f.In.Offset || !x.passesTo(next) {
			break
		}
		c.next, c.gives = j, read
		k.served[ir.Use{Stage: j}] = true
		k.taken[j] = true
		if x.wide != nil && (k.pair == nil || x.f.Quarter()) {
			x.split, x.exchange, next.exchange = x.wide.split, x.wide.exchange, x.wide.exchange
		}
		next.split = x.split.Reversed()
		if next.packed() {
			next.split = x.split // a packed inverse reverses it itself
		}
		break
	}
	return c
}

// passesTo reports that the results of a transform are in the registers where
// another one wants them.
func (x *transform) passesTo(y *transform) bool {
	if !x.direct() || !y.direct() || x.precision != y.precision || x.split.N != y.split.N || y.f.InLen < y.f.InNeeded() {
		return false
	}
	if x.packed() {
		return x.f.Kind == ir.FFTRealForward && y.packed() && y.f.Kind == ir.FFTRealInverse
	}
	if x.f.Quarter() {
		return x.f.Kind == ir.FFTQuarterForward && y.f.Kind == ir.FFTQuarterInverse
	}
	return x.f.Kind == ir.FFTComplex && y.f.Kind == ir.FFTComplex
}

// accumulated are the chains that start with what was added up, one for each
// transform whose results were.
func (k *kernel) accumulated(r [2]int) []*chain {
	var list []*chain
	var sources []*chain
	for _, a := range k.held {
		if !slices.Contains(sources, a.chain) {
			sources = append(sources, a.chain)
		}
	}
	slices.SortFunc(sources, func(a, b *chain) int { return a.from - b.from })
	for _, source := range sources {
		values := map[ir.SlotID]int{}
		for slot, a := range k.held {
			if a.chain == source {
				values[slot] = a.element
			}
		}
		c := k.follow(values, r[0]-1, r[1])
		c.from = source.from
		list = append(list, c)
	}
	return list
}

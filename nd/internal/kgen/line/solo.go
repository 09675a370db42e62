package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/share"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

const (
	// soloLongest is the longest complex line that a thread has registers for.
	soloLongest = 32
	// soloStretch bounds the elements that a warp loads for its lines.
	soloStretch = 512
	// soloBytes is the shared memory of a warp that leaves room for others.
	soloBytes = 8 << 10
)

// soloOf gives nil for programs that are none.
func soloOf(k *kernel) *solo {
	p := k.p
	s := &solo{kernel: k, kinds: make([]soloKind, len(p.Slots)), places: make([]int, len(p.Slots)),
		values: make([][]kgen.Num, len(p.Slots)), made: map[int]bool{}, left: map[ir.SlotID]kgen.Num{}, frame: map[ir.SlotID]build.Val{}}
	k.slots = p.Uses()
	if k.target.Subgroup != 32 || k.target.PoolBytes == 0 || p.Segments != 1 || len(p.Outer) == 0 || p.Lines() > 1<<29 || !s.frames() || !s.stages() {
		return nil
	}
	last := len(k.outer.dims) - 1
	stretch := false
	for i, slot := range p.EachSlot() {
		strides := k.outer.strides[i]
		switch {
		case slot.Kind == ir.LocalSlot:
			s.kinds[i] = soloValue
		case s.kinds[i] == soloSum:
		case slot.Kind == ir.OutSlot:
			if slot.Len != 1 || strides[last] != 1 || len(k.slots[i].Readers) > 0 {
				return nil
			}
			s.kinds[i] = soloOut
		case slot.Margin == nil && !slices.ContainsFunc(strides, func(n int) bool { return n != 0 }):
			s.kinds[i], s.places[i] = soloShared, s.common
			s.common += (slot.Len*slot.Type.Size() + 15) / 16 * 16
		case slot.Margin == nil && strides[last] == 0:
			s.kinds[i] = soloItem
		case strides[last] < 1 || s.stretch(i) > soloStretch || slot.Type != elem.Float32 || slot.Margin != nil && k.outer.margins[i][last] != strides[last]:
			return nil
		default:
			s.kinds[i], s.places[i] = soloFrames, s.each
			s.each += s.stretch(i) * slot.Type.Size()
			stretch = stretch || slot.Len > 1
		}
	}
	if !stretch || s.common+s.each > soloBytes || s.bytes()+s.seamBytes() > k.target.PoolBytes {
		return nil
	}
	s.layRows()
	k.alone, k.threads, k.t = true, 1, whole(0)
	k.guard = newGuard(func() {})
	return s
}

// bytes is the shared memory of a group, without what sums need.
func (s *solo) bytes() int { return s.common + share.Warps*s.each }

// stretch is how many elements the lines of a warp have of a slot, as whole turns
// of its threads.
func (s *solo) stretch(slot ir.SlotID) int {
	strides := s.outer.strides[slot]
	return (31*strides[len(strides)-1] + s.p.Slots[slot].Len + 31) / 32 * 32
}

// frames reports that lines are numbered along one dimension, and that a thread
// can add them, if they are added at all.
func (s *solo) frames() bool {
	p := s.p
	for _, sum := range p.Sums() {
		o := sum.Program.(*ir.Overlap)
		frames := ir.Count(p.Outer[len(p.Outer)-p.FrameDims():])
		if s.outer.dims[len(s.outer.dims)-1] != frames || o.Count > frames || order.FrameGroup(o.Size, o.Hop) != 32 || o.In.Type != elem.Float32 {
			return false
		}
		s.kinds[sum.Writes[0]] = soloSum
	}
	return true
}

// stages reports that a thread can do all stages, and finds their transforms.
func (s *solo) stages() bool {
	transforms := 0
	for _, u := range s.slots { // a slot is whole when it is read
		for _, w := range u.Writers {
			if slices.ContainsFunc(u.Readers, func(r ir.Use) bool { return r.Stage <= w }) {
				return false
			}
		}
	}
	for i, stage := range s.p.Stages {
		switch p := stage.Program.(type) {
		case *ir.Map, *ir.Overlap:
		case *ir.Reduce:
			if p.Op == ir.ArgMax || p.Op == ir.ArgMin || p.Dims[0] > order.Lanes(p.Dims[0]) || p.Instrs[p.Value].Type != elem.Float32 {
				return false
			}
		case *ir.FFT:
			x, err := newTransform(p, s.target, false, false)
			if err != nil || !x.direct() || !x.packed() && p.Kind != ir.FFTComplex || x.split.N > soloLongest || x.precision != single || p.InLen < p.InNeeded() {
				return false
			}
			s.ffts[i] = x
			transforms++
		default:
			return false
		}
	}
	return transforms > 0
}

// halo is how many turns before a run have lines that reach what it adds to.
func (s *solo) halo() int { return lists.Max(0, s.p.Sums(), waiting) }

// function makes the kernel.
func (s *solo) function() {
	dims := s.outer.dims
	lines := dims[len(dims)-1]
	items := ir.Count(dims[:len(dims)-1])
	halo := s.halo()
	turns, joined, _ := share.Run(share.Turns(lines), items, halo, s.target.Processors)
	run := share.Lines * share.Own(turns, halo, joined)
	if s.joined = joined; !joined {
		turns += halo
	}
	parts := (lines + run - 1) / run
	bytes := s.bytes() + s.seamBytes()
	if s.pitch > 0 {
		bytes += share.Warps * 4 * rowElements(s.pitch)
	}
	s.open(32*share.Warps, share.Groups, bytes)
	s.begin(run, turns, parts, items)
	s.slideAll()
	s.For("turn", whole(0), s.turns, 1, 0, func(turn build.Val) {
		s.turn, s.first = turn, s.Let("first", s.start.Add(turn.Mul(32)))
		s.fetch()
		s.body()
		for i, slot := range s.p.EachSlot() {
			if s.kinds[i] == soloOut {
				at := s.first.Add(s.lane)
				s.If(s.first.Ge(s.from).AndThen(at.Lt(s.end)), func() { s.Set(s.at[i].At(at), kgen.Put(slot.Type, s.left[i])) })
			}
		}
		s.addLines()
	})
	s.join()
	s.rest()
	groups := parts * items
	if !joined {
		groups = (groups + share.Warps - 1) / share.Warps
	}
	s.close(groups)
}

// begin finds which lines a warp has, and brings what all lines share on chip.
func (s *solo) begin(run, turns, parts, items int) {
	s.lane, s.warp = s.Let("lane", s.Thread().Rem(32).To(ktree.Int)), s.Let("warp", s.Thread().Div(32).To(ktree.Int))
	for i, slot := range s.p.EachSlot() {
		if s.kinds[i] != soloShared {
			continue
		}
		t := kgen.MemoryOf(slot.Type)
		s.at[i] = s.Let("s", s.pool(t).Plus(s.places[i]/slot.Type.Size()))
		from := s.number(fmt.Sprintf("o%d", i), slot.Offset)
		s.For("i", s.Thread().To(ktree.Int), slot.Len, 32*share.Warps, 1, func(j build.Val) {
			s.Set(s.at[i].At(j), s.buffers[s.bufferOf(i)].At(from.Add(j.To(s.positions()))))
		})
	}
	s.clearRows()
	s.Barrier()
	dims := s.outer.dims
	last := len(dims) - 1
	number := s.Group()
	if !s.joined {
		number = s.Let("number", number.Mul(share.Warps).Add(s.warp.To(ktree.Uint)))
	}
	all := s.Let("all", s.number("runs", parts*items).To(ktree.Uint))
	rest := s.Let("rest", build.Min(number, all.Sub(1))) // some have nothing to do
	s.run, s.n = s.Let("run", s.number("run_length", run).To(ktree.Int)), s.Let("n", s.number("n0", dims[last]).To(ktree.Int))
	count := s.number("parts", parts).To(ktree.Uint)
	s.from = s.Let("from", number.Lt(all).Choose(rest.Rem(count).To(ktree.Int).Mul(s.run), whole(1<<30)))
	s.end = s.Let("end", build.Min(s.from.Add(s.run), s.n))
	s.turns = s.Let("turns", s.number("turns", turns).To(ktree.Int))
	start := s.from.Sub(share.Lines * s.halo())
	if s.joined {
		start = start.Add(s.warp.Mul(s.turns).Mul(share.Lines))
	}
	s.start = s.Let("start", start)
	s.outer.index = make([]build.Val, last)
	s.indices(s.outer.index, 0, last, -1, s.Let("rest", rest.Div(count)))
	for i, slot := range s.p.EachSlot() {
		switch s.kinds[i] {
		case soloItem, soloFrames, soloOut, soloSum:
			s.locate(i, slot)
		}
	}
	for _, sum := range s.p.Sums() {
		s.pending = append(s.pending, lists.Make(waiting(sum), func(int) build.Val { return s.Var("pending", build.Float(ktree.Float, 0)) }))
	}
}

// fetch brings the samples of the next lines on chip.
func (s *solo) fetch() {
	for _, r := range s.sliding {
		r.keep()
	}
	last, kind := len(s.outer.dims)-1, s.positions()
	s.WarpBarrier()
	for i := range s.p.EachSlot() {
		if s.kinds[i] != soloFrames || s.slides(i) {
			continue
		}
		step := s.outer.strides[i][last]
		stretch := s.stretchOf(i)
		begin := s.first.To(kind).Mul(step)
		lo, length, none := s.extent(i, begin)
		lo = s.Let("lo", lo)
		room := s.stretch(i)
		clip := func(v build.Val) build.Val {
			return s.LetIn("clip", build.Max(build.Min(v, room), 0).To(ktree.Int), 0, room)
		}
		a, b := clip(lo.Neg()), clip(length.Sub(lo))
		from := s.Let("from", s.at[i].Plus(begin).Plus(s.lane))
		s.bring(i, room, stretch, from, lo, a, b, none)
		s.frame[i] = s.Let("frame", stretch.Plus(s.lane.Mul(step)))
	}
	for _, r := range s.sliding {
		r.slide()
	}
	for _, r := range s.sliding {
		r.load()
	}
	s.WarpBarrier()
}

// stretchOf is the pointer to the stretch that a warp has of a slot.
func (s *solo) stretchOf(i ir.SlotID) build.Val {
	t := s.p.Slots[i].Type
	return s.Let("stretch", s.pool(kgen.MemoryOf(t)).Plus(raised(s.warp.Mul(s.each/t.Size()), (s.common+s.places[i])/t.Size())))
}

// extent is where in its run a place of a slot is, how long that is, and what is beyond.
func (s *solo) extent(i ir.SlotID, begin build.Val) (lo, length, none build.Val) {
	slot, last := s.p.Slots[i], len(s.outer.dims)-1
	none = build.Float(ktree.Float, 0)
	if slot.Margin == nil {
		return begin, s.n.Sub(1).To(s.positions()).Mul(s.outer.strides[i][last]).Add(slot.Len), none
	}
	if slot.Margin.Rule == ir.Constant {
		none = s.fills[i].Re
	}
	return s.runs[i].Add(begin), s.lengths[i], none
}

// bring loads a stretch of a slot. Lines of other warps, which nobody computes,
// may go further beyond their run than a rule leads back from.
func (s *solo) bring(slot ir.SlotID, room int, stretch, from, lo, a, b, none build.Val) {
	each := func(load func(j int) build.Val) {
		for j := 0; j < room; j += 32 {
			s.Set(stretch.At(raised(s.lane, j)), load(j))
		}
	}
	m := s.p.Slots[slot].Margin
	if m == nil || m.Rule == ir.Constant {
		each(func(j int) build.Val {
			at := raised(s.lane, j)
			return at.Ge(a).AndThen(at.Lt(b)).Choose(from.At(j), none)
		})
		return
	}
	s.IfElse(a.Gt(0).OrElse(b.Lt(room)), func() {
		length, lane := s.lengths[slot], s.lane.To(s.positions())
		each(func(j int) build.Val {
			at := s.Let("source", lo.Add(lane).Add(j))
			inside := build.Max(build.Min(sourceOf(m.Rule, at, length), length.Sub(1)), 0)
			return from.At(inside.Sub(lo).Sub(lane))
		})
	}, func() { each(func(j int) build.Val { return from.At(j) }) })
}

// body takes the lines of a turn through their stages: by short ways to roots and
// quotients, and where those were not good enough for all of them once more.
func (s *solo) body() {
	for i, slot := range s.p.EachSlot() {
		if s.kinds[i] == soloOut {
			s.left[i] = kgen.Real(s.Unset("left", ktree.Scalar(kgen.KindOf(slot.Type))))
			if slot.Type.IsComplex() {
				n := s.left[i]
				n.Im = s.Unset("left", ktree.Scalar(kgen.KindOf(slot.Type)))
				s.left[i] = n
			}
		}
	}
	s.sums = nil
	for _, sum := range s.p.Sums() {
		s.sums = append(s.sums, lists.Make(sum.Program.(*ir.Overlap).Size, func(int) build.Val { return s.Unset("left", ktree.Scalar(ktree.Float)) }))
	}
	if !s.hasNear() {
		s.once()
		return
	}
	s.near = s.newNear()
	s.once()
	near := s.near
	s.near = build.Val{}
	wrong := near.Not().AndThen(s.first.Add(s.lane).To(ktree.Uint).Lt(s.n.To(ktree.Uint)))
	s.If(s.Across(ktree.SimdAny, wrong), s.once)
}

// once makes all stages.
func (s *solo) once() {
	clear(s.values)
	clear(s.made)
	for i, stage := range s.p.Stages {
		if slices.ContainsFunc(stage.Writes, func(slot ir.SlotID) bool { return s.p.Slots[slot].Kind == ir.OutSlot }) {
			s.make(i)
		}
	}
	for i, sum := range s.p.Sums() {
		o := sum.Program.(*ir.Overlap)
		for e, left := range s.sums[i] {
			s.Set(left, s.value(sum.Reads[0], element(lineOf(o), e)).Re)
		}
	}
}

package lines

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// solo is the kernel of a program of short lines that begin close to each other
// in memory: frames of a signal. Every thread takes a line through all stages by
// itself. It knows at every point which element it has, so factors are constants
// in the text, and nothing is exchanged: the samples of a warp's lines come
// through shared memory once, and what is left of a line is a number or two, or
// is added to a signal (see solo_overlap.go).
//
// A warp goes through a run of neighbouring lines, 32 at a time. All warps take as
// many turns, so that all threads of a block are seen to go the same way. They
// also go more or less in step, having started together: the text is long, and
// what one warp has fetched of it serves the others.
type solo struct {
	*kernel
	ffts   map[int]*transform // of its own: the kernel's are of stages that may be parted
	kinds  []soloKind         // by slot
	places []int              // by slot in shared memory: where, in bytes
	common int                // bytes that the warps of a block share
	each   int                // bytes of a warp
	values [][]string         // by slot that was computed: its elements
	made   map[int]bool       // stages
}

// soloKind is how lines find a slot.
type soloKind uint8

const (
	_          soloKind = iota
	soloShared          // the same for all lines: a block has it in shared memory
	soloItem            // the same for the lines of a run
	soloFrames          // a warp's lines are a stretch of memory
	soloValue           // computed
	soloOut             // an element of each line
	soloSum             // what lines are added to
)

const (
	// soloWarps is how many warps a block has, and soloBlocks how many blocks a
	// multiprocessor has registers for if each thread takes 168. On an H200, the
	// gradient of 4194304 frames of 64 takes 0.81 ms. With barriers that keep warps
	// in step it takes 0.86 ms, in blocks of 4 warps 0.91, with 16 warps of 128
	// registers in a block 0.82 and in blocks of one 1.0.
	soloWarps, soloBlocks = 12, 1
	// soloLongest is the longest complex line that a thread has registers for.
	soloLongest = 32
	// soloStretch bounds the elements that a warp loads for its lines.
	soloStretch = 512
	// soloBytes is the shared memory of a warp that leaves room for others.
	soloBytes = 8 << 10
)

// IsSolo reports a program whose lines threads take through their stages by
// themselves: those that this package still writes.
func IsSolo(p ir.Program, card emit.Card) bool {
	l, ok := p.(*ir.Line)
	return ok && l.Lines() > 0 && soloOf(newUnit(card).kernel(l)) != nil
}

// soloOf gives nil for programs that are none.
func soloOf(k *kernel) *solo {
	p := k.p
	s := &solo{kernel: k, ffts: map[int]*transform{}, kinds: make([]soloKind, len(p.Slots)), places: make([]int, len(p.Slots)),
		values: make([][]string, len(p.Slots)), made: map[int]bool{}}
	k.slots = usesOf(p)
	if p.Segments != 1 || len(p.Outer) == 0 || p.Lines() > 1<<29 || !s.frames() || !s.stages() {
		return nil
	}
	last := len(k.outer.dims) - 1
	stretch := false
	for i, slot := range p.Slots {
		strides := k.outer.strides[i]
		switch {
		case slot.Kind == ir.LocalSlot:
			s.kinds[i] = soloValue
		case s.kinds[i] == soloSum:
		case slot.Kind == ir.OutSlot:
			if slot.Len != 1 || strides[last] != 1 || len(k.slots[i].readers) > 0 {
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
	if !stretch || s.common+s.each > soloBytes || s.common+soloWarps*s.each > k.card.SharedBytes {
		return nil
	}
	return s
}

// stretch is how many elements the lines of a warp have of a slot, as whole turns
// of its threads.
func (s *solo) stretch(slot int) int {
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
		if s.outer.dims[len(s.outer.dims)-1] != frames || o.Count > frames || emit.FrameGroup(o.Size, o.Hop) != 32 || o.In.Type != elem.Float32 {
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
		for _, w := range u.writers {
			if slices.ContainsFunc(u.readers, func(r use) bool { return r.stage <= w }) {
				return false
			}
		}
	}
	for i, stage := range s.p.Stages {
		switch p := stage.Program.(type) {
		case *ir.Map, *ir.Overlap:
		case *ir.Reduce:
			if p.Op == ir.ArgMax || p.Op == ir.ArgMin || p.Dims[0] > emit.Lanes(p.Dims[0]) || p.Instrs[p.Value].Type != elem.Float32 {
				return false
			}
		case *ir.FFT:
			x, err := newTransform(p, s.card)
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

// halo is how many lines before a run reach what it adds to: whole turns.
func (s *solo) halo() int {
	turns := 0
	for _, sum := range s.p.Sums() {
		turns = max(turns, pending(sum))
	}
	return 32 * turns
}

// run is how many lines a warp takes: such that the least time passes until the
// last one is done, if a turn takes as long as there are warps that share a
// quarter of a multiprocessor, and one more for what nobody else can fill.
func (s *solo) run(lines, items int) int {
	const quarters = 4
	turns, halo, most := (lines+31)/32, s.halo()/32, soloWarps*soloBlocks
	best, least := 1, 0
	for r := 1; r <= turns; r += 1 + r/128 {
		blocks := ((turns+r-1)/r*items + soloWarps - 1) / soloWarps
		each := (blocks + s.card.Processors - 1) / s.card.Processors * soloWarps // warps of a multiprocessor
		time := each / most * (most/quarters + 1)
		if rest := each % most; rest > 0 {
			time += (rest+quarters-1)/quarters + 1
		}
		if time *= r + halo; least == 0 || time < least {
			best, least = r, time
		}
	}
	return 32 * best
}

// generateSolo writes the kernel.
func generateSolo(s *solo) {
	dims := s.outer.dims
	lines := dims[len(dims)-1]
	items := ir.Count(dims[:len(dims)-1])
	run := s.run(lines, items)
	parts := (lines + run - 1) / run
	s.entry(func(ps *params) {
		s.begin(ps, run, parts, items)
		s.open("for (int turn = 0; turn < (int)%s; turn++)", ps.number("turns", (run+s.halo())/32))
		s.line("const int at = from - %d + 32 * turn;", s.halo())
		s.fetch()
		s.body()
		for i := range s.p.Slots {
			if s.kinds[i] == soloOut {
				s.when("at >= from && at + lane < end", "s%d[at + lane] = %s;", i, s.uses.Put(s.p.Slots[i].Type, fmt.Sprintf("left%d", i)))
			}
		}
		s.sums(ps)
		s.close()
		s.rest()
	}, 32*soloWarps, soloBlocks, (parts*items+soloWarps-1)/soloWarps, s.common+soloWarps*s.each)
}

// begin writes which lines a warp has, and brings what all lines share on chip.
func (s *solo) begin(ps *params, run, parts, items int) {
	s.line("const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32;")
	s.line("extern __shared__ __align__(16) unsigned char shared[];")
	for i, slot := range s.p.Slots {
		if s.kinds[i] != soloShared {
			continue
		}
		typ := emit.Memory(slot.Type)
		s.line("%s* const s%d = (%s*)(shared + %d);", typ, i, typ, s.places[i])
		s.line("#pragma unroll 1")
		s.line("for (int i = threadIdx.x; i < %d; i += %d) s%d[i] = p%d[%s + i];", slot.Len, 32*soloWarps, i, i, ps.number(fmt.Sprintf("o%d", i), slot.Offset))
	}
	s.line("__syncthreads();")
	dims := s.outer.dims
	last := len(dims) - 1
	s.line("const u32 number = blockIdx.x * %d + warp, all = (u32)%s;", soloWarps, ps.number("runs", parts*items))
	s.line("u32 rest = min(number, all - 1);") // some have nothing to do
	s.line("const int run = (int)%s, n = (int)%s;", ps.number("run_length", run), ps.number("n0", dims[last]))
	count := ps.number("parts", parts)
	s.line("const int from = number < all ? (int)(rest %% (u32)%s) * run : 1 << 30, end = min(from + run, n);", count)
	s.outer.names = make([]string, last)
	s.line("rest /= (u32)%s;", count)
	s.indices(0, last, "rest", ps)
	for i, slot := range s.p.Slots {
		switch s.kinds[i] {
		case soloItem, soloFrames, soloOut, soloSum:
			s.locate(i, slot, ps)
		}
	}
	for i, sum := range s.p.Sums() {
		for r := range pending(sum) {
			s.line("float pending%d_%d = 0;", i, r)
		}
	}
}

// fetch brings the samples of the next lines on chip.
func (s *solo) fetch() {
	last := len(s.outer.dims) - 1
	s.line("__syncwarp();")
	for i, slot := range s.p.Slots {
		if s.kinds[i] != soloFrames {
			continue
		}
		typ, step := emit.Memory(slot.Type), s.outer.strides[i][last]
		s.line("%s* const t%d = (%s*)(shared + %d + warp * %d);", typ, i, typ, s.common+s.places[i], s.each)
		lo, length, none := fmt.Sprintf("(i64)at * %d", step), fmt.Sprintf("(i64)(n - 1) * %d + %d", step, slot.Len), "0"
		if slot.Margin != nil {
			lo, length, none = fmt.Sprintf("run%d + (i64)at * %d", i, step), fmt.Sprintf("length%d", i), fmt.Sprintf("fill%d", i)
		}
		room := s.stretch(i)
		s.line("const i64 lo%d = %s, hi%d = %s - lo%d;", i, lo, i, length, i)
		s.line("const int a%d = (int)max(min(-lo%d, %dll), 0ll), b%d = (int)max(min(hi%d, %dll), 0ll);", i, i, room, i, i, room)
		s.line("const %s* const g%d = s%d + (i64)at * %d + lane;", typ, i, i, step)
		s.bring(i, room, none)
		s.line("const %s* const f%d = t%d + %d * lane;", typ, i, i, step)
	}
	s.line("__syncwarp();")
}

// bring loads a stretch of a slot. Lines of other warps, which nobody computes,
// may go further beyond their run than a rule leads back from.
func (s *solo) bring(slot, room int, none string) {
	if m := s.p.Slots[slot].Margin; m != nil && m.Rule != ir.Constant {
		s.open("if (a%d > 0 || b%d < %d)", slot, slot, room)
		for j := 0; j < room; j += 32 {
			s.line("t%d[lane + %d] = g%d[max(min(%s(lo%d + lane + %d, length%d), length%d - 1), 0ll) - lo%d - lane];", slot, j, slot, s.uses.Part(sourceOf(m.Rule)), slot, j, slot, slot, slot)
		}
		s.close()
		s.open("else")
		for j := 0; j < room; j += 32 {
			s.line("t%d[lane + %d] = g%d[%d];", slot, j, slot, j)
		}
		s.close()
		return
	}
	for j := 0; j < room; j += 32 {
		s.line("t%d[lane + %d] = lane + %d >= a%d && lane + %d < b%d ? g%d[%d] : %s;", slot, j, j, slot, j, slot, slot, j, none)
	}
}

// body takes the lines of a turn through their stages: by short ways to roots and
// quotients, and where those were not good enough for all of them once more.
func (s *solo) body() {
	for i, slot := range s.p.Slots {
		if s.kinds[i] == soloOut {
			s.line("%s left%d;", emit.Value(slot.Type), i)
		}
	}
	for i, sum := range s.p.Sums() {
		for e := range sum.Program.(*ir.Overlap).Size {
			s.line("float %s;", leftOf(i, e))
		}
	}
	if !s.hasNear() {
		s.once()
		return
	}
	s.near = "near"
	s.line("bool near = true;")
	s.once()
	s.near = ""
	s.open("if (__any_sync(~0u, !near && (u32)(at + lane) < (u32)n))")
	s.once()
	s.close()
}

// once writes all stages.
func (s *solo) once() {
	clear(s.values)
	clear(s.made)
	for i, stage := range s.p.Stages {
		if slices.ContainsFunc(stage.Writes, func(slot int) bool { return s.p.Slots[slot].Kind == ir.OutSlot }) {
			s.make(i)
		}
	}
	for i, sum := range s.p.Sums() {
		o := sum.Program.(*ir.Overlap)
		for e := range o.Size {
			s.line("%s = %s;", leftOf(i, e), s.value(sum.Reads[0], element(lineOf(o), e)))
		}
	}
}

package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Lines are added where they overlap by blocks that have a part of the result
// each: a block takes all lines that reach its part through their stages, as many
// at a time as it has room for, and a thread for each sample adds what they have
// for it, in their order. Lines that reach two parts are computed by both blocks.

// framesRun is the part of a result that a block has.
type framesRun struct {
	dims   int   // of outer, the last ones: they number frames
	frames int   // of one result
	run    int   // frames that are the block's own
	halo   int   // that reach its part from before
	parts  int   // of one result
	items  int   // results
	places []int // by sum: its bytes in shared memory
	bytes  int   // of all
}

// findFrames decides which part of a result a block has: such that all blocks are
// done soonest, if a multiprocessor with enough to do takes as long as its blocks
// take turns.
func (k *kernel) findFrames() error {
	sums := k.p.Sums()
	r := &framesRun{frames: ir.Count(k.p.Outer[len(k.p.Outer)-k.p.FrameDims():])}
	for n := 1; n < r.frames || r.dims == 0; r.dims++ {
		n *= k.outer.dims[len(k.outer.dims)-1-r.dims]
	}
	r.items = ir.Count(k.outer.dims[:len(k.outer.dims)-r.dims])
	end := r.frames // that parts have to cover
	each := 0       // bytes of a frame's own samples
	for _, s := range sums {
		o := s.Program.(*ir.Overlap)
		r.halo = max(r.halo, (max(o.Size, 1)-1+o.Hop-1)/o.Hop)
		end = max(end, (o.Skip+o.Length+o.Hop-1)/o.Hop)
		each += sumBytes(o)
	}
	room := max(k.card.SharedBytes/4, k.pitch*k.lines) - k.pitch*k.lines
	const busy = 512 // threads that a multiprocessor is busy with
	least := 0
	for run := 1; run <= end && (run == 1 || run*each <= room); run += 1 + run/16 {
		parts := (end + run - 1) / run
		turns := (run + r.halo + k.lines - 1) / k.lines
		blocks := (parts*r.items + k.card.Processors - 1) / k.card.Processors // of a multiprocessor
		if time := turns * max(blocks, busy/(k.lines*k.threads)); least == 0 || time < least {
			r.run, r.parts, least = run, parts, time
		}
	}
	at := k.pitch * k.lines
	for _, s := range sums {
		r.places = append(r.places, at)
		at += (r.run*sumBytes(s.Program.(*ir.Overlap)) + 15) / 16 * 16
	}
	r.bytes = at
	if at > k.card.SharedBytes {
		return fmt.Errorf("cuda: lines: frames and their sum take %d bytes on chip, a block has %d: %w", at, k.card.SharedBytes, device.ErrUnsupported)
	}
	k.added = r
	return nil
}

// sumBytes is what the samples between two frames take: twice as much where
// frames are added up in groups first.
func sumBytes(o *ir.Overlap) int {
	n := o.Hop * o.In.Type.Size()
	if emit.FrameGroup(o.Size, o.Hop) > 0 {
		n *= 2
	}
	return n
}

// overlapped writes the function of a program that adds its lines.
func (k *kernel) overlapped(body func(*params)) {
	r := k.added
	k.entry(func(ps *params) {
		k.line("const int row = threadIdx.x / %d, t = threadIdx.x %% %d;", k.threads, k.threads)
		k.line("extern __shared__ __align__(16) unsigned char shared[];")
		parts := ps.number("parts", r.parts)
		k.line("u32 rest = blockIdx.x / (u32)%s;", parts)
		k.line("const int run = (int)%s, frames = (int)%s;", ps.number("run_length", r.run), ps.number("n0", r.frames))
		k.line("const int from = (int)(blockIdx.x %% (u32)%s) * run;", parts)
		first := len(k.outer.dims) - r.dims
		k.outer.names = make([]string, len(k.outer.dims))
		k.indices(0, first, "rest", ps)
		k.zeroSums()
		k.open("for (int begin = max(from - (int)%s, 0); begin < min(from + run, frames); begin += %d)", ps.number("halo", r.halo), k.lines)
		k.line("__syncthreads();")
		k.line("const int frame = begin + row;")
		k.line("const bool live = frame >= from && frame < min(from + run, frames);")
		k.line("u32 left = (u32)min(frame, frames - 1);")
		k.indices(first, len(k.outer.dims), "left", ps)
		k.pointers(ps)
		body(ps)
		k.line("__syncthreads();")
		k.addLines(ps)
		k.close()
		k.storeSums(ps)
	}, k.lines*k.threads, k.resident, r.parts*r.items, r.bytes)
}

// indices declares the indices of some dimensions, the last the fastest, of a
// number that is used up.
func (k *kernel) indices(from, to int, number string, ps *params) {
	for d := to - 1; d >= from; d-- {
		k.outer.names[d] = fmt.Sprintf("y%d", d)
		if d == from {
			k.line("const u32 y%d = %s;", d, number)
			continue
		}
		m := ps.number(fmt.Sprintf("m%d", d), k.outer.dims[d])
		k.line("const u32 y%d = %s %% (u32)%s; %s /= (u32)%s;", d, number, m, number, m)
	}
}

// eachSum calls f for every sum, with its number, whether it has groups, and the
// C++ types of its values.
func (k *kernel) eachSum(f func(i int, s ir.Stage, o *ir.Overlap, group int, typ string)) {
	for i, s := range k.p.Sums() {
		o := s.Program.(*ir.Overlap)
		f(i, s, o, emit.FrameGroup(o.Size, o.Hop), emit.Value(o.In.Type))
	}
}

func (k *kernel) zeroSums() {
	k.eachSum(func(i int, _ ir.Stage, o *ir.Overlap, group int, typ string) {
		k.line("%s* const sum%d = (%s*)(shared + %d);", typ, i, typ, k.added.places[i])
		k.line("const int own%d = run * %d;", i, o.Hop)
		n := fmt.Sprintf("own%d", i)
		if group > 0 {
			k.line("%s* const part%d = sum%d + own%d;", typ, i, i, i)
			n = "2 * " + n
		}
		k.line("for (int i = threadIdx.x; i < %s; i += %d) sum%d[i] = {};", n, k.lines*k.threads, i)
	})
}

// addLines adds the lines on chip to the samples of the block's part.
func (k *kernel) addLines(ps *params) {
	k.eachSum(func(i int, s ir.Stage, o *ir.Overlap, group int, typ string) {
		count := ps.number(fmt.Sprintf("count%d", i), o.Count)
		in := lineOf(o)
		reach := (k.lines-1)*o.Hop + o.Size
		k.open("for (int i = threadIdx.x; i < %d; i += %d)", reach, k.lines*k.threads)
		k.line("const int at = (begin - from) * %d + i;", o.Hop)
		k.open("if (at >= 0 && at < own%d)", i)
		to, from := fmt.Sprintf("sum%d", i), fmt.Sprintf("((const %s*)(shared + r * %d + %d))[%d * (i - r * %d) + %d]", typ, k.pitch, k.homes[s.Reads[0]].offset, along(in), o.Hop, in.Offset)
		k.line("%s all = %s[at];", typ, to)
		if group > 0 {
			k.line("%s some = part%d[at];", typ, i)
		}
		first := fmt.Sprintf("i < %d ? 0 : (i - %d) / %d", o.Size, o.Size-o.Hop, o.Hop)
		k.open("for (int r = %s; r < min(min(%d, i / %d + 1), (int)%s - begin); r++)", first, k.lines, o.Hop, count)
		x := k.let(typ, "%s", from)
		if group > 0 {
			k.open("if ((begin + r) %% %d == 0)", group)
			k.line("all = %s;", k.combined(ir.Sum, o.In.Type, "all", "some"))
			k.line("some = {};")
			k.close()
			k.line("some = %s;", k.combined(ir.Sum, o.In.Type, "some", x))
		} else {
			k.line("all = %s;", k.combined(ir.Sum, o.In.Type, "all", x))
		}
		k.close()
		k.line("%s[at] = all;", to)
		if group > 0 {
			k.line("part%d[at] = some;", i)
		}
		k.close()
		k.close()
	})
}

// storeSums stores the block's part.
func (k *kernel) storeSums(ps *params) {
	k.line("__syncthreads();")
	k.eachSum(func(i int, s ir.Stage, o *ir.Overlap, group int, typ string) {
		k.locate(s.Writes[0], k.p.Slots[s.Writes[0]], ps)
		samples, skip := ps.number(fmt.Sprintf("samples%d", i), o.Length), ps.number(fmt.Sprintf("skip%d", i), o.Skip)
		k.open("for (int i = threadIdx.x; i < own%d; i += %d)", i, k.lines*k.threads)
		k.line("const i64 at = (i64)from * %d + i - %s;", o.Hop, skip)
		v := k.let(typ, "sum%d[i]", i)
		if group > 0 {
			v = k.combined(ir.Sum, o.In.Type, v, fmt.Sprintf("part%d[i]", i))
		}
		k.when(fmt.Sprintf("at >= 0 && at < %s", samples), "s%d[at] = %s;", s.Writes[0], v)
		k.close()
	})
}

// isSum reports a slot that lines are added to.
func (k *kernel) isSum(slot int) bool {
	for _, s := range k.p.Sums() {
		if s.Writes[0] == slot {
			return true
		}
	}
	return false
}

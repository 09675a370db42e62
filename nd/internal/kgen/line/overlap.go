package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

// Lines are added where they overlap by groups that have a part of the result
// each: a group takes all lines that reach its part through their stages, as many
// at a time as it has room for, and a thread for each sample adds what they have
// for it, in their order. Lines that reach two parts are computed by both groups.

// findFrames decides which part of a result a group has: such that all groups are
// done soonest, if a multiprocessor with enough to do takes as long as its groups
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
	// A multiprocessor has four groups at once, or as many as lines leave room for.
	resident := min(4, max(1, k.target.PoolBytes/(k.pitch*k.lines+each)))
	room := k.target.PoolBytes/resident - k.pitch*k.lines
	const busy = 512 // threads that a multiprocessor is busy with
	least := 0
	for run := 1; run <= end && (run == 1 || run*each <= room); run += 1 + run/16 {
		parts := (end + run - 1) / run
		turns := (run + r.halo + k.lines - 1) / k.lines
		blocks := (parts*r.items + k.target.Processors - 1) / k.target.Processors // of a multiprocessor
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
	if at > k.target.PoolBytes {
		return fmt.Errorf("kgen: lines: frames and their sum take %d bytes on chip, a group has %d: %w", at, k.target.PoolBytes, device.ErrUnsupported)
	}
	k.added = r
	return nil
}

// sumBytes is what the samples between two frames take: twice as much where
// frames are added up in groups first.
func sumBytes(o *ir.Overlap) int {
	n := o.Hop * o.In.Type.Size()
	if order.FrameGroup(o.Size, o.Hop) > 0 {
		n *= 2
	}
	return n
}

// overlapped makes the function of a program that adds its lines.
func (k *kernel) overlapped(body func()) {
	r := k.added
	k.open(k.lines*k.threads, k.resident, r.bytes)
	k.seat()
	parts := k.number("parts", r.parts).To(ktree.Uint)
	run, frames := k.Let("run", k.number("run_length", r.run).To(ktree.Int)), k.Let("frames", k.number("n0", r.frames).To(ktree.Int))
	from := k.Let("from", k.Group().Rem(parts).To(ktree.Int).Mul(run))
	first := len(k.outer.dims) - r.dims
	k.outer.index = make([]build.Val, len(k.outer.dims))
	k.indices(k.outer.index, 0, first, -1, k.Let("rest", k.Group().Div(parts)))
	sums := k.sums(run)
	for _, s := range sums {
		n := s.own
		if s.group > 0 {
			n = n.Mul(2)
		}
		k.eachThread(n, func(i build.Val) { k.put(s.sum, i, zeroOf(s.o.In.Type)) })
	}
	halo := k.number("halo", r.halo).To(ktree.Int)
	end := k.Let("end", build.Min(from.Add(run), frames))
	k.For("begin", k.Let("begin", build.Max(from.Sub(halo), 0)), end, k.lines, 0, func(begin build.Val) {
		k.Barrier()
		frame := k.Let("frame", begin.Add(k.row))
		k.live = k.Let("live", frame.Ge(from).AndThen(frame.Lt(end)))
		k.indices(k.outer.index, first, len(k.outer.dims), -1, k.Let("left", build.Min(frame, frames.Sub(1)).To(ktree.Uint)))
		k.pointers()
		body()
		k.Barrier()
		for _, s := range sums {
			k.addLines(s, begin, from)
		}
	})
	k.Barrier()
	for _, s := range sums {
		k.storeSum(s, from)
	}
	k.close(r.parts * r.items)
}

// lineSum is a sum of lines on chip.
type lineSum struct {
	number    int
	stage     ir.Stage
	o         *ir.Overlap
	group     int       // frames that are added up by themselves first
	own       build.Val // samples of the group's part
	sum, part stored    // of all, and of the frames of a group
}

func (k *kernel) sums(run build.Val) (list []lineSum) {
	for i, s := range k.p.Sums() {
		o := s.Program.(*ir.Overlap)
		t, size := storedType(o.In.Type), summed(o.In.Type).Size()
		sum := k.Let("sum", k.pool(t).Plus(k.added.places[i]/size))
		own := k.Let("own", run.Mul(o.Hop))
		list = append(list, lineSum{number: i, stage: s, o: o, group: order.FrameGroup(o.Size, o.Hop), own: own,
			sum: stored{o.In.Type, sum}, part: stored{o.In.Type, sum.Plus(own)}})
	}
	return list
}

// eachThread is a loop of the group's threads over n numbers.
func (k *kernel) eachThread(n any, body func(i build.Val)) {
	k.For("i", k.Thread().To(ktree.Int), n, k.lines*k.threads, 0, body)
}

// addLines adds the lines on chip to the samples of the group's part.
func (k *kernel) addLines(s lineSum, begin, from build.Val) {
	o, t := s.o, s.o.In.Type
	count := k.number(fmt.Sprintf("count%d", s.number), o.Count).To(ktree.Int)
	in, size := lineOf(o), summed(o.In.Type).Size()
	chip := stored{t, k.pool(storedType(t))}
	home := k.homes[s.stage.Reads[0]].offset
	k.eachThread((k.lines-1)*o.Hop+o.Size, func(i build.Val) {
		at := k.Let("at", begin.Sub(from).Mul(o.Hop).Add(i))
		k.If(at.Ge(0).AndThen(at.Lt(s.own)), func() {
			all := kgen.Variable(k.Kernel, "all", k.fetched(s.sum, at))
			var some kgen.Num
			if s.group > 0 {
				some = kgen.Variable(k.Kernel, "some", k.fetched(s.part, at))
			}
			first := k.Let("first", i.Lt(o.Size).Choose(0, i.Sub(o.Size-o.Hop).Div(o.Hop)))
			end := k.Let("end", build.Min(build.Min(i.Div(o.Hop).Add(1), k.lines), count.Sub(begin)))
			k.For("r", first, end, 1, 0, func(r build.Val) {
				place := i.Sub(r.Mul(o.Hop)).Mul(in.Along())
				x := k.fetched(chip, raised(r.Mul(k.pitch/size).Add(place), home/size+in.Offset))
				if s.group == 0 {
					kgen.Assign(k.Kernel, all, k.combined(ir.Sum, t, all, x))
					return
				}
				k.If(begin.Add(r).Rem(s.group).Eq(0), func() {
					kgen.Assign(k.Kernel, all, k.combined(ir.Sum, t, all, some))
					kgen.Assign(k.Kernel, some, zeroOf(t))
				})
				kgen.Assign(k.Kernel, some, k.combined(ir.Sum, t, some, x))
			})
			k.put(s.sum, at, all)
			if s.group > 0 {
				k.put(s.part, at, some)
			}
		})
	})
}

// storeSum stores the group's part of a sum.
func (k *kernel) storeSum(s lineSum, from build.Val) {
	o, slot, kind := s.o, s.stage.Writes[0], k.positions()
	k.locate(slot, k.p.Slots[slot])
	samples, skip := k.number(fmt.Sprintf("samples%d", s.number), o.Length), k.number(fmt.Sprintf("skip%d", s.number), o.Skip)
	k.eachThread(s.own, func(i build.Val) {
		at := k.Let("at", from.To(kind).Mul(o.Hop).Add(i.To(kind)).Sub(skip))
		v := k.fetched(s.sum, i)
		if s.group > 0 {
			v = k.combined(ir.Sum, o.In.Type, v, k.fetched(s.part, i))
		}
		k.If(at.Ge(0).AndThen(at.Lt(samples)), func() { k.Set(k.at[slot].At(at), kgen.Put(o.In.Type, v)) })
	})
}

// lineOf is the operand of the one frame that a stage adds.
func lineOf(o *ir.Overlap) ir.Operand {
	in := o.In
	in.Strides = in.Strides[len(in.Strides)-1:]
	return in
}

package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Filters in taps are transformed by the step that scales their bins, so that these are in
// registers until they are halves.

// filtersApart is a program as its lines, which read bins of filters, and the shared stages that make
// those, as lines of their own; nil if there are none. Both have the slots of the program.
func filtersApart(p *ir.Line) (lines, filters *ir.Line) {
	if len(p.Shared) == 0 {
		return p, nil
	}
	l, f := *p, *p
	l.Shared, f.Shared, f.Stages = nil, nil, p.Shared
	l.Slots, f.Slots = slices.Clone(p.Slots), slices.Clone(p.Slots)
	step := lists.Make(len(p.Outer), func(int) int { return 0 })
	for i, s := range p.EachSlot() {
		taps := s.Kind == ir.InSlot && slices.ContainsFunc(p.Shared, func(st ir.Stage) bool { return slices.Contains(st.Reads, i) })
		if s.Kind == ir.SharedSlot {
			l.Slots[i].Kind = ir.LocalSlot
		}
		if !taps {
			f.Slots[i].Kind = ir.LocalSlot
			continue
		}
		for d, n := range s.Strides {
			step[d] |= n
		}
	}
	bins := p.Shared[len(p.Shared)-1].Writes[0]
	each := p.Slots[bins].Len
	for d, n := range slices.Backward(p.Outer) {
		if step[d] != 0 {
			step[d] = each
			each *= n
		}
	}
	l.Slots[bins].Kind, l.Slots[bins].Strides = ir.InSlot, step
	return &l, &f
}

// transformFilters makes the step that transforms and scales filters; false if it cannot.
func (k *kernel) transformFilters(p *ir.Line) bool {
	there := k.p.Stages[transformsOf(k.p)[0]].Program.(*ir.FFT)
	ffts := transformsOf(p)
	if !there.Quarter() || len(ffts) != 1 || ffts[0] != len(p.Stages)-1 {
		return false
	}
	f := k.unit.kernel(p)
	f.bound, f.blend = k.bound, k.blend
	dims, count := k.filters()
	f.outer.dims = lists.Map(dims, func(d int) int { return k.outer.dims[d] })
	for i, s := range p.EachSlot() {
		if s.Kind == ir.InSlot {
			f.outer.strides[i] = lists.Map(dims, func(d int) int { return k.outer.strides[i][d] })
		}
	}
	if f.plan() != nil || f.share() != nil || f.hasNear() || len(f.homes) > 0 || 32%f.threads > 0 && f.threads%32 > 0 {
		return false
	}
	k.Scratch = append(k.Scratch, count*there.N*4, count*4)
	f.ahead = f.lookAhead
	f.function(func() {
		o := &ofFilters{kernel: f, which: build.Int(f.positions(), 0)}
		for d, x := range f.outer.index {
			o.which = o.which.Mul(f.number(fmt.Sprintf("filters%d", d), f.outer.dims[d])).Add(x.To(f.positions()))
		}
		i := transformsOf(f.p)[0]
		x := f.ffts[i]
		var bins []number
		f.newCore(x, x.split, false).run(f.plainIn(x, f.sourceOf(i)), func(at []place, v []number) {
			for j, p := range at {
				o.spots, bins = append(o.spots, p), append(bins, o.binOf(f.times(x, v[j]), p.ok))
			}
		})
		bins, by, undo := o.scaledBins(bins, there, 1)
		o.storeQuarterBins(bins, by)
		o.storeInverse(undo, 1)
	})
	return true
}

// overFilter combines a number of all threads that work on a filter.
func (k *kernel) overFilter(name string, x build.Val, combined func(x, y build.Val) build.Val) build.Val {
	for d := min(k.threads, 32) / 2; d > 0; d /= 2 {
		x = k.Let("x", combined(x, k.Across(ktree.SimdShuffleXor, x, d)))
	}
	n := k.threads / 32
	if n < 2 {
		return x
	}
	warps := k.Shared(name, ktree.Scalar(ktree.Float), n*max(k.lines, 1))
	k.If(k.Thread().Rem(32).Eq(0), func() { k.Set(warps.At(k.Thread().Div(32).To(ktree.Int)), x) })
	k.Barrier()
	first := build.Int(ktree.Int, 0)
	if k.lines > 1 {
		first = k.Let("first", k.row.Mul(n))
	}
	x = k.Let("x", warps.At(first))
	for w := 1; w < n; w++ {
		x = k.Let("x", combined(x, warps.At(raised(first, w))))
	}
	return x
}

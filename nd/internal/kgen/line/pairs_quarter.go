package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Pairs of lines with quarter bins have a number for each sample and one product for each bin.
// Tables have every number for both lanes where lines gain by that. The filter's bins do not, since there are as many as
// samples: 689 us instead of 714 for 16x768x16384, with the kernel that makes them.

// binOrder is how the bins of a filter lie in scratch: as many of those that one butterfly of the
// lines multiplies by side by side as one access loads. In fours, 64x768x4096 bfloat16 take 508 us
// instead of 513, 128x768x512 104.6 instead of 107.6. Of the last pass out, of radix r, butterfly b
// has bins b+j*n/r.
type binOrder struct{ n, r, width int }

// orderOfBins is that of the lines of a convolution.
func (k *kernel) orderOfBins() binOrder {
	x := k.ffts[transformsOf(k.p)[0]]
	radices := x.split.Passes()
	o := binOrder{n: x.f.N, r: radices[len(radices)-1], width: 1}
	if o.r%4 == 0 {
		o.width = 4
	}
	return o
}

// kind is the type of what one access loads.
func (o binOrder) kind() ktree.Type { return ktree.Vector(ktree.Half, 2*o.width) }

// access is the number of the access that loads the bin at a place, and which of its bins that is;
// false if that depends on the thread.
func (o binOrder) access(p place) (at build.Val, bin int, ok bool) {
	run := o.n / o.r
	j := p.lo() / run
	return raised(p.at, (j/o.width-j)*run), j % o.width, p.hi() < (j+1)*run
}

// place is where a bin lies.
func (o binOrder) place(at build.Val) build.Val {
	run := o.n / o.r
	if o.width == 1 {
		return at
	}
	return at.Sub(at.Rem(run * o.width)).Add(at.Rem(run).Mul(o.width)).Add(at.Div(run).Rem(o.width))
}

// quarterBins are a thread's bins of a filter.
func (f *ofFilters) quarterBins() []number {
	bins := lists.Map(f.spots, func(p place) number { return f.binOf(f.looked(f.from.At(p.at)), p.ok) })
	f.next()
	return bins
}

// storeQuarterBins stores a thread's bins of a filter, times a number: those of an access together, if
// the thread has all of them.
func (f *ofFilters) storeQuarterBins(bins []number, by build.Val) {
	type access struct {
		base *ktree.Var
		add  int
	}
	o, all := f.blend.order, map[access][]build.Val{}
	whose := make([]access, len(bins))
	for i, p := range f.spots {
		at, bin, sure := o.access(p)
		base, add := parted(at)
		r, ok := base.E.(*ktree.Ref)
		if !ok || !sure || !p.ok.IsNil() {
			continue
		}
		whose[i] = access{r.Var, add}
		if all[whose[i]] == nil {
			all[whose[i]] = make([]build.Val, o.width)
		}
		all[whose[i]][bin] = f.narrow(bins[i], by)
	}
	apart, together := f.ofFilter("apart", halves.constant(), 0, o.n), f.ofFilter("filters", o.kind(), 0, o.n/o.width)
	for i, p := range f.spots {
		at, bin, _ := o.access(p)
		if v, ok := all[whose[i]]; !ok || slices.ContainsFunc(v, build.Val.IsNil) {
			f.when(both(f.live, p.ok), func() { f.Set(apart.At(o.place(p.at)), f.narrow(bins[i], by)) })
		} else if bin == 0 {
			f.when(f.live, func() { f.Set(together.At(at), build.Vec(v...)) })
		}
	}
}

// findQuarterBins finds the bins of the line's filter, which is known by its number.
func (k *kernel) findQuarterBins(filter build.Val) {
	o := k.blend.order
	b := k.buffer("filters", o.kind(), kgen.Param{Kind: kgen.ScratchPointer, Index: 0}, false)
	k.blend.bins = k.Let("bins_of", b.Plus(filter.Mul(o.n/o.width)))
}

// quarterBin is the bin of the line's filter at a place. Those of an access are asked for in order.
func (k *kernel) quarterBin(at place) number {
	access, bin, _ := k.blend.order.access(at)
	if bin == 0 {
		k.blend.loaded = k.Let("bins", k.blend.bins.At(access))
	}
	return k.looked(k.blend.loaded.Part(2*bin, 2))
}

package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Pairs of lines with quarter bins have a number for each sample and one product for each bin.
// Tables have every number for both lanes. The filter's bins do not, since there are as many as
// samples: 689 us instead of 714 for 16x768x16384, with the kernel that makes them.

// quarterBins are a thread's bins of a filter.
func (f *ofFilters) quarterBins() []number {
	bins := lists.Map(f.spots, func(p place) number { return f.binOf(f.looked(f.from.At(p.at)), p.ok) })
	f.next()
	return bins
}

// storeQuarterBins stores a thread's bins of a filter, times a number.
func (f *ofFilters) storeQuarterBins(bins []number, by build.Val) {
	to := f.ofFilter("filters", halves.constant(), 0, f.p.Slots[f.blend.filter].Len)
	for i, p := range f.spots {
		f.when(both(f.live, p.ok), func() { f.Set(to.At(p.at), f.narrow(bins[i], by)) })
	}
}

// findQuarterBins finds the bins of the line's filter, which is known by its number.
func (k *kernel) findQuarterBins(filter build.Val) {
	b := k.buffer("filters", halves.constant(), kgen.Param{Kind: kgen.ScratchPointer, Index: 0}, false)
	k.blend.bins = k.Let("bins_of", b.Plus(filter.Mul(k.p.Slots[k.blend.filter].Len)))
}

// quarterBin is the bin of the line's filter at a place.
func (k *kernel) quarterBin(at place) number { return k.looked(k.blend.bins.At(at.at)) }

package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// halveFilters makes a step that scales the bins of every filter, or of taps if those are given,
// and stores them, or the blends of packed lines, as halves, and the inverses of the scales.
// It gives false if it cannot.
func (k *kernel) halveFilters(taps *ir.Line) bool {
	if k.blend.order = k.orderOfBins(); taps != nil {
		return k.transformFilters(taps)
	}
	there := k.p.Stages[transformsOf(k.p)[0]].Program.(*ir.FFT)
	_, count := k.filters()
	if there.Quarter() {
		f := k.overFilters("halves", there.N, there.N*4, 4)
		bins, by, undo := f.scaledBins(f.quarterBins(), there, 1)
		f.storeQuarterBins(bins, by)
		f.storeInverse(undo, 1)
		f.close(count)
		return true
	}
	f := k.overFilters("halves", k.blends(), k.blends()*8, k.blends()*4, 4)
	bins, by, undo := f.scaledBins(f.binPairs(), there, 2) // bin n/2 counts twice
	f.storeBlends(bins, by)
	f.storeInverse(undo, 2)
	f.close(count)
	return true
}

// scaledBins are the bins of a thread of at most 1, each of which counts so often in the root
// mean square of a transform's bins, what they are to be multiplied by, and what undoes both.
func (f *ofFilters) scaledBins(bins []number, there *ir.FFT, often float64) (scaled []number, by, undo build.Val) {
	most, squares := build.Float(ktree.Float, 0), build.Float(ktree.Float, 0)
	for _, z := range bins {
		most = f.Let("most", build.Max(build.Max(build.Apply(ktree.Abs, z.Re), build.Apply(ktree.Abs, z.Im)), most))
	}
	// Squares of bins that are at most 1 neither overflow nor vanish.
	first, undo := powers(f.Kernel, f.Let("e", f.overFilter("most_of", most, maximum).Bits(ktree.Uint).Shr(23)), 0)
	a := f.arith(single)
	for _, z := range bins {
		z = a.Scaled(z, first)
		squares = f.Let("squares", build.Fma(z.Re, z.Re, build.Fma(z.Im, z.Im, squares)))
		scaled = append(scaled, z)
	}
	root := f.Let("root", build.Apply(ktree.Sqrt, f.overFilter("squares_of", squares, sum).Mul(often/float64(there.N))))
	by, undoBy := powers(f.Kernel, f.Let("e", root.Bits(ktree.Uint).Shr(23)), filterTop(there))
	return scaled, by, undo.Mul(undoBy)
}

// storeInverse stores what undoes the scale of the group's filter.
func (f *ofFilters) storeInverse(undo build.Val, scratch int) {
	inverse := f.ofFilter("inverses", ktree.Scalar(ktree.Float), scratch, 1)
	f.when(both(f.live, f.t.Eq(0)), func() { f.Set(inverse.At(0), undo) })
}

func maximum(x, y build.Val) build.Val { return build.Max(x, y) }

func sum(x, y build.Val) build.Val { return x.Add(y) }

// findFilter finds the halves of the line's filter.
func (k *kernel) findFilter() {
	at, scratch := k.filterOf(), 2
	if k.ffts[transformsOf(k.p)[0]].f.Quarter() {
		scratch = 1
		k.findQuarterBins(at)
	} else {
		k.findBlends(at)
	}
	inverses := k.buffer("inverses", ktree.Scalar(ktree.Float), kgen.Param{Kind: kgen.ScratchPointer, Index: scratch}, false)
	k.pair.inverse = k.Let("inverse", inverses.At(at))
}

package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// halveFilters makes a step that scales the bins of every filter and stores their blends as
// halves, and the inverses of the scales.
func (k *kernel) halveFilters() {
	there := k.p.Stages[transformsOf(k.p)[0]].Program.(*ir.FFT)
	f, pairs := k.overFilters("halves", k.blends()*8, k.blends()*4, 4)
	most, squares := build.Float(ktree.Float, 0), build.Float(ktree.Float, 0)
	for _, p := range pairs {
		for _, z := range []number{p.h, p.other} {
			most = f.Let("most", build.Max(build.Max(build.Apply(ktree.Abs, z.Re), build.Apply(ktree.Abs, z.Im)), most))
		}
	}
	// Squares of bins that are at most 1 neither overflow nor vanish. That of bin n/2 counts twice.
	first, undo := powers(f.Kernel, f.Let("e", f.overFilter("most_of", most, maximum).Bits(ktree.Uint).Shr(23)), 0)
	a := f.arith(single)
	for i, p := range pairs {
		pairs[i].h, pairs[i].other = a.Scaled(p.h, first), a.Scaled(p.other, first)
		for _, z := range []number{pairs[i].h, pairs[i].other} {
			squares = f.Let("squares", build.Fma(z.Re, z.Re, build.Fma(z.Im, z.Im, squares)))
		}
	}
	root := f.Let("root", build.Apply(ktree.Sqrt, f.overFilter("squares_of", squares, sum).Mul(2/float64(there.N))))
	second, undoSecond := powers(f.Kernel, f.Let("e", root.Bits(ktree.Uint).Shr(23)), filterTop(there))
	f.storeBlends(pairs, second)
	inverse := f.ofGroup("inverses", ktree.Scalar(ktree.Float), 2, 1)
	f.If(f.t.Eq(0), func() { f.Set(inverse.At(0), undo.Mul(undoSecond)) })
	_, count := k.filters()
	f.close(count)
}

func maximum(x, y build.Val) build.Val { return build.Max(x, y) }

func sum(x, y build.Val) build.Val { return x.Add(y) }

// overFilter combines a number of all threads that work on a filter.
func (k *kernel) overFilter(name string, x build.Val, combined func(x, y build.Val) build.Val) build.Val {
	for d := 16; d > 0; d /= 2 {
		x = k.Let("x", combined(x, k.Across(ktree.SimdShuffleXor, x, d)))
	}
	warps := k.Shared(name, ktree.Scalar(ktree.Float), k.threads/32)
	k.If(k.Thread().Rem(32).Eq(0), func() { k.Set(warps.At(k.Thread().Div(32).To(ktree.Int)), x) })
	k.Barrier()
	x = k.Let("x", warps.At(0))
	for w := 1; w < k.threads/32; w++ {
		x = k.Let("x", combined(x, warps.At(w)))
	}
	return x
}

// findFilter finds the halves of the line's filter.
func (k *kernel) findFilter() {
	at := k.filterOf()
	k.findBlends(at)
	inverses := k.buffer("inverses", ktree.Scalar(ktree.Float), kgen.Param{Kind: kgen.ScratchPointer, Index: 2}, false)
	k.pair.inverse = k.Let("inverse", inverses.At(at))
}

package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// filterThreads is how many threads make halves of a filter's bins.
const filterThreads = 256

// filters lists the dimensions of lines that have filters of their own, and how many of
// those there are.
func (k *kernel) filters() (dims []int, count int) {
	strides := k.outer.strides[k.pair.filter]
	dims = lists.Where(len(strides), func(d int) bool { return strides[d] != 0 })
	return dims, ir.Count(lists.Map(dims, func(d int) int { return k.outer.dims[d] }))
}

// halveFilters makes a step that scales the bins of every filter and stores them as
// halves, behind each other, and the inverses of the scales. Lines read half as many
// bytes then, and need not look for the greatest bin.
func (k *kernel) halveFilters() {
	s := k.p.Slots[k.pair.filter]
	there := k.p.Stages[transformsOf(k.p)[0]].Program.(*ir.FFT)
	dims, count := k.filters()
	k.Scratch = []int{count * s.Len * 4, count * 4}
	f := k.unit.kernel(k.p)
	f.Kernel = build.NewKernel("halves", filterThreads)
	f.start()
	from := f.buffer("bins", kgen.MemoryOf(elem.Complex64), k.bound[k.pair.filter], false)
	to := f.buffer("halves", halves.constant(), kgen.Param{Kind: kgen.ScratchPointer, Index: 0}, true)
	inverses := f.buffer("inverses", ktree.Scalar(ktree.Float), kgen.Param{Kind: kgen.ScratchPointer, Index: 1}, true)
	offset, rest := f.number("offset", s.Offset), f.Group()
	for i := len(dims) - 1; i >= 0; i-- {
		index := rest
		if i > 0 {
			n := f.size(fmt.Sprintf("n%d", i), k.outer.dims[dims[i]])
			index, rest = f.Let("i", rest.Rem(n)), f.Let("rest", rest.Div(n))
		}
		offset = offset.Add(index.To(f.positions()).Mul(f.number(fmt.Sprintf("q%d", i), k.outer.strides[k.pair.filter][dims[i]])))
	}
	from = f.Let("from", from.Plus(offset))
	to = f.Let("to", to.Plus(f.Group().To(f.positions()).Mul(s.Len)))
	each := func(body func(at, z build.Val)) {
		f.For("at", f.Thread().To(ktree.Int), s.Len, filterThreads, 0, func(at build.Val) { body(at, f.Let("z", from.At(at))) })
	}
	most := f.Var("most", build.Float(ktree.Float, 0))
	each(func(_, z build.Val) {
		f.Set(most, build.Max(build.Max(build.Apply(ktree.Abs, z.X()), build.Apply(ktree.Abs, z.Y())), most))
	})
	// Squares of bins that are at most 1 neither overflow nor vanish.
	first, undo := powers(f.Kernel, f.Let("e", f.overFilter("most_of", most, maximum).Bits(ktree.Uint).Shr(23)), 0)
	squares := f.Var("squares", build.Float(ktree.Float, 0))
	each(func(_, z build.Val) {
		re, im := f.Let("re", z.X().Mul(first)), f.Let("im", z.Y().Mul(first))
		f.Set(squares, build.Fma(re, re, build.Fma(im, im, squares)))
	})
	root := f.Let("root", build.Apply(ktree.Sqrt, f.overFilter("squares_of", squares, sum).Mul(2/float64(there.N))))
	second, undoSecond := powers(f.Kernel, f.Let("e", root.Bits(ktree.Uint).Shr(23)), filterTop(there))
	each(func(at, z build.Val) {
		f.Set(to.At(at), build.Vec(z.X().Mul(first).Mul(second), z.Y().Mul(first).Mul(second)).To(ktree.Half))
	})
	f.If(f.Thread().Eq(0), func() { f.Set(inverses.At(f.Group().To(f.positions())), undo.Mul(undoSecond)) })
	f.close(count)
}

func maximum(x, y build.Val) build.Val { return build.Max(x, y) }

func sum(x, y build.Val) build.Val { return x.Add(y) }

// overFilter combines a number of all threads that work on a filter.
func (k *kernel) overFilter(name string, x build.Val, combined func(x, y build.Val) build.Val) build.Val {
	for d := 16; d > 0; d /= 2 {
		x = k.Let("x", combined(x, k.Across(ktree.SimdShuffleXor, x, d)))
	}
	warps := k.Shared(name, ktree.Scalar(ktree.Float), filterThreads/32)
	k.If(k.Thread().Rem(32).Eq(0), func() { k.Set(warps.At(k.Thread().Div(32).To(ktree.Int)), x) })
	k.Barrier()
	x = k.Let("x", warps.At(0))
	for w := 1; w < filterThreads/32; w++ {
		x = k.Let("x", combined(x, warps.At(w)))
	}
	return x
}

// findFilter finds the halves of the line's filter.
func (k *kernel) findFilter() {
	dims, _ := k.filters()
	at := build.Int(k.positions(), 0)
	for i, d := range dims {
		if i > 0 {
			at = at.Mul(k.number(fmt.Sprintf("filters%d", i), k.outer.dims[d]))
		}
		at = at.Add(k.outer.index[d].To(k.positions()))
	}
	bins := k.buffer("halves", halves.constant(), kgen.Param{Kind: kgen.ScratchPointer, Index: 0}, false)
	inverses := k.buffer("inverses", ktree.Scalar(ktree.Float), kgen.Param{Kind: kgen.ScratchPointer, Index: 1}, false)
	k.pair.bins = k.Let("bins", bins.Plus(at.Mul(k.p.Slots[k.pair.filter].Len)))
	k.pair.inverse = k.Let("inverse", inverses.At(at))
}

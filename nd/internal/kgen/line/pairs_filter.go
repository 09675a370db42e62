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

// filterThreads is how many threads make halves of a filter's bins, each of at most 16
// and one that they keep in registers meanwhile.
func filterThreads(bins int) int {
	threads := 64
	for threads < 1024 && bins > 17*threads {
		threads *= 2
	}
	return threads
}

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
	f.threads = filterThreads(s.Len)
	f.Kernel = build.NewKernel("halves", f.threads)
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
	thread := f.Let("t", f.Thread().To(ktree.Int))
	var at, has []build.Val
	var z []number
	for first := 0; first < s.Len; first += f.threads {
		p, ok := raised(thread, first), build.Val{}
		if first+f.threads > s.Len {
			ok = p.Lt(s.Len)
			p = f.Let("at", build.Min(p, s.Len-1))
		}
		v := f.Let("z", from.At(p))
		b := number{Re: v.X(), Im: v.Y()}
		if !ok.IsNil() {
			b = f.arith(single).Either(ok, b, number{Re: build.Float(ktree.Float, 0), Im: build.Float(ktree.Float, 0)})
		}
		at, has, z = append(at, p), append(has, ok), append(z, b)
	}
	most, squares := build.Float(ktree.Float, 0), build.Float(ktree.Float, 0)
	for _, b := range z {
		most = f.Let("most", build.Max(build.Max(build.Apply(ktree.Abs, b.Re), build.Apply(ktree.Abs, b.Im)), most))
	}
	// Squares of bins that are at most 1 neither overflow nor vanish.
	first, undo := powers(f.Kernel, f.Let("e", f.overFilter("most_of", most, maximum).Bits(ktree.Uint).Shr(23)), 0)
	for i, b := range z {
		z[i] = number{Re: f.Let("re", b.Re.Mul(first)), Im: f.Let("im", b.Im.Mul(first))}
		squares = f.Let("squares", build.Fma(z[i].Re, z[i].Re, build.Fma(z[i].Im, z[i].Im, squares)))
	}
	root := f.Let("root", build.Apply(ktree.Sqrt, f.overFilter("squares_of", squares, sum).Mul(2/float64(there.N))))
	second, undoSecond := powers(f.Kernel, f.Let("e", root.Bits(ktree.Uint).Shr(23)), filterTop(there))
	for i, b := range z {
		f.when(has[i], func() { f.Set(to.At(at[i]), build.Vec(b.Re.Mul(second), b.Im.Mul(second)).To(ktree.Half)) })
	}
	f.If(thread.Eq(0), func() { f.Set(inverses.At(f.Group().To(f.positions())), undo.Mul(undoSecond)) })
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

package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

// slideLanes is the longest window that a thread folds by itself: it has a register for each lane.
const slideLanes = 64

// slides reports results that are folds of short windows which slide by an element, as a moving mean:
// a thread has a result to itself, so that threads side by side read elements side by side.
func (w *reduction) slides() bool {
	if w.columns || w.parts > 1 || len(w.inner.dims) != 1 || w.fold.isArg() || w.fold.twice {
		return false
	}
	n, last := w.inner.dims[0], len(w.outer.dims)-1
	if order.Lanes(n) > slideLanes || last < 0 || n*w.target.weight(&w.r.Code) > 2*mostWeight {
		return false
	}
	slide := false
	for _, i := range Needed(&w.r.Code, w.factors...) {
		across, along := w.outer.ops[i].Strides[last], w.inner.ops[i].Strides[0]
		if across != 0 && abs(across) != 1 {
			return false
		}
		slide = slide || across != 0 && abs(along) == 1
	}
	return slide
}

// slideKernel makes the kernel in which a thread folds the lanes of a result, in their order.
func (w *reduction) slideKernel(results int) *entry {
	w.pack = 1
	e := w.entry("slide", true)
	e.bind()
	index := e.index()
	result := e.Let("result", e.Group().To(index).Mul(reduceThreads).Add(e.Thread().To(index)))
	e.If(result.Lt(e.size("results", results)), func() {
		outer := e.begin(result)
		n := w.inner.dims[0]
		total := e.none(w.fold, "total", order.Lanes(n))
		for i := range n {
			e.take(build.Int(index, int64(i)), func(build.Val) (accs, build.Val, build.Val) {
				return total, build.Int(ktree.Int, int64(i)), build.Int(ktree.Long, int64(i))
			})
		}
		e.store(outer, e.joined(total))
	})
	return e.entry
}

// joined folds the lanes of a line, which a thread has all of, in their order.
func (e *reduceEntry) joined(total accs) acc {
	join := func(k, a, b int) {
		total.put(e.Kernel, e.w.fold.join(e.Kernel, total.at(number(a)), total.at(number(b))), number(k))
	}
	pairs := order.Lanes(e.w.inner.dims[0]) / 2
	for k := range pairs {
		join(k, 2*k, 2*k+1)
	}
	for half := pairs / 2; half > 0; half /= 2 {
		for k := range half {
			join(k, k, k+half)
		}
	}
	return total.at(number(0))
}

// number is a place in an array of registers.
func number(k int) build.Val { return build.Int(ktree.Int, int64(k)) }

package flat

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// affine is a whole number that a thread computes from its position: start, and
// by for each step along an axis of the grid. All are at least 0.
type affine struct {
	start int
	by    [3]int
}

// most is the largest value over a grid; ok is false if that overflows.
func (a affine) most(grid [3]int) (most int, ok bool) {
	if most = a.start; most < 0 {
		return 0, false
	}
	for i, n := range grid {
		if n > 1 && (a.by[i] < 0 || a.by[i] > (math.MaxInt-most)/(n-1)) {
			return 0, false
		}
		most += a.by[i] * (n - 1)
	}
	return most, true
}

// isWhole reports that over the grid the values are all of 0 to n-1, once each.
func (a affine) isWhole(grid [3]int, n int) bool {
	if a.start != 0 {
		return false
	}
	done := 1
	for range grid { // the axes from the one with the least step
		for i, count := range grid {
			if count > 1 && a.by[i] == done {
				done *= count
				grid[i] = 1
				break
			}
		}
	}
	return grid == [3]int{1, 1, 1} && done == n
}

// places knows variables that are set once, to an affine value.
type places struct {
	launch Launch
	of     map[*Var]affine
}

// expr is x as an affine value that its kind holds for every thread.
func (p *places) expr(x Expr) (affine, bool) {
	a, ok := p.value(x)
	if !ok {
		return a, false
	}
	most, ok := a.most(p.launch.Grid)
	switch x.K() {
	case ktree.Int:
		return a, ok && int64(most) <= math.MaxInt32
	case ktree.Uint:
		return a, ok && int64(most) <= math.MaxUint32
	case ktree.Long, ktree.Ulong:
		return a, ok
	}
	return a, false
}

func (p *places) value(x Expr) (a affine, ok bool) {
	switch x := x.(type) {
	case *Const:
		return affine{start: int(x.Val.I)}, x.Kind.IsInt() && x.Val.I >= 0
	case *Use:
		a, ok = p.of[x.Var]
	case *Grid:
		switch x.Grid {
		case ktree.ThreadPositionInGrid:
			a.by[x.Comp] = 1
			return a, true
		case ktree.ThreadsPerGrid:
			return affine{start: p.launch.Grid[x.Comp]}, true
		}
	case *Conv:
		return p.expr(x.X)
	case *Load:
		at, known := p.index(x.Terms)
		if known && at.by == [3]int{} && x.Mem.Role == ktree.Meta && x.Mem.What == "shape" && at.start < len(p.launch.Shapes[x.Mem.Index]) {
			return affine{start: p.launch.Shapes[x.Mem.Index][at.start]}, true
		}
	case *Bin:
		l, known := p.expr(x.X)
		r, too := p.expr(x.Y)
		switch {
		case !known || !too:
		case x.Op == ktree.Add:
			return l.plus(r), true
		case x.Op == ktree.Mul && r.by == [3]int{}:
			return p.times(l, r.start)
		case x.Op == ktree.Mul && l.by == [3]int{}:
			return p.times(r, l.start)
		}
	}
	return a, ok
}

// index is that of an element.
func (p *places) index(terms []Term) (sum affine, ok bool) {
	for _, t := range terms {
		a, ok := p.expr(t.X)
		if ok {
			a, ok = p.times(a, t.Scale)
		}
		if !ok {
			return sum, false
		}
		sum = sum.plus(a)
		if _, ok = sum.most(p.launch.Grid); !ok {
			return sum, false
		}
	}
	return sum, true
}

// plus adds. Where that overflows the sum is negative, so that most is not ok.
func (a affine) plus(b affine) affine {
	a.start += b.start
	for i := range a.by {
		a.by[i] += b.by[i]
	}
	return a
}

// times is a multiple; ok is false if that overflows on the grid.
func (p *places) times(a affine, n int) (affine, bool) {
	most, ok := a.most(p.launch.Grid)
	if !ok || n < 0 || n > 0 && most > math.MaxInt/n {
		return a, false
	}
	a.start *= n
	for i := range a.by {
		a.by[i] *= n
	}
	return a, true
}

package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// place is an element of a line as a thread knows it: an Int whose range the
// builder knows. ok is the condition under which the thread has an element at all,
// nothing if it always has; without one it has some other valid place, so that
// loads need no condition.
type place struct{ at, ok build.Val }

// whole is a number as a place or a part of one.
func whole(n int) build.Val { return build.Int(ktree.Int, int64(n)) }

func (p place) lo() int {
	lo, _ := build.Range(p.at)
	return int(lo)
}

func (p place) hi() int {
	_, hi := build.Range(p.at)
	return int(hi)
}

func (p place) plus(n int) place {
	p.at = raised(p.at, n)
	return p
}

// raised is v + n, as one sum.
func raised(v build.Val, n int) build.Val {
	base, add := parted(v)
	if add += n; add >= 0 {
		return base.Add(add)
	}
	return base.Sub(-add)
}

// parted is a value as a sum of another one and a number.
func parted(v build.Val) (base build.Val, add int) {
	if n, ok := v.Known(); ok {
		return build.Int(v.Kind(), 0), int(n)
	}
	if b, ok := v.E.(*ktree.Binary); ok && (b.Op == ktree.Add || b.Op == ktree.Sub) {
		if n, ok := (build.Val{E: b.Y}).Known(); ok {
			if b.Op == ktree.Sub {
				n = -n
			}
			return build.Val{E: b.X}, int(n)
		}
	}
	return v, 0
}

// sameValue reports values that are one variable, or one number.
func sameValue(a, b build.Val) bool {
	if x, ok := a.Known(); ok {
		y, too := b.Known()
		return too && x == y
	}
	x, ok := a.E.(*ktree.Ref)
	y, too := b.E.(*ktree.Ref)
	return ok && too && x.Var == y.Var
}

// both joins conditions, either of which may be nothing.
func both(a, b build.Val) build.Val {
	switch {
	case a.IsNil():
		return b
	case b.IsNil() || a.E == b.E:
		return a
	}
	return a.AndThen(b)
}

// when runs body under a condition, which may be nothing.
func (k *kernel) when(ok build.Val, body func()) {
	if ok.IsNil() {
		body()
		return
	}
	k.If(ok, body)
}

// cell is one element of a line, or a few that follow each other: elements
// width*at and on.
type cell struct {
	at    place
	width int
}

func one(at place) cell { return cell{at, 1} }

// origin is the only point of what has one.
func origin() cell { return one(place{at: whole(0)}) }

func (c cell) element(j int) place {
	if c.width == 1 {
		return c.at
	}
	base, add := parted(c.at.at)
	return place{at: raised(base.Mul(c.width), c.width*add+j), ok: c.at.ok}
}

// shifted is the cell n elements on; false if that is no cell.
func (c cell) shifted(n int) (cell, bool) {
	if n%c.width != 0 {
		return c, false
	}
	c.at = c.at.plus(n / c.width)
	return c, true
}

// clamped keeps a cell in [0, n), and says when it is there; nothing if always.
func (k *kernel) clamped(c cell, n int) (cell, build.Val) {
	first, last := c.element(0), c.element(c.width-1)
	if first.lo() >= 0 && last.hi() < n {
		return c, build.Val{}
	}
	var ok build.Val
	if first.lo() < 0 {
		ok = first.at.Ge(0)
	}
	if last.hi() >= n {
		ok = both(ok, last.at.Lt(n))
	}
	most := max(n/c.width-1, 0)
	at := k.Let("at", build.Max(build.Min(c.at.at, most), 0))
	return cell{place{at: at, ok: c.at.ok}, c.width}, ok
}

// where is the element an operand has at a place.
func where(o ir.Operand, at place) build.Val {
	switch o.Along() {
	case 0:
		return whole(o.Offset)
	case 1:
		return raised(at.at, o.Offset)
	}
	return raised(at.at.Mul(o.Along()), o.Offset)
}

// spread is where element p of column number first lies among n columns.
func (k *kernel) spread(first build.Val, p place, n int) place {
	return place{at: k.LetIn("at", first.Add(p.at.Mul(n)), p.lo()*n, p.hi()*n+n-1), ok: p.ok}
}

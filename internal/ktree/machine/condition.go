package machine

import (
	"math/bits"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// verdict is what the active lanes say to a condition.
type verdict uint8

const (
	none verdict = iota
	all
	mixed
)

// condition is a compiled test. A comparison of an affine value with a scalar
// is usually settled by its ends, without looking at lanes.
type condition struct {
	value  value // bool: a scalar, or lanes
	quick  bool  // left op right, left affine
	op     ktree.Op
	kind   ktree.Kind
	left   value
	right  value
	spread value        // scratch lanes of quick
	cond   value        // and its result, or that of both
	both   []*condition // holds where every one of these does
}

func (c *compiler) condition(x flat.Expr) *condition {
	if b, ok := x.(*flat.Bin); ok && b.Op.IsCompare() && is32(b.In) && flat.LevelOf(x) != flat.Group &&
		c.canAffine(b.X) && c.canAffine(b.Y) && flat.LevelOf(b.Y) == flat.Group {
		return &condition{quick: true, op: b.Op, kind: b.In, left: c.expr(b.X), right: c.scalar(b.Y),
			spread: c.newReg(b.In), cond: c.newReg(ktree.Bool)}
	}
	if b, ok := x.(*flat.Bin); ok && b.Op == ktree.And && b.In == ktree.Bool && flat.LevelOf(x) != flat.Group {
		return &condition{both: []*condition{c.condition(b.X), c.condition(b.Y)}, cond: c.newReg(ktree.Bool)}
	}
	v := c.expr(x)
	if v.mode == modeLanes && !v.owned {
		// The variable may change while the answer is still needed.
		d, from := c.newReg(ktree.Bool), v.reg
		c.emit(func(f *frame) { copy(f.b[d.reg], f.b[from]) })
		return &condition{value: d}
	}
	return &condition{value: v}
}

// done gives registers back.
func (t *condition) done(c *compiler) {
	switch {
	case t.both != nil:
		for _, p := range t.both {
			p.done(c)
		}
		c.release(t.cond)
	case t.quick:
		c.release(t.spread, t.cond)
	default:
		c.release(t.value)
	}
}

// decide asks the active lanes; the lanes are given if they disagree.
func (t *condition) decide(f *frame, m *mask) (verdict, []bool) {
	if t.quick {
		return t.byEnds(f, m)
	}
	if t.both != nil {
		return t.byParts(f, m)
	}
	if t.value.mode == modeScalar {
		if t.value.i(f) != 0 {
			return all, nil
		}
		return none, nil
	}
	lanes := f.b[t.value.reg]
	return tally(lanes, m, f.n), lanes
}

// byParts needs lanes only where more than one part is undecided.
func (t *condition) byParts(f *frame, m *mask) (verdict, []bool) {
	v, lanes := t.both[0].decide(f, m)
	if v == none {
		return none, nil
	}
	w, more := t.both[1].decide(f, m)
	switch {
	case w == none:
		return none, nil
	case v == all:
		return w, more
	case w == all:
		return v, lanes
	}
	dst := f.b[t.cond.reg]
	boolBinary(ktree.And, dst, lanes, more)
	return tally(dst, m, f.n), dst
}

func tally(lanes []bool, m *mask, n int) verdict {
	switch count(lanes, m, n) {
	case 0:
		return none
	case m.n:
		return all
	}
	return mixed
}

func (t *condition) byEnds(f *frame, m *mask) (verdict, []bool) {
	base, by := t.left.eval(f)
	lo, hi := span(base, by, f.ext)
	y := t.right.i(f)
	if inKind(t.kind, lo, hi) {
		yes, no := false, false
		switch t.op {
		case ktree.Lt:
			yes, no = hi < y, lo >= y
		case ktree.Le:
			yes, no = hi <= y, lo > y
		case ktree.Gt:
			yes, no = lo > y, hi <= y
		case ktree.Ge:
			yes, no = lo >= y, hi < y
		case ktree.Eq:
			yes, no = lo == y && hi == y, y < lo || y > hi
		case ktree.Ne:
			yes, no = y < lo || y > hi, lo == y && hi == y
		}
		if yes {
			return all, nil
		}
		if no {
			return none, nil
		}
	}
	x, lanes := f.i32[t.spread.reg], f.b[t.cond.reg]
	spreadAffine(f, x, base, by)
	if t.kind == ktree.Uint {
		compareScalar(t.op, lanes, u32(x), uint32(y))
	} else {
		compareScalar(t.op, lanes, x, int32(y))
	}
	return tally(lanes, m, f.n), lanes
}

// keep switches off the lanes that say no. If none would be left it says so
// and leaves the mask, which nobody looks at any more.
func (t *condition) keep(f *frame, m *mask) bool {
	v, lanes := t.decide(f, m)
	switch v {
	case none:
		return false
	case mixed:
		m.meet(m, lanes, f.n)
	}
	return true
}

// compareScalar is dst = x op y.
func compareScalar[T integer](op ktree.Op, dst []bool, x []T, y T) {
	x = x[:len(dst)]
	switch op {
	case ktree.Eq:
		for i := range dst {
			dst[i] = x[i] == y
		}
	case ktree.Ne:
		for i := range dst {
			dst[i] = x[i] != y
		}
	case ktree.Lt:
		for i := range dst {
			dst[i] = x[i] < y
		}
	case ktree.Le:
		for i := range dst {
			dst[i] = x[i] <= y
		}
	case ktree.Gt:
		for i := range dst {
			dst[i] = x[i] > y
		}
	case ktree.Ge:
		for i := range dst {
			dst[i] = x[i] >= y
		}
	}
}

// words views the whole words of bool lanes; a true lane is a byte of 1.
func words(b []bool, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n/8)
}

// count is the number of active lanes that say yes.
func count(lanes []bool, m *mask, n int) int {
	total := 0
	if m.full {
		for _, w := range words(lanes, n) {
			total += bits.OnesCount64(w)
		}
	} else {
		on := words(m.on, n)
		for i, w := range words(lanes, n) {
			total += bits.OnesCount64(w & on[i])
		}
	}
	for l := n &^ 7; l < n; l++ {
		if lanes[l] && (m.full || m.on[l]) {
			total++
		}
	}
	return total
}

// meet makes m the lanes of outer, which may be m, that say yes.
func (m *mask) meet(outer *mask, yes []bool, n int) { m.pick(outer, yes, n, 0) }

// without makes m the lanes of outer that say no.
func (m *mask) without(outer *mask, yes []bool, n int) { m.pick(outer, yes, n, allTrue) }

// allTrue is eight true lanes.
const allTrue = 0x0101010101010101

// pick makes m the lanes of outer whose answer, turned by flip, is yes.
func (m *mask) pick(outer *mask, yes []bool, n int, flip uint64) {
	total := 0
	to, from := words(m.on, n), words(yes, n)
	if outer.full {
		for i, w := range from {
			w ^= flip
			to[i] = w
			total += bits.OnesCount64(w)
		}
	} else {
		in := words(outer.on, n)
		for i, w := range from {
			w = (w ^ flip) & in[i]
			to[i] = w
			total += bits.OnesCount64(w)
		}
	}
	for l := n &^ 7; l < n; l++ {
		m.on[l] = yes[l] == (flip == 0) && (outer.full || outer.on[l])
		if m.on[l] {
			total++
		}
	}
	m.full, m.n = false, total
}

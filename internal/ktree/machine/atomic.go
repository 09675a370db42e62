package machine

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// atomicLog keeps what a group does to atomic outputs, in lane order.
type atomicLog struct {
	entries []atomicEntry
}

type atomicEntry struct {
	mem int
	fn  ktree.Intrinsic
	at  int64
	val ktree.Num
}

// apply carries the log out and empties it.
func (l *atomicLog) apply(f *frame) {
	for _, e := range l.entries {
		f.update(f.code.mems[e.mem], e.fn, e.at, e.val)
	}
	l.entries = l.entries[:0]
}

// update performs one operation and gives the value before.
func (f *frame) update(m *flat.Mem, fn ktree.Intrinsic, at int64, v ktree.Num) ktree.Num {
	o := &f.mem[m.ID]
	k := m.Kind
	old := o.at(storageOf(m), k, at)
	next := v
	switch fn {
	case ktree.AtomicAdd:
		next = ktree.EvalBinary(ktree.Add, k, old, v)
	case ktree.AtomicSub:
		next = ktree.EvalBinary(ktree.Sub, k, old, v)
	case ktree.AtomicAnd:
		next = ktree.EvalBinary(ktree.And, k, old, v)
	case ktree.AtomicOr:
		next = ktree.EvalBinary(ktree.Or, k, old, v)
	case ktree.AtomicXor:
		next = ktree.EvalBinary(ktree.Xor, k, old, v)
	case ktree.AtomicMin:
		next.I = min(old.I, v.I)
	case ktree.AtomicMax:
		next.I = max(old.I, v.I)
	case ktree.AtomicLoad:
		next = old
	}
	if k.IsFloat() {
		o.f32[at] = float32(next.F)
	} else {
		o.i32[at] = int32(next.I)
	}
	return old
}

// atomic compiles an operation on an element. Outputs are logged unless the
// result is used; threadgroup memory is updated in lane order.
func (c *compiler) atomic(s *flat.Atomic) {
	var x value
	if s.X != nil {
		x = c.lanes(c.expr(s.X))
	}
	p := c.place(s.Mem, s.Terms, 0, s.Pos)
	depth := c.depth
	var d value
	if s.Dst != nil {
		d = c.newReg(s.Dst.Kind)
	}
	c.emit(func(f *frame) {
		a := p.find(f)
		a.each(f, &f.levels[depth], func(l int, at int64) {
			var v ktree.Num
			if s.X != nil {
				v = f.getLane(x, l)
			}
			if f.log != nil && s.Mem.Changes() {
				f.log.entries = append(f.log.entries, atomicEntry{s.Mem.ID, s.Fn, at, v})
				return
			}
			old := f.update(s.Mem, s.Fn, at, v)
			if s.Dst != nil {
				f.putLane(d, l, old)
			}
		})
	})
	c.releasePlace(p)
	if s.X != nil {
		c.release(x)
	}
	if s.Dst != nil {
		home := c.home(s.Dst)
		c.assign(home, d)
	}
}

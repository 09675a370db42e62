package line

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// sort makes a sort of the line. Of a few that are kept, each is the first of
// those behind the one before it; else every element counts who comes before
// it.
func (k *kernel) sort(s ir.Stage, p *ir.Sort) {
	k.prepare(s)
	switch {
	case k.holds(p):
		k.selectHeld(s, p)
	case selects(p):
		k.selectFew(s, p)
	default:
		k.rank(s, p)
	}
}

func (k *kernel) rank(s ir.Stage, p *ir.Sort) {
	n := p.Dims[0]
	k.loop(n, func(c cell) {
		v := k.read(s.Reads[0], p.In, c)[0]
		rank := k.Var("rank", whole(0))
		k.For("j", whole(0), n, 1, 0, func(j build.Val) {
			w := k.read(s.Reads[0], p.In, one(place{at: j}))[0]
			k.Set(rank, rank.Add(before(w.Re, j, v.Re, c.at.at, p.Descending, false).To(ktree.Int)))
		})
		at := place{at: k.LetIn("to", rank, 0, n-1)}
		k.storeSorted(s, p, at, []kgen.Num{v}, c.at.at, rank.Lt(p.Keep))
	})
}

// selectFew finds the elements that are kept one after the other: each thread
// has the first of its own that comes behind the last one found, and the line's
// threads agree on the first of those.
func (k *kernel) selectFew(s ir.Stage, p *ir.Sort) {
	n, t := p.Dims[0], p.In.Type
	value := func(c cell) kgen.Num { return k.read(s.Reads[0], p.In, c)[0] }
	ahead := func(x, i, y, j build.Val) build.Val { return before(x, i, y, j, p.Descending, false) }
	if hasKeys(t) {
		t, value, ahead = elem.Uint32, k.keys(s, p), aheadByKey
	}
	best, at := kgen.Variable(k.Kernel, "best", zeroOf(t)), k.Var("at", whole(n))
	last, lastAt := kgen.Variable(k.Kernel, "last", zeroOf(t)), k.Var("last_at", whole(n))
	k.guard.settle()
	k.For("turn", whole(0), p.Keep, 1, 1, func(turn build.Val) {
		// Only who had the last one has to look for another.
		k.If(turn.Eq(0).OrElse(lastAt.Rem(k.threads).Eq(k.t)), func() {
			kgen.Assign(k.Kernel, best, zeroOf(t))
			k.Set(at, whole(n))
			k.loop(n, func(c cell) {
				v, i := value(c), c.at.at
				behind := turn.Eq(0).OrElse(ahead(last.Re, lastAt, v.Re, i))
				k.If(behind.AndThen(at.Eq(n).OrElse(ahead(v.Re, i, best.Re, at))), func() {
					kgen.Assign(k.Kernel, best, v)
					k.Set(at, i)
				})
			})
		})
		kgen.Assign(k.Kernel, last, best)
		k.Set(lastAt, at)
		k.tree(min(n, k.threads), t, last, lastAt, func(y kgen.Num, j build.Val) {
			k.If(j.Ne(n).AndThen(lastAt.Eq(n).OrElse(ahead(y.Re, j, last.Re, lastAt))), func() {
				kgen.Assign(k.Kernel, last, y)
				k.Set(lastAt, j)
			})
		})
		k.keep(s, p, place{at: turn, ok: k.t.Eq(0)}, lastAt)
		k.guard.settle()
	})
}

// keys puts keys in shared memory.
func (k *kernel) keys(s ir.Stage, p *ir.Sort) func(c cell) kgen.Num {
	const part = "keys"
	array := k.room(ktree.Scalar(ktree.Uint), 20*k.threads)
	k.guard.wait()
	k.loop(p.Dims[0], func(c cell) { k.Set(array.At(c.at.at), k.key(s, p, c)) })
	k.guard.written[part] = true
	return func(c cell) kgen.Num {
		k.guard.beforeRead(part)
		return kgen.Real(k.Let("key", array.At(c.at.at)))
	}
}

package line

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// mostHeld is how many keys a thread has in registers at most.
const mostHeld = 32

// holds reports a sort that keeps few elements, of which threads hold the keys.
func (k *kernel) holds(p *ir.Sort) bool {
	shuffles := k.target.Subgroup == 32 && !k.outer.columns && k.threads&(k.threads-1) == 0
	return selects(p) && hasKeys(p.In.Type) && shuffles && (p.Dims[0]+k.threads-1)/k.threads <= mostHeld
}

// selectHeld finds the elements that are kept one after the other: the line's
// threads agree on the greatest key, and whose it is forgets it. Each of the
// elements is stored by another thread, if there are enough of them.
func (k *kernel) selectHeld(s ir.Stage, p *ir.Sort) {
	n := p.Dims[0]
	none := build.Int(ktree.Uint, 0)
	var keys []build.Val
	for _, at := range k.natural(n) {
		key := k.key(s, p, one(at))
		if !at.ok.IsNil() {
			key = at.ok.Choose(key, none)
		}
		keys = append(keys, k.Var("held", key))
	}
	best, at, mine := k.Var("best", none), k.Var("at", whole(0)), k.Var("mine", whole(0))
	own := func(j int) build.Val { return raised(k.t, j*k.threads) }
	// The first of the greatest keys, of a few at a time and then of those: whose key is
	// forgotten chooses anew among the few that it was one of.
	few := heldTogether
	if len(keys) < 2*few {
		few = len(keys)
	}
	var tops []top
	for from := 0; from < len(keys); from += few {
		x := top{best: best, at: at, from: from, to: min(from+few, len(keys))}
		if few < len(keys) {
			x.best, x.at = k.Var("top", none), k.Var("place", whole(0))
		}
		tops = append(tops, x)
	}
	first := func(x top) {
		k.Set(x.best, keys[x.from])
		k.Set(x.at, own(x.from))
		for j := x.from + 1; j < x.to; j++ {
			k.If(keys[j].Gt(x.best), func() {
				k.Set(x.best, keys[j])
				k.Set(x.at, own(j))
			})
		}
	}
	choose := func() {
		if len(tops) == 1 {
			return
		}
		k.Set(best, tops[0].best)
		k.Set(at, tops[0].at)
		for _, x := range tops[1:] {
			k.If(x.best.Gt(best), func() {
				k.Set(best, x.best)
				k.Set(at, x.at)
			})
		}
	}
	for _, x := range tops {
		first(x)
	}
	choose()
	k.guard.settle()
	late := p.Keep <= k.threads
	k.For("turn", whole(0), p.Keep, 1, 1, func(turn build.Val) {
		found := k.leader(best, at, n)
		if late {
			k.If(k.t.Eq(turn), func() { k.Set(mine, found) })
		} else {
			k.keep(s, p, place{at: turn, ok: k.t.Eq(0)}, found)
		}
		k.If(at.Eq(found), func() {
			for _, x := range tops {
				again := func() {
					for j := x.from; j < x.to; j++ {
						k.If(found.Eq(own(j)), func() { k.Set(keys[j], none) })
					}
					first(x)
				}
				if len(tops) == 1 {
					again()
				} else {
					k.If(found.Eq(x.at), again)
				}
			}
			choose()
		})
		k.guard.settle()
	})
	if late {
		k.keep(s, p, place{at: k.LetIn("to", k.t, 0, max(p.Keep-1, 1)), ok: k.t.Lt(p.Keep)}, mine)
	}
}

// heldTogether is how many keys of a thread have a greatest one of their own.
const heldTogether = 4

// top is the greatest of some of a thread's keys, and its place.
type top struct {
	best, at build.Val
	from, to int
}

// keep stores the element found, and its place, as a sort wants them.
func (k *kernel) keep(s ir.Stage, p *ir.Sort, to place, found build.Val) {
	var value []kgen.Num
	if p.Values != nil {
		value = k.read(s.Reads[0], p.In, one(place{at: k.LetIn("found", found, 0, p.Dims[0]-1)}))
	}
	k.storeSorted(s, p, to, value, found, build.Val{})
}

// storeSorted writes what a sort wants of an element, under a condition if there is one: its
// value, and the place that it is from.
func (k *kernel) storeSorted(s ir.Stage, p *ir.Sort, to place, value []kgen.Num, from, when build.Val) {
	if p.Values != nil {
		k.write(s.Writes[0], *p.Values, one(to), value, when)
	}
	if p.Places != nil {
		k.write(s.Writes[len(s.Writes)-1], *p.Places, one(to), []kgen.Num{kgen.Real(from.To(ktree.Long))}, when)
	}
}

// leader is the position of the greatest key among the line's threads, the least
// one if there are several. Positions of threads that have no key left are n or
// more, or have key 0, which is the least.
func (k *kernel) leader(best, at build.Val, n int) build.Val {
	most := k.agreed(best, ktree.SimdMax)
	first := k.agreed(k.Let("first", best.Eq(most).Choose(at.To(ktree.Uint), build.Int(ktree.Uint, int64(n)))), ktree.SimdMin)
	if k.threads <= 32 {
		return k.Let("found", first.To(ktree.Int))
	}
	// Warps by way of shared memory.
	keys, places := k.swap(ktree.Scalar(ktree.Uint)), k.scratchPlaces()
	k.guard.wait()
	k.If(k.t.Rem(32).Eq(0), func() {
		k.Set(keys.At(k.t.Div(32)), most)
		k.Set(places.At(k.t.Div(32)), first.To(ktree.Int))
	})
	k.guard.wait()
	top, where := k.Var("top", keys.At(0)), k.Var("where", places.At(0))
	for w := 1; w < k.threads/32; w++ {
		x, i := k.Let("x", keys.At(w)), k.Let("i", places.At(w))
		k.If(aheadByKey(x, i, top, where), func() {
			k.Set(top, x)
			k.Set(where, i)
		})
	}
	k.guard.read[swapped] = true
	return where
}

// agreed is the max or min of a number over the line's threads, or over those
// of a warp.
func (k *kernel) agreed(x build.Val, fn ktree.Intrinsic) build.Val {
	if k.threads >= 32 && k.target.Tensor {
		return k.Across(fn, x)
	}
	for d := min(k.threads, 32) / 2; d > 0; d /= 2 {
		y := k.Across(ktree.SimdShuffleXor, x, d)
		if fn == ktree.SimdMax {
			x = k.Let("x", build.Max(x, y))
		} else {
			x = k.Let("x", build.Min(x, y))
		}
	}
	return x
}

// selects reports a sort that keeps few elements.
func selects(p *ir.Sort) bool { return 4*p.Keep <= p.Dims[0] }

// aheadByKey orders by greater keys, equal ones by position.
func aheadByKey(x, i, y, j build.Val) build.Val {
	return x.Gt(y).OrElse(x.Eq(y).AndThen(i.Lt(j)))
}

// hasKeys reports a type whose elements have keys.
func hasKeys(t elem.Type) bool { return t.IsFloat() && t.Size() <= 4 }

// key is an integer that is the greater the earlier a float comes in the order:
// 1 for NaN, and more than that for others.
func (k *kernel) key(s ir.Stage, p *ir.Sort, c cell) build.Val {
	v := k.Let("v", k.read(s.Reads[0], p.In, c)[0].Re)
	bits := k.Let("bits", v.Add(0.0).Bits(ktree.Uint)) // both zeros are equal
	key := k.Let("key", bits.Xor(bits.Shr(31).Ne(0).Choose(build.Int(ktree.Uint, 0xffffffff), build.Int(ktree.Uint, 0x80000000))))
	if !p.Descending {
		key = key.Inverted()
	}
	return k.Let("key", v.Eq(v).Choose(key, build.Int(ktree.Uint, 1)))
}

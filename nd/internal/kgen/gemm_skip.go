package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// A factor that comes behind a mask is mostly 0 outside a band. A group leaves out the slices of K there, if they add
// nothing but zeros: one element tells whether all like it are 0, and the other factor has to be finite, since 0 times
// anything else is NaN. What it finds decides, so that the sums have the bits of all slices.

// tileOf is the product of a group, and which of its tiles. Where slices are left out, tiles with most of them left
// begin first, those of all products side by side.
func (e *gemmEntry) tileOf(group, per build.Val) (product, tile build.Val) {
	if !e.w.skip {
		product = e.Let("product", group.Div(per))
		return product, e.Let("tile", group.Sub(product.Mul(per)))
	}
	g, products := e.w.g, e.number("products", e.w.pieces*ir.Count(e.w.g.Batch))
	at := e.Let("tile_at", group.Div(products))
	product = e.Let("product", group.Sub(at.Mul(products)))
	l, lines := g.Alike, g.M
	if l.OfB {
		lines = g.N
	}
	ofLine := func(i int) int { // how much of K is in the band
		low, high := i+l.From, i+l.To
		if l.OfB {
			low, high = i-l.To, i-l.From
		}
		return min(high, g.K-1) - max(low, 0)
	}
	if ofLine(lines-1) > ofLine(0) {
		at = per.Sub(1).Sub(at)
	}
	return product, e.Let("tile", at)
}

// walks lets walk go through all of K, or through the slices that matter.
func (e *gemmEntry) walks(a, b *gemmOperand, sum build.Val, walk func(first, end build.Val)) {
	w, zero := e.w, build.Int(ktree.Int, 0)
	if !w.skip {
		walk(zero, e.sizeK)
		return
	}
	first, end := e.Var("first", zero), e.Var("end", e.sizeK)
	e.within(a, b, first, end)
	e.While(build.Bool(true), 0, func() {
		for _, s := range []*gemmOperand{a, b} {
			e.Set(s.from, s.begin.Add(first.To(e.at()).Mul(s.k)))
		}
		walk(first, end)
		// A sum of -0, that is below the least number, becomes 0 where another 0 is added.
		least := e.Var("least", build.Bool(false))
		e.If(end.Lt(e.sizeK), func() {
			e.Each("i", w.each, func(i build.Val) {
				e.Each("j", w.each, func(j build.Val) {
					e.Set(least, bitsOf(sum.At(i, j)).Eq(signBit(w.kind())).OrElse(least))
				})
			})
		})
		e.If(e.AnyOfGroup(least).Not(), e.Break)
		e.Set(first, end)
		e.Set(end, e.sizeK)
	}, nil)
}

// within leaves of K what is in the band of the tile's lines, in whole slices, if that is enough.
func (e *gemmEntry) within(a, b *gemmOperand, first, end build.Val) {
	w, l := e.w, e.w.g.Alike
	alike, other, corner := a, b, e.m0
	from, to := e.number("band_from", l.From), e.number("band_to", l.To)
	if l.OfB {
		alike, other, corner = b, a, e.n0
		from, to = to.Neg(), from.Neg()
	}
	all := e.sizeK.To(e.at())
	slice := func(k build.Val) build.Val { return k.Div(w.depth).Mul(w.depth) }
	inside := func(k build.Val) build.Val { return build.Max(build.Min(k.Sub(e.fromK), all), 0) }
	low := e.Let("low", slice(inside(corner.Add(from))))
	high := inside(corner.Add(alike.lines.To(e.at())).Add(to)) // behind the last
	high = e.Let("high_k", build.Max(build.Min(slice(high.Add(w.depth-1)), all), low))
	lowK, highK := e.Let("low_k", low.To(ktree.Int)), e.Let("end_k", high.To(ktree.Int))
	gap := e.Let("gap", highK.Sub(lowK))
	outside := e.Let("outside", e.sizeK.Sub(gap))
	e.If(outside.Gt(0), func() {
		odd := e.Var("odd", build.Bool(false))
		skipped := func(i build.Val) build.Val { return i.Lt(lowK).Choose(i, i.Add(gap)) }
		tid := e.Thread().To(ktree.Int)
		notZero := func(line, k build.Val) {
			at := alike.begin.Add(line.To(e.at()).Mul(alike.line)).Add(k.To(e.at()).Mul(alike.k))
			e.Set(odd, w.lifted(alike.at.At(at)).Ne(build.Zero(w.kind())).OrElse(odd))
		}
		if l.Along {
			e.If(tid.Lt(alike.lines), func() { notZero(tid, skipped(build.Int(ktree.Int, 0))) })
		} else {
			e.For("i", tid, outside, gemmThreads, 4, func(i build.Val) { notZero(build.Int(ktree.Int, 0), skipped(i)) })
		}
		e.For("i", build.Int(ktree.Int, 0), outside, w.depth, 4, func(i build.Val) {
			k0 := e.Let("k0", skipped(i))
			at := e.Let("slice", other.begin.Add(k0.To(e.at()).Mul(other.k)))
			e.Each("l", other.loads, func(l build.Val) {
				line, k, there := e.place(other, l)
				e.If(there.AndThen(line.Lt(other.lines)).AndThen(k.Lt(e.sizeK.Sub(k0))), func() {
					x := e.Array("x", MemoryOf(w.t), other.pack)
					e.Move(x.At(0), other.at.At(e.Let("at", at.Add(e.inTile(other, line, k, build.Int(ktree.Int, 0)).To(e.at())))), other.pack)
					e.Each("j", other.pack, func(j build.Val) { e.Set(odd, isNotFinite(w.lifted(x.At(j))).OrElse(odd)) })
				})
			})
		})
		e.If(e.AnyOfGroup(odd).Not(), func() {
			e.Set(first, lowK)
			e.Set(end, highK)
		})
	})
}

// bitsOf is a float as a word.
func bitsOf(x build.Val) build.Val {
	if x.Kind() == ktree.Double {
		return x.Bits(ktree.Ulong)
	}
	return x.Bits(ktree.Uint)
}

// signBit is -0 as a word.
func signBit(k ktree.Kind) build.Val {
	if k == ktree.Double {
		return build.Int(ktree.Ulong, -1<<63)
	}
	return build.Int(ktree.Uint, 1<<31)
}

// isNotFinite reports NaN and infinities.
func isNotFinite(x build.Val) build.Val {
	if x.Kind() == ktree.Double {
		return bitsOf(x).Shr(52).And(0x7ff).Eq(0x7ff)
	}
	return bitsOf(x).Shr(23).And(0xff).Eq(0xff)
}

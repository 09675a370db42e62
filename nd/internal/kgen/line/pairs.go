package line

import (
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Convolutions of lines that are stored as halves are computed in halves, two lines at
// a time, where their transforms are Fast: registers, shared memory and instructions
// hold the same element of both. Lines never meet, so what one has of infinities and
// NaN stays there.
//
// Halves go to 65504. So a line is first multiplied by a power of two that makes its
// greatest number at most 1, so that bins are at most as great as it has samples; so is
// a filter, so that no result can be too great. Results are multiplied by the inverse
// of both, in float32, in which the maps before and behind are computed, too.

// pairing is how two lines of a program are computed at a time.
type pairing struct {
	*crossing       // how samples are accessed two at a time; nil if one by one
	apart     []int // by slot: elements between the two lines

	line    int                        // which is computed
	lines   [2]map[ir.SlotID]build.Val // pointers to each
	inverse build.Val                  // undoes the scale of the filter
	back    [2]build.Val               // by line: what results are multiplied by

	read fetch  // of both lines as they are stored, if no map changes them
	next func() // loads the next two, where groups stay
}

// longestPaired is how many samples a line may have: the bins of as many ones are less
// than the greatest half.
const longestPaired = 32768

// pairedResident is how many threads a multiprocessor has at least that compute two
// lines at a time: 96 registers each. A causal convolution of 64x768x4096 took 605 us on
// an H200, and 626 with 512 threads.
const pairedResident = 640

// generatePaired makes a program that computes two lines at a time; nil if it is none.
func generatePaired(p *ir.Line, target kgen.Target) *kgen.Module {
	lines, taps := filtersApart(p)
	blend := blendingOf(lines)
	if blend == nil || !pairs(lines, target) {
		return nil
	}
	u := newUnit(target)
	k := u.kernel(lines)
	k.blend, k.pair = blend, &pairing{}
	k.bind(p)
	if taps != nil {
		k.bound[blend.filter] = kgen.Param{Kind: kgen.ScratchPointer}
	}
	if !k.pairUp() {
		return nil
	}
	k.outer.gather(lines)
	if k.plan() != nil {
		return nil
	}
	if k.computeAgain(); !k.isTrip() || !k.holdsPairs() || k.share() != nil || k.hasNear() {
		return nil
	}
	if !k.halveFilters(taps) {
		return nil
	}
	k.ahead = k.lookAhead
	k.pairedFunction()
	return &u.Module
}

// pairs reports a convolution whose samples are halves, with maps of real numbers before
// and behind.
func pairs(p *ir.Line, target kgen.Target) bool {
	there := p.Stages[transformsOf(p)[0]].Program.(*ir.FFT)
	if !target.Tensor || min(there.InLen, there.N) > longestPaired {
		return false
	}
	uses := p.Uses()
	for i, s := range p.EachSlot() {
		samples := s.Kind == ir.OutSlot || s.Kind == ir.InSlot && !s.Type.IsComplex() && s.Len > 1
		if s.Margin != nil || samples && !s.Type.IsHalf() && len(uses[i].Readers)+len(uses[i].Writers) > 0 {
			return false
		}
	}
	return true
}

// pairUp halves a dimension of lines that share the filter; false if none is even.
func (k *kernel) pairUp() bool {
	o := &k.outer
	d := slices.IndexFunc(lists.Make(len(o.dims), func(d int) int { return d }), func(d int) bool {
		return o.strides[k.blend.filter][d] == 0 && o.dims[d]%2 == 0
	})
	if d < 0 {
		return false
	}
	k.pair.apart = make([]int, len(o.strides))
	o.dims[d] /= 2
	for i, strides := range o.strides {
		if strides != nil {
			k.pair.apart[i] = strides[d]
			strides[d] *= 2
		}
	}
	return true
}

// computeAgain lets maps of what is in memory be computed wherever they are read, as what
// a skip adds is, instead of waiting on chip, where floats of two lines have no room.
func (k *kernel) computeAgain() {
	for slot := range k.homes {
		w := k.slots[slot].Writers
		if len(w) != 1 {
			continue
		}
		s := k.p.Stages[w[0]]
		m, ok := s.Program.(*ir.Map)
		if ok && s.First == nil && len(m.Out) == 1 && m.Out[0].Along() == 1 && m.Out[0].Offset == 0 && m.Dims[0] == k.p.Slots[slot].Len &&
			!slices.ContainsFunc(s.Reads, func(r ir.SlotID) bool { return k.p.Slots[r].Kind != ir.InSlot }) {
			k.virtual[slot] = w[0]
			delete(k.homes, slot)
		}
	}
}

// holdsPairs reports that the plan leaves nothing of a line on chip but what its threads
// exchange, which are those of a warp or of whole warps.
func (k *kernel) holdsPairs() bool {
	return !k.ffts[transformsOf(k.p)[0]].split.Turns && len(k.homes)+len(k.staged) == 0 && k.target.Subgroup == 32 && (32%k.threads == 0 || k.threads%32 == 0)
}

// pairedFunction makes the kernel of pairs of lines, and its launch.
func (k *kernel) pairedFunction() {
	k.open(k.lines*k.threads, k.resident, k.pitch*k.lines)
	k.seat()
	k.takeTurns()
	slot, bare := k.bareSamples()
	if n := k.pairsStay(); bare && n > 0 {
		k.stayWith(slot, n)
		k.close(n)
		return
	}
	k.turnTo(k.Group())
	if bare {
		k.pair.read = k.wordsOf(slot, k.outer.index).read
	}
	k.body()
	k.close(k.groups())
}

// bytes is the shared memory in which the warps of a line find its greatest number.
func (*pairing) bytes(threads int) int {
	if threads <= 32 {
		return 0
	}
	return (threads/32*8 + 15) / 16 * 16
}

// apart is how many elements of a slot are between the two lines.
func (k *kernel) apart(slot ir.SlotID) build.Val {
	return k.number(fmt.Sprintf("apart%d", slot), k.pair.apart[slot])
}

// ofLine runs body with the pointers of one of the two lines.
func (k *kernel) ofLine(l int, body func()) {
	was := k.at
	k.at, k.pair.line = k.pair.lines[l], l
	body()
	k.at = was
}

// pairedTrip makes the transform of stage i, the product, the transform back, and what
// runs before and behind.
func (k *kernel) pairedTrip(i int) {
	k.pair.lines = [2]map[ir.SlotID]build.Val{k.at, {}}
	for slot := range k.p.EachSlot() {
		at, ok := k.at[slot]
		if ok && k.pair.apart[slot] != 0 {
			at = k.Let("beside", at.Plus(k.apart(slot)))
		}
		k.pair.lines[1][slot] = at
	}
	k.findFilter()
	next := k.chains[i].next
	x, y := *k.ffts[i], *k.ffts[next]
	x.precision, y.precision = halves, halves
	first, second := k.newCore(&x, x.split, false), k.newCore(&y, x.split.Reversed(), true)
	read := k.bothLines(i)
	first.brought, k.products = k.scaled, map[*ktree.Var][][2]build.Val{}
	if k.pair.read != nil {
		read, first.brought, second.left = k.pair.read, k.scaledWords, k.pair.next
		if x.f.Quarter() {
			first.brought = k.scaledSamples
		}
	}
	if scaled := first.brought; k.pair.next == nil {
		// Before the threads of the line wait for each other: 342 us instead of 361 for
		// circular convolutions of 16x768x16384.
		first.brought = func(values [][]number) [][]number { k.askAhead(); return scaled(values) }
	}
	// give hands on what both lines have of results.
	give := func(at cell, v ...build.Val) {
		wide := lists.Map(v, func(v build.Val) build.Val { return k.Let("w", v.To(ktree.Float)) })
		for l, part := range []func(build.Val) build.Val{build.Val.X, build.Val.Y} {
			reals := lists.Map(wide, func(v build.Val) number { return single.only(k.product(part(v), k.pair.back[l])) })
			k.ofLine(l, func() { k.pass(next, at, reals) })
		}
	}
	if x.f.Quarter() {
		unscaled := *y.f
		unscaled.Scale = 1
		y.f = &unscaled
		k.quarterTrip(&x, first, second, read, nil, nil, k.quarterBin, k.turnedBack(&y, func(at cell, v []number) { give(at, v[0].Re) }))
		return
	}
	k.throughFilter(first, second, read, func(at []place, v []number) {
		for j, p := range at {
			give(cell{p, 2}, v[j].Re, v[j].Im)
		}
	})
}

// product is x*y, or, where that is added to something, a part of a fused sum.
func (k *kernel) product(x, y build.Val) build.Val {
	v := k.Let("v", x.Mul(y))
	if r, ok := v.E.(*ktree.Ref); ok {
		k.products[r.Var] = [][2]build.Val{{x, y}}
	}
	return v
}

// bothLines reads neighbours of both lines, as floats: the parts of a number are those
// of each line.
func (k *kernel) bothLines(i int) fetch {
	var in [2]source
	for l := range in {
		k.ofLine(l, func() { in[l] = k.sourceOf(i) })
	}
	width := k.samplesInNumber(i)
	return func(at []place) []number {
		return lists.Map(at, func(p place) number {
			var z [2]number
			for l := range z {
				k.ofLine(l, func() { z[l] = in[l](cell{p, width})[0] })
			}
			join := func(a, b build.Val) build.Val {
				if a.IsZero() {
					return halves.zero()
				}
				return build.Vec(k.Let("x", a), k.Let("x", b))
			}
			return number{Re: join(z[0].Re, z[1].Re), Im: join(z[0].Im, z[1].Im)}
		})
	}
}

// samplesInNumber is how many samples a number has that the transform of stage i reads.
func (k *kernel) samplesInNumber(i int) int {
	if k.ffts[i].f.Quarter() {
		return 1
	}
	return 2
}

// scaled brings the numbers of both lines to halves of at most 1.
func (k *kernel) scaled(values [][]number) [][]number {
	most := [2]build.Val{build.Float(ktree.Float, 0), build.Float(ktree.Float, 0)}
	for _, z := range slices.Concat(values...) {
		if z.IsZero() {
			continue
		}
		for _, v := range []build.Val{z.Re, z.Im} {
			if v.IsZero() {
				continue
			}
			for l, x := range []build.Val{v.X(), v.Y()} {
				most[l] = k.Let("most", build.Max(build.Apply(ktree.Abs, x), most[l]))
			}
		}
	}
	by := k.scalesOf(most)
	return eachNumber(values, func(z number) number {
		return eachPart(z, func(v build.Val) build.Val {
			return k.Let("h", build.Vec(v.X().Mul(by[0]), v.Y().Mul(by[1])).To(ktree.Half))
		})
	})
}

// scalesOf are the powers of two that bring both lines to at most 1, if these are the
// greatest of a thread's numbers.
func (k *kernel) scalesOf(most [2]build.Val) (by [2]build.Val) {
	for l, m := range k.greatest(most) {
		// 2^e is more than the greatest number, e = m - 126.
		scale, inverse := powers(k.Kernel, m, 0)
		by[l] = scale
		y := k.ffts[k.chains[transformsOf(k.p)[0]].next]
		k.pair.back[l] = k.Let("back", inverse.Mul(k.pair.inverse.Mul(y.f.Scale)))
	}
	return by
}

// eachNumber maps numbers that are not known to be zero.
func eachNumber(values [][]number, f func(z number) number) [][]number {
	return lists.Map(values, func(list []number) []number {
		return lists.Map(list, func(z number) number {
			if z.IsZero() {
				return z
			}
			return f(z)
		})
	})
}

// greatest are the greatest numbers of both lines, of which most are this thread's: the
// eight bits of their exponents.
func (k *kernel) greatest(most [2]build.Val) [2]build.Val {
	var all [2]build.Val
	for l, m := range most {
		all[l] = k.agreed(k.Let("bits", m.Bits(ktree.Uint)), ktree.SimdMax)
	}
	if k.threads > 32 {
		const warps = "most of warps"
		room := k.room(ktree.Vector(ktree.Uint, 2), k.tail)
		k.guard.beforeWrite(warps)
		k.If(k.t.Rem(32).Eq(0), func() { k.Set(room.At(k.t.Div(32)), build.Vec(all[0], all[1])) })
		k.guard.beforeRead(warps)
		for w := range k.threads / 32 {
			v := k.Let("of_warp", room.At(w))
			if w == 0 {
				all = [2]build.Val{v.X(), v.Y()}
				continue
			}
			all = [2]build.Val{k.Let("x", build.Max(all[0], v.X())), k.Let("x", build.Max(all[1], v.Y()))}
		}
	}
	for l := range all {
		all[l] = k.Let("e", all[l].Shr(23))
	}
	return all
}

// powers are the power of two that makes a number with these eight bits of exponent less
// than 2^top, and its inverse. Infinities and NaN, and numbers so small that they would
// need greater powers than there are, are multiplied by what there is.
func powers(k *build.Kernel, e build.Val, top int) (scale, inverse build.Val) {
	b := build.Max(build.Min(build.Int(ktree.Int, int64(253+top)).Sub(e.To(ktree.Int)), 253), 1)
	b = k.Let("b", e.Eq(255).Choose(build.Int(ktree.Int, 127), b))
	power := func(b build.Val) build.Val { return b.To(ktree.Uint).Shl(23).Bits(ktree.Float) }
	return k.Let("scale", power(b)), k.Let("inverse", power(build.Int(ktree.Int, 254).Sub(b)))
}

// filterTop is the exponent that the root mean square of a filter's bins stays below. A
// result is the sum of n products of a bin of the line and one of the filter: n times
// the root of the sums of squares of samples and taps, at most, by Cauchy and Schwarz.
// With samples of at most 1 that is below 2^14, a quarter of the greatest half.
func filterTop(f *ir.FFT) int {
	return 14 - int(math.Ceil(math.Log2(float64(f.N)*math.Sqrt(float64(min(f.InLen, f.N))))))
}

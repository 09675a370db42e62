package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// blending is how a fast convolution takes lines through a filter, which a step before stores
// as halves, once for all lines that share it. Packed lines are not untangled: what is stored
// are blends of the filter's bins (dft.Blend). They round other numbers than products of bins
// do, so that bits depend on what is fused: only transforms that are Fast may be blended.
type blending struct {
	product   int       // the stage between the transforms
	filter    ir.SlotID // the bins that it multiplies by
	conjugate bool      // it multiplies by their conjugates

	sides, across build.Val // pointers to the blends of the line's filter: A and C, B
	bins, loaded  build.Val // pointer to its bins, where they are a quarter lower: those need no blends; what was loaded last
	order         binOrder  // in which those lie
}

// blendingOf finds a convolution: a transform of real lines, a product with bins of a
// filter, and the transform back, which may be fast; nil if there is none.
func blendingOf(p *ir.Line) *blending {
	ffts := transformsOf(p)
	if len(ffts) != 2 || p.Segments != 1 || len(p.Shared)+len(p.Sums()) > 0 {
		return nil
	}
	there, back := p.Stages[ffts[0]].Program.(*ir.FFT), p.Stages[ffts[1]].Program.(*ir.FFT)
	if !there.Fast() || !back.Fast() || there.Kind != ir.FFTRealForward && there.Kind != ir.FFTQuarterForward ||
		back.Kind-there.Kind != ir.FFTRealInverse-ir.FFTRealForward || there.Out.Type != elem.Complex64 || there.Scale != 1 || there.N != back.N {
		return nil
	}
	uses := p.Uses()
	passes := func(slot ir.SlotID) bool { return p.Slots[slot].Kind == ir.LocalSlot && len(uses[slot].Readers) == 1 }
	spectrum := p.Stages[ffts[0]].Writes[0]
	if !passes(spectrum) {
		return nil
	}
	at := uses[spectrum].Readers[0]
	s := p.Stages[at.Stage]
	m, ok := s.Program.(*ir.Map)
	if !ok || s.Writes[0] != p.Stages[ffts[1]].Reads[0] || !passes(s.Writes[0]) {
		return nil
	}
	operand, conjugate := factorOf(m, at.Operand)
	if operand < 0 || p.Slots[s.Reads[operand]].Kind != ir.InSlot || m.In[operand].Along() != 1 || m.In[operand].Offset != 0 {
		return nil
	}
	return &blending{product: at.Stage, filter: s.Reads[operand], conjugate: conjugate}
}

// factorOf is the operand of a map that another one is multiplied by, which is all that
// the map does, and whether its conjugate is meant; -1 if it is no such map.
func factorOf(m *ir.Map, of int) (operand int, conjugate bool) {
	mul := m.Instrs[m.Value[0]]
	if len(m.Value) != 1 || mul.Kind != ir.Apply || mul.Op != scalar.Mul {
		return -1, false
	}
	x, y := m.Instrs[mul.A], m.Instrs[mul.B]
	if x.Kind != ir.Load || x.Slot != of {
		x, y = y, x
	}
	if y.Kind == ir.Apply && y.Op == scalar.Conj {
		y, conjugate = m.Instrs[y.A], true
	}
	if x.Kind != ir.Load || x.Slot != of || y.Kind != ir.Load || y.Slot == of {
		return -1, false
	}
	return y.Slot, conjugate
}

// isTrip reports that the plan takes lines through both transforms in registers.
func (k *kernel) isTrip() bool {
	i := transformsOf(k.p)[0]
	c := k.chains[i]
	return (k.ffts[i].packed() || k.ffts[i].f.Quarter()) && c.next >= 0 && len(c.stages) == 1 && c.stages[0].stage == k.blend.product
}

// filters lists the dimensions of lines that have filters of their own, and how many of
// those there are.
func (k *kernel) filters() (dims []int, count int) {
	strides := k.outer.strides[k.blend.filter]
	dims = lists.Where(len(strides), func(d int) bool { return strides[d] != 0 })
	return dims, ir.Count(lists.Map(dims, func(d int) int { return k.outer.dims[d] }))
}

// blends is how many a filter has: of bins k and n-k, k up to n/2.
func (k *kernel) blends() int { return (k.p.Slots[k.blend.filter].Len-1)/2 + 1 }

// filterMost is how many threads make the blends of a filter at most. A group of as many
// has a multiprocessor to itself, so it asks for the bins of the filter that comes next: 54 us
// instead of 59 for 768 filters of 16385 bins on an H200. Two groups gain nothing.
const filterMost = 1024

// filterThreads is how many threads make the blends of a filter, each at most 8 and one
// more.
func filterThreads(blends int) int {
	threads := 64
	for threads < filterMost && blends > 9*threads {
		threads *= 2
	}
	return threads
}

// ofFilters is a step whose threads share the bins of filters.
type ofFilters struct {
	*kernel
	which build.Val // the number of the filter
	from  build.Val // pointer to its bins
	spots []place   // of a thread
	next  func()    // asks for the bins of a filter whose group comes later
}

// overFilters begins such a step with a group for each filter, for so many bins or pairs of them; scratch is where the
// results of a filter go.
func (k *kernel) overFilters(name string, points int, scratch ...int) *ofFilters {
	s := k.p.Slots[k.blend.filter]
	dims, count := k.filters()
	for _, bytes := range scratch {
		k.Scratch = append(k.Scratch, count*bytes)
	}
	f := k.unit.kernel(k.p)
	f.blend, f.threads = k.blend, filterThreads(points)
	f.Kernel = build.NewKernel(name, f.threads)
	f.start()
	bins := f.buffer("bins", kgen.MemoryOf(elem.Complex64), k.bound[k.blend.filter], false)
	binsOf := func(filter build.Val) build.Val {
		offset, rest := f.number("offset", s.Offset), filter
		for i := len(dims) - 1; i >= 0; i-- {
			index := rest
			if i > 0 {
				n := f.size(fmt.Sprintf("n%d", i), k.outer.dims[dims[i]])
				index, rest = f.Let("i", rest.Rem(n)), f.Let("rest", rest.Div(n))
			}
			offset = offset.Add(index.To(f.positions()).Mul(f.number(fmt.Sprintf("q%d", i), k.outer.strides[k.blend.filter][dims[i]])))
		}
		return f.Let("from", bins.Plus(offset))
	}
	o := &ofFilters{kernel: f, which: f.Group(), from: binsOf(f.Group())}
	f.t = f.Let("t", f.Thread().To(ktree.Int))
	for first := 0; first < points; first += f.threads {
		p := place{at: raised(f.t, first)}
		if first+f.threads > points {
			p.ok = p.at.Lt(points)
			p.at = f.Let("at", build.Min(p.at, points-1))
		}
		o.spots = append(o.spots, p)
	}
	o.next = func() {
		if next := f.Group().Add(f.target.Processors); f.threads == filterMost && f.target.Arch >= 90 {
			f.If(f.t.Eq(0).AndThen(next.Lt(f.size("filters", count))), func() { f.Prefetch(binsOf(next).At(0), s.Len) })
		}
	}
	return o
}

// binOf is a bin of a filter as it is multiplied by, nothing where there is none.
func (f *ofFilters) binOf(z number, ok build.Val) number {
	if f.blend.conjugate {
		z = z.Conjugate()
	}
	if !ok.IsNil() {
		z = f.arith(single).Either(ok, z, single.nothing())
	}
	return z
}

// binPairs are bins k and n-k of the packed lines of a filter, one behind the other.
func (f *ofFilters) binPairs() []number {
	a, zero := f.arith(single), single.nothing()
	var list []number
	for i, p := range f.spots {
		h, other := f.looked(f.from.At(p.at)), f.looked(f.from.At(f.Let("image", whole(f.p.Slots[f.blend.filter].Len-1).Sub(p.at))))
		if i == 0 { // bins 0 and n are real
			real := f.Let("real", f.t.Eq(0))
			h, other = a.Either(real, number{Re: h.Re, Im: zero.Im}, h), a.Either(real, number{Re: other.Re, Im: zero.Im}, other)
		}
		list = append(list, f.binOf(h, p.ok), f.binOf(other, p.ok))
	}
	f.next()
	return list
}

// ofFilter is what the filter has of a buffer of scratch, so many elements.
func (f *ofFilters) ofFilter(name string, t ktree.Type, scratch, count int) build.Val {
	b := f.buffer(name, t, kgen.Param{Kind: kgen.ScratchPointer, Index: scratch}, true)
	return f.Let("to", b.Plus(f.which.To(f.positions()).Mul(count)))
}

// narrow is a number times by, in halves.
func (f *ofFilters) narrow(z number, by build.Val) build.Val {
	return build.Vec(z.Re.Mul(by), z.Im.Mul(by)).To(ktree.Half)
}

// storeBlends stores the blends of a thread's pairs of bins, times a number.
func (f *ofFilters) storeBlends(bins []number, by build.Val) {
	narrow := func(z number) build.Val { return f.narrow(z, by) }
	sides, across := f.ofFilter("sides", halves.pair(), 0, f.blends()), f.ofFilter("across", halves.constant(), 1, f.blends())
	roots := f.halfRoots(2*(f.p.Slots[f.blend.filter].Len-1), single)
	for i, p := range f.spots {
		b := f.arith(single).Blend(bins[2*i], bins[2*i+1], f.looked(roots.At(p.at)))
		f.when(p.ok, func() {
			f.Set(sides.At(p.at), build.Vec(narrow(b.A), narrow(b.C)))
			f.Set(across.At(p.at), narrow(b.B))
		})
	}
}

// filterOf is the number of the line's filter.
func (k *kernel) filterOf() build.Val {
	dims, _ := k.filters()
	at := build.Int(k.positions(), 0)
	for i, d := range dims {
		if i > 0 {
			at = at.Mul(k.number(fmt.Sprintf("filters%d", i), k.outer.dims[d]))
		}
		at = at.Add(k.outer.index[d].To(k.positions()))
	}
	return k.Let("filter", at)
}

// findBlends finds the blends of the line's filter, which is known by its number.
func (k *kernel) findBlends(filter build.Val) {
	of := func(name string, t ktree.Type, scratch int) build.Val {
		b := k.buffer(name, t, kgen.Param{Kind: kgen.ScratchPointer, Index: scratch}, false)
		return k.Let(name+"_of", b.Plus(filter.Mul(k.blends())))
	}
	k.blend.sides, k.blend.across = of("sides", halves.pair(), 0), of("across", halves.constant(), 1)
}

// blendAt is the blend of bins k and n-k.
func (k *kernel) blendAt(at place) dft.Blend {
	v := k.Let("sides", k.blend.sides.At(at.at))
	return dft.Blend{A: k.looked(v.Part(0, 2)), B: k.looked(k.blend.across.At(at.at)), C: k.looked(v.Part(2, 2))}
}

// blended takes the results of a pair of butterflies through the filter, to what the
// transform back takes.
func (k *kernel) blended(c *core, at []place, v []number) []number {
	list, s, isZero := c.twins(at)
	c.seated(list, s, isZero, v)
	for j := range list {
		switch t := &list[j]; {
		case t.self:
			t.a = c.Mul(t.a, k.blendAt(t.k).A)
		case 2*j < s.r: // k is at most n/2
			t.a, t.b = c.Blended(t.a, t.b, k.blendAt(t.k))
		default:
			t.b, t.a = c.Blended(t.b, t.a, k.blendAt(c.imageOf(t.k)))
		}
	}
	return c.unseated(list, s, isZero)
}

// throughFilter takes a line through a transform, its filter and the transform back.
func (k *kernel) throughFilter(first, second *core, read fetch, write deliver) {
	first.mirrorLast, second.mirrorFirst = true, true
	between := [][]number{}
	first.run(read, func(at []place, v []number) { between = append(between, k.blended(first, at, v)) })
	second.run(taken(&between), write)
}

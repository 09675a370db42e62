package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Samples that no map changes stay as they are stored until their line's greatest is
// known: two to a register, where floats would take twice as many.

// bareSamples is the slot whose samples the first transform takes, widened and otherwise
// as they are, each two neighbours as a word of memory; false if there is none.
func (k *kernel) bareSamples() (ir.SlotID, bool) {
	i := transformsOf(k.p)[0]
	x := k.ffts[i]
	m, ok := k.virtual[k.p.Stages[i].Reads[0]]
	if !ok || x.f.In.Along() != 1 || x.f.In.Offset != 0 {
		return 0, false
	}
	p := k.p.Stages[m].Program.(*ir.Map)
	cast := p.Instrs[p.Value[0]]
	if cast.Kind != ir.Apply || cast.Op != scalar.Cast || p.Instrs[cast.A].Kind != ir.Load || p.Out[0].Offset != 0 {
		return 0, false
	}
	operand := p.Instrs[cast.A].Slot
	slot, o := k.p.Stages[m].Reads[operand], p.In[operand]
	limit := k.samplesOf(i)
	width := k.samplesInNumber(i)
	apart := slices.ContainsFunc(k.firstReads(i), func(at place) bool { return width*at.lo() < limit && width*at.hi()+width-1 >= limit })
	if s := k.p.Slots[slot]; s.Kind != ir.InSlot || !s.Type.IsHalf() || o.Offset != 0 || o.Along() != 1 || apart ||
		width == 2 && (k.pair.apart[slot]%2 != 0 || !k.inPairs(slot, o, cell{width: 2})) {
		return 0, false
	}
	return slot, true
}

// samplesOf is how many samples the transform of stage i reads.
func (k *kernel) samplesOf(i int) int { return min(k.ffts[i].f.InLen, k.ffts[i].f.InNeeded()) }

// words are both lines as they are stored.
type words struct {
	k     *kernel
	lines [2]build.Val // pointers
	own   build.Val    // pointer to what the thread has of them to turn; nothing if it has none
	limit int          // samples
	width int          // samples of a word
}

// wordsOf finds those of a line, by its index in each dimension.
func (k *kernel) wordsOf(slot ir.SlotID, index []build.Val) words {
	i := transformsOf(k.p)[0]
	width := k.samplesInNumber(i)
	if width == 1 && k.inWords(slot, ir.Operand{Strides: []int{1}}) {
		return words{k: k, own: k.ownWords(slot, index), limit: k.samplesOf(i), width: 1}
	}
	all := k.buffer("words", ktree.Vector(kgen.MemoryOf(k.p.Slots[slot].Type).Kind, width), k.bound[slot], false)
	first := k.Let("words_of", all.Plus(k.offsetOf(slot, k.p.Slots[slot], index).Shr(width-1)))
	second := k.Let("beside", first.Plus(k.number("words_apart", k.pair.apart[slot]/width)))
	return words{k: k, lines: [2]build.Val{first, second}, limit: k.samplesOf(i), width: width}
}

// has reports a place with samples.
func (w words) has(p place) bool { return w.width*p.lo() < w.limit }

// read gives numbers as they are stored.
func (w words) read(at []place) []number {
	return w.both(lists.Map(at, func(p place) number {
		return w.at(p, func(v build.Val) build.Val { return v }, func(v build.Val) build.Val { return w.k.Let("word", v) })
	}))
}

// both are numbers of both lines, of what is stored.
func (w words) both(v []number) []number {
	if w.own.IsNil() {
		return v
	}
	return lists.Map(v, func(z number) number { return eachPart(z, w.k.turned) })
}

// at is what both lines have at a place: a word of each, or the samples of both in one, which
// are loaded and named.
func (w words) at(p place, load, name func(build.Val) build.Val) number {
	if !w.has(p) {
		return halves.nothing()
	}
	if !w.own.IsNil() {
		_, add := parted(p.at)
		return number{Re: name(load(w.own.At(add / 2))), Im: halves.zero()}
	}
	a, b := load(w.lines[0].At(p.at)), load(w.lines[1].At(p.at))
	if w.width == 1 {
		return number{Re: name(build.Vec(a, b)), Im: halves.zero()}
	}
	return number{Re: name(a), Im: name(b)}
}

// eachPart maps the parts of a number that are not known to be zero.
func eachPart(z number, f func(build.Val) build.Val) number {
	for _, part := range []*build.Val{&z.Re, &z.Im} {
		if !part.IsZero() {
			*part = f(*part)
		}
	}
	return z
}

// scaledWords brings the words of both lines to halves of at most 1.
func (k *kernel) scaledWords(values [][]number) [][]number {
	var words [2][]build.Val
	for _, z := range slices.Concat(values...) {
		if !z.IsZero() {
			words[0], words[1] = append(words[0], z.Re), append(words[1], z.Im)
		}
	}
	var most [2]build.Val
	for l, list := range words {
		greatest, least := list[0], list[0]
		for _, w := range list[1:] {
			greatest, least = k.Let("greatest", build.Max(greatest, w)), k.Let("least", build.Min(least, w))
		}
		most[l] = build.Float(ktree.Float, 0)
		for _, w := range []build.Val{greatest, least} {
			x := k.Let("x", w.To(ktree.Float))
			for _, v := range []build.Val{x.X(), x.Y()} {
				most[l] = k.Let("most", build.Max(build.Apply(ktree.Abs, v), most[l]))
			}
		}
	}
	by := k.scalesOf(most)
	scaled := func(l int, w build.Val) build.Val {
		both := build.Vec(by[l], by[l])
		if w.Kind() == ktree.Bfloat { // which have the exponents of floats
			return k.Let("x", w.Mul(both.To(ktree.Bfloat)).To(ktree.Float))
		}
		x := k.Let("x", w.To(ktree.Float))
		return build.Vec(x.X().Mul(by[l]), x.Y().Mul(by[l]))
	}
	return eachNumber(values, func(z number) number {
		x, y := scaled(0, z.Re), scaled(1, z.Im)
		return number{
			Re: k.Let("h", build.Vec(x.X(), y.X()).To(ktree.Half)),
			Im: k.Let("h", build.Vec(x.Y(), y.Y()).To(ktree.Half)),
		}
	})
}

// scaledSamples does the same for words that have a sample of each line.
func (k *kernel) scaledSamples(values [][]number) [][]number {
	var greatest, least build.Val
	for _, z := range slices.Concat(values...) {
		switch {
		case z.IsZero():
		case greatest.IsNil():
			greatest, least = z.Re, z.Re
		default:
			greatest, least = k.Let("greatest", build.Max(greatest, z.Re)), k.Let("least", build.Min(least, z.Re))
		}
	}
	g, l := k.Let("x", greatest.To(ktree.Float)), k.Let("x", least.To(ktree.Float))
	most := func(g, l build.Val) build.Val {
		return k.Let("most", build.Max(build.Apply(ktree.Abs, g), build.Apply(ktree.Abs, l)))
	}
	by := k.scalesOf([2]build.Val{most(g.X(), l.X()), most(g.Y(), l.Y())})
	both := build.Vec(by[0], by[1])
	return eachNumber(values, func(z number) number {
		var x build.Val
		if z.Re.Kind() == ktree.Bfloat { // which have the exponents of floats
			x = k.Let("x", z.Re.Mul(both.To(ktree.Bfloat)).To(ktree.Float))
		} else {
			w := k.Let("x", z.Re.To(ktree.Float))
			x = build.Vec(w.X().Mul(by[0]), w.Y().Mul(by[1]))
		}
		return number{Re: k.Let("h", x.To(ktree.Half)), Im: halves.zero()}
	})
}

package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/build"
)

// transform is how an FFT stage is done on chip.
type transform struct {
	f *ir.FFT
	*precision
	kind     recipe.Kind
	split    *recipe.Recipe // of the complex lines inside, if they fit on chip
	exchange int            // bytes of shared memory
}

// packed reports a real line that travels as a complex one of half its length.
func (x *transform) packed() bool { return x.kind == recipe.Packed }

// direct reports a line that is no convolution.
func (x *transform) direct() bool { return x.kind != recipe.Rader && x.kind != recipe.Bluestein }

// isReal reports a transform of or to real lines.
func isReal(f *ir.FFT) bool { return f.Kind != ir.FFTComplex }

func precisionOf(f *ir.FFT) *precision {
	if f.In.Type == elem.Float64 || f.In.Type == elem.Complex128 {
		return double
	}
	return single
}

// recipes is a target as recipes know it, for numbers of a precision.
func (p *precision) recipes(target kgen.Target) recipe.GPU {
	return recipe.GPU{Arch: target.Arch, Bits: p.bits, SharedBytes: target.PoolBytes, Threads: target.GroupThreads()}
}

func newTransform(f *ir.FFT, target kgen.Target) (*transform, error) {
	p := precisionOf(f)
	gpu := p.recipes(target)
	r, err := gpu.OnChip(f.N, isReal(f))
	if err != nil {
		return nil, fmt.Errorf("kgen: fft: %w: %w", err, device.ErrUnsupported)
	}
	x := &transform{f: f, precision: p, kind: r.Kind, split: r, exchange: gpu.Exchange(r)}
	if r.Inner != nil {
		x.split = r.Inner
	}
	return x, nil
}

// inverse reports the direction.
func (x *transform) inverse() bool { return x.f.Inverse || x.f.Kind == ir.FFTRealInverse }

func (k *kernel) newCore(x *transform, s *recipe.Recipe, inverse bool) *core {
	c := &core{Arith: k.arith(x.precision), k: k, bits: x.bits, recipe: s, inverse: inverse, thread: k.t, among: k.threads, guard: k.guard}
	c.alone = k.alone
	if len(s.Passes()) > 1 && !k.alone {
		c.table, c.shared = k.twiddleTable(s, x.precision), k.swap(x.pair())
	}
	c.begin()
	return c
}

// sink takes a result of a transform.
type sink func(at cell, v []number)

// transform writes an FFT stage. Results go to out.
func (k *kernel) transform(x *transform, in source, out sink) {
	switch {
	case x.kind == recipe.Bluestein:
		k.chirped(x, in, out)
	case x.kind == recipe.Rader:
		k.permuted(x, in, out)
	case x.packed() && x.f.Kind == ir.FFTRealForward:
		c := k.newCore(x, x.split, false)
		c.mirrorLast = true
		roots := k.rootTable(x.f.N, x.precision)
		c.run(k.packedReals(x, in), func(at []place, v []number) {
			k.eachBin(c, roots, at, v, func(p place, z number) { out(one(p), []number{k.times(x, z)}) })
		})
	case x.packed():
		c := k.newCore(x, x.split.Reversed(), true)
		c.mirrorFirst = true
		c.run(k.tangledBins(x, c, in), k.packedOut(x, out))
	default:
		k.newCore(x, x.split, x.inverse()).run(k.plainIn(x, in), k.plainOut(x, out))
	}
}

// times applies the transform's scale.
func (k *kernel) times(x *transform, z number) number {
	if x.f.Scale == 1 {
		return z
	}
	a := k.arith(x.precision)
	return a.Scaled(z, a.Const(x.f.Scale))
}

// eachBin untangles a pair of butterflies and calls f with every bin.
func (k *kernel) eachBin(c *core, roots build.Val, at []place, v []number, f func(place, number)) {
	list, s, isZero := c.twins(at)
	c.seated(list, s, isZero, v)
	for _, t := range list {
		a, b := c.untangled(t, roots)
		f(t.k, a)
		if !t.self {
			f(c.imageOf(t.k), b)
		}
	}
}

// bins are the places of eachBin, in its order.
func (k *kernel) bins(c *core) []place {
	var list []place
	pass := len(c.radices) - 1
	for _, g := range c.groups(pass) {
		twins, _, _ := c.twins(c.inputs(g, c.radices[pass]))
		for _, t := range twins {
			list = append(list, t.k)
			if !t.self {
				list = append(list, c.imageOf(t.k))
			}
		}
	}
	return list
}

// packedReals reads neighbours of a real line as a complex number.
func (k *kernel) packedReals(x *transform, in source) fetch {
	return func(at []place) []number {
		var out []number
		for _, p := range at {
			out = append(out, in(cell{p, 2})...)
		}
		return out
	}
}

// tangledBins reads bins k and n-k and packs them.
func (k *kernel) tangledBins(x *transform, c *core, in source) fetch {
	roots := k.rootTable(x.f.N, x.precision)
	return func(at []place) []number {
		list, s, isZero := c.twins(at)
		for i := range list {
			t := &list[i]
			t.a = in(one(t.k))[0]
			if !t.self {
				t.b = in(one(c.imageOf(t.k)))[0]
			}
			t.a, t.b = c.tangled(*t, roots)
		}
		return c.unseated(list, s, isZero)
	}
}

// packedOut gives a packed line as reals.
func (k *kernel) packedOut(x *transform, out sink) deliver {
	return func(at []place, v []number) {
		for i, p := range at {
			z := k.times(x, v[i])
			out(cell{p, 2}, []number{x.only(z.Re), x.only(z.Im)})
		}
	}
}

// plainIn reads a line as complex numbers: as they are, as reals, or, for a
// transform to reals, with the half that is not stored.
func (k *kernel) plainIn(x *transform, in source) fetch {
	return func(at []place) []number {
		var out []number
		for _, p := range at {
			if x.f.Kind != ir.FFTRealInverse {
				out = append(out, in(one(p))...)
				continue
			}
			out = append(out, k.hermitian(x, in, p))
		}
		return out
	}
}

// hermitian is element p of a spectrum of which half is stored.
func (k *kernel) hermitian(x *transform, in source, p place) number {
	n := x.f.N
	if p.lo() > n/2 {
		return in(one(place{at: k.Let("at", whole(n).Sub(p.at)), ok: p.ok}))[0].Conjugate()
	}
	q, stored := p, build.Val{}
	if p.hi() > n/2 {
		stored = k.Let("stored", p.at.Le(n/2))
		q.at = k.LetIn("at", stored.Choose(p.at, whole(n).Sub(p.at)), min(p.lo(), n-p.hi()), n/2)
	}
	z := in(one(q))[0]
	if z.IsZero() {
		return z
	}
	var real build.Val
	if p.lo() == 0 {
		real = p.at.Eq(0)
	}
	if n%2 == 0 && p.lo() <= n/2 && p.hi() >= n/2 {
		middle := p.at.Mul(2).Eq(n)
		if real.IsNil() {
			real = middle
		} else {
			real = real.OrElse(middle)
		}
	}
	im := z.Im
	if !stored.IsNil() {
		im = stored.Choose(im, im.Neg())
	}
	if !real.IsNil() {
		im = real.Choose(build.Float(x.precision.kind, 0), im)
	}
	return number{Re: z.Re, Im: k.Let("im", im)}
}

// plainOut gives the results one by one, as complex numbers or reals, as many
// as are wanted.
func (k *kernel) plainOut(x *transform, out sink) deliver {
	return func(at []place, v []number) {
		for i, p := range at {
			if p.lo() >= x.f.OutLen() {
				continue
			}
			p = x.wanted(p)
			z := x.realBins(k, p, k.times(x, v[i]))
			if x.f.Kind == ir.FFTRealInverse {
				z.Im = build.Zero(x.precision.kind)
			}
			out(one(p), []number{z})
		}
	}
}

// realBins is a result without an imaginary part where it has none: elements 0 and
// n/2 of the spectrum of a real line, which a convolution gives but to rounding.
func (x *transform) realBins(k *kernel, p place, z number) number {
	if x.f.Kind != ir.FFTRealForward {
		return z
	}
	zero := build.Zero(x.precision.kind)
	for _, real := range []int{0, x.f.N / 2} {
		switch {
		case 2*real%x.f.N != 0 || p.lo() > real || p.hi() < real:
		case p.lo() == real && p.hi() == real:
			z.Im = zero
		default:
			z.Im = k.Let("im", p.at.Eq(real).Choose(zero, z.Im))
		}
	}
	return z
}

// wanted is a place that counts only where the transform has results.
func (x *transform) wanted(p place) place {
	if p.hi() >= x.f.OutLen() {
		p.ok = both(p.ok, p.at.Lt(x.f.OutLen()))
	}
	return p
}

// plainPlaces are the places of plainOut, in its order.
func (k *kernel) plainPlaces(x *transform) []place {
	var all, list []place
	switch x.kind {
	case recipe.Rader:
		all = k.natural(x.f.N)
	case recipe.Bluestein:
		all = k.newCore(x, x.split.Reversed(), x.inverse()).delivered()
	default:
		all = k.newCore(x, x.split, x.inverse()).delivered()
	}
	for _, p := range all {
		if p.lo() < x.f.OutLen() {
			list = append(list, x.wanted(p))
		}
	}
	return list
}

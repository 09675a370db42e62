package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// row is a row of real lines in the second pass: the elements with digit k1 of all columns, of
// which there are twice as many as numbers between the passes. A number there is a column and, as
// its imaginary part, the next one. So both columns' elements k1 are sums and differences of what
// is at k1 and at n1-k1, and those at n1-k1 their conjugates: half of the rows are all there
// is to compute, and no bins have to meet.
//
// Bins of the row are k1 + n1*k2. Those in its second half are conjugates of others
// that no row has, but for rows 0 and n1/2, which have each bin twice: there the first half counts.
type row struct {
	*trip
	k         *kernel
	k1, image build.Val // where in a column they are, as Ints
	apart     build.Val // the condition that they differ
	roots     map[int]number
}

// rows is the second pass of real lines. Rows of all lines follow each other. As lines have
// one more of them than half a column, like bins, tiles begin where a sector of the bins does.
func (g *trip) rows() {
	n1 := g.First.N
	k := g.begun(g.gpu.Middle(g.Trip), g.there < 0, g.there)
	k.outer.add(n1/2 + 1)
	k.outer.columns = true
	k.function(func() {
		r := &row{trip: g, k: k, roots: map[int]number{}}
		r.k1 = k.LetIn("k1", k.outer.last(), 0, n1/2)
		r.apart = r.k1.Ne(0)
		if n1%2 == 0 {
			r.apart = r.apart.AndThen(r.k1.Ne(n1 / 2))
		}
		r.apart = k.Let("apart", r.apart)
		r.image = k.LetIn("image", r.apart.Choose(raised(r.k1, g.Images()), r.k1), 0, 2*g.Images()-1)
		var bins [][]number
		if g.there >= 0 {
			bins = r.bins()
		} else {
			bins = r.read()
		}
		if g.back >= 0 {
			r.stored(bins)
		}
	})
}

// columns are the two places between the passes that hold elements k1 of columns 2b and 2b+1, and
// of those so many columns further.
func (r *row) columns(b build.Val, columns int) (at, image build.Val) {
	c := raised(b.Div(2), columns/2).Mul(2 * r.Images())
	in := func(k1 build.Val) build.Val { return r.k.LetIn("at", c.Add(k1), 0, r.n-1) }
	return in(r.k1), in(r.image)
}

// inColumn is where in its column an element of the first axis is: rows, and then those that are images
// of others, in the order of those. So tiles of both begin with a sector.
func (g *trip) inColumn(k *kernel, p place) place {
	n1 := g.First.N
	if p.hi() <= n1/2 || !isReal(g.f) {
		return p
	}
	image := whole(g.Images() + n1).Sub(p.at)
	if p.lo() <= n1/2 {
		image = p.at.Le(n1/2).Choose(p.at, image)
	}
	return place{at: k.LetIn("row", image, 0, 2*g.Images()-1), ok: p.ok}
}

// bins transforms the row and hands its bins on; it gives what the maps between the transforms
// make of them.
func (r *row) bins() (values [][]number) {
	c := r.core(r.k, r.Around, false)
	c.besideFirst, c.lower = true, r.root
	c.run(func(at []place) []number {
		list := make([]number, len(at))
		for j := range len(at) / 2 {
			p, q := r.columns(at[0].at, j*c.n/c.radices[0])
			x, y := r.fetch(r.k, p), r.fetch(r.k, q)
			list[j] = number{Re: c.Sum(x.Re, y.Re), Im: c.Sum(x.Im, y.Im.Neg())}
			list[j+len(at)/2] = number{Re: c.Sum(x.Im, y.Im), Im: c.Sum(y.Re, x.Re.Neg())}
		}
		return list
	}, func(at []place, v []number) {
		values = append(values, lists.Make(len(at), func(j int) number {
			b := r.bin(at[j])
			return r.wanted(c, b, r.through(r.k, b.place, b.real(c, b.turned(v[j]))))
		}))
	})
	return values
}

// read are bins as the transform back takes them.
func (r *row) read() [][]number {
	c, in := r.core(r.k, r.Around.Reversed(), true), r.k.sourceOf(r.back)
	return lists.Map(c.groups(0), func(group []place) []number {
		return lists.Map(c.inputs(group, c.radices[0]), func(p place) number {
			b := r.bin(p)
			return r.wanted(c, b, in(one(b.place))[0])
		})
	})
}

// stored transforms the row back, and stores both columns' elements as numbers.
func (r *row) stored(values [][]number) {
	c := r.core(r.k, r.Around.Reversed(), true)
	c.besideLast = true
	c.run(taken(&values), func(at []place, v []number) {
		half := len(at) / 2
		turned := func(at []place, v []number) []number {
			return c.turned(v, r.k.factors(r.precision, at, r.f.N, r.First.N, r.k1.To(ktree.Uint), true, false))
		}
		x, y := turned(at[:half], v[:half]), turned(at[half:], v[half:])
		for j := range half {
			p, q := r.columns(at[0].at, j*c.n/half)
			z := number{Re: c.Sum(x[j].Re, y[j].Im.Neg()), Im: c.Sum(x[j].Im, y[j].Re)}
			twice := c.Scaled(number{Re: x[j].Re, Im: y[j].Re}, c.Const(2))
			r.store(r.k, place{at: p, ok: at[j].ok}, c.Either(r.apart, z, twice))
			image := number{Re: c.Sum(x[j].Re, y[j].Im), Im: c.Sum(y[j].Re, x[j].Im.Neg())}
			r.store(r.k, place{at: q, ok: both(at[j].ok, r.apart)}, image)
		}
	})
}

// bin is one of a row: its place among those of the line.
type bin struct {
	place
	second bool      // in the second half of the row: the row has its conjugate
	isReal build.Val // the condition that it is the first or the last of a line; nothing if never
}

func (r *row) bin(p place) bin {
	n1, half, n := r.First.N, r.Around.N/2, r.f.N
	at := r.k1.Add(p.at.Mul(n1))
	if p.hi() < half {
		b := bin{place: place{at: r.k.LetIn("at", at, p.lo()*n1, p.hi()*n1+n1/2), ok: p.ok}}
		if p.lo() == 0 {
			b.isReal = b.at.Eq(0)
		}
		return b
	}
	b := bin{second: true, place: place{at: r.k.LetIn("at", whole(n).Sub(at), n-p.hi()*n1-n1/2, n-p.lo()*n1), ok: both(p.ok, r.apart)}}
	if p.lo() == half {
		b.isReal = b.at.Eq(n / 2)
		b.ok = both(p.ok, r.apart.OrElse(b.isReal))
	}
	return b
}

// turned is the bin of what the row has, or the reverse.
func (b bin) turned(z number) number {
	if b.second {
		return z.Conjugate()
	}
	return z
}

// real is a bin without the imaginary part that the first and the last have by rounding: so their angle
// is pi or 0, and not -pi.
func (b bin) real(c *core, z number) number {
	if !b.isReal.IsNil() {
		z.Im = c.Let(b.isReal.Choose(c.Const(0), z.Im))
	}
	return z
}

// wanted is what the transform back takes of a bin: of rows that have bins twice the first half,
// whose sums are doubled.
func (r *row) wanted(c *core, b bin, z number) number {
	if z = b.real(c, z); !b.isReal.IsNil() {
		z.Re = c.Let(b.isReal.Choose(c.Product(z.Re, c.Const(0.5)), z.Re))
	}
	if z = b.turned(z); b.second {
		keep := r.apart
		if !b.isReal.IsNil() {
			keep = keep.OrElse(b.isReal)
		}
		z = c.Either(keep, z, c.Zero())
	}
	return z
}

// root is the root of the line's order to the power of k1 times a distance between columns.
func (r *row) root(distance int) number {
	if z, ok := r.roots[distance]; ok {
		return z
	}
	var distances []int
	rest := r.Around.N
	for _, radix := range r.Around.Radices {
		rest /= radix
		for row := range dft.Powers(radix) {
			distances = append(distances, rest<<row)
		}
	}
	n, columns := r.f.N, r.First.N/2+1
	table := r.k.pairs(r.precision, fmt.Sprintf("rows %d %d %v", n, r.First.N, r.Around.Radices), func() []complex128 {
		all := roots.Of(n)
		return lists.Joined(distances, func(d int) []complex128 {
			return lists.Make(columns, func(k1 int) complex128 {
				re, im := all.At(d * k1 % n)
				return complex(re, im)
			})
		})
	})
	z := r.k.looked(table.At(raised(r.k1, slices.Index(distances, distance)*columns)))
	r.roots[distance] = z
	return z
}

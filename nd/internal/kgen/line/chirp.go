package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// chirped is Bluestein's method: a transform of any length is a convolution
// with a chirp, and that two transforms of a length with small factors. The
// spectrum passes from one to the other in registers.
func (k *kernel) chirped(x *transform, in source, out sink) {
	n, m := x.f.N, x.split.N
	spectrum := k.spectrumTable(n, []int{m}, x.precision)
	inside := func(p place) (place, build.Val) {
		if p.hi() < n {
			return p, build.Val{}
		}
		return place{at: k.Let("at", build.Min(p.at, n-1)), ok: p.ok}, p.at.Lt(n)
	}
	plain := k.plainIn(x, in)
	var ends *ends
	if x.wrapped > 0 {
		ends = k.newEnds(x)
	}
	// Nothing else is computed with the line.
	alone := ends == nil && len(k.p.Stages) == 1
	var between [][]number
	c := k.newCore(x, x.split, false)
	c.skipFirst = alone
	c.run(func(at []place) []number {
		list := make([]number, len(at))
		for i, p := range at {
			if p.lo() >= n {
				list[i] = x.nothing()
				continue
			}
			q, ok := inside(p)
			list[i] = plain([]place{q})[0]
			ends.keep(p, list[i])
			list[i] = c.Mul(list[i], k.chirpAt(x, q, false))
			if !ok.IsNil() {
				list[i] = c.Either(ok, list[i], x.nothing())
			}
		}
		return list
	}, func(at []place, v []number) {
		between = append(between, lists.Make(len(at), func(i int) number { return c.Mul(v[i], mirrored(k.looked(spectrum.At(at[i].at)), x.inverse())) }))
	})
	c = k.newCore(x, x.split.Reversed(), true)
	c.skipLast = alone
	deliver := k.plainOut(x, out)
	c.run(taken(&between), func(at []place, v []number) {
		for i, p := range at {
			if p.lo() >= x.f.OutLen() {
				continue
			}
			q, ok := inside(p)
			q.ok = both(q.ok, ok)
			deliver([]place{q}, []number{ends.add(c, p, c.Mul(v[i], k.chirpAt(x, q, false)))})
		}
	})
}

// taken gives what one transform left to the next, in order.
func taken(between *[][]number) fetch {
	return func([]place) []number {
		list := (*between)[0]
		*between = (*between)[1:]
		return list
	}
}

// chirps are exp(-pi i j^2/n).
func chirps(n int) []complex128 {
	table := roots.Of(2 * n)
	return lists.Make(n, func(j int) complex128 {
		re, im := table.At(j * j % (2 * n))
		return complex(re, im)
	})
}

// chirpSpectrum is the transform of the conjugate of chirps, wrapped to m
// elements, over m. Where two would meet there is nothing.
func chirpSpectrum(n, m int) []complex128 {
	list := make([]complex128, m)
	for j, z := range chirps(n)[:min(n, m-n+1)] {
		z = complex(real(z)/float64(m), -imag(z)/float64(m))
		list[j] = z
		if j > 0 {
			list[m-j] = z
		}
	}
	transformed(list)
	return list
}

// transformed transforms numbers in place.
func transformed(list []complex128) {
	plan, err := fft.NewPlan[complex128](len(list))
	if err == nil {
		err = plan.Forward(list, list)
	}
	if err != nil {
		panic(err) // there are numbers, and as many as the plan is for
	}
}

// chirpAt is the chirp at a place, conjugated for a transform back; loaded now, or where
// it is used.
func (k *kernel) chirpAt(x *transform, p place, now bool) number {
	n := x.f.N
	from := k.pairs(x.precision, fmt.Sprintf("chirp %d", n), func() []complex128 { return chirps(n) }).At(p.at)
	if now {
		from = build.Now(from)
	}
	return mirrored(k.looked(from), x.inverse())
}

// mirrored is z, or its conjugate for a transform back.
func mirrored(z number, inverse bool) number {
	if inverse {
		return z.Conjugate()
	}
	return z
}

// spectrumTable is the spectrum of a chirp of n in the order in which passes
// along axes leave it: the last digit of an element's number is the first of
// its place.
func (k *kernel) spectrumTable(n int, axes []int, p *precision) build.Val {
	return k.pairs(p, fmt.Sprintf("chirp spectrum %d %v", n, axes), func() []complex128 {
		m := lists.Product(axes)
		spectrum := chirpSpectrum(n, m)
		return lists.Make(m, func(i int) complex128 {
			from, rest, unit, size := 0, i, 1, m
			for _, f := range axes {
				size /= f
				from += rest / size * unit
				rest %= size
				unit *= f
			}
			return spectrum[from]
		})
	})
}

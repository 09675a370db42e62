package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/roots"
)

// chirped is Bluestein's method: a transform of any length is a convolution
// with a chirp, and that two transforms of a length with small factors. The
// spectrum passes from one to the other in registers.
func (k *kernel) chirped(x *transform, in source, out sink) {
	a := arithmetic{k.text, x.precision}
	n, m := x.f.N, x.n
	chirp, spectrum := k.chirpTables(n, m, x.precision)
	factor := func(table string, p place) number {
		w := k.let(x.pair, "%s[%s]", table, p)
		z := number{w + ".re", w + ".im"}
		if x.inverse() {
			z = conjugate(z)
		}
		return z
	}
	inside := func(p place) (place, string) {
		if p.hi < n {
			return p, ""
		}
		q := place{base: k.let("int", "min(%s, %d)", p, n-1), lo: min(p.lo, n-1), hi: n - 1, ok: p.ok}
		return q, fmt.Sprintf("%s < %d", p, n)
	}
	plain := k.plainIn(x, in)
	var between [][]number
	c := k.newCore(x, x.split, false)
	c.run(func(at []place) []number {
		list := make([]number, len(at))
		for i, p := range at {
			if p.lo >= n {
				continue
			}
			q, ok := inside(p)
			list[i] = a.mul(plain([]place{q})[0], factor(chirp, q))
			if ok != "" {
				list[i] = a.either(ok, list[i], number{})
			}
		}
		return list
	}, func(at []place, v []number) {
		list := make([]number, len(at))
		for i, p := range at {
			list[i] = a.mul(v[i], factor(spectrum, p))
		}
		between = append(between, list)
	})
	c = k.newCore(x, x.split.reversed(), true)
	deliver := k.plainOut(x, out)
	c.run(func(at []place) []number {
		list := between[0]
		between = between[1:]
		return list
	}, func(at []place, v []number) {
		for i, p := range at {
			if p.lo >= x.f.OutLen() {
				continue
			}
			q, ok := inside(p)
			q.ok = both(q.ok, ok)
			deliver([]place{q}, []number{a.mul(v[i], factor(chirp, q))})
		}
	})
}

// chirpTables are exp(-pi i j^2/n) and the transform of its conjugate, wrapped
// to m elements, over m.
func (k *kernel) chirpTables(n, m int, p *precision) (chirp, spectrum string) {
	chirps := func() []complex128 {
		table := roots.Of(2 * n)
		list := make([]complex128, n)
		for j := range list {
			re, im := table.At(j * j % (2 * n))
			list[j] = complex(re, im)
		}
		return list
	}
	chirp = k.table(fmt.Sprintf("chirp %s %d", p.real, n), func() []byte { return p.packed(chirps()) }, p.pair)
	spectrum = k.table(fmt.Sprintf("chirp spectrum %s %d %d", p.real, n, m), func() []byte {
		list := make([]complex128, m)
		for j, z := range chirps() {
			z = complex(real(z)/float64(m), -imag(z)/float64(m))
			list[j] = z
			if j > 0 {
				list[m-j] = z
			}
		}
		plan, err := fft.NewPlan[complex128](m)
		if err == nil {
			err = plan.Forward(list, list)
		}
		if err != nil {
			panic(err) // m is no length of none, and the lengths are equal
		}
		return p.packed(list)
	}, p.pair)
	return chirp, spectrum
}

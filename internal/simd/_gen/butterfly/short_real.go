package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
)

// shortRealLengths are the real lines with a kernel from samples to bins and back,
// a number in each register.
var shortRealLengths = []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 24, 32}

func shortRealName(t target, n int, inverse bool) string {
	return fmt.Sprintf("short%s%d%s", [...]string{"Real", "Inverse"}[bit(inverse)], n, t.name)
}

// shortReals writes the kernels of short real lines.
func shortReals(c *build.Context, t target, done map[string]bool) {
	for _, n := range shortRealLengths {
		shortReal(c, t.vectors(1), n, done)
		shortInverse(c, t.vectors(1), n, done)
	}
}

// shortReal writes the transform of real lines.
func shortReal(c *build.Context, t target, n int, done map[string]bool) {
	k := newKernel(c, t, split, interleaved)
	k.b.waits = true
	b := &k.b
	get := func(j int) value { return b.load(legAddress{from, 0, 0, k.size() * j}) }
	put := func(i int, p pair) {
		re := b.mulM(p.re, localAddress{factor})
		var im value
		if p.im == none {
			im = b.load(zeroAddress{})
		} else {
			im = b.mulM(p.im, localAddress{factor})
		}
		b.store(legAddress{to, 0, 0, 2 * k.size() * i}, re)
		b.store(legAddress{to, 1, 0, 2 * k.size() * i}, im)
	}
	b.shortReal(n, get, put)
	k.short(shortRealName(k.target, n, false), done)
}

// shortInverse writes the reverse of shortReal.
func shortInverse(c *build.Context, t target, n int, done map[string]bool) {
	k := newKernel(c, t, interleaved, split)
	k.b.waits = true
	b := &k.b
	get := func(i int) pair {
		p := pair{b.load(legAddress{from, 0, 0, 2 * k.size() * i}), none}
		if i > 0 && 2*i != n {
			p.im = b.load(legAddress{from, 1, 0, 2 * k.size() * i})
		}
		return p
	}
	put := func(j int, v value) {
		b.store(legAddress{to, 0, 0, k.size() * j}, b.mulM(v, localAddress{factor}))
	}
	b.shortInverse(n, get, put)
	k.short(shortRealName(k.target, n, true), done)
}

// shortReal is the transform of n real inputs: put is called for bins 0 to n/2.
func (b *block) shortReal(n int, get func(j int) value, put func(i int, p pair)) {
	switch {
	case n%2 == 1:
		b.oddReal(n, get, put)
	case n&(n-1) == 0:
		b.real(n, false, get, put)
	default:
		b.evenReal(n, get, put)
	}
}

// shortInverse is the n real outputs of bins 0 to n/2.
func (b *block) shortInverse(n int, get func(i int) pair, put func(j int, v value)) {
	switch {
	case n%2 == 1:
		b.oddInverse(n, get, put)
	case n&(n-1) == 0:
		for j, v := range b.inverse(n, get) {
			put(j, v)
		}
	default:
		b.evenInverse(n, get, put)
	}
}

// oddReal is the transform of an odd number of real inputs by the sums and
// differences of inputs j and n-j.
func (b *block) oddReal(n int, get func(j int) value, put func(i int, p pair)) {
	half := n / 2
	sum, dif := make([]value, half+1), make([]value, half+1)
	first := get(0)
	total := first
	for j := 1; j <= half; j++ {
		x, y := get(j), get(n-j)
		sum[j], dif[j] = b.add(x, y), b.sub(x, y)
		total = b.add(total, sum[j])
	}
	put(0, pair{total, none})
	for i := 1; i <= half; i++ {
		re := first
		im := b.mulC(dif[1], -sine(i, n))
		for j := 1; j <= half; j++ {
			re = b.fmaC(sum[j], cosine(i*j%n, n), re)
			if j > 1 {
				im = b.fnmaC(dif[j], sine(i*j%n, n), im)
			}
		}
		put(i, pair{re, im})
	}
}

// oddInverse is the odd number of real outputs of bins 0 to n/2.
func (b *block) oddInverse(n int, get func(i int) pair, put func(j int, v value)) {
	half := n / 2
	bins := make([]pair, half+1)
	first := get(0).re
	total := first
	for i := 1; i <= half; i++ {
		x := get(i)
		bins[i] = pair{b.add(x.re, x.re), b.add(x.im, x.im)}
		total = b.add(total, bins[i].re)
	}
	put(0, total)
	for j := 1; j <= half; j++ {
		even := first
		odd := b.mulC(bins[1].im, sine(j, n))
		for i := 1; i <= half; i++ {
			even = b.fmaC(bins[i].re, cosine(i*j%n, n), even)
			if i > 1 {
				odd = b.fmaC(bins[i].im, sine(i*j%n, n), odd)
			}
		}
		put(j, b.sub(even, odd))
		put(n-j, b.add(even, odd))
	}
}

// evenReal is the transform of an even number of real inputs as one of half as many
// pairs, whose bins are then those of the even and of the odd inputs.
func (b *block) evenReal(n int, get func(j int) value, put func(i int, p pair)) {
	m := n / 2
	z := b.collect(m, func(j int) pair { return pair{get(2 * j), get(2*j + 1)} })
	put(0, pair{b.add(z[0].re, z[0].im), none})
	put(m, pair{b.sub(z[0].re, z[0].im), none})
	for i := 1; 2*i <= m; i++ {
		x, y := z[i], z[m-i]
		if 2*i == m {
			put(i, pair{x.re, b.mulC(x.im, -1)})
			continue
		}
		// Twice the even and i times the odd part.
		e := pair{b.add(x.re, y.re), b.sub(x.im, y.im)}
		o := pair{b.add(x.im, y.im), b.sub(y.re, x.re)}
		c, s := cosine(i, n), sine(i, n)
		o = pair{b.fmaC(o.im, s/2, b.mulC(o.re, c/2)), b.fnmaC(o.re, s/2, b.mulC(o.im, c/2))}
		put(i, pair{b.fmaC(e.re, 0.5, o.re), b.fmaC(e.im, 0.5, o.im)})
		put(m-i, pair{b.fmsC(e.re, 0.5, o.re), b.fnmaC(e.im, 0.5, o.im)})
	}
}

// evenInverse is the reverse of evenReal.
func (b *block) evenInverse(n int, get func(i int) pair, put func(j int, v value)) {
	m := n / 2
	z := make([]pair, m)
	x, y := get(0).re, get(m).re
	z[0] = pair{b.add(x, y), b.sub(x, y)}
	for i := 1; 2*i <= m; i++ {
		x := get(i)
		if 2*i == m {
			z[i] = pair{b.add(x.re, x.re), b.mulC(x.im, -2)}
			continue
		}
		y := get(m - i)
		e := pair{b.add(x.re, y.re), b.sub(x.im, y.im)}
		d := pair{b.sub(x.re, y.re), b.add(x.im, y.im)}
		c, s := cosine(i, n), sine(i, n)
		o := pair{b.fnmaC(d.im, s, b.mulC(d.re, c)), b.fmaC(d.re, s, b.mulC(d.im, c))}
		z[i] = b.addI(e, o)
		z[m-i] = pair{b.add(e.re, o.im), b.sub(o.re, e.im)}
	}
	// The planes of an inverse transform are those of a forward one, exchanged.
	b.dft(m, func(j int) pair { return pair{z[j].im, z[j].re} }, func(j int, p pair) {
		put(2*j, p.im)
		put(2*j+1, p.re)
	})
}

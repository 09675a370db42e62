package oracle

import "math"

// twoPi is 2*pi to 106 bits.
var twoPi = dd{2 * math.Pi, 2.4492935982947064e-16}

// inverseFactorial[k] is 1/k!. 27 terms leave an error below 2^-105 for
// arguments up to pi/4.
var inverseFactorial = func() (f [28]dd) {
	f[0] = dd{1, 0}
	for k := 1; k < len(f); k++ {
		f[k] = f[k-1].div(dd{float64(k), 0})
	}
	return f
}()

// root is exp(-2*pi*i*k/n) for any 0 <= k < n. The angle is reduced in
// integers to at most pi/4, where the Taylor series converge fast.
func root(k, n int) cdd {
	// Eighths of a turn: k/n = octant/8 + rest/(8n), 0 <= rest < n. The
	// product is exact, since n is far below 2^60.
	octant, rest := 8*k/n, 8*k%n
	if octant%2 == 1 {
		rest = n - rest // mirror in the diagonal
	}
	angle := twoPi.mul(dd{float64(rest), 0}.div(dd{float64(n) * 8, 0}))
	c, s := cosSin(angle)
	if octant%4 == 1 || octant%4 == 2 {
		c, s = s, c
	}
	if octant >= 2 && octant < 6 {
		c = c.neg()
	}
	if octant < 4 {
		s = s.neg()
	}
	return cdd{c, s}
}

// cosSin sums the Taylor series for 0 <= x <= pi/4, smallest terms first.
func cosSin(x dd) (c, s dd) {
	square := x.mul(x)
	last := len(inverseFactorial) - 1
	c, s = inverseFactorial[last-1], inverseFactorial[last]
	for k := last - 2; k > 0; k -= 2 {
		s = inverseFactorial[k].sub(square.mul(s))
		c = inverseFactorial[k-1].sub(square.mul(c))
	}
	return c, s.mul(x)
}

// roots tabulates exp(-2*pi*i*k/n) for 0 <= k < count. Long tables are
// products of two short ones, which costs one rounding.
func roots(n, count int) []cdd {
	const short = 1024
	table := make([]cdd, count)
	for k := range min(count, short) {
		table[k] = root(k, n)
	}
	for base := short; base < count; base += short {
		step := root(base, n)
		for k := base; k < min(count, base+short); k++ {
			table[k] = step.mul(table[k-base])
		}
	}
	return table
}

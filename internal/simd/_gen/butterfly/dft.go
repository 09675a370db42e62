package main

import "math"

// pair is a complex value.
type pair struct{ re, im value }

func (b *block) addP(x, y pair) pair { return pair{b.add(x.re, y.re), b.add(x.im, y.im)} }
func (b *block) subP(x, y pair) pair { return pair{b.sub(x.re, y.re), b.sub(x.im, y.im)} }

// addI is x + i*y, subI is x - i*y.
func (b *block) addI(x, y pair) pair { return pair{b.sub(x.re, y.im), b.add(x.im, y.re)} }
func (b *block) subI(x, y pair) pair { return pair{b.add(x.re, y.im), b.sub(x.im, y.re)} }

// rotate is x * exp(-2*pi*i*k/n).
func (b *block) rotate(x pair, k, n int) pair {
	c, s := cosine(k, n), sine(k, n)
	return pair{
		b.fmaC(x.im, s, b.mulC(x.re, c)),
		b.fnmaC(x.re, s, b.mulC(x.im, c)),
	}
}

// turned returns e + w*o and e - w*o for w = exp(-2*pi*i*k/n), 0 <= k < n/2.
// The general case takes the cosine out of w, so that all six operations are
// fused: w*o = c*(o - i*t*o) with t = tan.
func (b *block) turned(e, o pair, k, n int) (plus, minus pair) {
	switch {
	case k == 0:
		return b.addP(e, o), b.subP(e, o)
	case 4*k == n:
		return b.subI(e, o), b.addI(e, o)
	}
	var y pair
	c, s := cosine(k, n), sine(k, n)
	switch {
	case 8*k == n:
		// The inner products are plain sums.
		y = pair{b.add(o.re, o.im), b.sub(o.im, o.re)}
	case 8*k == 3*n:
		y = pair{b.sub(o.re, o.im), b.add(o.im, o.re)}
	case math.Abs(c) >= math.Abs(s):
		t := tangent(k, n)
		y = pair{b.fmaC(o.im, t, o.re), b.fnmaC(o.re, t, o.im)}
	default:
		// Take out the sine instead, to keep the ratio below one.
		t := cotangent(k, n)
		y = pair{b.fmaC(o.re, t, o.im), b.fmsC(o.im, t, o.re)}
		c = s
	}
	return pair{b.fmaC(y.re, c, e.re), b.fmaC(y.im, c, e.im)},
		pair{b.fnmaC(y.re, c, e.re), b.fnmaC(y.im, c, e.im)}
}

// dft is the forward transform of its inputs. get is called once per input,
// in the order the algorithm wants them, so that loads sit next to their use.
func (b *block) dft(n int, get func(j int) pair) []pair {
	switch n {
	case 1:
		return []pair{get(0)}
	case 2:
		x, y := get(0), get(1)
		return []pair{b.addP(x, y), b.subP(x, y)}
	case 4:
		x, y := get(0), get(2)
		s, d := b.addP(x, y), b.subP(x, y)
		x, y = get(1), get(3)
		t, e := b.addP(x, y), b.subP(x, y)
		return []pair{b.addP(s, t), b.subI(d, e), b.subP(s, t), b.addI(d, e)}
	case 8, 16, 32:
		return b.halves(n, get)
	case 9:
		return b.nine(get)
	case 6:
		return b.coprime(2, 3, get)
	case 10:
		return b.coprime(2, 5, get)
	case 12:
		return b.coprime(4, 3, get)
	case 15:
		return b.coprime(3, 5, get)
	}
	return b.odd(n, get)
}

// halves transforms even and odd inputs and joins them.
func (b *block) halves(n int, get func(j int) pair) []pair {
	odd := b.dft(n/2, func(j int) pair { return get(2*j + 1) })
	even := b.dft(n/2, func(j int) pair { return get(2 * j) })
	out := make([]pair, n)
	for k := range n / 2 {
		out[k], out[k+n/2] = b.turned(even[k], odd[k], k, n)
	}
	return out
}

// coprime transforms a*b inputs without inner twiddles (Good and Thomas).
func (b *block) coprime(p, q int, get func(j int) pair) []pair {
	n := p * q
	columns := make([][]pair, q)
	for j := range q {
		columns[j] = b.dft(p, func(i int) pair { return get((q*i + p*j) % n) })
	}
	out := make([]pair, n)
	for i := range p {
		row := b.dft(q, func(j int) pair { return columns[j][i] })
		for j, v := range row {
			for k := range n {
				if k%p == i && k%q == j {
					out[k] = v
				}
			}
		}
	}
	return out
}

func (b *block) nine(get func(j int) pair) []pair {
	var columns [3][]pair
	for j := range 3 {
		columns[j] = b.odd(3, func(i int) pair { return get(3*i + j) })
		for k := 1; k < 3 && j > 0; k++ {
			columns[j][k] = b.rotate(columns[j][k], j*k, 9)
		}
	}
	out := make([]pair, 9)
	for k := range 3 {
		for j, v := range b.odd(3, func(j int) pair { return columns[j][k] }) {
			out[k+3*j] = v
		}
	}
	return out
}

// odd transforms an odd number of inputs through the sums and differences of
// inputs j and n-j.
func (b *block) odd(n int, get func(j int) pair) []pair {
	half := n / 2
	sum, dif := make([]pair, half+1), make([]pair, half+1)
	for j := 1; j <= half; j++ {
		x, y := get(j), get(n-j)
		sum[j], dif[j] = b.addP(x, y), b.subP(x, y)
	}
	first := get(0)
	out := make([]pair, n)
	for k := 1; k <= half; k++ {
		m := first
		var t pair
		for j := 1; j <= half; j++ {
			c, s := cosine(j*k%n, n), sine(j*k%n, n)
			m = pair{b.fmaC(sum[j].re, c, m.re), b.fmaC(sum[j].im, c, m.im)}
			if j == 1 {
				t = pair{b.mulC(dif[j].re, s), b.mulC(dif[j].im, s)}
			} else {
				t = pair{b.fmaC(dif[j].re, s, t.re), b.fmaC(dif[j].im, s, t.im)}
			}
		}
		out[k], out[n-k] = b.subI(m, t), b.addI(m, t)
	}
	total := first
	for j := 1; j <= half; j++ {
		total = b.addP(total, sum[j])
	}
	out[0] = total
	return out
}

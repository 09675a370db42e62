package main

import "math"

// pair is a complex value: two planes of components, or numbers that stay interleaved.
type pair struct{ re, im value }

// joined is the imaginary plane of numbers that stay interleaved. Each operation rounds their
// components as it does in planes, so that the results have the same bits.
const joined value = -2

// whole says that the numbers of p are interleaved.
func (p pair) whole() bool { return p.im == joined }

// zero is an input known to be zero. It may only be added or subtracted.
var zero = pair{-1, -1}

func (b *block) addP(x, y pair) pair {
	if y == zero {
		return x
	}
	if x.whole() {
		return pair{b.add(x.re, y.re), joined}
	}
	return pair{b.add(x.re, y.re), b.add(x.im, y.im)}
}

func (b *block) subP(x, y pair) pair {
	if y == zero {
		return x
	}
	if x.whole() {
		return pair{b.sub(x.re, y.re), joined}
	}
	return pair{b.sub(x.re, y.re), b.sub(x.im, y.im)}
}

// addI is x + i*y, subI is x - i*y.
func (b *block) addI(x, y pair) pair {
	if x.whole() {
		return pair{b.subAdd(x.re, b.crossed(y.re)), joined}
	}
	return pair{b.sub(x.re, y.im), b.add(x.im, y.re)}
}

func (b *block) subI(x, y pair) pair {
	if x.whole() {
		return pair{b.alternate("VFMSUBADD", x.re, 1, b.crossed(y.re)), joined}
	}
	return pair{b.add(x.re, y.im), b.sub(x.im, y.re)}
}

// subAdd is x - y in even lanes and x + y in odd ones.
func (b *block) subAdd(x, y value) value {
	if b.neon {
		return b.fnmaM(y, signedAddress{1}, x)
	}
	return b.push(instruction{kind: binary, op: "VADDSUB", in: []value{x, y}})
}

// against is acc + c*x in even lanes and acc - c*x in odd ones.
func (b *block) against(x value, c float64, acc value) value {
	if c < 0 {
		return b.fnmaM(x, signedAddress{-c}, acc)
	}
	return b.fmaM(x, signedAddress{c}, acc)
}

// times is p times a pair of values, timesM of values in memory.
func (b *block) times(p pair, wr, wi value) pair {
	if b.neon {
		// Products can be taken from a sum there, not the sum from a product.
		return pair{b.fnma(p.im, wi, b.mul(p.re, wr)), b.fma(p.im, wr, b.mul(p.re, wi))}
	}
	return pair{b.fms(p.re, wr, b.mul(p.im, wi)), b.fma(p.im, wr, b.mul(p.re, wi))}
}

func (b *block) timesM(p pair, wr, wi address) pair {
	if b.neon {
		re, im := b.load(wr), b.load(wi)
		return b.times(p, re, im)
	}
	return pair{b.fmsM(p.re, wr, b.mulM(p.im, wi)), b.fmaM(p.im, wr, b.mulM(p.re, wi))}
}

// rotate is x * exp(-2*pi*i*k/n).
func (b *block) rotate(x pair, k, n int) pair {
	c, s := cosine(k, n), sine(k, n)
	if x.whole() {
		return pair{b.against(b.crossed(x.re), s, b.mulC(x.re, c)), joined}
	}
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
	y, c := b.tilted(o, k, n)
	if e.whole() {
		return pair{b.fmaC(y.re, c, e.re), joined}, pair{b.fnmaC(y.re, c, e.re), joined}
	}
	return pair{b.fmaC(y.re, c, e.re), b.fmaC(y.im, c, e.im)},
		pair{b.fnmaC(y.re, c, e.re), b.fnmaC(y.im, c, e.im)}
}

// tilted is y and c with c*y = exp(-2*pi*i*k/n) * o, for k neither 0 nor n/4.
func (b *block) tilted(o pair, k, n int) (y pair, c float64) {
	if o.whole() {
		return b.tiltedJoined(o.re, k, n)
	}
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
	return y, c
}

func (b *block) tiltedJoined(o value, k, n int) (y pair, factor float64) {
	c, s, crossed := cosine(k, n), sine(k, n), b.crossed(o)
	switch {
	case 8*k == n:
		o = b.alternate("VFMSUBADD", o, 1, crossed)
	case 8*k == 3*n:
		o = b.subAdd(o, crossed)
	case math.Abs(c) >= math.Abs(s):
		o = b.against(crossed, tangent(k, n), o)
	default:
		o, c = b.alternate("VFMSUBADD", o, cotangent(k, n), crossed), s
	}
	return pair{o, joined}, c
}

// dft is the forward transform of n inputs. get is called once per input and
// put once per output, in the order the algorithm wants them, so that loads
// and stores sit next to the arithmetic and few values are alive at a time.
func (b *block) dft(n int, get func(j int) pair, put func(k int, p pair)) {
	switch n {
	case 1:
		put(0, get(0))
	case 2:
		x, y := get(0), get(1)
		put(0, b.addP(x, y))
		put(1, b.subP(x, y))
	case 4:
		x, y := get(0), get(2)
		s, d := b.addP(x, y), b.subP(x, y)
		x, y = get(1), get(3)
		t, e := b.addP(x, y), b.subP(x, y)
		put(0, b.addP(s, t))
		put(2, b.subP(s, t))
		put(1, b.subI(d, e))
		put(3, b.addI(d, e))
	case 8, 16, 32, 64:
		if n > 8 && b.regs == 16 {
			b.quarters(n, sequence(n/4), get, put)
			return
		}
		b.halves(n, sequence(n/2), get, put)
	case 9:
		b.square(3, get, put)
	case 25:
		b.square(5, get, put)
	case 6:
		b.coprime(2, 3, get, put)
	case 10:
		b.coprime(2, 5, get, put)
	case 12:
		b.coprime(4, 3, get, put)
	case 14:
		b.coprime(2, 7, get, put)
	case 15:
		b.coprime(3, 5, get, put)
	case 21:
		b.coprime(3, 7, get, put)
	default:
		b.odd(n, get, put)
	}
}

// dftOrdered is dft with outputs in the order of groups of rows: those that come first
// in the order come first, so that few values wait for the rest of their group.
func (b *block) dftOrdered(n int, order []int, get func(j int) pair, put func(k int, p pair)) {
	if n < 8 {
		b.dft(n, get, put)
		return
	}
	parts := 2
	if n > 8 {
		parts = 4
	}
	var ks []int
	for first := 0; first < n/parts; first += len(order) {
		for _, o := range order {
			if o < n/parts {
				ks = append(ks, first+o)
			}
		}
	}
	if parts == 4 {
		b.quarters(n, ks, get, put)
		return
	}
	b.halves(n, ks, get, put)
}

// collect is dft with the outputs in a slice.
func (b *block) collect(n int, get func(j int) pair) []pair {
	out := make([]pair, n)
	b.dft(n, get, func(k int, p pair) { out[k] = p })
	return out
}

// halves transforms even and odd inputs and joins them, in the given order.
func (b *block) halves(n int, order []int, get func(j int) pair, put func(k int, p pair)) {
	odd := b.collect(n/2, func(j int) pair { return get(2*j + 1) })
	even := b.collect(n/2, func(j int) pair { return get(2 * j) })
	for _, k := range order {
		plus, minus := b.turned(even[k], odd[k], k, n)
		put(k, plus)
		put(k+n/2, minus)
	}
}

// quarters does the same sums as halves of halves in another order: values leave
// registers once, between the quarters and what joins them.
func (b *block) quarters(n int, order []int, get func(j int) pair, put func(k int, p pair)) {
	var q [4][]pair
	for _, r := range []int{3, 1, 2, 0} {
		q[r] = b.collect(n/4, func(j int) pair { return get(4*j + r) })
	}
	for _, k := range order {
		o0, o1 := b.turned(q[1][k], q[3][k], k, n/2)
		e0, e1 := b.turned(q[0][k], q[2][k], k, n/2)
		plus, minus := b.turned(e0, o0, k, n)
		put(k, plus)
		put(k+n/2, minus)
		plus, minus = b.turned(e1, o1, k+n/4, n)
		put(k+n/4, plus)
		put(k+3*n/4, minus)
	}
}

func sequence(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// coprime transforms p*q inputs without inner twiddles (Good and Thomas).
func (b *block) coprime(p, q int, get func(j int) pair, put func(k int, p pair)) {
	n := p * q
	columns := make([][]pair, q)
	for j := range q {
		columns[j] = b.collect(p, func(i int) pair { return get((q*i + p*j) % n) })
	}
	for i := range p {
		b.dft(q, func(j int) pair { return columns[j][i] }, func(j int, v pair) {
			for k := range n {
				if k%p == i && k%q == j {
					put(k, v)
				}
			}
		})
	}
}

// square transforms p*p inputs as p columns of p. The products between them lack their cosines, which
// the sums of the second columns multiply by.
func (b *block) square(p int, get func(j int) pair, put func(k int, p pair)) {
	columns, lacks := make([][]pair, p), make([][]float64, p)
	for j := range p {
		columns[j] = b.collect(p, func(i int) pair { return get(p*i + j) })
		lacks[j] = make([]float64, p)
		for k := range p {
			lacks[j][k] = 1
			switch {
			case j == 0 || k == 0:
			case b.waits:
				columns[j][k] = b.rotate(columns[j][k], j*k, p*p)
			default:
				columns[j][k], lacks[j][k] = b.tilted(columns[j][k], j*k, p*p)
			}
		}
	}
	for k := range p {
		b.oddLacking(p, func(j int) float64 { return lacks[j][k] }, func(j int) pair { return columns[j][k] },
			func(j int, v pair) { put(k+p*j, v) })
	}
}

// odd transforms an odd number of inputs through the sums and differences of
// inputs j and n-j.
func (b *block) odd(n int, get func(j int) pair, put func(k int, p pair)) {
	b.oddLacking(n, func(int) float64 { return 1 }, get, put)
}

// oddLacking is odd of inputs that lack a factor each, the first of which is 1. What the differences
// are multiplied by lacks the largest sine, by which the results multiply: of n inputs that saves
// n-1 operations, and the factors cost none.
func (b *block) oddLacking(n int, lacks func(j int) float64, get func(j int) pair, put func(k int, p pair)) {
	half := n / 2
	sum, dif := make([]pair, half+1), make([]pair, half+1)
	for j := 1; j <= half; j++ {
		x, y := get(j), get(n-j)
		c := lacks(n-j) / lacks(j)
		sum[j], dif[j] = b.plusC(x, y, c), b.plusC(x, y, -c)
	}
	first := get(0)
	total := first
	for j := 1; j <= half; j++ {
		total = b.plusC(total, sum[j], lacks(j))
	}
	put(0, total)
	for k := 1; k <= half; k++ {
		m, s := first, make([]float64, half+1)
		most := 1
		for j := 1; j <= half; j++ {
			m, s[j] = b.plusC(m, sum[j], lacks(j)*cosine(j*k%n, n)), lacks(j)*sine(j*k%n, n)
			if math.Abs(s[j]) > math.Abs(s[most]) && !b.waits {
				most = j
			}
		}
		t, c := dif[most], s[most]
		if b.waits {
			t, c = b.timesC(t, c), 1
		}
		for j := 1; j <= half; j++ {
			if j != most {
				t = b.plusC(t, dif[j], s[j]/c)
			}
		}
		if t.whole() {
			crossed := b.crossed(t.re)
			put(k, pair{b.against(crossed, c, m.re), joined})
			put(n-k, pair{b.against(crossed, -c, m.re), joined})
			continue
		}
		t = pair{t.im, t.re}
		plus, minus := b.plusC(m, t, c), b.plusC(m, t, -c)
		put(k, pair{plus.re, minus.im})
		put(n-k, pair{minus.re, plus.im})
	}
}

// plusC is x + c*y.
func (b *block) plusC(x, y pair, c float64) pair {
	switch c {
	case 1:
		return b.addP(x, y)
	case -1:
		return b.subP(x, y)
	}
	if x.whole() {
		return pair{b.fmaC(y.re, c, x.re), joined}
	}
	return pair{b.fmaC(y.re, c, x.re), b.fmaC(y.im, c, x.im)}
}

// timesC is c*x.
func (b *block) timesC(x pair, c float64) pair {
	if x.whole() {
		return pair{b.mulC(x.re, c), joined}
	}
	return pair{b.mulC(x.re, c), b.mulC(x.im, c)}
}

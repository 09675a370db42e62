package lines

import (
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
)

// dft writes the transform of a few numbers in registers, in natural order.
func (a arithmetic) dft(x []number, inverse bool) []number {
	n := len(x)
	switch n {
	case 1:
		return x
	case 2:
		return []number{a.add(x[0], x[1]), a.sub(x[0], x[1])}
	case 4:
		s, d := a.add(x[0], x[2]), a.sub(x[0], x[2])
		u, v := a.add(x[1], x[3]), turned(a.sub(x[1], x[3]), !inverse)
		return []number{a.add(s, u), a.add(d, v), a.sub(s, u), a.sub(d, v)}
	}
	if n&(n-1) == 0 {
		return a.joined(a.dft(every(x, 0, 2), inverse), a.dft(every(x, 1, 2), inverse), number{re: "1"}, inverse)
	}
	m := recipe.InnerRadix(n)
	if m == 1 {
		return a.primeDFT(x, inverse)
	}
	return a.compositeDFT(x, n/m, m, inverse)
}

// every picks the elements first, first+step and so on.
func every(x []number, first, step int) []number {
	var list []number
	for i := first; i < len(x); i += step {
		list = append(list, x[i])
	}
	return list
}

// twisted is the transform of x[j] times the j-th power of a root, for a power
// of two of numbers. w has the powers 1, 2, 4 and so on; no others are needed,
// since what the halves have in common is multiplied once, in the fused
// multiply-adds that join them.
func (a arithmetic) twisted(x, w []number, inverse bool) []number {
	if len(x) == 1 {
		return x
	}
	return a.joined(a.twisted(every(x, 0, 2), w[1:], inverse), a.twisted(every(x, 1, 2), w[1:], inverse), w[0], inverse)
}

// joined makes a transform from those of its even and its odd elements, of
// which the latter are turned by w. A w of 1 costs nothing.
func (a arithmetic) joined(even, odd []number, w number, inverse bool) []number {
	half := len(even)
	table := roots.Of(2 * half)
	out := make([]number, 2*half)
	turns := make([]number, half)
	for k := range half {
		if q := k - half/2; half > 1 && q >= 0 {
			turns[k] = turned(turns[q], !inverse)
		} else if w.re == "1" {
			re, im := table.At(k)
			if inverse {
				im = -im
			}
			turns[k] = number{a.literal(re), a.literal(im)}
			if k == 0 {
				turns[k] = w
			}
		} else {
			turns[k] = a.rotated(w, table, k, 2*half, inverse)
		}
		out[k], out[k+half] = a.butterfly(even[k], odd[k], turns[k])
	}
	return out
}

// butterfly is x + w*y and x - w*y in six operations.
func (a arithmetic) butterfly(x, y, w number) (plus, minus number) {
	switch {
	case w.re == "1":
		return a.add(x, y), a.sub(x, y)
	case w.re == "" || w.im == "":
		y = a.byUnit(y, w)
		return a.add(x, y), a.sub(x, y)
	case x.isZero() || y.isZero():
		y = a.mul(y, w)
		return a.add(x, y), a.sub(x, y)
	}
	plus = number{
		a.fused(negated(y.im), w.im, a.fused(y.re, w.re, x.re)),
		a.fused(y.im, w.re, a.fused(y.re, w.im, x.im)),
	}
	two := a.literal(2)
	minus = number{a.fused(two, x.re, negated(plus.re)), a.fused(two, x.im, negated(plus.im))}
	return plus, minus
}

// byUnit is y times 1, -1, i or -i.
func (a arithmetic) byUnit(y, w number) number {
	switch {
	case w.re == "1":
		return y
	case w.re != "":
		return number{negated(y.re), negated(y.im)}
	}
	return turned(y, w.im != "1")
}

// compositeDFT is f transforms of m after m transforms of f.
func (a arithmetic) compositeDFT(x []number, f, m int, inverse bool) []number {
	n := f * m
	table := roots.Of(n)
	rows := make([][]number, m)
	for j := range m {
		column := make([]number, f)
		for i := range f {
			column[i] = x[i*m+j]
		}
		rows[j] = a.dft(column, inverse)
	}
	out := make([]number, n)
	for k := range f {
		line := make([]number, m)
		for j := range m {
			line[j] = a.rotated(rows[j][k], table, j*k, n, inverse)
		}
		for q, v := range a.dft(line, inverse) {
			out[k+f*q] = v
		}
	}
	return out
}

// rotated is x times the k-th n-th root of unity.
func (a arithmetic) rotated(x number, table *roots.Table, k, n int, inverse bool) number {
	k %= n
	switch {
	case k == 0 || x.isZero():
		return x
	case 2*k == n:
		return number{negated(x.re), negated(x.im)}
	case 4*k == n:
		return turned(x, !inverse)
	case 4*k == 3*n:
		return turned(x, inverse)
	}
	re, im := table.At(k)
	if inverse {
		im = -im
	}
	return a.mul(x, number{a.literal(re), a.literal(im)})
}

// primeDFT pairs x[j] with x[n-j], so that all products are by reals.
func (a arithmetic) primeDFT(x []number, inverse bool) []number {
	n := len(x)
	half := n / 2
	table := roots.Of(n)
	sums, diffs := make([]number, half+1), make([]number, half+1)
	first := x[0]
	for j := 1; j <= half; j++ {
		sums[j], diffs[j] = a.add(x[j], x[n-j]), a.sub(x[j], x[n-j])
		first = a.add(first, sums[j])
	}
	out := make([]number, n)
	out[0] = first
	for k := 1; k <= half; k++ {
		even, odd := x[0], number{}
		for j := 1; j <= half; j++ {
			cos, sin := table.At(j * k % n) // sin is of a clockwise angle
			if inverse {
				sin = -sin
			}
			c, s := a.literal(cos), a.literal(sin)
			even = number{a.fused(sums[j].re, c, even.re), a.fused(sums[j].im, c, even.im)}
			odd = number{a.fused(diffs[j].re, s, odd.re), a.fused(diffs[j].im, s, odd.im)}
		}
		odd = turned(odd, false)
		out[k], out[n-k] = a.add(even, odd), a.sub(even, odd)
	}
	return out
}

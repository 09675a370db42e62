package lines

import "github.com/twiddle-go/twiddle/internal/roots"

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
	m := inner(n)
	if m == 1 {
		return a.primeDFT(x, inverse)
	}
	return a.compositeDFT(x, n/m, m, inverse)
}

// inner is the second factor of a split n = f*m that makes the fewest
// multiplications; 1 for a prime.
func inner(n int) int {
	for _, m := range []int{4, 2, 3, 5, 7, 11} {
		if n%m == 0 && n > m {
			return m
		}
	}
	return 1
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

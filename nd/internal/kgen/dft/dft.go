package dft

import (
	"math/bits"
	"slices"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// DFT is the transform of a few numbers, in natural order.
func (a Arith) DFT(x []Number, inverse bool) []Number {
	n := len(x)
	switch n {
	case 1:
		return x
	case 2:
		return []Number{a.Add(x[0], x[1]), a.Sub(x[0], x[1])}
	case 4:
		s, d := a.Add(x[0], x[2]), a.Sub(x[0], x[2])
		u, v := a.Add(x[1], x[3]), a.Sub(x[1], x[3]).Turned(!inverse)
		return []Number{a.Add(s, u), a.Add(d, v), a.Sub(s, u), a.Sub(d, v)}
	}
	if n&(n-1) == 0 {
		return a.joined(a.DFT(every(x, 0, 2), inverse), a.DFT(every(x, 1, 2), inverse), nil, inverse)
	}
	m := recipe.InnerRadix(n)
	if m == 1 {
		return a.prime(x, inverse)
	}
	return a.composite(x, n/m, m, inverse)
}

// Powers is how many powers of a root a Spun transform wants: those with exponents
// 1, 2, 4 and so on. The others are products of at most four of them.
func Powers(radix int) int { return bits.Len(uint(radix - 1)) }

// Spun is the transform of x[j] times the j-th power of a root; w has the powers
// 1, 2, 4 and so on. All of it is times by, if that is not nil.
func (a Arith) Spun(x, w []Number, by *Number, inverse bool) []Number {
	r := len(x)
	if r&(r-1) == 0 {
		return a.twisted(x, w, by, inverse)
	}
	all := make([]Number, r)
	var out []Number
	for j := range r {
		if j == 0 {
			out = append(out, a.times(x[0], by))
			continue
		}
		top := bits.Len(uint(j)) - 1
		all[j] = w[top]
		if rest := j - 1<<top; rest > 0 {
			all[j] = a.Mul(w[top], all[rest])
		}
		out = append(out, a.Mul(x[j], a.times(all[j], by)))
	}
	return a.DFT(out, inverse)
}

// times is x times by, if that is not nil.
func (a Arith) times(x Number, by *Number) Number {
	if by == nil {
		return x
	}
	return a.Mul(x, *by)
}

// Weighted is the transform of x[j] times w[j].
func (a Arith) Weighted(x, w []Number, inverse bool) []Number {
	n := len(x)
	switch {
	case n == 2:
		// The second product is a part of the sum.
		plus, minus := a.butterfly(a.Mul(x[0], w[0]), x[1], turn{by: &w[1]})
		return []Number{plus, minus}
	case n > 2 && n&(n-1) == 0:
		return a.joined(a.Weighted(every(x, 0, 2), every(w, 0, 2), inverse), a.Weighted(every(x, 1, 2), every(w, 1, 2), inverse), nil, inverse)
	}
	return a.DFT(lists.Make(n, func(j int) Number { return a.Mul(x[j], w[j]) }), inverse)
}

// Quarter is the transform with bins a quarter lower, forward.
func (a Arith) Quarter(x []Number) []Number {
	n := len(x)
	if n == 1 {
		return x
	}
	table := roots.Of(4 * n)
	root := func(k int) Number {
		re, im := table.At((k + 4*n) % (4 * n))
		return Number{a.Const(re), a.Const(im)}
	}
	if n&(n-1) != 0 {
		return a.Spun(x, lists.Make(Powers(n), func(row int) Number { return root(-1 << row) }), nil, false)
	}
	by := func(k int) Number { return root(4*k - 1) }
	return a.joined(a.Quarter(every(x, 0, 2)), a.Quarter(every(x, 1, 2)), by, false)
}

// every picks the elements first, first+step and so on.
func every[T any](x []T, first, step int) []T {
	var list []T
	for i := first; i < len(x); i += step {
		list = append(list, x[i])
	}
	return list
}

// twisted is Spun for a power of two of numbers. No other powers than those in w
// are needed, since what the halves have in common is multiplied once, in the fused
// multiply-adds that join them.
func (a Arith) twisted(x, w []Number, by *Number, inverse bool) []Number {
	if len(x) < 3 {
		return a.first(x, w, by)
	}
	n := len(x)
	table := roots.Of(n)
	root := func(k int) Number { return a.rotated(w[0], table, k, n, inverse) }
	return a.joined(a.twisted(every(x, 0, 2), w[1:], by, inverse), a.twisted(every(x, 1, 2), w[1:], by, inverse), root, inverse)
}

// Looked is Spun for a power of two of numbers, with all roots given: for the last join
// the first quarter of as many roots as there are numbers, at least one, times the root, for
// those before it the same of half as many, times its square, and so on, Powers lists.
func (a Arith) Looked(x []Number, w [][]Number, by *Number, inverse bool) []Number {
	if len(x) < 3 {
		return a.first(x, slices.Concat(w...), by)
	}
	return a.joined(a.Looked(every(x, 0, 2), w[1:], by, inverse), a.Looked(every(x, 1, 2), w[1:], by, inverse), func(k int) Number { return w[0][k] }, inverse)
}

// first is the first sum and difference of a transform, of x[0] and w[0] times x[1], all times
// by, if that is not nil; x may be one number.
func (a Arith) first(x, w []Number, by *Number) []Number {
	if len(x) == 1 {
		return []Number{a.times(x[0], by)}
	}
	v := a.times(w[0], by)
	plus, minus := a.butterfly(a.times(x[0], by), x[1], turn{by: &v})
	return []Number{plus, minus}
}

// turn is a factor of a butterfly: a number, or without one a power of i.
type turn struct {
	by      *Number
	quarter int // clockwise
}

// next is a quarter further.
func (t turn) next(inverse bool) turn {
	if t.by != nil {
		n := t.by.Turned(!inverse)
		return turn{by: &n}
	}
	if inverse {
		return turn{quarter: t.quarter + 3}
	}
	return turn{quarter: t.quarter + 1}
}

// of is x times a power of i.
func (t turn) of(x Number) Number {
	for range t.quarter % 4 {
		x = x.Turned(true)
	}
	return x
}

// joined makes a transform from those of its even and its odd elements, of which
// the latter are turned by roots: those of as many numbers, or those that by gives, of the
// first quarter of all elements, at least one. The next quarter is a quarter turn further.
func (a Arith) joined(even, odd []Number, by func(k int) Number, inverse bool) []Number {
	half := len(even)
	table := roots.Of(2 * half)
	out := make([]Number, 2*half)
	turns := make([]turn, half)
	for k := range half {
		switch q := k - half/2; {
		case half > 1 && q >= 0:
			turns[k] = turns[q].next(inverse)
		case by != nil:
			w := by(k)
			turns[k].by = &w
		case k > 0:
			re, im := table.At(k)
			if inverse {
				im = -im
			}
			turns[k].by = &Number{a.Const(re), a.Const(im)}
		}
		out[k], out[k+half] = a.butterfly(even[k], odd[k], turns[k])
	}
	return out
}

// butterfly is x + w*y and x - w*y in six operations.
func (a Arith) butterfly(x, y Number, w turn) (plus, minus Number) {
	if w.by == nil || x.IsZero() || y.IsZero() {
		if w.by == nil {
			y = w.of(y)
		} else {
			y = a.Mul(y, *w.by)
		}
		return a.Add(x, y), a.Sub(x, y)
	}
	plus = Number{
		a.Fused(y.Im.Neg(), w.by.Im, a.Fused(y.Re, w.by.Re, x.Re)),
		a.Fused(y.Im, w.by.Re, a.Fused(y.Re, w.by.Im, x.Im)),
	}
	two := a.Const(2)
	minus = Number{a.Fused(two, x.Re, plus.Re.Neg()), a.Fused(two, x.Im, plus.Im.Neg())}
	return plus, minus
}

// composite is f transforms of m after m transforms of f.
func (a Arith) composite(x []Number, f, m int, inverse bool) []Number {
	n := f * m
	table := roots.Of(n)
	rows := make([][]Number, m)
	for j := range m {
		column := lists.Make(f, func(i int) Number { return x[i*m+j] })
		rows[j] = a.DFT(column, inverse)
	}
	out := make([]Number, n)
	for k := range f {
		line := lists.Make(m, func(j int) Number { return a.rotated(rows[j][k], table, j*k, n, inverse) })
		for q, v := range a.DFT(line, inverse) {
			out[k+f*q] = v
		}
	}
	return out
}

// rotated is x times the k-th n-th root of unity.
func (a Arith) rotated(x Number, table *roots.Table, k, n int, inverse bool) Number {
	k %= n
	switch {
	case k == 0 || x.IsZero():
		return x
	case 2*k == n:
		return x.Neg()
	case 4*k == n:
		return x.Turned(!inverse)
	case 4*k == 3*n:
		return x.Turned(inverse)
	}
	re, im := table.At(k)
	if inverse {
		im = -im
	}
	return a.Mul(x, Number{a.Const(re), a.Const(im)})
}

// prime pairs x[j] with x[n-j], so that all products are by reals.
func (a Arith) prime(x []Number, inverse bool) []Number {
	n := len(x)
	half := n / 2
	table := roots.Of(n)
	sums, diffs := make([]Number, half+1), make([]Number, half+1)
	first := x[0]
	for j := 1; j <= half; j++ {
		sums[j], diffs[j] = a.Add(x[j], x[n-j]), a.Sub(x[j], x[n-j])
		first = a.Add(first, sums[j])
	}
	out := make([]Number, n)
	out[0] = first
	for k := 1; k <= half; k++ {
		even, odd := x[0], a.Zero()
		for j := 1; j <= half; j++ {
			cos, sin := table.At(j * k % n) // sin is of a clockwise angle
			if inverse {
				sin = -sin
			}
			c, s := a.Const(cos), a.Const(sin)
			even = Number{a.Fused(sums[j].Re, c, even.Re), a.Fused(sums[j].Im, c, even.Im)}
			odd = Number{a.Fused(diffs[j].Re, s, odd.Re), a.Fused(diffs[j].Im, s, odd.Im)}
		}
		odd = odd.Turned(false)
		out[k], out[n-k] = a.Add(even, odd), a.Sub(even, odd)
	}
	return out
}

// Untangle makes elements k and n-k of the spectrum of a real line of 2n of those
// of its packed line; w is half of the k-th of the 2n-th roots.
func (a Arith) Untangle(z, other, w Number) (x, image Number) {
	half := a.Const(0.5)
	even := a.Add(z, other.Conjugate())
	odd := a.Sub(z, other.Conjugate()).Turned(true)
	g := a.Mul(odd, w)
	x = Number{a.Fused(even.Re, half, g.Re), a.Fused(even.Im, half, g.Im)}
	image = Number{a.Fused(even.Re, half, g.Re.Neg()), a.Fused(even.Im, half, g.Im.Neg()).Neg()}
	return x, image
}

// Tangle is the reverse, times 2n.
func (a Arith) Tangle(x, y, w Number) (z, other Number) {
	two := a.Const(2)
	even, d := a.Add(x, y.Conjugate()), a.Sub(x, y.Conjugate())
	odd := a.Mul(d, w.Conjugate()).Turned(false)
	z = Number{a.Fused(two, odd.Re, even.Re), a.Fused(two, odd.Im, even.Im)}
	other = Number{a.Fused(two, odd.Re.Neg(), even.Re), a.Fused(two, odd.Im.Neg(), even.Im).Neg()}
	return z, other
}

// Blend is what a filter does to a packed line of n numbers: bins z and, conjugated, y of
// elements k and n-k become A*z + B*y and C*y - B*z. That is what untangling them,
// two products and tangling them again come to, in half as many operations.
type Blend struct{ A, B, C Number }

// Blend is that of a filter whose bins k and n-k are h and other, times 2n as Tangle is;
// w is half of the k-th of the 2n-th roots.
func (a Arith) Blend(h, other, w Number) Blend {
	two, g := a.Const(2), other.Conjugate()
	sum, d := a.Add(h, g), a.Sub(h, g)
	turned := a.Scaled(d, a.Product(two, w.Im))
	return Blend{A: a.Add(sum, turned), B: a.Scaled(d, a.Product(two, w.Re)).Turned(false), C: a.Sub(sum, turned)}
}

// Blended are elements k and n-k of a packed line behind a filter.
func (a Arith) Blended(z, other Number, b Blend) (x, image Number) {
	y := other.Conjugate()
	return a.dot(z, b.A, y, b.B), a.dot(y, b.C, z, b.B.Neg()).Conjugate()
}

// dot is x*u + y*v.
func (a Arith) dot(x, u, y, v Number) Number {
	re := a.Fused(x.Im.Neg(), u.Im, a.Product(x.Re, u.Re))
	im := a.Fused(x.Im, u.Re, a.Product(x.Re, u.Im))
	return Number{
		a.Fused(y.Im.Neg(), v.Im, a.Fused(y.Re, v.Re, re)),
		a.Fused(y.Im, v.Re, a.Fused(y.Re, v.Im, im)),
	}
}

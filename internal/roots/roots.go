// Package roots computes roots of unity exp(-2*pi*i*k/n), rounded once.
//
// The angle is reduced to the first octant in integers, and the value is
// carried in double-double arithmetic (about 106 bits) up to the last
// rounding, so a table entry is the nearest float64 (or float32) to the true
// root in all but very rare cases.
package roots

import "math"

// Table gives the roots of one order. Entry k costs one double-double complex
// product of a coarse and a fine entry, so the table of order n holds about
// 2*sqrt(n) precomputed roots.
type Table struct {
	step   int    // k/n = k*step / (8*octant), all integers
	octant int    // an eighth of a turn
	shift  uint   // fine entries are 1<<shift in number
	fine   []root // angle k
	coarse []root // angle k<<shift
}

type root struct{ cos, sin dd }

// Of returns the table of the n-th roots, n >= 1.
func Of(n int) *Table {
	t := &Table{step: 8, octant: n}
	for t.step > 1 && t.octant%2 == 0 {
		t.step, t.octant = t.step/2, t.octant/2
	}
	for 1<<(2*t.shift) < t.octant {
		t.shift++
	}
	turn := 8 * t.octant
	t.fine = make([]root, min(1<<t.shift, t.octant+1))
	for k := range t.fine {
		t.fine[k] = exact(k, turn)
	}
	t.coarse = make([]root, t.octant>>t.shift+1)
	for k := range t.coarse {
		t.coarse[k] = exact(k<<t.shift, turn)
	}
	return t
}

// At returns the real and imaginary part of exp(-2*pi*i*k/n). Any k >= 0
// whose product with 8 does not overflow is allowed.
func (t *Table) At(k int) (re, im float64) {
	w := t.Walk(k, 0)
	return w.Next()
}

// Walk goes through the roots first, first+step, first+2*step ... without the
// divisions that reducing each index would take.
type Walk struct {
	table    *Table
	at, step int
}

// Walk starts a walk; first and step are as the k of At.
func (t *Table) Walk(first, step int) Walk {
	turn := 8 * t.octant
	return Walk{t, first * t.step % turn, step * t.step % turn}
}

// Next returns the current root and moves on.
func (w *Walk) Next() (re, im float64) {
	t, k := w.table, w.at
	if w.at += w.step; w.at >= 8*t.octant {
		w.at -= 8 * t.octant
	}
	// Fold the angle into the first octant: conjugate the upper half turn, then
	// mirror at the second and at the first octant.
	conj, flip, swap := false, false, false
	if k > 4*t.octant {
		k, conj = 8*t.octant-k, true
	}
	if k > 2*t.octant {
		k, flip = 4*t.octant-k, true
	}
	if k > t.octant {
		k, swap = 2*t.octant-k, true
	}
	cos, sin := rotate(&t.coarse[k>>t.shift], &t.fine[k&(1<<t.shift-1)])
	if swap {
		cos, sin = sin, cos
	}
	if flip {
		cos = -cos
	}
	if conj {
		return cos, sin
	}
	return cos, -sin
}

// rotate is the product of two roots, carried to about twice the precision
// and rounded once.
func rotate(a, b *root) (cos, sin float64) {
	// The conversions keep compilers from fusing the products into the sums.
	p, q := float64(a.cos.hi*b.cos.hi), float64(a.sin.hi*b.sin.hi)
	pe := math.FMA(a.cos.hi, b.cos.hi, -p) + (a.cos.hi*b.cos.lo + a.cos.lo*b.cos.hi)
	qe := math.FMA(a.sin.hi, b.sin.hi, -q) + (a.sin.hi*b.sin.lo + a.sin.lo*b.sin.hi)
	d, e := twoSum(p, -q)
	cos = d + (e + (pe - qe))
	p, q = float64(a.sin.hi*b.cos.hi), float64(a.cos.hi*b.sin.hi)
	pe = math.FMA(a.sin.hi, b.cos.hi, -p) + (a.sin.hi*b.cos.lo + a.sin.lo*b.cos.hi)
	qe = math.FMA(a.cos.hi, b.sin.hi, -q) + (a.cos.hi*b.sin.lo + a.cos.lo*b.sin.hi)
	d, e = twoSum(p, q)
	sin = d + (e + (pe + qe))
	return cos, sin
}

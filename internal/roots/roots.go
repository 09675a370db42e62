// Package roots computes roots of unity exp(-2*pi*i*k/n), rounded once.
//
// The angle is reduced to the first octant in integers, and the value is
// carried in double-double arithmetic (about 106 bits) up to the last
// rounding, so a table entry is the nearest float64 (or float32) to the true
// root in all but very rare cases.
package roots

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
	turn := 8 * t.octant
	k = k * t.step % turn
	which, rest := k/t.octant, k%t.octant
	if which%2 == 1 {
		rest = t.octant - rest
	}
	f, c := t.fine[rest&(1<<t.shift-1)], t.coarse[rest>>t.shift]
	cos := c.cos.mul(f.cos).add(c.sin.mul(f.sin).neg()).hi
	sin := c.sin.mul(f.cos).add(c.cos.mul(f.sin)).hi
	switch which {
	case 0:
		return cos, -sin
	case 1:
		return sin, -cos
	case 2:
		return -sin, -cos
	case 3:
		return -cos, -sin
	case 4:
		return -cos, sin
	case 5:
		return -sin, cos
	case 6:
		return sin, cos
	default:
		return cos, sin
	}
}

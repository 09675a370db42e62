package wide

import (
	"math/big"
	"math/bits"
)

// root is exp(-i angle): fractions, and what octant they are for.
type root struct {
	cos, sin       []uint64
	unit           bool // cos is 1 and sin 0, before they are exchanged
	swap           bool
	cosNeg, sinNeg bool
}

// roots is the roots of unity of one order. The first octant is kept, in
// eighths of the order where that is not a whole number.
type roots struct {
	step, octant, limbs int
	table               []uint64 // cos and sin of each angle but the first, which is 0
}

// newRoots computes the roots of unity of an order to all digits of limbs.
func newRoots(order, limbs int) *roots {
	r := &roots{step: 8, octant: order, limbs: limbs}
	for r.step > 1 && r.octant%2 == 0 {
		r.step, r.octant = r.step/2, r.octant/2
	}
	r.table = make([]uint64, 2*limbs*(r.octant+1))
	// Angles that are powers of two are computed, others are products of two of
	// less. A limb more than is kept takes up the errors: there are fewer than
	// 64 products in a row.
	more := limbs + 1
	wide := make([]uint64, 2*more*(r.octant+1))
	at := func(k int) (cos, sin []uint64) {
		w := wide[2*more*k:]
		return w[:more:more], w[more : 2*more : 2*more]
	}
	acc, p := make([]uint64, more+1), make([]uint64, more)
	pi := pi(64*more + 64)
	for k := 1; k <= r.octant; k++ {
		c, s := at(k)
		top := 1 << (bits.Len(uint(k)) - 1)
		if top == k {
			turn(c, s, pi, k, 8*r.octant)
		} else {
			c1, s1 := at(top)
			c2, s2 := at(k - top)
			high(c, c1, c2, acc)
			high(p, s1, s2, acc)
			sub(c, c, p)
			high(s, s1, c2, acc)
			high(p, c1, s2, acc)
			add(s, s, p)
		}
		copy(r.table[2*limbs*k:], c[1:])
		copy(r.table[2*limbs*k+limbs:], s[1:])
	}
	return r
}

// at is root k, from 0 to below the order.
func (r *roots) at(k int) root {
	k *= r.step
	w := root{sinNeg: true}
	if k > 4*r.octant {
		k, w.sinNeg = 8*r.octant-k, false
	}
	if k > 2*r.octant {
		k, w.cosNeg = 4*r.octant-k, true
	}
	if k > r.octant {
		k, w.swap = 2*r.octant-k, true
	}
	w.unit = k == 0
	l := r.limbs
	t := r.table[2*l*k:]
	w.cos, w.sin = t[:l:l], t[l:2*l:2*l]
	if w.swap {
		w.cos, w.sin = w.sin, w.cos
	}
	return w
}

// pi is 2^digits times pi, by Machin's formula.
func pi(digits int) *big.Int {
	unit := new(big.Int).Lsh(big.NewInt(1), uint(digits+16))
	arctan := func(x int64) *big.Int { // of 1/x
		term := new(big.Int).Quo(unit, big.NewInt(x))
		sum, square := new(big.Int).Set(term), big.NewInt(x*x)
		for n := int64(3); term.Sign() != 0; n += 2 {
			term.Quo(term, square)
			term.Neg(term)
			sum.Add(sum, new(big.Int).Quo(term, big.NewInt(n)))
		}
		return sum
	}
	sum := new(big.Int).Mul(arctan(5), big.NewInt(16))
	sum.Sub(sum, new(big.Int).Mul(arctan(239), big.NewInt(4)))
	return sum.Rsh(sum, 16)
}

// turn sets cos and sin of k/all of a turn, an eighth at most, by their series.
func turn(cos, sin []uint64, pi *big.Int, k, all int) {
	digits := uint(64*len(cos) + 64) // those of pi
	x := new(big.Int).Mul(pi, big.NewInt(int64(2*k)))
	x.Quo(x, big.NewInt(int64(all)))
	term := new(big.Int).Lsh(big.NewInt(1), digits)
	even, odd := new(big.Int).Set(term), new(big.Int)
	for i := int64(1); term.Sign() != 0; i++ {
		term.Mul(term, x)
		term.Rsh(term, digits)
		term.Quo(term, big.NewInt(i))
		sum := even
		if i%2 == 1 {
			sum = odd
		}
		if i&2 != 0 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	fractionOf(cos, even, digits)
	fractionOf(sin, odd, digits)
}

// fractionOf takes the leading digits of v / 2^digits, which is below 1.
func fractionOf(dst []uint64, v *big.Int, digits uint) {
	v = new(big.Int).Rsh(v, digits-uint(64*len(dst)))
	word := new(big.Int)
	for i := range dst {
		dst[i] = word.And(v, mask).Uint64()
		v.Rsh(v, 64)
	}
}

var mask = new(big.Int).SetUint64(1<<64 - 1)

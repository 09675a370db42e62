package linalg

import (
	"math"
	"math/cmplx"
)

// generalComplex is general for complex matrices.
type generalComplex struct{ similar[complex128] }

func newGeneralComplex(a []complex128, n int, want wanted) *generalComplex {
	modulus := func(z complex128) float64 { return max(math.Abs(real(z)), math.Abs(imag(z))) } // a sum could overflow
	return &generalComplex{newSimilar(a, n, want, modulus, scaled)}
}

// modulus1 is near enough to the modulus, without a root.
func modulus1(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }

// normalBy is what numbers of a size have to be multiplied by for their quotients to have all digits.
func normalBy(size float64) float64 {
	if size < 0x1p-960 {
		return 0x1p200
	}
	return 1
}

// phaseOf is z over its modulus, and 1 for zero.
func phaseOf(z complex128) complex128 {
	if z == 0 {
		return 1
	}
	z = scaled(z, normalBy(modulus1(z)))
	return scaled(z, 1/cmplx.Abs(z))
}

// hessenberg makes zeros below the first subdiagonal, by reflections from both sides.
func (g *generalComplex) hessenberg() {
	n := g.n
	v, sum := make([]complex128, n), make([]complex128, n)
	for k := g.low; k+2 < g.high; k++ {
		square := 0.0
		for i := k + 1; i < g.high; i++ {
			v[i] = g.t[i][k]
			if i > k+1 {
				square += real(v[i])*real(v[i]) + imag(v[i])*imag(v[i])
				g.t[i][k] = 0
			}
		}
		if !(square > vanishing*vanishing) {
			continue
		}
		size := math.Hypot(cmplx.Abs(v[k+1]), math.Sqrt(square))
		head := -phaseOf(v[k+1]) * complex(size, 0)
		by := complex(1/(size*(size+cmplx.Abs(v[k+1]))), 0)
		v[k+1] -= head
		left := func(rows [][]complex128, from int) {
			clear(sum)
			for i := k + 1; i < g.high; i++ {
				c := cmplx.Conj(v[i])
				for j, x := range rows[i][from:] {
					sum[from+j] += c * x
				}
			}
			for i := k + 1; i < g.high; i++ {
				c := by * v[i]
				for j, x := range sum[from:] {
					rows[i][from+j] -= c * x
				}
			}
		}
		left(g.t, k+1)
		g.t[k+1][k] = head
		for _, row := range g.t[:g.high] {
			var dot complex128
			for j := k + 1; j < g.high; j++ {
				dot += row[j] * v[j]
			}
			dot *= by
			for j := k + 1; j < g.high; j++ {
				row[j] -= dot * cmplx.Conj(v[j])
			}
		}
		if g.zh != nil {
			left(g.zh, 0)
		}
	}
}

// schur makes a Hessenberg matrix triangular, by sweeps with one shift. It is false if that takes too long.
func (g *generalComplex) schur() bool {
	t, most := g.t, 0.0
	for _, row := range t {
		for _, v := range row {
			most = max(most, modulus1(v))
		}
	}
	least := most * 0x1p-900
	for high, sweeps := g.n-1, 0; high >= 0; {
		low := high
		for ; low > 0; low-- {
			under, over := modulus1(t[low][low-1]), modulus1(t[low-1][low])
			d, before := t[low][low], t[low-1][low-1]
			if under <= least || negligible(under, over, modulus1(d), modulus1(before), modulus1(before-d)) {
				t[low][low-1] = 0
				break
			}
		}
		switch {
		case low == high:
			high, sweeps = high-1, 0
		case sweeps == mostShifts:
			return false
		default:
			sweeps++
			g.sweep(low, high, g.shift(high, sweeps))
		}
	}
	return true
}

// shift is the eigenvalue of the trailing block of two that is nearer to its last element.
func (g *generalComplex) shift(high, count int) complex128 {
	d := g.t[high][high]
	if count%10 == 0 {
		return d + complex(0.75*modulus1(g.t[high][high-1]), 0) // another, where these go in circles
	}
	half := (g.t[high-1][high-1] - d) / 2
	bc := cmplx.Sqrt(g.t[high][high-1]) * cmplx.Sqrt(g.t[high-1][high])
	if bc == 0 {
		return d
	}
	// Over the larger of both: squares of small ones would vanish.
	size := complex(max(modulus1(half), modulus1(bc)), 0)
	half, bc = half/size, bc/size
	root := cmplx.Sqrt(half*half + bc*bc)
	if real(root)*real(half)+imag(root)*imag(half) < 0 {
		root = -root
	}
	return d - size*bc*(bc/(half+root))
}

// sweep chases a bulge from row low to row high.
func (g *generalComplex) sweep(low, high int, shift complex128) {
	t := g.t
	x, y := t[low][low]-shift, t[low+1][low]
	for k := low; k < high; k++ {
		if k > low {
			x, y = t[k][k-1], t[k+1][k-1]
		}
		up := normalBy(max(modulus1(x), modulus1(y)))
		x, y = scaled(x, up), scaled(y, up)
		ax, ay := cmplx.Abs(x), cmplx.Abs(y)
		if ay == 0 {
			continue
		}
		size := math.Hypot(ax, ay)
		cosine, phase := ax/size, phaseOf(x)
		sine := phase * scaled(cmplx.Conj(y), 1/size)
		if k > low {
			t[k][k-1], t[k+1][k-1] = scaled(phase, size/up), 0
		}
		first, end := 0, g.n
		if !g.whole {
			first, end = low, high+1
		}
		turnComplex(t[k][k:end], t[k+1][k:end], cosine, sine)
		c := complex(cosine, 0)
		for _, row := range t[first : min(k+2, high)+1] {
			p, q := row[k], row[k+1]
			row[k], row[k+1] = c*p+cmplx.Conj(sine)*q, c*q-sine*p
		}
		if g.zh != nil {
			turnComplex(g.zh[k], g.zh[k+1], cosine, sine)
		}
	}
}

// turnComplex turns two rows: x becomes c x + s y, y becomes c y - conj(s) x.
func turnComplex(x, y []complex128, cosine float64, sine complex128) {
	y = y[:len(x)]
	c, minus := complex(cosine, 0), -cmplx.Conj(sine)
	for i, v := range x {
		x[i], y[i] = c*v+sine*y[i], c*y[i]+minus*v
	}
}

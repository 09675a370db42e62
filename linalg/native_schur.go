package linalg

import "math"

// mostShifts bounds the sweeps for an eigenvalue; it takes two or three.
const mostShifts = 60

// schur makes a Hessenberg matrix quasi-triangular, by sweeps with two shifts at once (Francis): on its
// diagonal are real eigenvalues, and blocks of two rows for pairs of complex ones, whose diagonal has the real part
// twice. It is false if that takes too long.
func (g *general) schur() bool {
	most := 0.0
	for _, row := range g.t {
		for _, v := range row {
			most = max(most, math.Abs(v))
		}
	}
	least := most * 0x1p-900 // less is zero whatever is beside it
	for high, sweeps := g.n-1, 0; high >= 0; {
		low := high
		for low > 0 && !g.parts(low, least) {
			low--
		}
		if low > 0 {
			g.t[low][low-1] = 0
		}
		switch {
		case low == high:
			high, sweeps = high-1, 0
		case low+1 == high:
			g.standardise(low)
			high, sweeps = high-2, 0
		case sweeps == mostShifts:
			return false
		default:
			sweeps++
			g.sweep(low, high, sweeps)
		}
	}
	return true
}

// parts reports whether the element below the diagonal in row k is nothing. Beside small elements on the other side of the
// diagonal it may be larger (Ahues and Tisseur).
func (g *general) parts(k int, least float64) bool {
	under, over := math.Abs(g.t[k][k-1]), math.Abs(g.t[k-1][k])
	if under <= least {
		return true
	}
	return negligible(under, over, math.Abs(g.t[k][k]), math.Abs(g.t[k-1][k-1]), math.Abs(g.t[k-1][k-1]-g.t[k][k]))
}

// negligible takes the moduli of the elements beside the diagonal, of those on it, and of their difference.
func negligible(under, over, d, before, apart float64) bool {
	const rounding = 0x1p-52
	if under > rounding*(d+before) {
		return false
	}
	a, b := max(d, apart), min(d, apart)
	sum := a + b
	return sum == 0 || min(under, over)*(max(under, over)/sum) <= rounding*(b*(a/sum))
}

// sweep chases a bulge from row low to row high.
func (g *general) sweep(low, high, count int) {
	t := g.t
	// The trailing block of two has the shifts as its eigenvalues.
	a, b, c, d := t[high-1][high-1], t[high-1][high], t[high][high-1], t[high][high]
	if count%10 == 0 {
		// Others, where these go in circles.
		s := math.Abs(t[high][high-1]) + math.Abs(t[high-1][high-2])
		a, b, c, d = t[high][high]+0.75*s, -0.4375*s, s, t[high][high]+0.75*s
	}
	// The first column of the product of both shifted matrices, over the size of one of them, as squares of small
	// elements would vanish; where two elements below the diagonal are small, a sweep can start between them.
	var v [3]float64
	first := high - 2
	for ; ; first-- {
		z := t[first][first]
		under := t[first+1][first]
		x, y := a-z, d-z
		over := max(math.Abs(x), math.Abs(b), math.Abs(under))
		u := under / over
		v = [3]float64{x/over*y - b/over*c + u*t[first][first+1], u * (t[first+1][first+1] - z - x - y), u * t[first+2][first+1]}
		size := math.Abs(v[0]) + math.Abs(v[1]) + math.Abs(v[2])
		if size == 0 {
			v[0], size = 1, 1 // out of range: any start will do
		}
		for i := range v {
			v[i] /= size
		}
		if first == low || math.Abs(t[first][first-1])*(math.Abs(v[1])+math.Abs(v[2])) <=
			0x1p-53*math.Abs(v[0])*(math.Abs(t[first-1][first-1])+math.Abs(z)+math.Abs(t[first+1][first+1])) {
			break
		}
	}
	for k := first; k < high; k++ {
		count := min(3, high-k+1)
		if k > first {
			v = [3]float64{}
			for i := range count {
				v[i] = t[k+i][k-1]
			}
		}
		size := max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2]))
		if size == 0 {
			continue
		}
		for i := range v {
			v[i] /= size
		}
		head := -math.Copysign(math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2]), v[0])
		by := (head - v[0]) / head
		v[1], v[2] = v[1]/(v[0]-head), v[2]/(v[0]-head)
		switch {
		case k > first:
			t[k][k-1] = head * size
			for i := 1; i < count; i++ {
				t[k+i][k-1] = 0
			}
		case k > low:
			t[k][k-1] *= 1 - by
		}
		g.mirror(k, count, v[1], v[2], by, low, high)
	}
}

// mirror reflects two or three rows, from row k on, and as many columns along (1, p, q), in the block from row low to row high.
func (g *general) mirror(k, count int, p, q, by float64, low, high int) {
	first, end := 0, g.n
	if !g.whole {
		first, end = low, high+1
	}
	rows := func(t [][]float64, from, end int) {
		x, y := t[k][from:end], t[k+1][from:end]
		y = y[:len(x)]
		if count == 2 {
			for i, v := range x {
				sum := by * (v + p*y[i])
				x[i], y[i] = v-sum, y[i]-sum*p
			}
			return
		}
		z := t[k+2][from:end][:len(x)]
		for i, v := range x {
			sum := by * (v + p*y[i] + q*z[i])
			x[i], y[i], z[i] = v-sum, y[i]-sum*p, z[i]-sum*q
		}
	}
	rows(g.t, k, end)
	for _, row := range g.t[first : min(k+3, high)+1] {
		if count == 2 {
			x := (*[2]float64)(row[k:])
			sum := by * (x[0] + p*x[1])
			x[0], x[1] = x[0]-sum, x[1]-sum*p
			continue
		}
		x := (*[3]float64)(row[k:])
		sum := by * (x[0] + p*x[1] + q*x[2])
		x[0], x[1], x[2] = x[0]-sum, x[1]-sum*p, x[2]-sum*q
	}
	if g.zh != nil {
		rows(g.zh, 0, g.n)
	}
}

// standardise turns the block of rows k and k+1 until it is a triangle, if its eigenvalues are real, or has the same
// number twice on the diagonal.
func (g *general) standardise(k int) {
	a, b, c, d := g.t[k][k], g.t[k][k+1], g.t[k+1][k], g.t[k+1][k+1]
	if c == 0 {
		return
	}
	cosine, sine := 1.0, 0.0
	half := (a - d) / 2
	larger, lesser := max(math.Abs(b), math.Abs(c)), min(math.Abs(b), math.Abs(c))
	if (b < 0) != (c < 0) {
		lesser = -lesser
	}
	scale := max(math.Abs(half), larger)
	// The discriminant, over scale.
	over := half/scale*half + larger/scale*lesser
	switch {
	case b == 0:
		cosine, sine = 0, 1
		a, b, c, d = d, -c, 0, a
	case over >= 0x1p-50:
		z := half + math.Copysign(math.Sqrt(scale)*math.Sqrt(over), half)
		a, d = d+z, d-larger/z*lesser
		length := math.Hypot(c, z)
		cosine, sine = z/length, c/length
		b, c = b-c, 0
	default:
		sum := b + c
		length := math.Hypot(sum, a-d)
		if length != 0 {
			cosine = math.Sqrt(0.5 * (1 + math.Abs(sum)/length))
			sine = -(half / (length * cosine)) * math.Copysign(1, sum)
		}
		aa, bb, cc, dd := a*cosine+b*sine, b*cosine-a*sine, c*cosine+d*sine, d*cosine-c*sine
		b, c = bb*cosine+dd*sine, cc*cosine-aa*sine
		mean := ((aa*cosine + cc*sine) + (dd*cosine - bb*sine)) / 2
		a, d = mean, mean
		if c != 0 && b != 0 && (b < 0) == (c < 0) {
			// Real after all: a turn by another angle makes a triangle.
			rb, rc := math.Sqrt(math.Abs(b)), math.Sqrt(math.Abs(c))
			p := math.Copysign(rb*rc, c)
			by := 1 / math.Sqrt(math.Abs(b+c))
			a, d = mean+p, mean-p
			b, c = b-c, 0
			cosine, sine = cosine*rb*by-sine*rc*by, cosine*rc*by+sine*rb*by
		} else if c != 0 && b == 0 {
			b, c = -c, 0
			cosine, sine = -sine, cosine
		}
	}
	rowOps.Rotate(g.t[k], g.t[k+1], cosine, sine)
	for _, row := range g.t[:k+2] {
		x, y := row[k], row[k+1]
		row[k], row[k+1] = cosine*x+sine*y, cosine*y-sine*x
	}
	if g.zh != nil {
		rowOps.Rotate(g.zh[k], g.zh[k+1], cosine, sine)
	}
	g.t[k][k], g.t[k][k+1], g.t[k+1][k], g.t[k+1][k+1] = a, b, c, d
}

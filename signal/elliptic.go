package signal

import "math"

// Elliptic integrals and functions, as far as filter design needs them. The
// parameter is m = k^2, and m1 = 1-m where that is what is known exactly.

// completeK is the complete integral of the first kind for 1-m1, by the
// arithmetic-geometric mean.
func completeK(m1 float64) float64 {
	a, b := 1.0, math.Sqrt(m1)
	for math.Abs(a-b) > 0x1p-50*a {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	return math.Pi / (a + b)
}

// incompleteF is the integral of the first kind for 1-m1 up to the angle with
// tangent t, by Carlson's form of it.
func incompleteF(t, m1 float64) float64 {
	sin2, cos2 := t*t/(1+t*t), 1/(1+t*t)
	x, y, z := cos2, cos2+m1*sin2, 1.0
	for {
		mean := (x + y + z) / 3
		dx, dy, dz := 1-x/mean, 1-y/mean, 1-z/mean
		if max(math.Abs(dx), math.Abs(dy), math.Abs(dz)) < 1e-3 {
			// Carlson's series; what is left out is of sixth order.
			e2, e3 := dx*dy-dz*dz, dx*dy*dz
			return math.Sqrt(sin2) * (1 - e2/10 + e3/14 + e2*e2/24 - 3*e2*e3/44) / math.Sqrt(mean)
		}
		l := math.Sqrt(x*y) + math.Sqrt(y*z) + math.Sqrt(z*x)
		x, y, z = (x+l)/4, (y+l)/4, (z+l)/4
	}
}

// jacobi is sn, cn and dn of u for 1-m1, by descending Landen transformations.
func jacobi(u, m1 float64) (sn, cn, dn float64) {
	a, b := []float64{1}, math.Sqrt(m1)
	c := []float64{math.Sqrt(1 - m1)}
	for math.Abs(c[len(c)-1]) > 0x1p-52 && len(a) < 12 {
		last := a[len(a)-1]
		a, c = append(a, (last+b)/2), append(c, (last-b)/2)
		b = math.Sqrt(last * b)
	}
	n := len(a) - 1
	phi := math.Ldexp(a[n]*u, n)
	before := phi
	for i := n; i > 0; i-- {
		before = phi
		phi = (math.Asin(c[i]*math.Sin(phi)/a[i]) + phi) / 2
	}
	sn, cn = math.Sincos(phi)
	dn = math.Sqrt(1 - (1-m1)*sn*sn)
	if d := math.Cos(before - phi); math.Abs(d) > 0.1 && n > 0 {
		dn = cn / d
	}
	return sn, cn, dn
}

// degree is the m of the elliptic filter of order n with m1 between its bands,
// by nomes.
func degree(n int, m1 float64) float64 {
	// The nome of the wanted m is the nth root of that of m1.
	q := math.Exp(-math.Pi * completeK(m1) / completeK(1-m1) / float64(n))
	num, den := 0.0, 1.0
	for i := range 8 {
		k := float64(i)
		num += math.Pow(q, k*(k+1))
		den += 2 * math.Pow(q, (k+1)*(k+1))
	}
	r := num / den
	return 16 * q * r * r * r * r
}
